"""The partial objects of a run, as `object_stream` yields them.

Partials that are read from the text are not kept: each of them holds all the text so far, so that together they would be
quadratic in it. They are read again from the pieces of text when somebody asks; the last one is at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, overload

from runview.run.absent import ABSENT
from runview.run.object_reader import ObjectReader

__all__ = ["Partials"]

CURSORS: Final = 4
"""Readers at different places that are served without reading from the start."""


class _Restart:
    """A new text begins."""


class _Given:
    """A partial that came whole."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


RESTART: Final = _Restart()
Entry = str | _Restart | _Given


class Partials(Sequence[Any]):
    """All partial objects so far, in order."""

    def __init__(self, reader: Callable[[], ObjectReader] | None = None) -> None:
        self._reader = reader
        self._entries: list[Entry] = []
        self._length = 0
        self._last: _Given | ObjectReader = _Given(ABSENT)
        self._cursors: list[_Cursor] = []

    def append(self, value: Any) -> None:
        """A partial object that came whole."""
        self._last = _Given(value)
        self._entries.append(self._last)
        self._length += 1

    def restart(self) -> None:
        """The pieces that follow are a new text."""
        self._entries.append(RESTART)

    def piece(self, text: str, reader: ObjectReader, changed: bool) -> None:
        """A piece of text that `reader` has just read; `changed`: its value is a partial of its own."""
        self._entries.append(text)
        if changed:
            self._last = reader
            self._length += 1

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._length))]
        at = index + self._length if index < 0 else index
        if not 0 <= at < self._length:
            raise IndexError("no such partial object")
        if at == self._length - 1:
            return self._last.value
        if self._reader is None:
            entry = self._entries[at]
            return entry.value if isinstance(entry, _Given) else ABSENT
        return self._cursor_before(at).go_to(at)

    def __iter__(self) -> Iterator[Any]:
        if self._reader is None:
            yield from (entry.value for entry in self._entries if isinstance(entry, _Given))
            return
        cursor = _Cursor(self._entries, self._reader())
        for at in range(self._length):
            yield cursor.go_to(at)

    def _cursor_before(self, at: int) -> _Cursor:
        """The nearest cursor from which `at` can be reached; the one just used stands last."""
        best = max((cursor for cursor in self._cursors if cursor.at <= at), key=lambda cursor: cursor.at, default=None)
        if best is None:
            assert self._reader is not None
            best = _Cursor(self._entries, self._reader())
            if len(self._cursors) == CURSORS:
                del self._cursors[0]
        else:
            self._cursors.remove(best)
        self._cursors.append(best)
        return best


class _Cursor:
    """Reads the pieces once more, from the first partial to the last."""

    __slots__ = ("_entries", "_next", "_reader", "_value", "at")

    def __init__(self, entries: list[Entry], reader: ObjectReader) -> None:
        self._entries = entries
        self._reader = reader
        self._next = 0
        self._value: Any = ABSENT
        self.at = -1
        """Index of the partial that was read last."""

    def go_to(self, index: int) -> Any:
        while self.at < index:
            entry = self._entries[self._next]
            self._next += 1
            if isinstance(entry, _Restart):
                self._reader.start()
            elif isinstance(entry, _Given):
                self._value = entry.value
                self._reader.given(entry.value)
                self.at += 1
            elif self._reader.feed(entry):
                self._value = self._reader.value
                self.at += 1
        return self._value
