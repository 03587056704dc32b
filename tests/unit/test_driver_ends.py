"""Every way in which a source can end, and what is left behind: nothing."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import time
from contextlib import asynccontextmanager

import pytest

from runview.driver import Driver


def text(words: str) -> dict:
    return {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": words}}


START = {"type": "text-start", "runId": "r", "from": "AGENT", "payload": {"id": "t"}}
FINISH = {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {}}}


async def hello():
    yield START
    yield text("Hello ")
    await asyncio.sleep(0)
    yield text("world")
    yield FINISH


@pytest.fixture(autouse=True)
def nothing_is_left(caplog):
    threads = set(threading.enumerate())
    caplog.set_level(logging.WARNING)
    yield
    gc.collect()
    deadline = time.monotonic() + 2
    while set(threading.enumerate()) - threads and time.monotonic() < deadline:
        time.sleep(0.01)
    assert set(threading.enumerate()) <= threads
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []


async def test_a_run_goes_to_its_end_by_itself():
    driver = Driver(hello())
    driver.start()
    assert driver.run.status == "running"
    await driver.wait()
    assert driver.run.status == "success"
    assert driver.run.text_deltas == ["Hello ", "world"]
    assert [wire["type"] for wire in driver.log] == ["text-start", "text-delta", "text-delta", "finish"]
    assert len(asyncio.all_tasks()) == 1


async def test_start_is_idempotent_and_waiting_starts():
    times = 0

    async def source():
        nonlocal times
        times += 1
        yield FINISH

    driver = Driver(source)
    driver.start()
    driver.start()
    await driver.wait()
    driver.start()
    await driver.wait()
    assert times == 1


async def test_a_source_that_raises_is_a_failed_run():
    async def source():
        yield START
        yield text("Half a sen")
        raise ConnectionError("peer reset")

    driver = Driver(source())
    await driver.wait()
    assert driver.run.status == "failed"
    assert driver.run.error["message"] == "peer reset"
    assert driver.run.error["name"] == "ConnectionError"
    assert isinstance(driver.failure, ConnectionError)
    assert driver.run.text_deltas == ["Half a sen"]


@pytest.mark.parametrize(
    "error", [RuntimeError("Boom"), SystemExit(3), GeneratorExit(), asyncio.CancelledError(), StopAsyncIteration()]
)
async def test_whatever_is_raised_stays_inside(error):
    class Source:
        def __aiter__(self):
            return self

        async def __anext__(self):
            if not isinstance(error, StopAsyncIteration):
                raise error
            raise StopAsyncIteration

    driver = Driver(Source())
    await driver.wait()
    assert driver.settled
    assert driver.run.status in ("failed", "canceled", "incomplete")
    if isinstance(error, RuntimeError | SystemExit):
        assert driver.run.status == "failed"


async def test_an_error_in_close_is_noted():
    async def source():
        try:
            yield START
            yield FINISH
        finally:
            raise OSError("cannot close")

    class Closing:
        def __init__(self):
            self.items = iter([START, FINISH])

        def __aiter__(self):
            return self

        async def __anext__(self):
            for item in self.items:
                return item
            raise StopAsyncIteration

        async def aclose(self):
            raise OSError("cannot close")

    driver = Driver(Closing())
    await driver.wait()
    assert driver.run.status == "success"
    assert any("cannot close" in note for note in driver.run.notes)

    driver = Driver(source())
    await driver.wait()
    assert "cannot close" in str(driver.run.error) + str(driver.run.notes)


async def test_the_first_error_counts_when_closing_fails_too():
    @asynccontextmanager
    async def source():
        async def items():
            yield START
            raise ConnectionError("peer reset")

        try:
            yield items()
        finally:
            raise OSError("cannot close")

    driver = Driver(source())
    await driver.wait()
    assert driver.run.error["name"] == "ConnectionError"
    assert isinstance(driver.failure, ConnectionError)


async def test_a_source_is_closed_in_the_task_that_opened_it():
    tasks = []

    @asynccontextmanager
    async def source():
        tasks.append(asyncio.current_task())
        try:
            yield hello()
        finally:
            tasks.append(asyncio.current_task())

    await Driver(source).wait()
    assert len(tasks) == 2
    assert tasks[0] is tasks[1] is not asyncio.current_task()


async def test_a_run_that_nobody_starts_closes_its_coroutine():
    async def opening():
        return hello()

    source = opening()
    driver = Driver(source)
    del driver
    gc.collect()
    assert source.cr_frame is None


async def test_a_run_stopped_before_its_start_is_canceled_and_closes_its_coroutine():
    async def opening():
        return hello()

    source = opening()
    driver = Driver(source)
    driver.stop()
    assert driver.run.status == "canceled"
    assert source.cr_frame is None
    driver.start()
    await driver.wait()
    assert driver.run.chunk_count == 0


async def test_what_is_no_source_is_a_type_error():
    with pytest.raises(TypeError):
        Driver(42)


def test_a_loop_that_closes_under_a_run_settles_it_elsewhere():
    async def endless():
        yield START
        await asyncio.Event().wait()

    loop = asyncio.new_event_loop()
    driver = Driver(endless())

    async def begin():
        driver.start()
        await asyncio.sleep(0.01)

    loop.run_until_complete(begin())
    loop.close()
    driver.block(1.0)
    assert driver.run.status == "canceled"

    async def elsewhere():
        await driver.wait()

    asyncio.run(elsewhere())


def test_the_end_of_asyncio_run_cancels_the_run():
    closed = []

    async def endless():
        try:
            yield START
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    driver = Driver(endless())

    async def main():
        driver.start()
        await asyncio.sleep(0.01)

    asyncio.run(main())
    assert driver.run.status == "canceled"
    assert closed == [True]


async def test_a_source_that_never_awaits_leaves_the_loop_its_turn():
    async def busy():
        yield START
        until = time.process_time() + 0.3
        while time.process_time() < until:
            yield text("x")
        yield FINISH

    driver = Driver(busy())
    driver.start()
    turns = 0
    while not driver.settled:
        await asyncio.sleep(0)
        turns += 1
    assert turns > 15


async def test_listeners_hear_of_each_batch_and_of_the_end_and_one_that_fails_harms_nobody(caplog):
    heard = []
    driver = Driver(hello())

    def broken():
        raise ValueError("drawing failed")

    driver.listen(broken)
    driver.listen(lambda: heard.append((driver.run.chunk_count, driver.settled)))
    unlisten = driver.listen(lambda: pytest.fail("it does not listen any more"))
    unlisten()
    await driver.wait()
    assert heard[-1] == (4, True)
    assert 1 < len(heard) <= 5, "chunks that come together are one batch"
    assert [record.exc_info[0] for record in caplog.records if record.name == "runview"] == [ValueError]


async def test_a_run_that_rests_goes_on_with_what_continues_it():
    async def asks():
        yield START
        yield text("May I? ")
        yield {"type": "tool-call", "runId": "r", "from": "AGENT", "payload": {"toolCallId": "c", "toolName": "f", "args": {}}}
        yield {
            "type": "tool-call-approval",
            "runId": "r",
            "from": "AGENT",
            "payload": {"toolCallId": "c", "toolName": "f", "args": {}},
        }

    async def goes_on():
        yield {"type": "start", "runId": "r", "from": "AGENT", "payload": {}}
        yield START
        yield text("Thanks.")
        yield FINISH

    driver = Driver(asks())
    await driver.wait()
    assert driver.run.status == "suspended"
    assert driver.settled
    driver.go_on(goes_on())
    assert not driver.settled
    await driver.wait()
    assert driver.run.status == "success"
    assert driver.run.text_deltas == ["May I? ", "Thanks."]
    with pytest.raises(RuntimeError, match="suspended or paused"):
        driver.go_on(goes_on())
