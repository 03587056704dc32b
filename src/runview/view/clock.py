"""When pages are told something: one clock for all views of a loop.

The first change goes out at once, what follows at most every 33 ms, and more slowly where drawing would otherwise take more than
a fifth of the time. The producer of a stream never waits for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

__all__ = ["FlushClock", "flush_clock"]

INTERVAL = 0.033
"""Seconds between two flushes: at most 31 messages a second."""
SHARE = 4
"""A flush that took a second is followed by this many seconds of rest."""

_clocks: WeakKeyDictionary[asyncio.AbstractEventLoop, FlushClock] = WeakKeyDictionary()


def flush_clock(loop: asyncio.AbstractEventLoop) -> FlushClock:
    """The clock of this loop."""
    clock = _clocks.get(loop)
    if clock is None:
        clock = _clocks[loop] = FlushClock(loop)
    return clock


class FlushClock:
    """Calls what was marked, together and not too often. Everything happens on the loop's own thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._marked: dict[Callable[[], None], None] = {}
        self._handle: asyncio.Handle | None = None
        self._next = 0.0

    def mark(self, flush: Callable[[], None]) -> None:
        """Has `flush` called at the next tick."""
        self._marked[flush] = None
        if self._handle is None:
            wait = self._next - time.monotonic()
            self._handle = self._loop.call_later(wait, self._tick) if wait > 0 else self._loop.call_soon(self._tick)

    def _tick(self) -> None:
        marked, self._marked, self._handle = self._marked, {}, None
        begun = time.monotonic()
        for flush in marked:
            try:
                flush()
            except Exception as error:
                # One view's fault must not silence the others, and must not go unseen.
                self._loop.call_exception_handler({"message": "runview: a view could not be drawn", "exception": error})
        spent = time.monotonic() - begun
        self._next = begun + spent + max(INTERVAL - spent, SHARE * spent)
