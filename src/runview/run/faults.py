"""An error in any of its shapes, as `{message, name?, …}`."""

from __future__ import annotations

import json
from typing import Any

from runview.run.kinds import is_dict
from runview.run.state import Wire

__all__ = ["error_of", "exception_in"]

DEPTH = 20
"""How far the causes of an error are followed."""


def error_of(value: Any, *, unknown: str = "Unknown error") -> Wire:
    """`value` as an error that has a message: a dict keeps all its fields; a missing message comes from the nearest cause
    that has one, else from the name.
    """
    if isinstance(value, BaseException):
        name = type(value).__name__
        return {"message": _words(value) or name, "name": name}
    if is_dict(value):
        message = value.get("message")
        if type(message) is str and message:
            return value
        return {**value, "message": _message(value, unknown)}
    if type(value) is str:
        return {"message": value, "name": "Error"}
    if value is None:
        return {"message": unknown, "name": "Error"}
    return {"message": _text(value), "name": "Error"}


def exception_in(value: Any) -> BaseException | None:
    return value if isinstance(value, BaseException) else None


def _message(error: Wire, unknown: str) -> str:
    told = error.get("message")
    if told is not None and told != "":
        return _text(told)
    cause: Any = error.get("cause")
    for _ in range(DEPTH):
        if type(cause) is str and cause:
            return cause
        if isinstance(cause, BaseException):
            return _words(cause) or type(cause).__name__
        if not is_dict(cause):
            break
        message = cause.get("message")
        if type(message) is str and message:
            return message
        cause = cause.get("cause")
    name = error.get("name")
    return name if type(name) is str and name else unknown


def _words(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # an exception whose own __str__ fails still has a name
        return ""


def _text(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=lambda odd: f"<{type(odd).__name__}>")
    except Exception:  # cycles, keys that are no strings, nesting without end
        return f"<{type(value).__name__}>"
