"""Reading a run as it comes: each reader has an iterator of its own that replays from the first item and goes on live."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

from runview.bell import Bell

__all__ = ["Stream"]

S = TypeVar("S")
T = TypeVar("T")

TURN: Final = 0.005
"""Seconds of replay after which the loop gets its turn, so that no reader holds back the run."""


class Readable(Protocol):
    """The part of a driver that reading needs."""

    @property
    def settled(self) -> bool: ...
    @property
    def news(self) -> Bell: ...
    async def hear(self, bell: Bell, rings: int) -> None: ...


class Stream(AsyncIterator[T], Generic[S, T]):
    """Ends when the run ends or rests, whatever became of it: how it ended is told by the awaitables.

    It is no generator, so leaving it early leaves nothing to close.
    """

    def __init__(
        self,
        driver: Readable,
        items: Callable[[], Sequence[S]],
        make: Callable[[S], T],
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._driver = driver
        self._items = items
        self._make = make
        self._check = check
        self._at = 0
        self._turn = time.perf_counter()

    def __aiter__(self) -> Stream[S, T]:
        return self

    async def __anext__(self) -> T:
        if time.perf_counter() - self._turn > TURN:
            await asyncio.sleep(0)
            self._turn = time.perf_counter()
        while True:
            news = self._driver.news
            rings, settled, items = news.rings, self._driver.settled, self._items()
            if self._at < len(items):
                item = items[self._at]
                self._at += 1
                return self._make(item)
            self._check()
            if settled:
                raise StopAsyncIteration
            await self._driver.hear(news, rings)
            self._turn = time.perf_counter()


def same(item: Any) -> Any:
    """For streams whose items are handed out as they are."""
    return item
