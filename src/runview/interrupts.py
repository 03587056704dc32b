"""Lets an interrupt of an idle kernel (■ in the toolbar) stop the runs that live.

An idle kernel ignores SIGINT: ipykernel sets a handler that raises for the time of each message and puts the old one back
after it. While runs live, the one that it puts back is ours. It can be set and taken away only between messages, so that is
tried again while a cell is busy; inside a cell, KeyboardInterrupt stays the cell's.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from contextlib import suppress
from types import FrameType
from typing import Any, Final, Protocol

from runview.host import in_kernel, kernel_loop

__all__ = ["hold", "release"]

AGAIN: Final = 0.1
"""Seconds until the next look whether the kernel is idle."""


class Stoppable(Protocol):
    """What an interrupt stops: a driver."""

    def stop(self, reason: str | None = None) -> None: ...


_live: dict[int, Stoppable] = {}
_before: Any = None
"""The kernel's own handler, while ours is set."""
_looking = False


def hold(run: Stoppable) -> None:
    """Counts `run` among those that an interrupt of the idle kernel stops. Does nothing outside a kernel."""
    if not in_kernel():
        return
    _live[id(run)] = run
    _look_soon()


def release(run: Stoppable) -> None:
    """Takes it back; after the last one the kernel's own handler is put back."""
    if _live.pop(id(run), None) is not None and not _live:
        _look_soon()


def _look_soon() -> None:
    loop = kernel_loop()
    if loop is None:
        return
    with suppress(RuntimeError):  # The kernel may be going down.
        loop.call_soon_threadsafe(_look)


def _look() -> None:
    """Sets or takes away our handler if the kernel is idle, else looks again later."""
    global _before, _looking
    if _looking or threading.current_thread() is not threading.main_thread():
        return
    handler = signal.getsignal(signal.SIGINT)
    if _live and handler is signal.SIG_IGN:
        _before = signal.signal(signal.SIGINT, _stop_all)
    elif not _live and handler is _stop_all:
        signal.signal(signal.SIGINT, _before)
    elif bool(_live) != (handler is _stop_all):
        _looking = True
        asyncio.get_running_loop().call_later(AGAIN, _look_again)


def _look_again() -> None:
    global _looking
    _looking = False
    _look()


def _stop_all(signum: int, frame: FrameType | None) -> None:
    # A signal comes between any two instructions, so the loop is asked to do it. When ours could not be taken away yet, there
    # is nothing to stop, as before.
    loop = kernel_loop()
    if loop is not None:
        loop.call_soon_threadsafe(_stop_live)


def _stop_live() -> None:
    for run in tuple(_live.values()):
        run.stop("interrupted")


_stop_all.runview_idle = True  # type: ignore[attr-defined]
