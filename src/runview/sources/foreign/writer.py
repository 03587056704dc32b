"""Keeps the books that every family needs: which step, texts and calls are open. What families tell it comes out as chunks.

A reader calls its methods while it reads an event, and gives back `take()`. Everything opens by itself when it is first needed
(the run, a step, a text) and closes when its step ends, so a family says only what its events say.

Texts and reasonings have a key, scoped to the step: the provider's index or id. Without one there is one text and one reasoning,
and each ends where the other, or a call, begins.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import parsed

__all__ = ["Call", "Writer"]

_UNSET: Final[Any] = object()


class Call:
    """A tool call, as far as it is known."""

    __slots__ = ("args", "id", "name", "pieces", "provider", "settled", "state", "step")

    def __init__(self, id: str, name: str, step: int, *, provider: bool) -> None:
        self.id = id
        self.name = name
        self.step = step
        self.provider = provider
        """Whether the provider runs it."""
        self.pieces: list[str] = []
        self.args: Any = None
        self.state: str = "writing"
        """`writing`, then `called`."""
        self.settled = False
        """It has a result, an error or a refusal."""

    @property
    def text(self) -> str:
        """The arguments so far."""
        return "".join(self.pieces)


class Writer:
    """Writes one run."""

    def __init__(self) -> None:
        self.calls: dict[str, Call] = {}
        """The latest call of each id."""
        self.steps = 0
        """Steps begun."""
        self.in_step = False
        self.started = False
        self.finished = False
        """A `finish`, or another last word, is out."""
        self.waiting: list[str] = []
        """Calls that wait for a person."""
        self._out: list[Wire] = []
        self._open: dict[tuple[str, Hashable], str] = {}
        self._ids = 0
        self._cited: set[str] = set()

    def take(self) -> list[Wire]:
        """The chunks since the last time."""
        out, self._out = self._out, []
        return out

    def emit(self, wire: Wire) -> None:
        """A chunk as it is."""
        self._out.append(wire)

    def made_id(self, prefix: str) -> str:
        """An id for what has none; stable, since it counts."""
        self._ids += 1
        return f"{prefix}-{self._ids}"

    # Turns and steps

    def start(self, name: str | None = None, **more: Any) -> None:
        """The run begins, once. `name` is the agent's."""
        if not self.started:
            self.started = True
            self.emit(chunks.start(name, **more))

    def step(self, **metadata: Any) -> None:
        """A step is open from here on; `metadata` is the response's (`id`, `modelId`), told when it opens."""
        if self.in_step:
            return
        self.start()
        self.in_step = True
        self.finished = False
        self.steps += 1
        self.emit(chunks.step_start())
        if told := {name: value for name, value in metadata.items() if value is not None}:
            self.emit(chunks.response_metadata(**told))

    def new_step(self, **metadata: Any) -> None:
        """The next turn of the model: one that is still open ends, of unknown reason."""
        if self.in_step:
            self.finish_step()
        self.step(**metadata)

    def finish_step(self, reason: str | None = None, *, raw: str | None = None, usage: Wire | None = None, **more: Any) -> None:
        """The step ends, and the texts in it. Calls stay as they are: see `end_calls`."""
        self.step()
        self.close_texts()
        self.in_step = False
        self.emit(chunks.step_finish(reason, raw=raw, usage=usage, **more))

    def finish(self, reason: str | None = None, *, raw: str | None = None, usage: Wire | None = None, **more: Any) -> None:
        """The run ends, once. While a call waits for a person it does not end: then the run is suspended.

        A step that is still open ends with the same reason, and takes the usage.
        """
        if self.finished:
            return
        self.start()
        if self.in_step:
            self.finish_step(reason, raw=raw, usage=usage)
            usage = None
        self.finished = True
        if not self.waiting:
            self.emit(chunks.finish(reason, raw=raw, usage=usage, **more))

    # Text and reasoning

    def text(self, delta: str, key: Hashable = None) -> None:
        """More text. A text without a key ends an open reasoning without one."""
        if delta:
            self.emit(chunks.text_delta(self._opened("text", key), delta))

    def text_start(self, key: Hashable = None) -> None:
        """A text opens, though nothing of it is there yet."""
        self._opened("text", key)

    def text_end(self, key: Hashable = None) -> None:
        self._ended("text", key)

    def reasoning(self, delta: str, key: Hashable = None) -> None:
        if delta:
            self.emit(chunks.reasoning_delta(self._opened("reasoning", key), delta))

    def reasoning_start(self, key: Hashable = None) -> None:
        self._opened("reasoning", key)

    def reasoning_end(self, key: Hashable = None) -> None:
        self._ended("reasoning", key)

    def signature(self, signature: str, key: Hashable = None) -> None:
        """The proof of an open reasoning; opens it, since a signature may be all that there is."""
        if signature:
            self.emit(chunks.reasoning_signature(self._opened("reasoning", key), signature))

    def redacted(self, data: Any = None) -> None:
        """Reasoning that the provider hides."""
        self.step()
        self.emit(chunks.redacted_reasoning(self.made_id("redacted"), data))

    def is_open(self, kind: str, key: Hashable = None) -> bool:
        """Whether a `text` or `reasoning` is open."""
        return (kind, key) in self._open

    def close_texts(self) -> None:
        """Ends every open text and reasoning."""
        for kind, key in tuple(self._open):
            self._ended(kind, key)

    def _opened(self, kind: str, key: Hashable) -> str:
        id_ = self._open.get((kind, key))
        if id_ is None:
            self.step()
            if key is None:
                self._ended("reasoning" if kind == "text" else "text", None)
            id_ = self._open[kind, key] = self.made_id(kind)
            self.emit(chunks.text_start(id_) if kind == "text" else chunks.reasoning_start(id_))
        return id_

    def _ended(self, kind: str, key: Hashable) -> None:
        id_ = self._open.pop((kind, key), None)
        if id_ is not None:
            self.emit(chunks.text_end(id_) if kind == "text" else chunks.reasoning_end(id_))

    # Sources

    def source(self, url: str | None = None, title: str | None = None, **more: Any) -> None:
        """A page or, without `url`, a document. The same one counts once, however often it is cited."""
        name = url or title
        if name and name not in self._cited:
            self._cited.add(name)
            self.emit(chunks.source(self.made_id("source"), url=url, title=title, **more))

    # Calls

    def call_start(self, id: str, name: str, *, provider: bool = False, **more: Any) -> Call:
        """The arguments of a call begin to stream. A call with the same id in this step goes on."""
        call = self._in_step(id)
        if call is None:
            call = self._new_call(id, name, provider=provider)
            self.emit(chunks.tool_call_input_streaming_start(id, name or None, providerExecuted=provider or None, **more))
        return call

    def call_named(self, id: str, name: str) -> None:
        """The name of a call whose arguments began without it."""
        call = self.calls.get(id)
        if call is not None and not call.name:
            call.name = name
            self.emit(chunks.chunk("tool-call-delta", toolCallId=id, toolName=name, argsTextDelta=""))

    def call_delta(self, id: str, text: str) -> None:
        """More of the arguments; nothing when the call is not open."""
        call = self.calls.get(id)
        if text and call is not None and call.state == "writing":
            call.pieces.append(text)
            self.emit(chunks.tool_call_delta(id, text))

    def call_end(self, id: str, args: Any = _UNSET, *, name: str | None = None, **more: Any) -> None:
        """The call is whole, with `args` or what was streamed. Of text that is no JSON the run makes `{}` and a note."""
        call = self.calls.get(id)
        if call is None or call.state != "writing":
            return
        self.emit(chunks.tool_call_input_streaming_end(id))
        call.name = name or call.name
        call.state = "called"
        if args is _UNSET:
            try:
                args = parsed(call.text) if call.text.strip() else {}
            except ValueError:
                return
        call.args = args
        self.emit(chunks.tool_call(id, call.name or None, args, providerExecuted=call.provider or None, **more))

    def call(self, id: str, name: str, args: Any, *, provider: bool = False, **more: Any) -> Call:
        """A call that comes whole; one that is open ends with these arguments, one that is whole is left as it is."""
        call = self._in_step(id)
        if call is None:
            call = self._new_call(id, name, provider=provider)
            call.args, call.state = args, "called"
            self.emit(chunks.tool_call(id, name, args, providerExecuted=provider or None, **more))
        else:
            self.call_end(id, args, name=name, **more)
        return call

    def end_calls(self, *, cut: bool = False) -> None:
        """Ends every call that is open, in order. `cut`: one whose arguments are no whole JSON stays open, as no call at all."""
        for call in tuple(self.calls.values()):
            if call.state == "writing" and not (cut and not _whole(call.text)):
                self.call_end(call.id)

    def open_calls(self) -> list[Call]:
        """The calls of this turn that the reader's own code has to run: whole, and without a result."""
        return [
            call
            for call in self.calls.values()
            if call.step == self.steps and call.state == "called" and not call.provider and not call.settled
        ]

    def result(self, id: str, result: Any, name: str | None = None, **more: Any) -> None:
        call = self._settle(id)
        provider = call is not None and call.provider
        self.emit(chunks.tool_result(id, self._name(id, name), result, providerExecuted=provider or None, **more))

    def tool_error(self, id: str, error: Any, name: str | None = None, **more: Any) -> None:
        """The tool failed, and the run goes on."""
        self._settle(id)
        self.emit(chunks.tool_error(id, self._name(id, name), error, **more))

    def denied(self, id: str, reason: str | None = None, name: str | None = None) -> None:
        self._settle(id)
        self.emit(chunks.tool_output_denied(id, self._name(id, name), reason))

    def approval(self, id: str, name: str, args: Any, **more: Any) -> None:
        """A call waits for a person to allow it; the call itself is told first if need be."""
        if id not in self.calls:
            self.call(id, name, args)
        elif self.calls[id].state == "writing":
            self.call_end(id, args)
        self._wait(id)
        self.emit(chunks.tool_call_approval(id, name, args, **more))

    def suspended(self, id: str, name: str, payload: Any, **more: Any) -> None:
        """A tool, or the run at `name`, waits for input."""
        self._wait(id)
        self.emit(chunks.tool_call_suspended(id, name, payload, **more))

    def _in_step(self, id: str) -> Call | None:
        call = self.calls.get(id)
        return call if call is not None and call.step == self.steps and self.in_step else None

    def _new_call(self, id: str, name: str, *, provider: bool) -> Call:
        self.step()
        self._ended("text", None)
        self._ended("reasoning", None)
        self.calls.pop(id, None)
        call = self.calls[id] = Call(id, name, self.steps, provider=provider)
        return call

    def _settle(self, id: str) -> Call | None:
        call = self.calls.get(id)
        if call is not None:
            if call.state == "writing":
                self.call_end(id)
            call.settled = True
        if id in self.waiting:
            self.waiting.remove(id)
        return call

    def _wait(self, id: str) -> None:
        self.start()
        if id not in self.waiting:
            self.waiting.append(id)

    def _name(self, id: str, name: str | None) -> str:
        return name or (self.calls[id].name if id in self.calls else "")

    # Ends

    def tripwire(self, reason: str, **more: Any) -> None:
        """The run was blocked: its last word."""
        self.start()
        self.close_texts()
        self.finished = True
        self.emit(chunks.tripwire(reason, **more))

    def error(self, told: Any) -> None:
        self.start()
        self.emit(chunks.error(told))


def _whole(text: str) -> bool:
    try:
        parsed(text)
    except ValueError:
        return False
    return True
