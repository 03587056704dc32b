"""`.wait()` and `.result()`: waiting for a run without `await`. The only room that knows nest-asyncio2 and threads.

Where the run's loop runs in this thread (a cell, or a function called by a coroutine), the loop is run further from inside;
where it runs in another thread, this one sleeps; where there is none (a plain script), a loop of our own is run, one a thread,
kept between waits because async clients belong to the loop they were made on.
"""

from __future__ import annotations

import asyncio
import atexit
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType
from typing import Any, Protocol
from weakref import WeakSet

from runview.bell import Bell
from runview.host import home_loop, running_loop

__all__ = ["SLICE", "block", "is_nested", "is_own"]

SLICE = 0.5
"""Seconds after which a sleeping thread looks whether the loop that it waits for still lives."""


class Blockable(Protocol):
    """The part of a driver that waiting needs."""

    @property
    def settled(self) -> bool: ...
    @property
    def loop(self) -> asyncio.AbstractEventLoop | None: ...
    @property
    def ends(self) -> Bell: ...
    def start(self, loop: asyncio.AbstractEventLoop | None = None) -> None: ...
    def stop(self, reason: str | None = None) -> None: ...
    def abandon(self) -> None: ...
    async def wait(self) -> None: ...


def block(driver: Blockable, timeout: float | None) -> None:
    """Returns when the run has ended or rests; TimeoutError after `timeout` seconds.

    An interrupt stops the run, lets it settle and is raised as KeyboardInterrupt.
    """
    if driver.settled:
        return
    here = running_loop()
    if driver.loop is None:
        driver.start(home_loop() or _own_loop())
    loop = driver.loop
    assert loop is not None
    if loop is here:
        _nest(loop)
        _run(loop, driver, timeout)
    elif loop.is_running():
        _sleep(loop, driver, timeout)
    elif loop.is_closed():
        driver.abandon()
    elif here is None:
        _run(loop, driver, timeout)
    else:
        raise RuntimeError("This run belongs to an event loop that does not run now; wait for it outside of other loops.")


# Inside the loop, or on one of our own -----------------------------------------------------------------------------------

_nested = 0


def is_nested() -> bool:
    """Whether somebody waits now by running a loop further."""
    return _nested > 0


def _nest(loop: asyncio.AbstractEventLoop) -> None:
    """Lets `loop` be run from inside itself."""
    if hasattr(asyncio, "_nest_patched") and not hasattr(asyncio, "_nest_asyncio2"):
        raise RuntimeError(
            "nest_asyncio has been applied in this session, and waiting under it loses queued cells and messages: "
            "use `await` instead of `.wait()` or `.result()`, or restart without nest_asyncio."
        )
    nest: Any = import_module("nest_asyncio2")
    try:
        nest.apply(loop)
    except ValueError as error:  # A loop that is not asyncio's own: uvloop's, Pyodide's.
        raise RuntimeError(
            f"Nothing can wait inside a running {type(loop).__name__}: use `await` instead of `.wait()` or `.result()`."
        ) from error


def _run(loop: asyncio.AbstractEventLoop, driver: Blockable, timeout: float | None) -> None:
    global _nested

    async def rest() -> None:
        async with asyncio.timeout(timeout):
            await driver.wait()

    task = loop.create_task(rest(), name="runview wait")
    _nested += 1
    try:
        with _interrupts(lambda: loop.call_soon_threadsafe(task.cancel)) as interrupted:
            try:
                loop.run_until_complete(task)
            except (asyncio.CancelledError, KeyboardInterrupt) as error:
                if isinstance(error, asyncio.CancelledError) and not interrupted():
                    raise
                driver.stop("interrupted")
                loop.run_until_complete(driver.wait())
                raise KeyboardInterrupt from None
    finally:
        _nested -= 1
        if not task.done():
            task.cancel()


@contextmanager
def _interrupts(act: Callable[[], object]) -> Generator[Callable[[], bool]]:
    """Calls `act` at the first interrupt instead of raising wherever the loop happens to be; the second one raises as usual.

    Gives a function that tells whether there was one.
    """
    count = 0

    def handle(signum: int, frame: FrameType | None) -> None:
        nonlocal count
        count += 1
        if count > 1:
            raise KeyboardInterrupt
        act()

    if threading.current_thread() is not threading.main_thread() or not _raises(signal.getsignal(signal.SIGINT)):
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: count > 0
    finally:
        signal.signal(signal.SIGINT, before)


def _raises(handler: object) -> bool:
    """Whether a handler belongs to a cell or script that wants to be interrupted (an idle kernel's does not)."""
    return callable(handler) and not getattr(handler, "runview_idle", False)


# From another thread -----------------------------------------------------------------------------------------------------


def _sleep(loop: asyncio.AbstractEventLoop, driver: Blockable, timeout: float | None) -> None:
    clock = loop.time
    until = None if timeout is None else clock() + timeout
    try:
        while True:
            rings = driver.ends.rings
            if driver.settled:
                return
            left = SLICE if until is None else min(SLICE, until - clock())
            if left <= 0:
                raise TimeoutError
            driver.ends.block(rings, left)
            if loop.is_closed() and not driver.settled:
                driver.abandon()
    except KeyboardInterrupt:
        rings = driver.ends.rings
        driver.stop("interrupted")
        if not driver.settled:
            driver.ends.block(rings, SLICE)
        raise


# A loop of our own -------------------------------------------------------------------------------------------------------


class _OwnLoop:
    """Closes with the thread that it belongs to."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()

    def close(self) -> None:
        loop = self.loop
        if loop.is_closed() or loop.is_running():
            return
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            with suppress(BaseException):
                loop.run_until_complete(asyncio.wait(tasks, timeout=1.0))
        with suppress(BaseException):
            loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()

    def __del__(self) -> None:
        self.close()


_local = threading.local()
_own: WeakSet[asyncio.AbstractEventLoop] = WeakSet()


def is_own(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether `loop` is one of ours, which run only while somebody blocks."""
    return loop in _own


def _own_loop() -> asyncio.AbstractEventLoop:
    own: _OwnLoop | None = getattr(_local, "own", None)
    if own is None or own.loop.is_closed():
        own = _local.own = _OwnLoop()
        _own.add(own.loop)
        if threading.current_thread() is threading.main_thread():
            atexit.register(own.close)
    return own.loop
