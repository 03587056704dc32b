"""A driver as the values of a view read it: whoever has waited in a cell for the run has its final state published there.

Headless executors (nbclient, nbconvert, papermill) take only messages that come from the cell that is running. A run that ended
between two cells, or that a later cell waited for, would otherwise stay "in progress" in their files.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable, Generator
from contextlib import contextmanager

from runview.bell import Bell
from runview.driver import Driver
from runview.run.log import ChunkLog
from runview.run.state import RunState
from runview.view.cells import on_interrupt

__all__ = ["Reading"]


class Reading:
    """Passes everything on to the driver, and calls `settled_here` in the context of each waiter that saw the run settle."""

    def __init__(self, driver: Driver, settled_here: Callable[[], None]) -> None:
        self._driver = driver
        self._settled_here = settled_here

    @property
    def run(self) -> RunState:
        return self._driver.run

    @property
    def log(self) -> ChunkLog:
        return self._driver.log

    @property
    def failure(self) -> BaseException | None:
        return self._driver.failure

    @property
    def settled(self) -> bool:
        return self._driver.settled

    @property
    def news(self) -> Bell:
        return self._driver.news

    def stop(self, reason: str | None = None) -> None:
        self._driver.stop(reason)

    async def wait(self) -> None:
        with self._stopped_with_its_cell():
            await self._driver.wait()
        self._settled_here()

    async def hear(self, bell: Bell, rings: int) -> None:
        with self._stopped_with_its_cell():
            await self._driver.hear(bell, rings)
        if self._driver.settled:
            self._settled_here()

    @contextmanager
    def _stopped_with_its_cell(self) -> Generator[None]:
        """An interrupt of the cell that awaits the run is meant for the run; a time limit around the wait is not."""
        try:
            yield
        except CancelledError:
            on_interrupt(lambda: self._driver.stop("interrupted"))
            raise

    def block(self, timeout: float | None) -> None:
        self._driver.block(timeout)
        self._settled_here()
