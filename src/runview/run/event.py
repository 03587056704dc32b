"""One chunk on its way into a run: what the rooms of the reducer are given, and the only way they change a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, TypeVar

from runview.run.change import Change
from runview.run.kinds import is_dict
from runview.run.state import Part, RunState, Wire

__all__ = ["Change", "Event", "note", "string_of"]

NOTES = 200
"""Notes kept of one run; a stream that is odd throughout must not fill the memory."""

Reduce: TypeAlias = "Callable[[RunState, object, float], object]"
AnyPart = TypeVar("AnyPart", bound=Part)


def note(run: RunState, text: str) -> None:
    if len(run.notes) < NOTES:
        run.notes.append(text)
    elif len(run.notes) == NOTES:
        run.notes.append("further notes are left out")


def string_of(value: Any) -> str:
    """An id as a string, whatever the stream put there."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    if type(value) in (int, float, bool):
        return str(value)
    return type(value).__name__


class Event:
    """A chunk that is being applied to a run."""

    __slots__ = ("at", "changes", "chunk", "payload", "reduce", "run", "type", "wire")

    def __init__(self, run: RunState, type_: str, wire: Wire, at: float, reduce: Reduce) -> None:
        self.run = run
        self.reduce = reduce
        """The reducer itself, for the chunks of nested runs."""
        self.type = type_
        self.wire = wire
        self.at = at
        self.chunk: int | None = None
        """Its number in the stream; None for what is no chunk: an end, an answer."""
        self.changes: list[Change] = []
        payload = wire.get("payload")
        if not is_dict(payload):
            if payload is not None:
                note(run, f"{type_}: payload is no object")
            payload = {}
        self.payload: Wire = payload

    # Parts

    def key(self) -> str:
        book = self.run.book
        book.keys += 1
        return f"p{book.keys - 1}"

    def open(self, part: AnyPart, *, whole: bool = False) -> AnyPart:
        """Puts a part at the end of the run; `whole` when it is complete at once."""
        part.step = self.run.step_count
        part.started = self.at
        self.run.parts.append(part)
        self._mark(part, "opened")
        if whole:
            self.close(part)
        return part

    def change(self, part: Part) -> None:
        self._mark(part, "changed")

    def close(self, part: Part, *, stopped: bool = False) -> None:
        if part.ended is not None or part.stopped:
            return
        if stopped:
            part.stopped = True
        else:
            part.ended = self.at
        self._mark(part, "closed")

    def _mark(self, part: Part, what: Literal["opened", "changed", "closed"]) -> None:
        part.version += 1
        self.run.version += 1
        if self.chunk is not None:
            part.came(self.chunk)
        change = Change(what, part.key)
        if change not in self.changes:
            self.changes.append(change)

    def change_run(self) -> None:
        self.run.version += 1
        change = Change("run", "")
        if change not in self.changes:
            self.changes.append(change)

    # Words

    def note(self, text: str) -> None:
        note(self.run, text)

    def id(self, name: str) -> str:
        return string_of(self.payload.get(name))

    def string(self, name: str) -> str | None:
        """A field of the payload that should be a string: None when it is absent or something else."""
        value = self.payload.get(name)
        if type(value) is str:
            return value
        if value is not None:
            self.note(f"{self.type}: {name} is no string")
        return None
