"""Arguments that come in pieces, each with a path: `{"json_path": "$.city", "string_value": "Par", "will_continue": true}`."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any, Final

from runview.sources.foreign.fields import field, is_list, listed, record, text, word

__all__ = ["PartialArgs"]

_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|\['([^']*)'\]|\[\"([^\"]*)\"\]")
_DEEPEST: Final = 64
_LONGEST: Final = 10_000
"""A list is not made longer than this by an index."""


class PartialArgs:
    """One call's arguments, and a text of JSON that grows with them."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.value: dict[str, Any] = {}

    def add(self, piece: object) -> str:
        """Takes a piece in; gives what to show of it."""
        steps = _steps(text(piece, "json_path") or text(piece, "jsonPath") or "")
        value = _value(piece)
        if not steps or len(steps) > _DEEPEST:
            return ""
        target: Any = self.value
        for step, following in pairwise(steps):
            target = _entered(target, step, [] if isinstance(following, int) else {})
        last = steps[-1]
        before = _at(target, last)
        if isinstance(before, str) and isinstance(value, str):
            _put(target, last, before + value)
            return value
        _put(target, last, value)
        return f"{steps[-1]}: {value if isinstance(value, str) else json.dumps(value)}"


def _steps(path: str) -> list[str | int]:
    return [int(at) if at else name or quoted or also for name, at, quoted, also in _STEP.findall(path.removeprefix("$"))]


def _value(piece: object) -> Any:
    for name in ("string_value", "number_value", "bool_value"):
        head, tail = name.split("_")
        value = field(piece, name)
        value = field(piece, head + tail.capitalize()) if value is None else value
        if value is not None:
            return word(value) if isinstance(value, str) else value
    return None


def _at(target: Any, step: str | int) -> Any:
    if isinstance(step, str):
        return record(target).get(step)
    values = listed(target)
    return values[step] if step < len(values) else None


def _put(target: Any, step: str | int, value: Any) -> None:
    if isinstance(target, dict):
        target[step] = value
    elif is_list(target) and isinstance(step, int) and step < _LONGEST:
        target.extend([None] * (step + 1 - len(target)))
        target[step] = value


def _entered(target: Any, step: str | int, empty: Any) -> Any:
    """The object or list at a step, which is made if need be."""
    if not record(_at(target, step)) and not is_list(_at(target, step)):
        _put(target, step, empty)
    return _at(target, step)
