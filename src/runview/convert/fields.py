"""Reading and writing JSON objects whose fields may be absent, which is not the same as null."""

from __future__ import annotations

import re
from typing import Any, Final

from runview.chunks.json_text import encode
from runview.chunks.wire import Wire
from runview.run.absent import ABSENT
from runview.run.kinds import is_dict, is_list

__all__ = ["ABSENT", "dict_of", "error_text", "is_dict", "is_list", "joined", "key_of", "record", "told", "word"]

_INDEX: Final = re.compile(r"0|[1-9]\d{0,9}")
_SECRET: Final = frozenset({"requestBodyValues", "responseBody", "responseHeaders", "data", "prompt"})
"""Fields of providers' errors that hold the whole request or answer: not for the page."""
_EXACT: Final = 1e21
"""JavaScript writes whole numbers below this without an exponent."""


def dict_of(value: object) -> Wire:
    """The object itself, or an empty one for anything else."""
    return value if is_dict(value) else {}


def record(**fields: Any) -> Wire:
    """An object of the fields that are there."""
    return {name: value for name, value in fields.items() if value is not ABSENT}


def told(source: Wire, *names: str) -> Wire:
    """Those of an object's fields that are there and not null."""
    return {name: source[name] for name in names if source.get(name) is not None}


def word(value: object) -> str:
    """A value inside an id or a text, as JavaScript puts it there."""
    if type(value) is str:
        return value
    return "undefined" if value is ABSENT else "[object Object]" if is_dict(value) else encode(_plain(value))


def joined(text: str, more: str) -> str:
    """Two pieces of a text in one, with the character whose halves came apart made whole."""
    if "\ud800" <= text[-1:] < "\udc00" <= more[:1] < "\ue000":
        pair = (text[-1] + more[0]).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        return text[:-1] + pair + more[1:]
    return text + more


def key_of(value: object) -> str:
    """A value as the key of a table; ids are strings, but anything may come."""
    return value if type(value) is str else f"\0{word(value)}"


def error_text(error: object) -> str:
    """What the page is told about an error: its text, or its fields as JSON without what would give the request away."""
    if isinstance(error, BaseException):
        return f"{type(error).__name__}: {error}".rstrip(": ")
    if not is_dict(error) and not is_list(error):
        return word(error)
    try:
        text = encode(_plain(error))
    except RecursionError:
        return word({})
    return word({}) if text == "{}" else text


def _plain(value: Any) -> Any:
    """A value in the form, and its keys in the order, that JavaScript has: whole numbers first, as in an array."""
    if type(value) is float:
        return int(value) if value.is_integer() and abs(value) < _EXACT else value
    if is_list(value):
        return [_plain(item) for item in value]
    if not is_dict(value):
        return value
    kept = [(name, item) for name, item in value.items() if name not in _SECRET]
    kept.sort(key=lambda field: int(field[0]) if type(field[0]) is str and _INDEX.fullmatch(field[0]) else _LAST)
    return {name: _plain(item) for name, item in kept}


_LAST: Final = 10**10
