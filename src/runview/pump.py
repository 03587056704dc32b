"""Consumes one source in one task and tells its end exactly once, whatever the source does.

The source is opened, iterated and closed in the same task, since context managers and async generators want that. Nothing that
a source raises leaves the task: an exception in a background task would surface in whichever cell happens to run later.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from runview.blocking import is_nested
from runview.host import in_kernel
from runview.sources.opening import OpenSource, open_source

__all__ = ["End", "Pump"]

PATIENCE: Final = 0.15
"""Seconds that a source has to end once it is told to. A stop is complete within 0.2 s, whatever the source does."""
INSISTENCE: Final = 2.0
"""Seconds after which a source that has still not gone is cancelled again; one that closes in earnest is let do so."""
TURN: Final = 0.005
"""Seconds of work after which the loop gets its turn; a source that never really awaits would hold it otherwise."""

_alive: set[Pump] = set()
"""The loop keeps only weak references to tasks."""


class End(Protocol):
    """How the end is told: with what the source raised, or that it was stopped."""

    def __call__(self, *, error: BaseException | None, stopped: bool) -> None: ...


class Pump:
    """Passes the items of `source` (called with `args` if it is a callable) to `take`, then tells `end`.

    `family` says what its items are, where that is not to be found out.
    What goes wrong in closing the source is told to `note`.
    """

    def __init__(
        self,
        source: object,
        args: tuple[Any, ...],
        *,
        family: str | None = None,
        take: Callable[[Any], None],
        note: Callable[[str], None],
        end: End,
    ) -> None:
        self._source = source
        self._args = args
        self._family = family
        self._take = take
        self._note = note
        self._end = end
        self._over = False
        self._stopping = False
        self._opened = False
        self._opening: OpenSource | None = None
        self._task: asyncio.Task[None] | None = None
        self.continuing: list[object] = []
        """What was opened and knows how the run goes on when it waits for somebody."""

    @property
    def advice(self) -> str:
        """What a user can do for a run that waits, where its source knows no way."""
        return "" if self._opening is None else self._opening.advice

    @property
    def over(self) -> bool:
        """Whether the end has been told."""
        return self._over

    def start(self) -> None:
        """Begins; on the loop."""
        if self._over:
            close_unopened(self._source)
            return
        loop = asyncio.get_running_loop()
        self._task = task = loop.create_task(self._run(), name="runview")
        # A loop that is closed under a living run would make asyncio print about it when the interpreter exits.
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001
        _alive.add(self)
        task.add_done_callback(self._gone)

    def stop(self) -> None:
        """Ends the source; on the loop. The end is told within `PATIENCE`, and the task goes as soon as the source lets it."""
        self._stopping = True
        if self._task is None:
            self._finish(None)
            return
        if not self._task.done():
            self._task.cancel()
            loop = asyncio.get_running_loop()
            loop.call_later(PATIENCE, self._finish, None)
            loop.call_later(INSISTENCE, self._insist, INSISTENCE)

    def abandon(self) -> None:
        """Tells the end without a loop: the one that moved this source has closed, or does not run any more."""
        self._stopping = True
        self._finish(None)

    def _insist(self, delay: float) -> None:
        """Cancels a source that swallowed it again, at growing intervals."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            delay = min(delay * 2, 30.0)
            asyncio.get_running_loop().call_later(delay, self._insist, delay)

    async def _run(self) -> None:
        failure: BaseException | None = None
        ended = False
        self._opened = True
        try:
            self._opening = opening = open_source(self._source, self._args, family=self._family)
            self.continuing = opening.continuing
            async with opening as items:
                try:
                    await self._consume(items)
                    ended = True
                except BaseException as raised:
                    failure = raised
                    raise
        except BaseException as raised:
            if failure is None and not ended:
                failure = raised
            elif raised is not failure and not isinstance(raised, asyncio.CancelledError):
                self._note(f"The source could not be closed: {type(raised).__name__}: {raised}")
        if self._stopping and isinstance(failure, Exception):
            self._note(f"The source raised when it was stopped: {type(failure).__name__}: {failure}")
        for note in getattr(failure, "__notes__", ()):
            self._note(str(note))  # What went wrong in closing stands there, and whatever else the exception has to say.
        self._finish(failure)
        if isinstance(failure, KeyboardInterrupt) and (is_nested() or not in_kernel()):
            # Somebody waits in a cell, or Ctrl-C was meant for the whole script; a kernel's own loop would end by it.
            raise failure

    async def _consume(self, items: Any) -> None:
        clock = time.perf_counter
        turn = clock()
        async for item in items:
            if self._over or self._stopping:
                break
            self._take(item)
            if clock() - turn > TURN:
                await asyncio.sleep(0)
                turn = clock()

    def _finish(self, error: BaseException | None) -> None:
        if self._over:
            return
        self._over = True
        stopped = self._stopping or isinstance(error, asyncio.CancelledError | KeyboardInterrupt | GeneratorExit)
        self._end(error=None if stopped else error, stopped=stopped)

    def _gone(self, task: asyncio.Task[None]) -> None:
        _alive.discard(self)
        if not task.cancelled():
            task.exception()  # Looked at, so that asyncio does not report it.
        if not self._opened:
            close_unopened(self._source)
        self._finish(asyncio.CancelledError())


def close_unopened(source: object) -> None:
    """Closes a coroutine or generator that nobody will await, so that Python does not warn about it."""
    close = getattr(source, "close", None)
    if asyncio.iscoroutine(source) and callable(close):
        close()
