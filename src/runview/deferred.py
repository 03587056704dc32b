"""A value that a run will have: awaitable by many, readable later, and settled for every way in which a run can end."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Generic, Protocol, TypeVar

from runview.errors import NotReady

__all__ = ["Deferred", "Settling"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Settling(Protocol):
    """What a deferred value waits for: a run that comes to its end, or to rest."""

    @property
    def settled(self) -> bool:
        """Whether the values are there now."""
        ...

    async def wait(self) -> None:
        """Returns once the values are there; never raises."""
        ...

    def block(self, timeout: float | None) -> None:
        """The same for code that does not await; TimeoutError after `timeout` seconds."""
        ...


class Deferred(Generic[T_co]):
    """One value of a run. Await it any number of times, from as many places as you like, or call `.result()`.

    A waiter that is cancelled or times out harms neither the run nor any other waiter. A run that failed raises `StreamError`
    here, one that ended without a finish `StreamIncomplete`, each with the values so far in `.partial`.
    """

    __slots__ = ("_name", "_read", "_run")

    def __init__(self, name: str, run: Settling, read: Callable[[], T_co]) -> None:
        self._name = name
        self._run = run
        self._read = read

    def __await__(self) -> Generator[Any, None, T_co]:
        return self._wait().__await__()

    async def _wait(self) -> T_co:
        await self._run.wait()
        return self._read()

    @property
    def done(self) -> bool:
        """Whether the value (or the error that stands for it) is there."""
        return self._run.settled

    @property
    def value(self) -> T_co:
        """The value, without waiting. Raises `NotReady` before it is there, and what awaiting raises after a failure."""
        if not self._run.settled:
            raise NotReady(f"`{self._name}` is not there yet: await it, or call `.result()`.")
        return self._read()

    def result(self, timeout: float | None = None) -> T_co:
        """Waits for the value without `await`, for `timeout` seconds at most.

        Works in a cell while the run streams on the same loop, in a plain script, and from other threads. Raises TimeoutError
        when the time is up (the run goes on), and what awaiting raises. An interrupt stops the run and is raised again.
        """
        self._run.block(timeout)
        return self._read()

    def __repr__(self) -> str:
        if not self._run.settled:
            return f"<{self._name}: pending>"
        try:
            return f"<{self._name}: {self._read()!r}>"
        except Exception as error:
            return f"<{self._name}: {type(error).__name__}: {error}>"
