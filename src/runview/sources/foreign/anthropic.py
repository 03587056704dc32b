"""Events of Anthropic's messages: raw, of the helpers, beta, and of the tool runner, whose turns are one run.

Of the helpers only the raw events are read; what is derived from them repeats. A call's block ends even when the arguments were
cut off, so a call whose JSON is not whole waits for the reason. Usage counts up: each number replaces the one before.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import (
    field,
    integer,
    is_list,
    items,
    listed,
    number,
    parsed,
    path,
    plain,
    record,
    text,
    type_of,
)
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.usage import tokens
from runview.sources.foreign.writer import Writer

__all__ = ["ANTHROPIC", "AnthropicReader", "anthropic_usage"]

_OWN: Final = frozenset(
    "message_start content_block_start content_block_delta content_block_stop message_delta message_stop".split()
)
_REPEATS: Final = frozenset("ping text thinking signature input_json citation compaction".split())
_COUNTS: Final = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def _recognises(event: object) -> bool:
    type_ = type_of(event)
    return type_ in _OWN or (type_ == "error" and (text(field(event, "error"), "type") or "").endswith("_error"))


def anthropic_usage(counts: dict[str, Any]) -> Wire:
    """Their input leaves out what went through the cache; ours has it."""
    given = counts.get("input_tokens")
    cached = counts.get("cache_read_input_tokens")
    if given is not None:
        given += (counts.get("cache_creation_input_tokens") or 0) + (cached or 0)
    return tokens(given, counts.get("output_tokens"), None, counts.get("reasoning_tokens"), cached)


def counts_in(usage: object) -> dict[str, Any]:
    """The numbers of a usage, as they are spelled there; those that are missing are left out."""
    found = {name: value for name in _COUNTS if (value := number(usage, name)) is not None}
    for name in ("reasoning_tokens", "thinking_tokens"):
        if (value := number(field(usage, "output_tokens_details"), name)) is not None:
            found["reasoning_tokens"] = value
    return found


class AnthropicReader:
    """Reads one stream, or the turns of one. `usage` tells whether the steps are to have it."""

    def __init__(self, layers: Layers = (), *, usage: bool = True) -> None:
        self.write = Writer()
        self._counts_usage = usage
        self._counts: dict[str, Any] = {}
        self._raw: str | None = None
        """The raw stop reason of the message."""
        self._details: Any = None
        self._calls: dict[int, tuple[str, Any]] = {}
        """By the block's index: the call's id, and the arguments that its start had."""
        self._ended = False
        """A message has ended and none is open."""

    def read(self, event: object) -> Iterable[Wire]:
        self.event(event)
        return self.write.take()

    def end(self) -> Iterable[Wire]:
        if self._ended:
            self.write.finish(reason_of(self._raw), raw=self._raw)
        return self.write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        return ()

    def event(self, event: object) -> None:
        index = integer(event, "index") or 0
        match type_of(event):
            case "message_start":
                self._message_start(field(event, "message"))
            case "content_block_start":
                self._held_calls()
                self.block(field(event, "content_block"), index)
            case "content_block_delta":
                self._delta(field(event, "delta"), index)
            case "content_block_stop":
                self._block_stop(event, index)
            case "message_delta":
                self._message_delta(event)
            case "message_stop":
                self.message_stop()
            case "error":
                self.write.error(_error(event))
            case "message" | "":
                self._results(event)
            case type_ if type_ not in _REPEATS:
                self._raw_event(event)
            case _:
                pass

    def _raw_event(self, event: object) -> None:
        self.write.start()
        self.write.emit(chunks.raw(plain(event)))

    def _message_start(self, message: object) -> None:
        self._calls.clear()
        self._counts = counts_in(field(message, "usage"))
        self._raw = self._details = None
        self._ended = False
        self.write.new_step(id=text(message, "id"), modelId=text(message, "model"))

    def block(self, block: object, index: int) -> None:
        """A block begins, or is there whole."""
        match type_of(block):
            case "text":
                self.write.text(text(block, "text") or "", index)
                self._cited(items(block, "citations"))
            case "thinking":
                self.write.reasoning(text(block, "thinking") or "", index)
                self.write.signature(text(block, "signature") or "", index)
            case "redacted_thinking":
                self.write.redacted(text(block, "data"))
            case type_ if type_.endswith("tool_use"):
                id_ = text(block, "id") or self.write.made_id("call")
                self.write.call_start(id_, text(block, "name") or "", provider=type_ != "tool_use")
                self._calls[index] = (id_, plain(field(block, "input")))
            case type_ if type_.endswith("tool_result"):
                self._result(block)
            case _:
                self._raw_event(block)

    def _delta(self, delta: object, index: int) -> None:
        match type_of(delta):
            case "text_delta":
                self.write.text(text(delta, "text") or "", index)
            case "thinking_delta":
                self.write.reasoning(text(delta, "thinking") or "", index)
            case "signature_delta":
                self.write.signature(text(delta, "signature") or "", index)
            case "input_json_delta":
                if index in self._calls:
                    self.write.call_delta(self._calls[index][0], text(delta, "partial_json") or "")
            case "citations_delta":
                self._cited([field(delta, "citation")])
            case _:
                self._raw_event(delta)

    def _block_stop(self, event: object, index: int) -> None:
        self.write.text_end(index)
        self.write.reasoning_end(index)
        if index in self._calls:
            self._end_call(index, wait=True)
        answer = field(field(event, "content_block"), "parsed_output")
        if answer is not None and isinstance(answer := plain(answer), (dict, list)):
            self.write.emit(chunks.object_result(answer))

    def _end_call(self, index: int, *, wait: bool) -> None:
        """`wait`: arguments that are no whole JSON may turn out to be cut off."""
        id_, given = self._calls[index]
        streamed = self.write.calls[id_].text
        if not streamed.strip() and given:
            self.write.call_end(id_, given)
        elif not wait or _is_json(streamed):
            self.write.call_end(id_)

    def _held_calls(self) -> None:
        """Something follows, so what waits was whole."""
        for index in tuple(self._calls):
            self._end_call(index, wait=False)

    def _message_delta(self, event: object) -> None:
        self._counts.update(counts_in(field(event, "usage")))
        self._raw = text(field(event, "delta"), "stop_reason") or self._raw
        details = path(event, "delta", "stop_details") or field(event, "stop_details")
        self._details = plain(details) if details is not None else self._details

    def message_stop(self) -> None:
        """The message has ended, and the step with it."""
        reason = reason_of(self._raw)
        if reason in ("length", "content-filter", "other"):
            self.write.end_calls(cut=True)
        else:
            self._held_calls()
        usage = anthropic_usage(self._counts) if self._counts_usage else None
        warnings = [{"type": "other", "message": told}] if (told := _explained(self._details)) else None
        if self.write.in_step:
            self.write.finish_step(reason, raw=self._raw, usage=usage, warnings=warnings)
        self._ended = True

    def _results(self, message: object) -> None:
        """A message of results, as the tool runner sends it back to the model."""
        blocks = [block for block in items(message, "content") if type_of(block).endswith("tool_result")]
        for block in blocks:
            self._result(block)
        if not blocks:
            self._raw_event(message)

    def _result(self, block: object) -> None:
        """A tool's result, whole: of the provider's tools it is a block of the answer."""
        id_ = text(block, "tool_use_id") or ""
        name = type_of(block).removesuffix("_result").removesuffix("_tool") or None
        self.settle(id_, field(block, "content"), failed=field(block, "is_error") is True, name=name if name != "tool" else None)

    def settle(self, id_: str, content: object, *, failed: bool, name: str | None = None) -> None:
        """The result or error of a call."""
        failed = failed or type_of(content).endswith("_error")
        if id_ in self.write.calls:
            name = None
            for index, (known, _) in self._calls.items():
                if known == id_:
                    self._end_call(index, wait=False)
        value = plain(content)
        if failed:
            words = text(content, "error_code") or (value if isinstance(value, str) else None) or _words_in(content)
            self.write.tool_error(id_, {"message": words, **(value if isinstance(value, dict) else {})}, name)
            return
        self.write.result(id_, value, name)
        for each in listed(content) if is_list(content) else [content]:
            if url := text(each, "url"):
                self.write.source(url, text(each, "title") or text(path(each, "content"), "title"))

    def _cited(self, citations: list[Any]) -> None:
        for each in citations:
            url = text(each, "url") or (text(each, "source") if type_of(each).startswith("search_result") else None)
            self.write.source(url, text(each, "title") or text(each, "document_title"))


def _is_json(streamed: str) -> bool:
    try:
        parsed(streamed)
    except ValueError:
        return False
    return True


def _error(event: object) -> Any:
    """The kind of error is worth as much as its words: `Overloaded (overloaded_error)`."""
    told = record(plain(field(event, "error")))
    message, kind = told.get("message"), told.get("type")
    return {**told, "message": f"{message} ({kind})" if message and kind else message or kind or "The stream told an error."}


def _explained(details: Any) -> str:
    told = [text(details, name) for name in ("category", "explanation")]
    return ": ".join(words for words in told if words)


def _words_in(content: object) -> str:
    return "".join(text(each, "text") or "" for each in listed(content)) or "The tool failed."


ANTHROPIC = Family("anthropic", _recognises, AnthropicReader, streams=("anthropic.", "anthropic.lib."), aliases=("claude",))
