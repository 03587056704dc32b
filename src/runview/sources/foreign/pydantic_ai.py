"""Reads pydantic-ai's events: of `run_stream_events`, of the nodes of `iter`, of an `event_stream_handler`.

A part is known by its index, which starts again at 0 with each request to the model: that is how a step is seen to begin. What
stands in a response is `pydantic_ai_response.py`'s; `pydantic_ai_messages.py` turns whole messages into such events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, first, is_a, items, plain, text
from runview.sources.foreign.frames import variable
from runview.sources.foreign.pydantic_ai_messages import Messages, is_message
from runview.sources.foreign.pydantic_ai_parts import extras_of, result_told
from runview.sources.foreign.pydantic_ai_response import Response
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.writer import Writer

__all__ = ["PYDANTIC_AI"]

_RESULT: Final = "pydantic_ai.result.StreamedRunResult"
_QUIET: Final = frozenset({"enqueued_messages", "deferred_tool_results", "output_tool_result"})


def _recognises(event: object) -> bool:
    return text(event, "event_kind") is not None or is_message(event)


class _PydanticAi:
    """A reader of one run."""

    def __init__(self, layers: Layers) -> None:
        self._write = Writer()
        self._response = Response(self._write)
        self._messages = Messages()
        self._result = variable(layers, "self")
        """Of a generator that is a method of a result: that result."""
        self._snapshots = variable(layers, "delta") is False
        self._text = ""
        self._output: Any = None
        self._raw: str | None = None
        self._handlers: dict[str, Callable[[object], None]] = {
            "part_start": self._response.part_start,
            "part_delta": self._response.part_delta,
            "part_end": self._response.part_end,
            "final_result": self._response.final_result,
            "function_tool_call": lambda event: self._response.whole(field(event, "part")),
            "function_tool_result": lambda event: self._response.settle(first(event, "part", "result")),
            "output_tool_call": self._response.output_call,
            "deferred_tool_requests": lambda event: self._deferred(field(event, "requests")),
            "custom": self._custom,
            "capability": self._custom,
            "agent_run_result": lambda event: self._run_result(field(event, "result")),
            "response_end": self._response_end,
        }

    def read(self, event: object) -> Iterable[Wire]:
        if isinstance(event, str):
            self._words(event)
        elif is_message(event):
            self._read_all(self._messages.events(event))
        elif text(event, "event_kind") is not None:
            self._read_all((event,))
        else:
            self._output = plain(event)
            self._write.step()
            self._write.emit(chunks.object_partial(self._output))
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        """Events of nodes and handlers have no mark for the end."""
        self._read_all(self._messages.end())
        self._response.go_on()
        if not self._write.finished:
            self._write.end_calls(cut=reason_of(self._raw) == "length")
            answer = self._output if self._output is not None else self._response.answer
            if answer is not None:
                self._write.emit(chunks.object_result(answer))
            if is_a(self._result, _RESULT):
                self._run_result(self._result)
        self._write.finish(reason_of(self._raw), raw=self._raw)
        return self._write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        self._response.go_on()
        self._write.end_calls(cut=True)
        return self._write.take()

    def _read_all(self, events: Iterable[object]) -> None:
        for event in events:
            kind = text(event, "event_kind") or ""
            if kind != "final_result":
                self._response.go_on()
            if (handler := self._handlers.get(kind)) is not None:
                handler(event)
            elif kind not in _QUIET:
                self._write.emit(chunks.raw(plain(event)))

    def _words(self, words: str) -> None:
        """Of `stream_text`: what is new, or all the text so far."""
        if self._snapshots and words.startswith(self._text):
            words, self._text = words[len(self._text) :], words
        self._write.text(words)

    def _deferred(self, requests: object) -> None:
        for part in (*items(requests, "approvals"), *items(requests, "calls")):
            self._response.whole(part)
            call = self._write.calls.get(text(part, "tool_call_id") or "")
            if call is not None:
                self._write.approval(call.id, call.name, call.args)

    def _custom(self, event: object) -> None:
        """An event of the user's own: of a tool, or beside them."""
        name, told = extras_of(event)
        id_ = text(event, "tool_call_id")
        self._write.start()
        self._write.emit(chunks.tool_output(id_, told, text(event, "tool_name")) if id_ else chunks.data(name, told))

    def _response_end(self, event: object) -> None:
        """A whole message has been read: see `Messages`."""
        self._raw = raw = text(event, "finish_reason")
        self._write.end_calls(cut=reason_of(raw) == "length")
        self._write.finish_step(reason_of(raw), raw=raw, usage=field(event, "usage"))

    def _run_result(self, result: object) -> None:
        output, raw, usage = result_told(result)
        reason = reason_of(raw)
        self._read_all(self._messages.end())
        self._write.end_calls(cut=reason == "length")
        deferred = items(output, "approvals") or items(output, "calls")
        if deferred and not self._write.waiting:
            self._deferred(output)
        elif not deferred and output is not None and not isinstance(output, str):
            self._write.emit(chunks.object_result(plain(output)))
        if self._write.in_step:
            self._write.finish_step(reason, raw=raw, usage=usage if self._write.waiting else None)
        self._write.finish(reason, raw=raw, usage=usage)


PYDANTIC_AI: Final = Family(
    "pydantic-ai",
    _recognises,
    _PydanticAi,
    streams=(f"{_RESULT}.", "pydantic_ai._agent_graph.", "pydantic_ai.agent.abstract.AgentRunEvents"),
    aliases=("pydantic-ai-slim", "pydantic_ai"),
    goes_on=(
        "A run of pydantic-ai goes on as another: show agent.run_stream_events(message_history=…, deferred_tool_results=…) with"
        " the messages of this one and DeferredToolResults(approvals={tool_call_id: True or ToolDenied()})."
    ),
)
