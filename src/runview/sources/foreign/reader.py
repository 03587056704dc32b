"""What a family of events is: how it is recognised, and what reads it.

A reader is pure: events in, chunks out, nothing of an SDK imported, nothing awaited. It is total too: an event may hold anything,
and what it does not know becomes a `raw` chunk. `Items` calls it, and answers for what a reader still raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from runview.chunks.wire import Wire

__all__ = ["Family", "Layers", "Reader"]

Layers: TypeAlias = Sequence[object]
"""What was opened on the way to the stream, the outermost first: result objects know what no event tells. See `held`."""


class Reader(Protocol):
    """Reads one stream."""

    def read(self, event: object) -> Iterable[Wire]:
        """The chunks that an event is, in order."""
        ...

    def end(self) -> Iterable[Wire]:
        """The stream has ended by itself: what is still open, and a `finish`, or none where events are missing."""
        ...

    def fail(self, error: BaseException) -> Iterable[Wire]:
        """The stream raised. What it gives comes before the error; a `tripwire` among it comes in its place."""
        ...


class Family(NamedTuple):
    """Events of one shape, whoever sends them."""

    name: str
    """What `source=` calls it."""
    recognises: Callable[[object], bool]
    """Whether an event is certainly of this family; asked of the first events of a stream, dicts and objects alike."""
    reader: Callable[[Layers], Reader]
    """Makes the reader of one stream."""
    streams: tuple[str, ...] = ()
    """Beginnings of `module.Class` of streams, or of `module.` of generators, whose events can be of no other family."""
    aliases: tuple[str, ...] = ()
    """Other names for `source=`: of the packages whose streams it reads."""
    goes_on: str = ""
    """What its user does for a run that waits to go on, in one sentence: its streams know no way themselves."""
