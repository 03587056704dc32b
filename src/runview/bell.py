"""Wakes whoever waits for news of a run: tasks, each on a loop of its own, and plain threads.

A waiter takes the number of rings first, then looks whether there is anything to wait for, then waits with that number; what
happens in between is not missed. Waiters share nothing, so one that is cancelled or times out harms no other.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

__all__ = ["Bell"]


class Bell:
    """Rings for all who wait, and counts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[object, Callable[[], None]] = {}
        self.rings = 0
        """How often it has rung."""

    def ring(self) -> None:
        """Wakes all who wait now, from any thread."""
        with self._lock:
            self.rings += 1
            waiting, self._waiting = self._waiting, {}
        for wake in waiting.values():
            wake()

    async def wait(self, rings: int) -> None:
        """Returns as soon as it has rung more than `rings` times."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def settle() -> None:
            if not future.done():
                future.set_result(None)

        def wake() -> None:
            if _running_loop() is loop:
                settle()
                return
            with suppress(RuntimeError):  # The waiter's loop may be closed, and the waiter with it.
                loop.call_soon_threadsafe(settle)

        if not self._join(future, wake, rings):
            return
        try:
            await future
        finally:
            self._leave(future)

    def block(self, rings: int, timeout: float | None) -> bool:
        """Blocks this thread in the same way; whether it rang in time (seconds)."""
        event = threading.Event()
        if not self._join(event, event.set, rings):
            return True
        try:
            return event.wait(timeout)
        finally:
            self._leave(event)

    def _join(self, key: object, wake: Callable[[], None], rings: int) -> bool:
        with self._lock:
            if self.rings != rings:
                return False
            self._waiting[key] = wake
            return True

    def _leave(self, key: object) -> None:
        with self._lock:
            self._waiting.pop(key, None)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
