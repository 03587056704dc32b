"""The end arrives.

jupyter_server drops messages when a kernel prints too much, and says so to nobody: a page would show "Running" for good, and the
file would keep an earlier state. So the end is repeated until a page has said that it has drawn it and that the file holds the
last HTML. Nothing that a reader sees waits for this.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from runview.host import shell

__all__ = ["Ending"]

REPEATS = (1.0, 3.0, 10.0, 30.0)
"""Seconds after the end at which it is told again."""
GIVE_UP = 600.0
"""Seconds after which the comm is closed though no page has answered: there may be none."""


class Ending:
    """Tells the end again at `REPEATS` and after the next cell, until it is confirmed; then calls `close`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, again: Callable[[], None], close: Callable[[], None]) -> None:
        self._again = again
        self._close = close
        self._timers = [loop.call_later(pause, again) for pause in REPEATS]
        self._timers.append(loop.call_later(GIVE_UP, self.over))
        self._shell = shell()
        if self._shell is not None:
            self._shell.events.register("post_run_cell", self._after_cell)

    @property
    def is_over(self) -> bool:
        """Nothing is told any more."""
        return not self._timers

    def over(self) -> None:
        """The end is known where it has to be, or nobody is there to know it."""
        if not self._timers:
            return
        for timer in self._timers:
            timer.cancel()
        self._timers = []
        self._forget_cells()
        self._close()

    def _after_cell(self, _result: object = None) -> None:
        self._forget_cells()
        self._again()

    def _forget_cells(self) -> None:
        ipython, self._shell = self._shell, None
        if ipython is not None:
            ipython.events.unregister("post_run_cell", self._after_cell)
