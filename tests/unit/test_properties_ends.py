"""However a source ends, and whatever it had said: every value settles soon, and no task, thread or warning is left."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable
from typing import Any, Literal

from hypothesis import given
from hypothesis import strategies as st

from runview import RunOutput, StreamError, StreamIncomplete, WrongKind
from runview.driver import Driver
from tests.runs import chunk, finish_chunk, step_finish
from tests.streams import streams

Trouble = Literal["none", "raises", "raises in close", "raises twice", "stopped", "hangs", "ignores", "waiter gone"]
TROUBLES: list[Trouble] = ["none", "raises", "raises in close", "raises twice", "stopped", "hangs", "waiter gone"]
SOON = 5.0
"""Seconds in which everything settles: 0.2 are promised, but a machine may be busy; what waits for ever fails all the same."""
NAMES = "text reasoning object tool_calls tool_results usage steps finish_reason response suspend_payload sources files".split()

START = chunk("text-start", id="t")
CALL = {"toolCallId": "c", "toolName": "t", "args": {}}
ITEMS = [
    *(
        START,
        chunk("text-delta", id="t", text="word "),
        chunk("text-end", id="t"),
        chunk("abort"),
        chunk("tripwire", reason="no"),
    ),
    *(chunk("tool-call", **CALL), chunk("tool-result", **CALL, result=1), chunk("tool-call-approval", **CALL, resumeSchema="{}")),
    *(step_finish(), finish_chunk(), chunk("error", error={"message": "boom"}), None, "text", 7),
]
usual = st.lists(st.sampled_from(ITEMS), max_size=8)


class Troubled:
    """A source that gives its items and then gets into trouble."""

    def __init__(self, items: list[Any], trouble: Trouble) -> None:
        self.items = iter(items)
        self.trouble = trouble
        self.reached = asyncio.Event()
        self.closed = 0

    def __aiter__(self) -> Troubled:
        return self

    async def __anext__(self) -> Any:
        await asyncio.sleep(0)
        for item in self.items:
            return item
        self.reached.set()
        if self.trouble in ("raises", "raises twice"):
            raise ConnectionError("peer reset")
        while self.trouble in ("stopped", "hangs", "ignores", "waiter gone"):
            try:
                await asyncio.sleep(0.3 if self.trouble == "ignores" else 3600)
                break
            except asyncio.CancelledError:
                if self.trouble != "ignores":
                    raise
        raise StopAsyncIteration

    async def aclose(self) -> None:
        self.closed += 1
        if self.trouble in ("raises in close", "raises twice"):
            raise OSError("cannot close")


async def outcome(await_: Callable[[], Any]) -> Any:
    try:
        return await await_()
    except (StreamError, StreamIncomplete, WrongKind) as error:
        return error


def left_over() -> set[asyncio.Task[Any]]:
    return asyncio.all_tasks() - {task for task in (asyncio.current_task(),) if task}


async def play(items: list[Any], trouble: Trouble) -> None:
    source = Troubled(items, trouble)
    driver = Driver(source)
    output = RunOutput(driver)
    waiters = [asyncio.ensure_future(outcome(lambda name=name: getattr(output, name))) for name in NAMES]
    reader = asyncio.ensure_future(outcome(lambda: read(output)))
    if trouble == "waiter gone":
        gone = asyncio.ensure_future(outcome(output.get_full_output))
        await asyncio.wait_for(source.reached.wait(), SOON)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        assert not driver.settled
    if trouble in ("stopped", "hangs", "ignores", "waiter gone"):
        await asyncio.wait_for(source.reached.wait(), SOON)
        output.stop("enough")
        output.stop("again")
    await soon(*waiters, reader)
    full = await output.get_full_output()
    assert output.status != "running"
    assert full.status == output.status
    if trouble in ("raises", "raises twice"):
        assert output.status == "failed"
    if trouble in ("stopped", "hangs", "ignores", "waiter gone"):
        assert output.status in ("canceled", "failed")
    for name in NAMES:
        told = await outcome(lambda name=name: value_of(output, name))
        if isinstance(told, WrongKind):
            assert output.kind == "workflow"
        elif isinstance(told, StreamError | StreamIncomplete):
            assert output.status in ("failed", "incomplete")
            assert told.partial.status == output.status
    async with asyncio.timeout(SOON):
        while left_over():
            await asyncio.sleep(0.001)
    assert source.closed == 1


async def soon(*waiting: asyncio.Future[Any]) -> None:
    """Waits for all of them, three times `SOON` at most: a machine that sleeps and wakes takes one of these in a moment."""
    for _ in range(3):
        _, late = await asyncio.wait(waiting, timeout=SOON)
        if not late:
            return
    raise AssertionError(f"{len(late)} of {len(waiting)} still wait")


async def value_of(output: RunOutput, name: str) -> Any:
    """The value as it is there now; NotReady would say that it is not."""
    value = getattr(output, name)
    assert value.done
    return value.value


async def read(output: RunOutput) -> list[Any]:
    return [item async for item in output]


@given(usual | streams, st.sampled_from(TROUBLES))
def test_every_end_settles_everything(items: list[Any], trouble: Trouble) -> None:
    threads = threading.active_count()
    asyncio.run(play(items, trouble))
    assert threading.active_count() == threads


@given(usual, st.sampled_from(TROUBLES))
def test_a_blocking_source_leaves_no_thread(items: list[Any], trouble: Trouble) -> None:
    async def play_blocking() -> None:
        closed, go = threading.Event(), threading.Event()

        def source() -> Any:
            try:
                yield from items
                if trouble.startswith("raises"):
                    raise ConnectionError("peer reset")
                if trouble in ("stopped", "hangs", "waiter gone"):
                    go.wait(SOON)
            finally:
                closed.set()

        driver = Driver(source())
        output = RunOutput(driver)
        waiters = [asyncio.ensure_future(outcome(lambda name=name: getattr(output, name))) for name in NAMES]
        if trouble in ("stopped", "hangs", "waiter gone"):
            await asyncio.sleep(0.01)
            output.stop()
        await soon(*waiters)
        assert (await output.get_full_output()).status != "running"
        go.set()
        while left_over() or not closed.is_set():  # for ever, if it were wrong: the test has its own time limit
            await asyncio.sleep(0.001)

    threads = threading.active_count()
    asyncio.run(play_blocking())
    deadline = time.monotonic() + SOON
    while threading.active_count() > threads and time.monotonic() < deadline:
        time.sleep(0.001)
    assert threading.active_count() == threads


def test_a_source_that_takes_no_notice_of_a_stop() -> None:
    asyncio.run(play([START, chunk("text-delta", id="t", text="word")], "ignores"))
    gc.collect()
