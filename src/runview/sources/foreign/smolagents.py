"""Reads what smolagents' `agent.run(…, stream=True)` gives: deltas of the model, calls, their outputs, and the steps themselves.

These objects have no field that tells what they are, so their class does; a dict says it as `__class__`. A step holds all that
the model was given, so nothing of it is passed on whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import class_names, field, items, keys_of, parsed, plain, text
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.usage import usage_of
from runview.sources.foreign.writer import Writer

__all__ = ["SMOLAGENTS"]

_PACKAGE: Final = "smolagents."
_CODE: Final = "python_interpreter"


def _class_of(event: object) -> str:
    """The name of its class, or of the first that it descends from in the package."""
    names = [text(event, "__class__") or ""] if keys_of(event) else class_names(event)
    return next((name.rpartition(".")[2] for name in names if name.startswith(_PACKAGE)), "")


class _SmolAgents:
    """A reader of one run."""

    def __init__(self, _: Layers = ()) -> None:
        self._write = Writer()
        self._calls: dict[str, str] = {}
        self._said = ""
        self._planned: Wire = {}
        self._step: object = None
        self._handlers: dict[str, Callable[[object], None]] = {
            "ChatMessageStreamDelta": self._delta,
            "ToolCall": self._call,
            "ToolOutput": self._output,
            "ActionStep": self._action,
            "PlanningStep": self._planning,
            "FinalAnswerStep": self._final,
        }

    def read(self, event: object) -> Iterable[Wire]:
        name = _class_of(event)
        if self._step is not None and name != "FinalAnswerStep":
            self._end_step()
        if (handler := self._handlers.get(name)) is not None:
            handler(event)
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        """A run that ended without a final answer was cut off: nothing closes it."""
        self._end_step()
        return self._write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        self._end_step()
        self._write.end_calls(cut=True)
        return self._write.take()

    def _delta(self, event: object) -> None:
        words = text(event, "content") or ""
        self._said += words
        self._write.text(words)
        for call in items(event, "tool_calls"):
            function = field(call, "function")
            index, id_, name = str(field(call, "index")), text(call, "id"), text(function, "name")
            if id_ or (name and index not in self._calls):
                self._calls[index] = id_ or self._write.made_id("call")
                self._write.call_start(self._calls[index], name or "tool")
            self._write.call_delta(self._calls.get(index, ""), text(function, "arguments") or "")

    def _call(self, event: object) -> None:
        given, name = field(event, "arguments"), text(event, "name") or "tool"
        if isinstance(given, str):
            given = {"code": given} if name == _CODE else _arguments(given)
        self._write.call(text(event, "id") or self._write.made_id("call"), name, plain(given))

    def _output(self, event: object) -> None:
        self._write.result(text(event, "id") or "", plain(field(event, "output")))

    def _action(self, event: object) -> None:
        """A step is over, but for the final answer, which may follow and is said in it."""
        self._step = event
        self._write.step()
        self._write.end_calls()
        error = field(event, "error")
        waiting = self._write.open_calls()
        for call in waiting:
            if error is not None:
                self._write.tool_error(call.id, _error(error))
            elif isinstance(observed := field(event, "observations"), str):
                self._write.result(call.id, observed)
        if error is not None and not waiting:
            self._write.emit(chunks.data("step-error", _error(error)))

    def _end_step(self) -> None:
        step, self._step = self._step, None
        if step is None:
            return
        usage = usage_of(field(step, "token_usage"))
        for name, count in self._planned.items():
            usage[name] = usage.get(name, 0) + count
        self._said, self._planned = "", {}
        self._calls.clear()
        self._write.finish_step(usage=usage or None)

    def _planning(self, event: object) -> None:
        """A plan is thinking. Its tokens count in the step that it is for."""
        if not self._said:
            self._write.reasoning(text(event, "plan") or "")
            self._write.reasoning_end()
        self._said = ""
        self._planned = usage_of(field(event, "token_usage"))

    def _final(self, event: object) -> None:
        output = field(event, "output")
        if isinstance(output, str):
            if not self._said.endswith(output):
                self._write.text_end()
                self._write.text(output)
        elif output is not None:
            self._write.step()
            self._write.emit(chunks.object_result(plain(output)))
        self._end_step()
        self._write.finish()


def _arguments(given: str) -> Any:
    try:
        return keys_of(parsed(given)) or {"input": given}
    except ValueError:
        return {"input": given}


def _error(error: object) -> Wire:
    name = type(error).__name__ if isinstance(error, BaseException) else (text(error, "__class__") or text(error, "type") or "")
    message = text(error, "message") or (str(error) if isinstance(error, BaseException) else "The step failed.")
    return {"message": message, **({"name": name.rpartition(".")[2]} if name else {})}


def _recognises(event: object) -> bool:
    return _class_of(event) != ""


SMOLAGENTS: Final = Family("smolagents", _recognises, _SmolAgents, streams=("smolagents.",))
