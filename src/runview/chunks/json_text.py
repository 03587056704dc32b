"""JSON text in and out, total in both directions.

What arrives may be nested too deeply, hold a number of a million digits or half a surrogate pair; what leaves may hold values
that JSON cannot carry. Reading says in one short reason what is wrong with a text; writing always gives strict JSON that UTF-8
can carry.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections import OrderedDict, defaultdict
from datetime import date, datetime, time
from typing import Any, Final

__all__ = ["decode", "encode", "repair"]

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_DEPTH: Final = 200
"""How deep a value is followed that `json` alone cannot write."""
_LARGEST: Final = 10**4000
"""Python refuses to write integers that are longer than some 4,300 digits."""
_DICTS: Final = frozenset({dict, OrderedDict, defaultdict})
_LISTS: Final = frozenset({list, tuple, set, frozenset})


def decode(text: str | bytes | bytearray) -> Any:
    """The value of a JSON text. Raises ValueError with a short reason when it has none.

    Bytes are UTF-8; bytes that are not become U+FFFD. Halves of surrogate pairs, written as escapes, are kept.
    """
    if not isinstance(text, str):
        text = text.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("a number has too many digits") from None


def encode(value: object) -> str:
    """A value as compact JSON, spelled as JavaScript's `JSON.stringify` does: keys in their order, text unescaped.

    Lone surrogates are written as escapes. What JSON cannot carry is written as the nearest thing that it can: a date as its ISO
    text, bytes as base64, a set as a list, NaN and the infinities as null, anything else as its type's name in angle brackets.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except Exception:  # too deep, no JSON value, or a value's own code
        text = json.dumps(_carried(value, 0), ensure_ascii=False, separators=(",", ":"))
    return repair(text)


def repair(text: str) -> str:
    """JSON text with its lone surrogates as escapes, which mean the same and can be written as UTF-8."""
    if text.isascii():
        return text
    return _SURROGATES.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _carried(value: Any, depth: int) -> Any:
    """What JSON can carry in place of a value that it may not. The exact type decides, never the value's own code."""
    kind = _kind(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is int:
        return value if abs(value) < _LARGEST else _named(value)
    if kind is float:
        return value if math.isfinite(value) else None
    if depth >= _DEPTH:
        return "<nested too deeply>"
    if kind in _DICTS:
        return {_key(key): _carried(item, depth + 1) for key, item in value.items()}
    if kind in _LISTS:
        return [_carried(item, depth + 1) for item in value]
    if kind is bytes or kind is bytearray:
        return base64.b64encode(value).decode("ascii")
    if kind is datetime or kind is date or kind is time:
        return value.isoformat()
    return _named(value)


def _key(key: Any) -> str:
    kind = _kind(key)
    return str(key) if kind is str or kind is int or kind is float or kind is bool or key is None else _named(key)


def _kind(value: object) -> type[object]:
    return type(value)


def _named(value: object) -> str:
    return f"<{type(value).__name__}>"
