"""Opens whatever the user passed, and closes it in every case.

A coroutine is awaited, a function called, a context manager entered, an iterable iterated, until there is a stream of items. All
of it happens in the task that asked, in its order; what would block (a plain iterator, a plain context manager) has a thread.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from types import TracebackType
from typing import Any, Final, TypeAlias, cast

from runview.chunks.wire import note
from runview.sources.continuing import continues
from runview.sources.detect import MASTRA, check_family
from runview.sources.foreign.doors import agent_of, result_of
from runview.sources.items import Items
from runview.sources.shapes import STREAM_NAMES, check_source, shape_of, unfit
from runview.sources.url import from_url
from runview.sources.worker import StillRunning, Worker

__all__ = ["OpenSource", "check_source", "open_source"]

_LAYERS: Final = 12
"""So many times a source may give another source: a function a coroutine, that a context manager, that a stream."""
_PATIENCE: Final = 5.0
"""Seconds that a thread has to close a source that has ended."""
_HASTE: Final = 0.1
"""Seconds that it has when the run was stopped, or failed."""

_Closer: TypeAlias = Callable[[BaseException | None], Awaitable[object]]


def open_source(source: object, args: tuple[Any, ...] = (), *, family: str | None = None) -> OpenSource:
    """A source's items as chunks in wire form, to be had by `async with` and then `async for`.

    `args` are for a source that is a function or an agent; `family` says what its items are, which else is found out. Raises
    ValueError for a family that there is not. Entering raises TypeError when there is nothing to read, and whatever opening the
    source raises. The source is closed at its end, or on leaving. An error in closing never hides another: after a normal end it
    is the last item, as a note; else it is a note (`__notes__`) on the exception that ended the reading; without one it is
    raised.
    """
    return OpenSource(source, args, family)


class OpenSource:
    """The context manager that `open_source` gives; to be entered once."""

    def __init__(self, source: object, args: tuple[Any, ...], family: str | None) -> None:
        self._source = source
        self._args = args
        self._family = check_family(family)
        self._chunks_only = family == MASTRA
        self._layers: list[object] = []
        self._closers: list[_Closer] = []
        self._problems: list[BaseException] = []
        self._worker: Worker | None = None
        self._ended = False
        self._reading: Items | None = None
        self.continuing: list[object] = []
        """The layers that know how the run goes on when it waits for somebody, the outermost first."""

    @property
    def advice(self) -> str:
        """What a user can do for the run to go on where no layer knows a way; empty where nobody knows."""
        family = self._reading.family if self._reading is not None else None
        return family.goes_on if family is not None else ""

    async def __aenter__(self) -> AsyncIterator[Any]:
        try:
            self._items = self._read(await self._resolve())
        except BaseException as error:
            await self._close(error)
            raise
        return self._items

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self._items.aclose()
        await self._close(error)
        if error is None and self._problems:
            raise self._problems[0]

    async def _resolve(self) -> Callable[[], Awaitable[Any]]:
        """Opens layer after layer, down to what gives the next item."""
        source: Any = self._source
        verb = "got"
        entered = False
        for _ in range(_LAYERS):
            shape = shape_of(source, entered=entered)
            entered = False
            if continues(source):
                self.continuing.append(source)
            self._layers.append(source)
            match shape:
                case None:
                    raise unfit(source, verb)
                case "chunk":
                    return self._listed((source,))
                case "text":
                    return self._listed((source.encode("utf-8", "replace") if isinstance(source, str) else source,))
                case "function":
                    args, self._args = self._args, ()
                    source, verb = source(*args), "the function returned"
                case "url":
                    source, verb = from_url(source), "the address gave"
                case "agent":
                    args, self._args = self._args, ()
                    source, verb = self._asked(source, args), "the agent gave"
                case "result":
                    source, verb = self._stream_of(source), "the result gave"
                case "awaitable":
                    source, verb = await source, "the coroutine returned"
                case "holder":
                    found = (getattr(source, name, None) for name in STREAM_NAMES)
                    source, verb = next((stream for stream in found if stream is not None), None), "its full stream is"
                case "async manager" | "manager":
                    given = await (self._enter(source) if shape == "async manager" else self._thread().enter(source))
                    entered = given is None or given is source
                    source, verb = source if given is None else given, "the context manager gave"
                case "async iterable":
                    return self._iterated(source)
                case "iterable":
                    # What lies in memory needs no thread; Pyodide has none.
                    at_hand = type(source) in (list, tuple) or sys.platform == "emscripten"
                    return self._listed(source) if at_hand else self._iterated(self._thread().read(source))
        raise TypeError(f"one source gave another {_LAYERS} times, and still no stream")

    def _asked(self, agent: object, args: tuple[Any, ...]) -> object:
        known = agent_of(agent)
        if known is None or not args:
            raise TypeError('an agent needs a question: stream_view(agent, "…")')
        return known.ask(agent, *args)

    def _stream_of(self, result: object) -> object:
        known = result_of(result)
        if known is None:
            return None
        stop = known.stop
        if stop is not None:

            async def end(_: BaseException | None) -> None:
                if not self._ended and inspect.isawaitable(stopping := stop(result)):
                    await stopping

            self._closers.append(end)
        return known.open(result)

    async def _enter(self, manager: Any) -> Any:
        given = await manager.__aenter__()

        async def leave(error: BaseException | None) -> None:
            await manager.__aexit__(type(error) if error else None, error, error.__traceback__ if error else None)

        self._closers.append(leave)
        return given

    def _thread(self) -> Worker:
        if self._worker is None:
            self._worker = worker = Worker()

            async def end(_: BaseException | None) -> None:
                self._problems += await worker.close(_PATIENCE if self._ended else _HASTE)

            self._closers.append(end)
        return self._worker

    def _listed(self, items: Iterable[Any]) -> Callable[[], Awaitable[Any]]:
        async def listed() -> AsyncGenerator[Any, None]:
            for item in items:
                yield item

        self._closers.append(lambda _: _close_stream(items))
        return self._iterated(listed())

    def _iterated(self, iterable: Any) -> Callable[[], Awaitable[Any]]:
        iterator = iterable.__aiter__()
        if iterator is not iterable:
            self._closers.append(lambda _: _close_stream(iterable))
        self._closers.append(lambda _: _close_stream(iterator))
        return cast("Callable[[], Awaitable[Any]]", iterator.__anext__)

    async def _read(self, step: Callable[[], Awaitable[Any]]) -> AsyncGenerator[Any, None]:
        items = self._reading = Items(self._layers, self._family, chunks_only=self._chunks_only)
        while True:
            try:
                item = await step()
            except StopAsyncIteration:
                break
            except Exception as error:
                told = items.fail(error)
                for wire in told:
                    yield wire
                if not any(wire.get("type") == "tripwire" for wire in told):
                    raise
                self._ended = True
                return
            for wire in items.take(item):
                yield wire
        for wire in items.end():
            yield wire
        self._ended = True
        await self._close(None)
        while self._problems:
            yield note(_unclosed(self._problems.pop(0)))

    async def _close(self, error: BaseException | None) -> None:
        """Closes every layer, the innermost first, whatever happens to one of them; `error` is what ended the reading."""
        interruption: BaseException | None = None
        while self._closers:
            try:
                await self._closers.pop()(error)
            except Exception as problem:
                if problem is not error:
                    self._problems.append(problem)
            except BaseException as raised:  # cancelled, or interrupted, while a layer closed
                if raised is not error:
                    interruption = raised
        if error is not None:
            for unclosed in map(_unclosed, self._problems):
                error.add_note(unclosed)
        if interruption is not None and not isinstance(error, asyncio.CancelledError):
            raise interruption


async def _close_stream(stream: Any) -> None:
    close = getattr(stream, "aclose", None) or getattr(stream, "close", None)
    if callable(close) and inspect.isawaitable(closing := close()):
        await closing


def _unclosed(problem: BaseException) -> str:
    if isinstance(problem, StillRunning):
        return str(problem)
    try:
        text = str(problem)
    except Exception:
        text = ""
    return f"The source could not be closed: {type(problem).__name__}: {text}".rstrip(": ")
