"""Every kind of source gives its chunks, and is closed however it ends."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Self

import pytest

from runview.chunks import parse_chunk
from runview.sources.opening import open_source

A = {"type": "text-delta", "payload": {"id": "t", "text": "a"}}
B = {"type": "finish", "payload": {}}


async def read(source: object, *args: Any) -> list[Any]:
    async with open_source(source, args) as items:
        return [item async for item in items]


async def read_into(seen: list[Any], source: object) -> None:
    async with open_source(source) as items:
        async for item in items:
            seen.append(item)


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + 5
    while left := set(threading.enumerate()) - before:
        assert time.monotonic() < deadline, left
        time.sleep(0.01)


class Log(list[str]):
    """What happened to a source, in order, and in which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: set[int] = set()

    def __call__(self, event: str) -> None:
        self.append(event)
        self.threads.add(threading.get_ident())


def generator(log: Log, fail: BaseException | None = None, fail_in_close: bool = False) -> Iterator[Any]:
    log("opened")
    try:
        yield A
        if fail is not None:
            raise fail
        yield B
    finally:
        log("closed")
        if fail_in_close:
            raise RuntimeError("close broke")


async def async_generator(log: Log, fail: BaseException | None = None, fail_in_close: bool = False) -> AsyncIterator[Any]:
    log("opened")
    try:
        yield A
        await asyncio.sleep(0)
        if fail is not None:
            raise fail
        yield B
    finally:
        log("closed")
        if fail_in_close:
            raise RuntimeError("close broke")


class Stream:
    """An async stream of an SDK: async iterable, to be entered, and to be closed."""

    def __init__(self, log: Log) -> None:
        self.log = log

    async def __aenter__(self) -> Self:
        self.log("entered")
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.log(f"left with {kind.__name__ if kind else None}")

    def __aiter__(self) -> AsyncIterator[Any]:
        return async_generator(self.log)

    async def close(self) -> None:
        self.log("stream closed")


class SyncStream:
    def __init__(self, log: Log) -> None:
        self.log = log

    def __enter__(self) -> Self:
        self.log("entered")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.log(f"left with {kind.__name__ if kind else None}")

    def __iter__(self) -> Iterator[Any]:
        return generator(self.log)

    def close(self) -> None:
        self.log("stream closed")


class Holder:
    def __init__(self, **streams: Any) -> None:
        vars(self).update(streams)


class BareIterator:
    """Only what the language asks for."""

    def __init__(self) -> None:
        self.left = [B, A]

    def __iter__(self) -> BareIterator:
        return self

    def __next__(self) -> Any:
        if not self.left:
            raise StopIteration
        return self.left.pop()


class BareAsync:
    class Steps:
        def __init__(self) -> None:
            self.left = [B, A]

        async def __anext__(self) -> Any:
            if not self.left:
                raise StopAsyncIteration
            return self.left.pop()

    def __aiter__(self) -> Any:
        return self.Steps()


async def giving(value: Any) -> Any:
    await asyncio.sleep(0)
    return value


@contextmanager
def managing(value: Any) -> Iterator[Any]:
    yield value


@asynccontextmanager
async def async_managing(value: Any) -> AsyncIterator[Any]:
    yield value


SOURCES: dict[str, Any] = {
    "list": lambda: [A, B],
    "tuple": lambda: (A, B),
    "iterator": lambda: iter([A, B]),
    "bare iterator": BareIterator,
    "generator": lambda: generator(Log()),
    "function of a generator": lambda: lambda: generator(Log()),
    "generator function": lambda: generator.__get__(Log()),
    "map": lambda: map(dict, [A, B]),
    "async generator": lambda: async_generator(Log()),
    "bare async iterable": BareAsync,
    "coroutine": lambda: giving([A, B]),
    "coroutine of an async generator": lambda: giving(async_generator(Log())),
    "coroutine function": lambda: lambda: giving(async_generator(Log())),
    "future": lambda: asyncio.ensure_future(giving([A, B])),
    "async manager": lambda: async_managing(async_generator(Log())),
    "async manager of a list": lambda: async_managing([A, B]),
    "manager": lambda: managing(generator(Log())),
    "manager of an async generator": lambda: managing(async_generator(Log())),
    "function of a manager": lambda: lambda: managing([A, B]),
    "coroutine of an async manager": lambda: giving(async_managing(giving([A, B]))),
    "stream": lambda: Stream(Log()),
    "sync stream": lambda: SyncStream(Log()),
    "full_stream": lambda: Holder(full_stream=async_generator(Log())),
    "fullStream": lambda: Holder(fullStream=[A, B]),
    "full_stream as a method": lambda: Holder(full_stream=lambda: async_generator(Log())),
    "coroutine of a holder": lambda: giving(Holder(full_stream=giving([A, B]))),
    "class": lambda: BareAsync,
    "models": lambda: [parse_chunk(A), parse_chunk(B)],
    "JSON text": lambda: [json.dumps(A), json.dumps(B)],
    "JSON bytes": lambda: [json.dumps(A).encode(), bytearray(json.dumps(B), "utf-8")],
    "JSON lines as bytes": lambda: [json.dumps(A).encode()[:20], json.dumps(A).encode()[20:] + b"\n", json.dumps(B).encode()],
    "events as bytes": lambda: [
        f"data: {json.dumps(A)}\n".encode(),
        f"\ndata: {json.dumps(B)}\n\n".encode(),
        b"data: [DONE]\n\n",
    ],
    "all bytes": lambda: f"data: {json.dumps(A)}\n\ndata: {json.dumps(B)}\n\n".encode(),
    "all text": lambda: f"{json.dumps(A)}\n{json.dumps(B)}",
}


@pytest.mark.parametrize("name", SOURCES)
async def test_every_kind_of_source(name: str):
    assert await read(SOURCES[name]()) == [A, B]


async def test_one_chunk_is_a_source():
    assert await read(A) == [A]
    assert await read(parse_chunk(A)) == [A]


async def test_a_function_gets_the_arguments_once():
    def ask(*args: Any) -> Any:
        return lambda *more: [{"type": "data-args", "data": [list(args), list(more)]}]

    assert await read(ask, "a", 2) == [{"type": "data-args", "data": [["a", 2], []]}]


async def test_plain_text_becomes_a_run():
    chunks = await read(["Hel", "lo", "", '{"type', '{"a": 1}'])
    assert [chunk["type"] for chunk in chunks] == ["start", "text-start", *["text-delta"] * 5, "text-end", "finish"]
    assert "".join(chunk["payload"].get("text", "") for chunk in chunks) == 'Hello{"type{"a": 1}'
    assert await read([]) == []


async def test_text_between_chunks_is_closed_by_them():
    chunks = await read(["one", A, "two", "three"])
    told = [(chunk["type"], chunk["payload"].get("id")) for chunk in chunks]
    assert told == [
        ("start", None),
        ("text-start", "text-1"),
        ("text-delta", "text-1"),
        ("text-end", "text-1"),
        ("text-delta", "t"),
        ("text-start", "text-2"),
        ("text-delta", "text-2"),
        ("text-delta", "text-2"),
        ("text-end", "text-2"),
    ]


async def test_text_that_breaks_off_is_not_finished():
    def breaking() -> Iterator[str]:
        yield "Half a sen"
        raise ConnectionError("peer reset")

    seen: list[Any] = []
    with pytest.raises(ConnectionError, match="peer reset"):
        await read_into(seen, breaking)
    assert [chunk["type"] for chunk in seen] == ["start", "text-start", "text-delta"]


async def test_what_is_no_chunk_is_passed_on_among_chunks():
    thing = object()
    assert await read([A, thing, None, 5, [A]]) == [A, thing, None, 5, [A]]


async def test_what_nothing_recognises_is_shown_as_it_is_with_one_hint():
    start, hint, *rows, finish = await read([object(), 5, {"a": 1}, None])
    assert start["type"], finish["type"] == ("start", "finish")
    assert "builtins.object" not in str(rows)
    assert hint["payload"]["message"].startswith("Nothing is known about items like ?")
    assert [(row["type"], row["data"]) for row in rows] == [
        ("data-item", "<object>"),
        ("data-item", 5),
        ("data-item", {"a": 1}),
        ("data-item", None),
    ]


async def test_an_iterator_that_gives_nothing_may_have_been_read_before():
    used = iter([A])
    assert await read(used) == [A]
    (hint,) = await read(used)
    assert "was it read before" in hint["payload"]["message"]


async def test_the_very_dicts_are_passed_on():
    async with open_source([A]) as items:
        assert await anext(items) is A


async def test_a_plain_iterator_lives_in_one_thread_of_its_own():
    log = Log()
    assert await read(SyncStream(log)) == [A, B]
    assert log == ["entered", "opened", "closed", "stream closed", "left with None"]
    assert len(log.threads) == 1
    assert threading.get_ident() not in log.threads


async def test_an_async_source_lives_in_the_task():
    log = Log()
    assert await read(Stream(log)) == [A, B]
    assert log == ["entered", "opened", "closed", "stream closed", "left with None"]
    assert log.threads == {threading.get_ident()}


async def test_a_blocking_source_does_not_hold_the_loop():
    def slow() -> Iterator[Any]:
        for _ in range(2):
            time.sleep(0.4)
            yield A

    async def beat() -> None:
        nonlocal longest
        last = time.monotonic()
        while True:
            await asyncio.sleep(0.005)
            longest = max(longest, time.monotonic() - last)
            last = time.monotonic()

    longest = 0.0
    beating = asyncio.create_task(beat())
    assert await read(slow) == [A] * 2
    beating.cancel()
    assert longest < 0.3


async def test_a_thread_reads_ahead_but_only_so_far():
    made = 0

    def endless() -> Iterator[Any]:
        nonlocal made
        while True:
            made += 1
            yield A

    async with open_source(endless) as items:
        await anext(items)
        await asyncio.sleep(0.1)
        assert 1 < made < 5000


async def test_a_fast_source_in_a_thread_loses_nothing():
    numbers = ({"type": "data-n", "data": n} for n in range(20_000))
    assert [chunk["data"] for chunk in await read(numbers)] == list(range(20_000))


KINDS = {"sync": generator, "async": async_generator}


@pytest.mark.parametrize("kind", KINDS)
async def test_a_source_that_raises(kind: str):
    log, failure = Log(), ConnectionError("peer reset")
    seen: list[Any] = []
    with pytest.raises(ConnectionError) as caught:
        await read_into(seen, KINDS[kind](log, fail=failure))
    assert caught.value is failure
    assert seen == [A]
    assert log == ["opened", "closed"]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_source_that_raises_and_then_fails_to_close(kind: str):
    source = KINDS[kind](Log(), fail=ConnectionError("peer reset"), fail_in_close=True)
    with pytest.raises(RuntimeError, match="close broke") as caught:
        await read(source)
    assert isinstance(caught.value.__context__, ConnectionError)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), StopAsyncIteration(), GeneratorExit()])
async def test_an_iterator_may_raise_anything(error: BaseException):
    class Odd:
        def __iter__(self) -> Odd:
            return self

        def __next__(self) -> Any:
            raise error

    with pytest.raises(type(error) if not isinstance(error, StopAsyncIteration) else RuntimeError):
        await read(Odd())


async def test_a_source_that_raises_at_once():
    def at_once() -> Iterator[Any]:
        raise RuntimeError("Boom at start")
        yield

    async def async_at_once() -> AsyncIterator[Any]:
        raise RuntimeError("Boom at start")
        yield

    async def coroutine() -> Any:
        raise RuntimeError("Boom at start")

    def function() -> Any:
        raise RuntimeError("Boom at start")

    class Manager:
        def __enter__(self) -> Any:
            raise RuntimeError("Boom at start")

        def __exit__(self, *_: object) -> None:
            raise AssertionError("left, but never entered")

    class Iterable:
        def __iter__(self) -> Any:
            raise RuntimeError("Boom at start")

    for source in (at_once(), async_at_once(), coroutine(), function, Manager(), Iterable()):
        with pytest.raises(RuntimeError, match="Boom at start"):
            await read(source)


class Broken:
    """Its closing fails."""

    def __init__(self, *items: Any) -> None:
        self.items = iter(items)

    def __iter__(self) -> Broken:
        return self

    def __next__(self) -> Any:
        item = next(self.items)
        if isinstance(item, BaseException):
            raise item
        return item

    def close(self) -> None:
        raise OSError("close broke")


class AsyncBroken(Broken):
    __iter__ = None  # type: ignore[assignment]

    def __aiter__(self) -> AsyncBroken:
        return self

    async def __anext__(self) -> Any:
        try:
            return self.__next__()
        except StopIteration:
            raise StopAsyncIteration from None


UNCLOSED = "The source could not be closed: OSError: close broke"


@pytest.mark.parametrize("kind", [Broken, AsyncBroken])
async def test_an_error_in_closing_is_the_last_item_after_a_normal_end(kind: Any):
    assert await read(kind(A, B)) == [A, B, {"type": "runview-note", "payload": {"message": UNCLOSED}}]


@pytest.mark.parametrize("kind", [Broken, AsyncBroken])
async def test_an_error_in_closing_is_a_note_on_the_error_before_it(kind: Any):
    with pytest.raises(ValueError, match="first") as caught:
        await read(kind(A, ValueError("first")))
    assert caught.value.__notes__ == [UNCLOSED]


@pytest.mark.parametrize("kind", [Broken, AsyncBroken])
async def test_an_error_in_closing_is_raised_when_the_reader_leaves(kind: Any):
    with pytest.raises(OSError, match="close broke"):
        async with open_source(kind(A, B)) as items:
            assert await anext(items) == A


async def test_every_layer_is_closed_though_one_fails():
    log = Log()

    @asynccontextmanager
    async def outer() -> AsyncIterator[Any]:
        try:
            yield AsyncBroken(A)
        finally:
            log("left")

    assert (await read(outer()))[-1]["payload"]["message"] == UNCLOSED
    assert log == ["left"]


async def test_managers_are_told_what_happened():
    told = []

    class Manager:
        async def __aenter__(self) -> Any:
            return async_generator(Log(), fail=ValueError("inside"))

        async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> bool:
            told.append(kind)
            return True  # a failure is not to be hidden by a manager that would

    class Sync:
        def __enter__(self) -> Any:
            return generator(Log(), fail=ValueError("inside"))

        def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
            told.append(kind)
            return True

    for manager in (Manager(), Sync()):
        with pytest.raises(ValueError, match="inside"):
            await read(manager)
    assert told == [ValueError, ValueError]


async def start(source: object) -> tuple[asyncio.Task[None], list[Any]]:
    """A task that reads a source, and has its first item."""
    seen: list[Any] = []
    first = asyncio.Event()

    async def reading() -> None:
        async with open_source(source) as items:
            async for item in items:
                seen.append(item)
                first.set()

    task = asyncio.create_task(reading())
    await asyncio.wait_for(first.wait(), 5)
    return task, seen


async def test_a_cancelled_async_source_is_closed():
    log = Log()

    async def waiting() -> AsyncIterator[Any]:
        try:
            yield A
            await asyncio.sleep(100)
        finally:
            await asyncio.sleep(0)  # closing may wait, too
            log("closed")

    @asynccontextmanager
    async def managed() -> AsyncIterator[Any]:
        try:
            yield waiting()
        except BaseException as error:
            log(f"left with {type(error).__name__}")
            raise

    task, seen = await start(managed())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert seen == [A]
    assert log == ["closed", "left with CancelledError"]


async def test_a_stop_while_next_blocks_holds_nobody():
    release = threading.Event()
    log = Log()

    def blocking() -> Iterator[Any]:
        try:
            yield A
            release.wait(10)
            yield B
        finally:
            log("closed")

    task, seen = await start(blocking())
    await asyncio.sleep(0.02)
    begun = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - begun < 1  # `next` blocks for ten
    assert seen == [A]
    assert log == []
    release.set()  # the fixture sees the thread go
    for _ in range(100):
        await asyncio.sleep(0.01)
        if log:
            break
    assert log == ["closed"]


async def test_a_stop_while_a_manager_enters_leaves_it():
    release = threading.Event()
    log = Log()

    class Slow:
        def __enter__(self) -> Any:
            log("entering")
            release.wait(10)
            return [A]

        def __exit__(self, *_: object) -> None:
            log("left")

    task = asyncio.create_task(read(Slow()))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert log == ["entering"]
    release.set()
    for _ in range(100):
        await asyncio.sleep(0.01)
        if len(log) > 1:
            break
    assert log == ["entering", "left"]


async def test_a_cancelled_wait_for_a_coroutine():
    log = Log()

    async def slow() -> Any:
        try:
            await asyncio.sleep(100)
        finally:
            log("unwound")

    task = asyncio.create_task(read(slow()))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert log == ["unwound"]


async def test_leaving_early_closes():
    for kind in KINDS.values():
        log = Log()
        async with open_source(kind(log)) as items:
            assert await anext(items) == A
        assert log == ["opened", "closed"]


async def test_a_generator_that_will_not_close_is_told_of():
    async def stubborn() -> AsyncIterator[Any]:
        try:
            yield A
        except GeneratorExit:
            yield B

    with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
        async with open_source(stubborn()) as items:
            await anext(items)
    gc.collect()


async def test_a_cancel_while_closing_still_closes_the_rest():
    log = Log()

    class Slow:
        async def __aenter__(self) -> Any:
            return async_generator(Log())

        async def __aexit__(self, *_: object) -> None:
            log("leaving")
            await asyncio.sleep(100)

    @asynccontextmanager
    async def outer() -> AsyncIterator[Any]:
        try:
            yield Slow()
        finally:
            log("outer left")

    task = asyncio.create_task(read(outer()))
    await asyncio.sleep(0.05)
    assert log == ["leaving"]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert log == ["leaving", "outer left"]


def test_a_thread_outlives_its_loop_only_until_next_returns():
    release = threading.Event()

    def blocking() -> Iterator[Any]:
        yield A
        release.wait(10)
        yield B

    async def main() -> None:
        task, _ = await start(blocking())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())
    release.set()


async def test_context_variables_reach_the_thread():
    from contextvars import ContextVar

    who: ContextVar[str] = ContextVar("who")
    who.set("the caller")

    def telling() -> Iterator[Any]:
        yield {"type": "data-who", "data": who.get()}

    assert await read(telling()) == [{"type": "data-who", "data": "the caller"}]


@pytest.mark.parametrize("whole", [True, False])
async def test_where_there_are_no_threads_the_task_reads_and_closes(monkeypatch: pytest.MonkeyPatch, whole: bool):
    monkeypatch.setattr("runview.sources.opening.sys.platform", "emscripten")
    log = Log()
    async with open_source(generator(log)) as items:
        assert await anext(items) == A
        if whole:
            assert [item async for item in items] == [B]
    assert log == ["opened", "closed"]
    assert log.threads == {threading.get_ident()}


async def test_a_whole_answer_is_told_apart_from_the_run_that_has_a_like_name():
    answer = type("AgentRunResult", (), {"__module__": "pydantic_ai.run"})()

    async def run():
        return answer

    for source in (answer, run()):
        with pytest.raises(TypeError, match=r"no stream any more; give agent\.run_stream_events"):
            async with open_source(source):
                pass
