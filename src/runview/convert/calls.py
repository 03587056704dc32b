"""The calls of tools in a message: a part each, which changes its state as the call goes on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from runview.chunks.wire import Wire
from runview.convert.fields import ABSENT, joined, key_of, record
from runview.convert.parts import Version
from runview.run.partial_json import PartialJSON

__all__ = ["Calls"]


@dataclass(slots=True)
class _Input:
    """An input that streams."""

    name: object
    dynamic: bool
    json: PartialJSON
    text: str = ""


class Calls:
    """Keeps the calls among a message's `parts` up to date."""

    def __init__(self, parts: list[Wire], version: Version) -> None:
        self._parts = parts
        self._first = version == "v5"
        """The fifth version of the `ai` package knows no approvals, and keeps one metadata for a call and its result."""
        self._inputs: dict[str, _Input] = {}

    def feed(self, type_: str, part: Wire) -> bool:
        """Takes a part about a call; whether anything has changed."""
        id_ = part.get("toolCallId", ABSENT)
        match type_:
            case "tool-input-start":
                opened = _Input(part.get("toolName", ABSENT), bool(part.get("dynamic")), PartialJSON())
                self._inputs[key_of(id_)] = opened
                self._input(id_, opened.name, opened.dynamic, part, state="input-streaming")
            case "tool-input-delta":
                return self._delta(id_, part)
            case "tool-input-available":
                value = part.get("input", ABSENT)
                self._input(id_, part.get("toolName", ABSENT), False, part, state="input-available", input=value)
            case _:
                call = self._find(id_)
                return call is not None and self._answered(call, type_, part)
        return True

    def _delta(self, id_: object, part: Wire) -> bool:
        streamed = self._inputs.get(key_of(id_))
        if streamed is None:
            return False
        delta = part.get("inputTextDelta")
        if type(delta) is str:
            streamed.text = joined(streamed.text, delta)
            streamed.json.feed(delta)
        known = streamed.json.state != "failed-parse"
        so_far = {"input": streamed.json.value if known else ABSENT, "rawInput": streamed.text}
        self._input(id_, streamed.name, streamed.dynamic, {}, state="input-streaming", **so_far)
        return True

    def _input(self, id_: object, name: object, dynamic: bool, part: Wire, **fields: Any) -> None:
        """Opens a call in the current step, or tells more about it."""
        type_ = "dynamic-tool" if dynamic else f"tool-{name if type(name) is str else 'undefined'}"
        same_step = (known for known in _since_step(self._parts) if known.get("toolCallId", ABSENT) == id_)
        call = next((known for known in same_step if (known["type"] == "dynamic-tool") == dynamic), None)
        if call is None:
            call = record(type=type_, toolCallId=id_, toolName=name if dynamic else ABSENT)
            self._parts.append(call)
        elif dynamic:
            call |= record(toolName=name)
        elif not self._first:
            call["type"] = type_
        _update(call, part, **fields)
        metadata = part.get("providerMetadata")
        if metadata is not None:
            call["callProviderMetadata"] = metadata
        if not self._first:
            call |= record(toolMetadata=part.get("toolMetadata", ABSENT))

    def _answered(self, call: Wire, type_: str, part: Wire) -> bool:
        """The result of a call, or a question about it."""
        dynamic = call["type"] == "dynamic-tool"
        if self._first and (dynamic or type_ not in ("tool-output-available", "tool-output-error")):
            return False
        match type_:
            case "tool-output-available":
                output = part.get("output", ABSENT)
                _update(call, part, state="output-available", input=call.get("input", ABSENT), output=output)
            case "tool-output-error":
                kept = {name: call.get(name, ABSENT) for name in (("input",) if dynamic else ("input", "rawInput"))}
                _update(call, part, state="output-error", errorText=part.get("errorText", ABSENT), **kept)
            case "tool-output-denied":
                call["state"] = "output-denied"
            case "tool-approval-request":
                call |= {"state": "approval-requested", "approval": record(id=part.get("approvalId", ABSENT))}
            case _:
                return False
        if not self._first and part.get("providerMetadata") is not None:
            call["resultProviderMetadata"] = part["providerMetadata"]
        return True

    def _find(self, id_: object) -> Wire | None:
        """The call of the current step with an id, else the last one before."""
        here = [part for part in _since_step(self._parts) if _is_call(part, id_, dynamic=not self._first)]
        if here:
            return here[0]
        return next((part for part in reversed(self._parts) if _is_call(part, id_, dynamic=not self._first)), None)


def _update(call: Wire, part: Wire, **fields: Any) -> None:
    """What is not told again is not known any more, but for who executes the call."""
    for name in ("input", "output", "errorText", "rawInput", "preliminary"):
        call.pop(name, None)
    call |= record(**fields)
    if part.get("providerExecuted") is not None:
        call["providerExecuted"] = part["providerExecuted"]


def _is_call(part: Wire, id_: object, *, dynamic: bool) -> bool:
    type_ = part.get("type")
    fits = type(type_) is str and (type_.startswith("tool-") or (dynamic and type_ == "dynamic-tool"))
    return fits and part.get("toolCallId", ABSENT) == id_


def _since_step(parts: list[Wire]) -> Iterable[Wire]:
    """The parts of the current step."""
    start = next((at for at in range(len(parts) - 1, -1, -1) if parts[at].get("type") == "step-start"), -1)
    return parts[start + 1 :]
