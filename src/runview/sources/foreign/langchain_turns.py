"""The messages of LangChain, chunk by chunk or whole, as steps, texts and calls.

A turn of the model is known by where it runs, since its message may change its id after the first chunk. It stays open until the
next one begins, because whole messages repeat what was streamed, and may bring what was missing: usage, or the reason of the end.
"""

from __future__ import annotations

from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign.fields import field, first, path, plain, text
from runview.sources.foreign.langchain_blocks import Blocks, blocks_of
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.usage import usage_of
from runview.sources.foreign.writer import Writer

__all__ = ["Turn", "Turns", "add_usage"]


_AFTER: Final = ".after_model"
"""How the nodes of middlewares end that run after the model."""


class Turn:
    """One response of a model."""

    def __init__(self, key: str) -> None:
        self.key = key
        """Where it runs: the namespace of a node's task, or the id of a model's run."""
        self.ids: set[str] = set()
        self.calls: dict[str, str] = {}
        """The ids of calls by index."""
        self.last = ""
        """The index of the latest."""
        self.usage: Wire = {}
        self.raw: str | None = None
        self.over = False
        """Its last chunk has come."""
        self.marked = False
        """Its chunks say which is the last, as those of newer versions do."""


class Turns:
    """Writes the messages of one run."""

    def __init__(self, write: Writer) -> None:
        self.write = write
        self.turn: Turn | None = None
        self.seen: set[str] = set()
        """Ids of messages that have been told, or are older than the run."""
        self.reason: str | None = None
        self.raw: str | None = None
        self._blocks = Blocks(write)
        self._parked: dict[str, list[object]] = {}

    # Messages

    def message(self, message: object, key: str = "", node: str | None = None) -> None:
        """Any message: what the model says, or the result of a tool. What people say is not the run's.

        A middleware that runs after the model gives the model's message once more: before anything was said, that of a run that
        waited and now goes on.
        """
        if node is not None and node.endswith(_AFTER) and not self.write.steps and field(message, "tool_calls"):
            self.known([message])
            return
        match text(message, "type"):
            case "AIMessageChunk":
                self._chunk(message, key)
            case "ai" | "AIMessage":
                self._whole(message)
            case "tool" | "ToolMessage" | "ToolMessageChunk":
                self.tool(message)
            case _:
                pass

    def known(self, messages: list[Any]) -> None:
        """Messages that are older than the run."""
        self.seen.update(identity(each) for each in messages)

    def _chunk(self, message: object, key: str) -> None:
        turn, id_ = self.turn, text(message, "id")
        if turn is None or turn.key != key or (turn.over and id_ not in turn.ids):
            if id_ is not None and id_ in self.seen:
                return
            if turn is not None and turn.key != key and turn.marked and not turn.over:
                self._parked.setdefault(key, []).append(message)  # Two models speak at once: one after the other is heard.
                return
            turn = self.begin(key, id_)
        if id_ is not None:
            turn.ids.add(id_)
            self.seen.add(id_)
        turn.marked = turn.marked or field(message, "chunk_position") is not None or _has(message, "chunk_position")
        self._blocks.chunk(turn, message)
        add_usage(turn.usage, usage_of(field(message, "usage_metadata")))
        turn.raw = raw_reason(message) or turn.raw
        if text(message, "chunk_position") == "last":
            turn.over = True
            self._go_on()
        elif turn.raw or turn.usage:
            turn.over = turn.over or not turn.marked

    def _whole(self, message: object) -> None:
        """A message that comes at once: told unless it was streamed."""
        id_ = identity(message)
        if id_ in self.seen:
            turn = self.turn
            if turn is not None and id_ in turn.ids:
                turn.usage = turn.usage or _usage(message)
                turn.raw = turn.raw or raw_reason(message)
                turn.over = True
                self._go_on()
            return
        turn = self.begin(id_, id_)
        self._blocks.whole(turn, message)
        turn.usage, turn.raw, turn.over = _usage(message), raw_reason(message), True

    def tool(self, message: object) -> None:
        """A result; repeated results are told once."""
        call = text(message, "tool_call_id") or ""
        told = self.write.calls.get(call)
        if (told is not None and told.settled) or identity(message) in self.seen:
            return
        self.seen.add(identity(message))
        self.write.end_calls()
        content = plain(field(message, "content"))
        if text(message, "status") == "error":
            words = content if isinstance(content, str) else "".join(text(block, "text") or "" for block in blocks_of(message))
            self.write.tool_error(call, {"message": words}, text(message, "name"))
        else:
            self.write.result(call, content, text(message, "name"))

    # Turns

    def begin(self, key: str, id_: str | None = None) -> Turn:
        """A turn begins; the one before is over."""
        self.close()
        turn = self.turn = Turn(key)
        if id_ is not None:
            turn.ids.add(id_)
            self.seen.add(id_)
        self.write.new_step(id=id_)
        return turn

    def close(self) -> None:
        """The turn and its step end."""
        turn, self.turn = self.turn, None
        if turn is None:
            return
        reason = reason_of(turn.raw)
        self.write.end_calls(cut=reason == "length")
        if reason == "stop" and any(
            call.step == self.write.steps and call.state == "called" and not call.provider for call in self.write.calls.values()
        ):
            reason = "tool-calls"
        self.reason, self.raw = reason, turn.raw
        self.write.finish_step(reason, raw=turn.raw, usage=turn.usage or None)

    def end(self) -> None:
        """The stream has ended."""
        while self._parked:
            self._hear(next(iter(self._parked)))
        self.close()
        self.write.finish(self.reason, raw=self.raw)

    def fail(self) -> None:
        """The stream broke: a call that is not whole stays so, and what the turn has told counts."""
        while self._parked:
            self._hear(next(iter(self._parked)))
        self.write.end_calls(cut=True)
        if self.turn is not None and self.turn.over:
            self.close()

    def _go_on(self) -> None:
        if self._parked:
            self._hear(next(iter(self._parked)))

    def _hear(self, key: str) -> None:
        for message in self._parked.pop(key):
            if self.turn is not None and self.turn.key != key:
                self.turn.over = True
            self._chunk(message, key)


def identity(message: object) -> str:
    """What a message is known by when it comes again: its id, or else what it says."""
    return text(message, "id") or repr(
        (text(message, "type"), plain(field(message, "content")), plain(field(message, "tool_calls")))
    )


def add_usage(sum_: Wire, told: Wire) -> None:
    """Chunks of a message tell parts of its usage. An input of zero tokens is one that is not known."""
    for name, count in told.items():
        if count or name != "inputTokens":
            sum_[name] = sum_.get(name, 0) + count


def raw_reason(message: object) -> str | None:
    """Why the response ended, in the provider's words."""
    metadata = field(message, "response_metadata")
    status = text(metadata, "status")
    if status == "incomplete":
        return text(field(metadata, "incomplete_details"), "reason") or status
    told = first(metadata, "finish_reason", "stop_reason", "stopReason", "done_reason")
    return told if isinstance(told, str) and told else status


def _usage(message: object) -> Wire:
    usage: Wire = {}
    add_usage(usage, usage_of(field(message, "usage_metadata") or path(message, "response_metadata", "token_usage")))
    return usage


def _has(message: object, name: str) -> bool:
    return not isinstance(message, dict) and hasattr(message, name)
