"""What a page is told of the chunks behind a run, a page at a time, when its reader asks.

Nothing of it is saved, and what stays in the kernel (see `draw/covered.py`) is not sent. A question is a page's, so it is read by
exact types and answered within bounds, or not at all.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, Final

from runview.chunks.json_text import encode
from runview.draw.characters import show
from runview.draw.covered import Covered
from runview.draw.look import Look
from runview.draw.raw import LIMIT, raw
from runview.draw.tree import wire as travelling
from runview.draw.words import one_line
from runview.run.kinds import is_dict
from runview.run.log import WRAPPERS, ChunkLog
from runview.run.state import Part, RunState, Wire
from runview.run.usage import nested_in

__all__ = ["Inspector"]

PAGE: Final = 200
"""Rows in one answer."""
KINDS: Final = 250
"""Types that are told apart."""
_WEIGHED: Final = 20_000
"""Values of one page that are weighed; what lies beyond makes a size "at least"."""
_PATH: Final = re.compile(r"p\d{1,9}(?:/n\d{1,4}\.p\d{1,9}){0,20}\Z")


class Inspector:
    """The chunks of one run. Used on the loop of the run."""

    def __init__(self, run: RunState, log: ChunkLog, look: Look) -> None:
        self._run = run
        self._log = log
        self._look = look
        self._covered = Covered(log, limit=LIMIT, instead="hidden")
        self._names: list[str] = []
        self._codes: dict[str, int] = {}
        self._kinds = array("B")
        """Of each chunk the number of its type."""
        self._filtered: tuple[object, array[int]] | None = None

    def chunks(self, asked: dict[str, Any]) -> dict[str, Any] | None:
        """A page of rows: number, seconds since the first chunk, type, run, bytes, part; and how many there are."""
        kind, path, first = asked.get("type"), asked.get("part"), asked.get("from")
        if type(kind) is not str or type(path) is not str or type(first) is not int or first < 0:
            return None
        self._read()
        spans = self._spans(path) if path else None
        if (kind and kind not in self._codes) or (path and spans is None):
            return None
        numbers = self._numbers(kind, path, spans)
        shown = numbers[first : first + PAGE]
        counts = [self._kinds.count(code) for code in range(len(self._names))]
        return {
            "kind": "chunks",
            "type": kind,
            "part": path,
            "from": first,
            "total": len(self._log),
            "count": len(numbers),
            "types": [[name, count] for name, count in zip(self._names, counts, strict=True)],
            "rows": self._rows(list(shown)),
        }

    def chunk(self, asked: dict[str, Any]) -> dict[str, Any] | None:
        """One chunk as a tree, and the part that it belongs to."""
        number = asked.get("at")
        if type(number) is not int or not 0 <= number < len(self._log):
            return None
        wire = self._covered.chunk(number)
        tree = travelling(raw(self._look, wire, encode(wire)))
        return {"kind": "chunk", "at": number, "part": self._parts([number])[0], "tree": tree}

    # Which chunks

    def _read(self) -> None:
        """Takes in the types of what has come."""
        for stretch in self._log.stretches(len(self._kinds)):
            name = _name(stretch.sample.get("type"))
            code = self._codes.get(name)
            if code is None and len(self._names) >= KINDS:
                name, code = "…", self._codes.get("…")
            if code is None:
                code = self._codes[name] = len(self._names)
                self._names.append(name)
            self._kinds.extend([code] * stretch.many)

    def _numbers(self, kind: str, path: str, spans: list[int] | None) -> Any:
        """The numbers of the chunks of a type, of a part, or of all."""
        if not kind and spans is None:
            return range(len(self._log))
        made_of = (kind, path, len(self._log), len(spans or ()), spans[-1] if spans else 0)
        if self._filtered is None or self._filtered[0] != made_of:
            wanted = self._codes.get(kind)
            every = range(len(self._log)) if spans is None else _within(spans)
            kinds = self._kinds
            numbers = array("q", every if wanted is None else (at for at in every if kinds[at] == wanted))
            self._filtered = (made_of, numbers)
        return self._filtered[1]

    def _spans(self, path: str) -> list[int] | None:
        """The chunks of a part that a page names; None when there is no such part."""
        if len(path) > 400 or not _PATH.match(path):
            return None
        run = self._run
        part: Part | None = None
        for step in path.split("/"):
            place, _, key = step.rpartition(".")
            if place:
                inside = nested_in(part) if part is not None else []
                if int(place[1:]) >= len(inside):
                    return None
                run = inside[int(place[1:])]
            part = next((one for one in run.parts if one.key == key), None)
            if part is None:
                return None
        return part.made_by if part is not None else None

    # What is told of them

    def _rows(self, numbers: list[int]) -> list[list[Any]]:
        parts = self._parts(numbers)
        begun = self._log.times[0] if numbers else 0.0
        room = _WEIGHED
        out: list[list[Any]] = []
        for number, part in zip(numbers, parts, strict=True):
            wire = self._log[number]
            octets, room = _weight(wire, room)
            passed = round(max(0.0, self._log.times[number] - begun), 3)
            size = octets if room > 0 else -octets
            out.append([number, passed, *_about(wire), size, part])
        return out

    def _parts(self, numbers: list[int]) -> list[str]:
        """For each number, in order, the innermost part that its chunk made or changed; "" where there is none."""
        out = [""] * len(numbers)
        if not numbers:
            return out
        for path, part in _walk(self._run, ""):
            spans = part.made_by
            for at in range(bisect_left(spans, numbers[0]) // 2 * 2, len(spans), 2):
                if spans[at] > numbers[-1]:
                    break
                first = bisect_left(numbers, spans[at])
                while first < len(numbers) and numbers[first] <= spans[at + 1]:
                    if path.count("/") >= out[first].count("/"):
                        out[first] = path
                    first += 1
        return out


def _walk(run: RunState, prefix: str) -> Iterator[tuple[str, Part]]:
    """All parts with the ways to them: `p3/n0.p5` is a part of the first run inside the part `p3`."""
    for part in run.parts:
        path = f"{prefix}{part.key}"
        yield path, part
        for index, inner in enumerate(nested_in(part)):
            yield from _walk(inner, f"{path}/n{index}.")


def _within(spans: list[int]) -> Iterator[int]:
    for at in range(0, len(spans), 2):
        yield from range(spans[at], spans[at + 1] + 1)


def _name(kind: object) -> str:
    return show(kind[:60]) if type(kind) is str else "no type"


def _about(wire: Wire) -> tuple[str, str]:
    """Type and run of a chunk; of what a call or step passes on, those of the chunk inside as well."""
    names = [_name(wire.get("type"))]
    run: Any = wire.get("runId")
    at: Any = wire
    while len(names) < 4 and at.get("type") in WRAPPERS:
        payload: Any = at.get("payload")
        at = payload.get("output") if is_dict(payload) else None
        if not is_dict(at) or type(at.get("type")) is not str:
            break
        names.append(_name(at["type"]))
        run = at.get("runId", run)
    return " › ".join(names), one_line(run, 40) if type(run) is str else ""


def _weight(value: object, room: int) -> tuple[int, int]:
    """About how long a value is as JSON, looking at no more than `room` values, and the room that is left."""
    size = 0
    pending: list[object] = [value]
    while pending and room > 0:
        one: Any = pending.pop()
        room -= 1
        kind: type[object] = type(one)  # pyright: ignore[reportUnknownVariableType]
        if kind is str:
            size += 2 + (len(one) if one.isascii() else _octets(one))
        elif kind is dict:
            size += 1 + 2 * len(one)
            if len(one) <= room:
                pending += one.keys()
                pending += one.values()
            else:
                room = 0
        elif kind is list:
            size += 1 + len(one)
            if len(one) <= room:
                pending += one
            else:
                room = 0
        elif kind is int:
            size += max(1, int(one.bit_length() * 0.30103) + 1)
        else:
            size += len(repr(one)) if kind is float else 5
    return size, room


def _octets(text: str) -> int:
    """Length in UTF-8; of a very long text, from a sample."""
    if len(text) <= 10_000:
        return len(text.encode("utf-8", "surrogatepass"))
    return int(len(text[:10_000].encode("utf-8", "surrogatepass")) / 10_000 * len(text))
