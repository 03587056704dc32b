"""A thread that does for a source what would block the loop: enters it, reads it, closes it.

All of that happens in the one thread, since some streams want it so. It reads ahead, but only so far. A thread that hangs in
`next` is ended from outside where the stream lets itself be closed there, as the streams of HTTP clients do, or where it reads an
HTTP response, as it does in their generators.
Where that is of no use the loop goes on without it, and it closes the source and ends as soon as `next` returns.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
import types
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Final

from runview.sources.sockets import shut_down, wake

__all__ = ["StillRunning", "Worker"]

_AHEAD: Final = 1024
"""Items read ahead of the loop, at most."""
_POLITE: Final = 0.4
"""The part of its time to close that a source has before it is closed from outside."""


class StillRunning(Exception):
    """A source that could not be stopped."""


class Worker:
    """Starts on the running loop, and answers to it alone."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._streams: list[Any] = []
        """What is read and may be closed from any thread."""
        self._cleanups: list[Callable[[], object]] = []
        self._problems: list[BaseException] = []
        self._failure: BaseException | None = None
        self._gone = asyncio.Event()
        self._news = asyncio.Event()  # something was read, or reading has ended
        self._lock = threading.Condition()  # guards the three below
        self._read: list[Any] = []
        self._ended = False
        self._closing = False
        # In the caller's context, as a task would be: what the source prints goes where the caller's prints go.
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=context.run, args=(self._work,), name="runview source", daemon=True)
        self._thread.start()

    async def enter(self, manager: Any) -> Any:
        """Enters a context manager; it is left when the worker closes."""
        answer: asyncio.Future[tuple[Any, BaseException | None]] = self._loop.create_future()

        def enter() -> None:
            try:
                value = manager.__enter__()
            except BaseException as error:
                self._tell(_settle, answer, (None, error))
                return
            self._cleanups.append(lambda: manager.__exit__(*_told(self._failure)))
            self._tell(_settle, answer, (value, None))

        self._jobs.put(enter)
        value, error = await answer
        if error is not None:
            raise error
        return value

    async def read(self, iterable: Iterable[Any]) -> AsyncGenerator[Any, None]:
        """The items of an iterable, as they come."""
        self._jobs.put(lambda: self._iterate(iterable))
        while True:
            with self._lock:
                items, self._read = self._read, []
                ended = self._ended
                self._news.clear()
                self._lock.notify()
            for item in items:
                yield item
            if ended:
                break
            if not items:
                await self._news.wait()
        if self._failure is not None:
            raise self._failure

    async def close(self, patience: float) -> list[BaseException]:
        """Closes what was read and entered, and ends the thread. Gives what went wrong, as far as `patience` seconds can tell."""
        with self._lock:
            self._closing = True
            self._lock.notify()
        self._jobs.put(None)
        if not await self._ends_within(patience * _POLITE):
            self._close_from_outside()
            if not await self._ends_within(patience * (1 - _POLITE)):
                words = "The source could not be stopped: it waits in a thread of its own, and is closed as soon as that goes on."
                return [*self._problems, StillRunning(words)]
        return self._problems.copy()

    async def _ends_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._gone.wait(), seconds)
        return self._gone.is_set()

    def _close_from_outside(self) -> None:
        """In a thread, since nobody knows how long a close takes; what the reader then raises is nobody's concern."""

        def close() -> None:
            for each in self._streams:
                with suppress(Exception):
                    shut_down(each)
                    each.close()
            if self._thread.is_alive():
                wake(self._thread.ident)

        threading.Thread(target=close, name="runview closing", daemon=True).start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
        for cleanup in reversed(self._cleanups):
            try:
                cleanup()
            except BaseException as error:
                if error is not self._failure:
                    self._problems.append(error)
        self._tell(self._gone.set)

    def _iterate(self, iterable: Iterable[Any]) -> None:
        try:
            iterator = iter(iterable)
            for target in (iterable, iterator) if iterator is not iterable else (iterator,):
                if callable(close := getattr(target, "close", None)):
                    self._cleanups.append(close)
                    if not isinstance(target, types.GeneratorType):
                        self._streams.append(target)
            for item in iterator:
                if not self._hand_over(item):
                    break
        except BaseException as error:
            self._failure = error
        with self._lock:
            self._ended = True
        self._tell(self._news.set)

    def _hand_over(self, item: Any) -> bool:
        """Whether there is someone to read on for."""
        with self._lock:
            while len(self._read) >= _AHEAD and not self._closing:
                self._lock.wait()
            if self._closing:
                return False
            self._read.append(item)
            first = len(self._read) == 1
        if first:
            self._tell(self._news.set)
        return True

    def _tell(self, what: Callable[..., object], *args: Any) -> None:
        """Has the loop do something; a loop that is closed has nobody left who waits."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what, *args)


def _settle(answer: asyncio.Future[Any], value: Any) -> None:
    if not answer.done():
        answer.set_result(value)


def _told(failure: BaseException | None) -> tuple[Any, Any, Any]:
    """What a context manager is told on leaving it."""
    return (None, None, None) if failure is None else (type(failure), failure, failure.__traceback__)
