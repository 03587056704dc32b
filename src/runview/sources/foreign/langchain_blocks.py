"""The content of a LangChain message: plain text, or blocks in LangChain's own or in a provider's form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, first, items, plain, text
from runview.sources.foreign.writer import Writer

if TYPE_CHECKING:
    from runview.sources.foreign.langchain_turns import Turn

__all__ = ["Blocks", "blocks_of"]

_CALLS: Final = frozenset({"tool_call", "tool_call_chunk", "invalid_tool_call", "tool_use", "input_json_delta", "function_call"})
"""Blocks that repeat what a message's lists of calls say."""


def blocks_of(message: object) -> list[Any]:
    """The blocks of a message, in LangChain's own form where it has one."""
    content = field(message, "content")
    if isinstance(content, str):
        reasoning = first(field(message, "additional_kwargs"), "reasoning_content", "reasoning")
        thought = [{"type": "reasoning", "reasoning": reasoning}] if isinstance(reasoning, str) and reasoning else []
        return [*thought, {"type": "text", "text": content}]
    return items(message, "content_blocks") or items(message, "content")


class Blocks:
    """Writes blocks."""

    def __init__(self, write: Writer) -> None:
        self._write = write

    def chunk(self, turn: Turn, message: object) -> None:
        """A part of a message: text first, then fragments of calls."""
        for block in blocks_of(message):
            self.block(block)
        fragments = items(message, "tool_call_chunks")
        for fragment in fragments or items(message, "tool_calls"):
            self.fragment(turn, fragment)

    def whole(self, turn: Turn, message: object) -> None:
        """All of a message."""
        for block in blocks_of(message):
            self.block(block)
        for call in items(message, "tool_calls"):
            self._write.call(
                text(call, "id") or self._write.made_id("call"), text(call, "name") or "tool", plain(field(call, "args"))
            )
        for call in items(message, "invalid_tool_calls"):
            self.fragment(turn, call)

    def fragment(self, turn: Turn, fragment: object) -> None:
        """A piece of a call's arguments: the first names it, the others say by their index which call they belong to."""
        id_, name, index = text(fragment, "id"), text(fragment, "name"), field(fragment, "index")
        args = field(fragment, "args")
        key = str(index if index is not None else id_ or turn.last)
        known = turn.calls.get(key)
        if known is None or (id_ and id_ != known):
            if not (id_ or name):
                return
            known = turn.calls[key] = id_ or self._write.made_id("call")
            self._write.call_start(known, name or "tool")
        turn.last = key
        if isinstance(args, str):
            self._write.call_delta(known, args)
        elif args:
            self._write.call(known, name or "tool", plain(args))

    def block(self, block: object) -> None:
        """A block, or what a chunk adds to one."""
        if isinstance(block, str):
            self._write.text(block)
            return
        type_ = text(block, "type")
        match type_:
            case "text" | "output_text" | "text_delta":
                self._write.text(text(block, "text") or "")
                for annotation in items(block, "annotations"):
                    self.cite(annotation)
            case "reasoning" | "thinking" | "reasoning_content":
                self._reasoning(block)
            case "redacted_thinking":
                self._write.redacted(text(block, "data"))
            case "server_tool_call" | "server_tool_call_chunk":
                self._server_call(block)
            case "server_tool_result":
                self._server_result(block)
            case "image" | "audio" | "video" | "file":
                self._file(block)
            case "citation":
                self.cite(block)
            case "non_standard":
                value = field(block, "value")
                if text(value, "type") == "redacted_thinking":
                    self._write.redacted(text(value, "data"))
                else:
                    self._write.emit(chunks.raw(plain(block)))
            case _ if type_ not in _CALLS:
                self._write.emit(chunks.raw(plain(block)))
            case _:
                pass

    def _reasoning(self, block: object) -> None:
        told = first(block, "reasoning", "thinking")
        words = told if isinstance(told, str) else "".join(text(each, "text") or "" for each in items(block, "summary"))
        self._write.reasoning(words)
        extras = field(block, "extras")
        proof = first(block, "signature", "encrypted_content") or first(extras, "signature", "encrypted_content")
        if isinstance(proof, str):
            self._write.signature(proof)

    def _server_call(self, block: object) -> None:
        id_ = text(block, "id")
        if id_ is None:
            return
        call = self._write.call_start(id_, text(block, "name") or "tool", provider=True)
        args = field(block, "args")
        if isinstance(args, str):
            self._write.call_delta(id_, args)
        elif args is not None and call.state == "writing":
            self._write.call_end(id_, plain(args))

    def _server_result(self, block: object) -> None:
        id_ = text(block, "tool_call_id") or ""
        output = plain(field(block, "output"))
        if text(block, "status") == "error":
            self._write.tool_error(id_, output if output is not None else {"message": "The tool failed."})
        else:
            self._write.result(id_, output)

    def _file(self, block: object) -> None:
        data = first(block, "base64", "data", "url", "file_id")
        if data is not None:
            self._write.step()
            self._write.emit(chunks.file(data, text(block, "mime_type") or f"{text(block, 'type')}/*"))

    def cite(self, annotation: object) -> None:
        """A source."""
        self._write.source(text(annotation, "url"), text(annotation, "title"))
