"""Values that nobody knows, one after the other: when each is the one before grown further, the stream is of one object."""

from __future__ import annotations

from typing import Any

from runview.sources.foreign.fields import each_of, keys_of

__all__ = ["Snapshots"]


class Snapshots:
    """Watches values."""

    def __init__(self) -> None:
        self._value: dict[str, Any] = {}
        self._grows = True

    def add(self, value: object) -> None:
        """The next one, as dicts and lists."""
        told = keys_of(value)
        self._grows = self._grows and bool(told) and _grown(self._value, told)
        self._value = told

    @property
    def object(self) -> dict[str, Any] | None:
        """The last of them, if they are all one; else None."""
        return self._value if self._grows and self._value else None


def _grown(before: object, after: object) -> bool:
    """Whether a value may be another that has grown since."""
    if before is None or before == after:
        return True
    if isinstance(before, str):
        return isinstance(after, str) and after.startswith(before)
    old, new = keys_of(before), keys_of(after)
    if old or (before == {} and new):
        return all(key in new and _grown(value, new[key]) for key, value in old.items())
    items, more = each_of(before), each_of(after)
    return isinstance(before, list) and isinstance(after, list) and len(items) <= len(more) and all(map(_grown, items, more))
