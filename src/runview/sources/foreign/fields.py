"""Reads what SDKs give: dicts and objects alike, whatever they are.

Total: a field that is missing, raises when it is touched, or is of another type than expected (a mock has every field) is not
there. So a reader asks for `text(event, "delta")` and gets a `str` or None.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from types import SimpleNamespace
from typing import Any, Final, cast

from runview.sources.foreign.reader import Layers

__all__ = [
    "class_names", "each_of", "field", "first", "held", "integer", "is_a", "is_list", "items", "keys_of", "listed", "number",
    "parsed", "path", "plain", "record", "text", "type_of", "word",
]  # fmt: skip

_DEPTH: Final = 16
_ITEMS: Final = 10_000
"""So deep, and so many values, a plain form holds at most; events may carry a whole agent."""


def field(event: object, name: str) -> Any:
    """A key of a mapping, or an attribute of anything else; None when there is none."""
    if type(event) is dict:
        return cast("dict[str, Any]", event).get(name)
    try:
        if isinstance(event, Mapping):
            return cast("Mapping[str, Any]", event).get(name)
        return getattr(event, name, None)
    except Exception:
        return None


def path(event: object, *names: str) -> Any:
    """A field of a field."""
    for name in names:
        event = field(event, name)
        if event is None:
            return None
    return event


def first(event: object, *names: str) -> Any:
    """The first of some fields that is there: spellings differ."""
    return next((value for name in names if (value := field(event, name)) is not None), None)


def word(value: object) -> str | None:
    """A string, or the string that an enum's member stands for."""
    if type(value) is str:
        return value
    if isinstance(value, Enum):
        value = value.value
    return str.__str__(value) if isinstance(value, str) else None


def text(event: object, name: str) -> str | None:
    """A field that should be a string."""
    value = field(event, name)
    return value if type(value) is str else word(value)


def number(event: object, name: str) -> int | float | None:
    """A field that should be a number."""
    value = field(event, name)
    return value if type(value) in (int, float) else None


def integer(event: object, name: str) -> int | None:
    """A field that should be an index."""
    value = field(event, name)
    return value if type(value) is int else None


def items(event: object, name: str) -> list[Any]:
    """A field that should be a list; empty when it is none."""
    return listed(field(event, name))


def listed(value: object) -> list[Any]:
    """The value as a list; empty when it is none."""
    return list(cast("list[Any]", value)) if isinstance(value, (list, tuple)) else []


def record(value: object) -> dict[str, Any]:
    """The value as a dict; empty when it is none."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def is_list(value: object) -> bool:
    return isinstance(value, (list, tuple))


def keys_of(value: object) -> dict[str, Any]:
    """The fields of a mapping, or of the namespace that one was turned into; of anything else none."""
    if type(value) is dict:
        return cast("dict[str, Any]", value)
    if type(value) is SimpleNamespace:
        return vars(value)
    return dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else {}


def each_of(value: object) -> list[Any]:
    """The elements of a list or tuple; anything else is the only one, and None is none."""
    if isinstance(value, (list, tuple)):
        return list(cast("list[Any]", value))
    return [] if value is None else [value]


def type_of(event: object) -> str:
    """The event's `type`, by which it is dispatched (never by its class, since unknown events are parsed as any); else ""."""
    return text(event, "type") or ""


def class_names(value: object) -> list[str]:
    """`module.Class` of a value's class and of those that it descends from."""
    try:
        return [f"{each.__module__}.{each.__qualname__}" for each in type(value).__mro__ if each is not object]
    except Exception:
        return []


def is_a(value: object, *beginnings: str) -> bool:
    """Whether `module.Class` of its class, or of one that it descends from, begins so: no SDK needs to be imported to ask."""
    return any(name.startswith(beginnings) for name in class_names(value))


def held(layers: Layers, *beginnings: str) -> Any:
    """The innermost of what was opened that is such an object, or None."""
    return next((layer for layer in reversed(layers) if is_a(layer, *beginnings)), None)


def parsed(json_text: str) -> Any:
    """The value of a JSON text. Raises ValueError for any other text."""
    try:
        return json.loads(json_text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def plain(value: object) -> Any:
    """The value as dicts, lists and scalars: a model or data class by its fields, an enum by its value. Bounded."""
    return _plain(value, _DEPTH, iter(range(_ITEMS)))


def _plain(value: Any, depth: int, budget: Iterator[int]) -> Any:
    kind = _class_of(value)
    if value is None or kind in (str, int, float, bool, bytes):
        return value
    if isinstance(value, Enum):
        return _plain(value.value, depth, budget)
    if isinstance(value, str):
        return str.__str__(value)
    if next(budget, None) is None or depth <= 0:
        return f"<{kind.__name__}>"
    try:
        if isinstance(value, Mapping):
            pairs: dict[Any, Any] = dict(value)  # pyright: ignore[reportUnknownArgumentType]
            return {_key(key): _plain(each, depth - 1, budget) for key, each in pairs.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [_plain(each, depth - 1, budget) for each in cast("list[Any]", value)]
        if isinstance(value, BaseException):
            return {"name": kind.__name__, "message": str(value)}
        fields = _fields(value)
        if fields is not None:
            return {name: _plain(each, depth - 1, budget) for name, each in fields.items()}
        return value if kind.__module__ in ("datetime", "decimal", "uuid") else f"<{kind.__name__}>"
    except Exception:
        return f"<{kind.__name__}>"


def _class_of(value: object) -> Any:
    return type(value)


def _key(key: object) -> str:
    return key if type(key) is str else word(key) or str(key)


def _fields(value: Any) -> dict[str, Any] | None:
    """The public fields of a model, a data class or a namespace that are set; None for other objects."""
    kind = _class_of(value)
    found: dict[str, Any]
    if hasattr(kind, "model_fields"):
        found = {**vars(value), **(getattr(value, "__pydantic_extra__", None) or {})}
    elif hasattr(kind, "__dataclass_fields__"):
        names = cast("list[str]", list(kind.__dataclass_fields__))
        found = {each: getattr(value, each, None) for each in names}
    elif hasattr(kind, "__attrs_attrs__") or kind.__name__ == "SimpleNamespace":
        found = {**vars(value)}
    else:
        return None
    return {name: each for name, each in found.items() if not name.startswith("_") and each is not None}
