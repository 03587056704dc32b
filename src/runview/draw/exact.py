"""Reading values of a stream by their exact built-in types: what is something else is None."""

from __future__ import annotations

from typing import Any

__all__ = ["figure", "listing", "mapping", "word"]


def mapping(value: object) -> dict[Any, Any] | None:
    """A dict, as it came."""
    as_it_is: Any = value
    return as_it_is if type(value) is dict else None


def listing(value: object) -> list[Any] | None:
    """A list, as it came."""
    as_it_is: Any = value
    return as_it_is if type(value) is list else None


def word(value: object) -> str | None:
    """A string with something in it."""
    return value if type(value) is str and value else None


def figure(value: object) -> int | float | None:
    """A number; True and False are none."""
    return value if type(value) is int or type(value) is float else None
