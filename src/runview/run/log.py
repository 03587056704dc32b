"""The log of a run's chunks: whole, safe from later changes by the producer, and compact.

Most of a stream is deltas that differ in their text alone. A row of them is kept as the first one and a list of the texts, and
those strings are the very ones that the run's own text is made of. All other chunks are kept as copies.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, overload

from runview.chunks.wire import copy_value
from runview.run.kinds import is_dict
from runview.run.state import Wire

__all__ = ["ChunkLog", "Stretch"]

FIELDS: Final = ("text", "argsTextDelta")
"""Where a delta has its text."""

PLAIN: Final = frozenset({"text-delta", "reasoning-delta", "tool-call-delta"})
WRAPPERS: Final = frozenset({"tool-output", "step-output", "workflow-step-output", "background-task-output"})
DEPTH: Final = 8
"""Levels of wrapping through which a delta is recognised."""

Shape: TypeAlias = tuple[Any, ...]


class _Row:
    """Deltas that differ in their text alone."""

    __slots__ = ("path", "pieces", "shape", "template")

    def __init__(self, shape: Shape, path: tuple[str, ...], template: Wire) -> None:
        self.shape = shape
        self.path = path
        self.template = template
        self.pieces: list[str] = []

    def chunk(self, at: int) -> Wire:
        return _with_text(self.template, self.path, self.pieces[at])


class Stretch(NamedTuple):
    """Chunks in a row that differ in their text alone, or a single chunk."""

    first: int
    """Number of the first of them."""
    many: int
    sample: Wire
    """One of them; what stands where the text is says nothing about the others."""
    pieces: list[str]
    """Their texts, where they are deltas that were kept as such."""


class ChunkLog(Sequence[Wire]):
    """All chunks so far, in order. What it gives is not to be changed."""

    def __init__(self) -> None:
        self._segments: list[_Row | Wire] = []
        self._starts: list[int] = []
        self._length = 0
        self.times = array("d")
        """When each chunk came, in seconds since the epoch."""

    def append(self, wire: Wire, at: float = 0.0) -> Wire:
        """Keeps a chunk that came at this time, and gives the chunk to go on with, which nobody else can change."""
        self.times.append(at)
        kind = wire.get("type")
        if type(kind) is str and (kind in PLAIN or kind in WRAPPERS or kind.endswith("-delta")):
            path: list[str] = []
            shape = _shape(wire, path, 0)
            if shape is not None and path:
                self._append_delta(wire, shape, tuple(reversed(path)))
                return wire if kind in PLAIN else self[-1]
        copy: Wire = copy_value(wire)
        self._start(copy)
        return copy

    def _append_delta(self, wire: Wire, shape: Shape, path: tuple[str, ...]) -> None:
        row = self._segments[-1] if self._segments else None
        if type(row) is not _Row or row.shape != shape:
            row = _Row(shape, path, copy_value(wire))
            self._start(row)
        else:
            self._length += 1
        text: Any = wire
        for name in path:
            text = text[name]
        row.pieces.append(text)

    def _start(self, segment: _Row | Wire) -> None:
        self._segments.append(segment)
        self._starts.append(self._length)
        self._length += 1

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Wire: ...
    @overload
    def __getitem__(self, index: slice) -> list[Wire]: ...
    def __getitem__(self, index: int | slice) -> Wire | list[Wire]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._length))]
        at = index + self._length if index < 0 else index
        if not 0 <= at < self._length:
            raise IndexError("no such chunk")
        place = bisect_right(self._starts, at) - 1
        segment = self._segments[place]
        return segment.chunk(at - self._starts[place]) if type(segment) is _Row else segment  # type: ignore[return-value]

    def stretches(self, start: int = 0) -> Iterator[Stretch]:
        """What there is from the chunk with this number on, in as few pieces as it is kept in."""
        ends = [*self._starts[1:], self._length]
        for place in range(max(0, bisect_right(self._starts, start) - 1), len(self._segments)):
            segment, begun = self._segments[place], self._starts[place]
            first = max(start, begun)
            if first >= ends[place]:
                continue
            if type(segment) is _Row:
                yield Stretch(first, ends[place] - first, segment.template, segment.pieces[first - begun :])
            else:
                yield Stretch(first, 1, segment, [])  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Wire]:
        """Goes on to chunks that come while it is being read."""
        at = 0
        while at < self._length:
            yield self[at]
            at += 1


def _shape(value: Wire, path: list[str], depth: int) -> Shape | None:
    """All of a chunk but its text, as something to compare; None when it is not made of strings and dicts alone.

    `path` gets the way to the text, from its end.
    """
    parts: list[Any] = []
    for name, item in value.items():
        if type(name) is not str:
            return None
        parts.append(name)
        if type(item) is str:
            if not path and name in FIELDS:
                path.append(name)
                parts.append(None)
            else:
                parts.append(item)
        elif is_dict(item) and depth < DEPTH:
            before = len(path)
            inner = _shape(item, path, depth + 1)
            if inner is None:
                return None
            if len(path) > before:
                path.append(name)
            parts.append(inner)
        else:
            return None
    return tuple(parts)


def _with_text(template: Wire, path: tuple[str, ...], text: str) -> Wire:
    """A new chunk like the template with another text; the keys keep their order."""
    name = path[0]
    copy = {key: _fresh(value) for key, value in template.items()}
    copy[name] = text if len(path) == 1 else _with_text(template[name], path[1:], text)
    return copy


def _fresh(value: Any) -> Any:
    return {key: _fresh(item) for key, item in value.items()} if is_dict(value) else value
