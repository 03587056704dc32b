"""Reads the AI SDK's UI message stream (version 1), as server-sent events, dicts, or the objects of pydantic-ai's adapter.

It is close to Mastra's own protocol, but it always closes: a call that waits for a person is followed by a finish nevertheless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, first, is_a, keys_of, plain, text, type_of
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.usage import usage_of
from runview.sources.foreign.writer import Writer

__all__ = ["AI_SDK_UI"]

_SURE: Final = frozenset(
    """
    start-step finish-step message-metadata source-url source-document reset-step tool-input-start tool-input-delta
    tool-input-available tool-input-error tool-output-available tool-output-error tool-approval-request tool-approval-response
    """.split()
)
"""Types of no other protocol."""
_TELLING: Final = {
    "start": ("messageId", "messageMetadata"),
    "text-start": ("id",),
    "text-delta": ("delta",),
    "reasoning-start": ("id",),
    "reasoning-delta": ("delta",),
    "error": ("errorText",),
    "finish": ("finishReason", "messageMetadata"),
    "file": ("url", "mediaType"),
}
"""Types that Mastra's chunks have too, with the fields that only events of this stream have on top."""


def _recognises(event: object) -> bool:
    told = keys_of(event)
    if not told:
        return is_a(event, "pydantic_ai.ui.vercel_ai.") or type_of(event) in _SURE
    if "payload" in told or "from" in told:
        return False
    return type_of(told) in _SURE or any(name in told for name in _TELLING.get(type_of(told), ()))


class _AiSdkUi:
    """A reader of one message, or of several one after the other."""

    def __init__(self, _: Layers = ()) -> None:
        self._write = Writer()
        self._usage: Wire = {}
        self._approvals: dict[str, str] = {}
        self._step_over = False
        self._handlers: dict[str, Callable[[object], None]] = {
            "start": self._start,
            "start-step": self._start_step,
            "finish-step": self._finish_step,
            "message-metadata": self._metadata,
            "finish": self._finish,
            "abort": lambda event: self._last(chunks.abort(text(event, "reason"))),
            "error": lambda event: self._write.error(self._told(event, "errorText") or "The stream told an error."),
            "reset-step": lambda _: self._write.finish_step("retry"),
            "text-delta": lambda event: self._write.text(text(event, "delta") or "", text(event, "id")),
            "text-end": lambda event: self._write.text_end(text(event, "id")),
            "reasoning-start": self._reasoning_start,
            "reasoning-delta": lambda event: self._write.reasoning(text(event, "delta") or "", text(event, "id")),
            "reasoning-end": self._reasoning_end,
            "tool-input-start": self._input_start,
            "tool-input-delta": lambda event: self._write.call_delta(self._id(event), self._told(event, "inputTextDelta") or ""),
            "tool-input-available": self._input,
            "tool-input-error": self._input_error,
            "tool-output-available": self._output,
            "tool-output-error": lambda event: self._write.tool_error(
                self._id(event), {"message": self._told(event, "errorText")}
            ),
            "tool-output-denied": lambda event: self._write.denied(self._id(event), text(event, "reason")),
            "tool-approval-request": self._approval,
            "tool-approval-response": self._answer,
            "source-url": self._source,
            "source-document": self._source,
            "file": self._file,
            "reasoning-file": self._file,
        }

    def read(self, event: object) -> Iterable[Wire]:
        type_ = type_of(event)
        handler = self._handlers.get(type_)
        if self._step_over and type_ not in ("finish", "message-metadata"):
            self._step_over = False
            if self._write.in_step:
                self._write.finish_step()
        if handler is not None:
            handler(event)
        elif type_.startswith("data-"):
            self._data(type_, event)
        elif type_ not in ("text-start", "done"):
            self._write.emit(chunks.raw(plain(event)))
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        """A stream that ended without its `finish` was cut off: nothing closes it."""
        if self._step_over and self._write.in_step:
            self._write.finish_step()
        return self._write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        return ()

    # The message and its steps

    def _start(self, event: object) -> None:
        if self._write.finished:
            self._write.started = self._write.finished = False
        self._write.start()
        self._metadata(event)

    def _start_step(self, _: object) -> None:
        self._write.new_step()

    def _finish_step(self, _: object) -> None:
        """Ends with what follows: the finish tells why, and what the step took."""
        self._step_over = True

    def _metadata(self, event: object) -> None:
        metadata = first(event, "messageMetadata", "message_metadata")
        self._usage = usage_of(first(metadata, "usage", "totalUsage", "total_usage")) or self._usage

    def _finish(self, event: object) -> None:
        self._metadata(event)
        raw = self._told(event, "finishReason")
        if not self._write.waiting and self._write.in_step:
            self._write.finish_step(reason_of(raw), raw=raw)
        self._step_over = False
        self._write.finish(reason_of(raw), raw=raw, usage=self._usage or None)
        self._usage = {}

    def _last(self, wire: Wire) -> None:
        self._write.close_texts()
        self._write.finished = True
        self._write.emit(wire)

    # Reasoning

    def _reasoning_start(self, event: object) -> None:
        proofs = _proofs(event)
        if "redactedData" in proofs:
            self._write.redacted(proofs["redactedData"])
        else:
            self._write.reasoning_start(text(event, "id"))

    def _reasoning_end(self, event: object) -> None:
        id_ = text(event, "id")
        proof = _proofs(event).get("signature")
        if isinstance(proof, str) and self._write.is_open("reasoning", id_):
            self._write.signature(proof, id_)
        self._write.reasoning_end(id_)

    # Tools

    def _id(self, event: object) -> str:
        return self._told(event, "toolCallId") or ""

    def _told(self, event: object, name: str) -> str | None:
        """A text, in the protocol's spelling or in Python's."""
        return text(event, name) or text(event, _snake(name))

    def _provider(self, event: object) -> bool:
        return first(event, "providerExecuted", "provider_executed") is True

    def _input_start(self, event: object) -> None:
        self._write.call_start(self._id(event), self._told(event, "toolName") or "tool", provider=self._provider(event))

    def _input(self, event: object) -> None:
        name = self._told(event, "toolName") or "tool"
        self._write.call(self._id(event), name, plain(field(event, "input")), provider=self._provider(event))

    def _input_error(self, event: object) -> None:
        """The arguments were not fit: they are kept as they came."""
        given = plain(field(event, "input"))
        self._write.call(self._id(event), self._told(event, "toolName") or "tool", given if given is not None else {})
        self._write.tool_error(self._id(event), {"message": self._told(event, "errorText")})

    def _output(self, event: object) -> None:
        output = plain(field(event, "output"))
        if field(event, "preliminary") is True:
            self._write.emit(chunks.tool_output(self._id(event), output))
        else:
            self._write.result(self._id(event), output)

    def _approval(self, event: object) -> None:
        id_ = self._id(event)
        self._approvals[self._told(event, "approvalId") or id_] = id_
        call = self._write.calls.get(id_)
        self._write.approval(id_, call.name if call else "tool", call.args if call else {})

    def _answer(self, event: object) -> None:
        """Somebody, or a rule, has decided: what follows tells the rest."""
        id_ = self._approvals.get(self._told(event, "approvalId") or "")
        if id_ in self._write.waiting:
            self._write.waiting.remove(id_)

    # What stands beside them

    def _source(self, event: object) -> None:
        id_ = self._told(event, "sourceId") or self._write.made_id("source")
        title = text(event, "title") or text(event, "filename")
        self._write.emit(chunks.source(id_, url=text(event, "url"), title=title, mimeType=self._told(event, "mediaType")))

    def _file(self, event: object) -> None:
        self._write.step()
        mime_type = self._told(event, "mediaType") or "application/octet-stream"
        wire = chunks.file(text(event, "url"), mime_type, text(event, "filename"))
        self._write.emit({**wire, "type": type_of(event)})

    def _data(self, type_: str, event: object) -> None:
        told: Wire = {"type": type_, "from": "AGENT", "data": plain(field(event, "data"))}
        for name in ("id", "transient"):
            if (value := field(event, name)) is not None:
                told[name] = value
        self._write.start()
        self._write.emit(told)


def _proofs(event: object) -> dict[str, Any]:
    """What a provider says about its reasoning, whichever it is."""
    providers = keys_of(first(event, "providerMetadata", "provider_metadata")).values()
    return {name: value for each in providers for name, value in keys_of(each).items()}


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


AI_SDK_UI: Final = Family("ai-sdk-ui", _recognises, _AiSdkUi, aliases=("ai-sdk", "vercel", "vercel-ui", "vercel-ai"))
