"""Stopping: the run is over within 0.2 s, whatever the source does about it."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from runview import pump
from runview.driver import Driver

START = {"type": "text-start", "runId": "r", "from": "AGENT", "payload": {"id": "t"}}


def text(words: str) -> dict:
    return {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": words}}


async def begun(source) -> Driver:
    driver = Driver(source)
    driver.start()
    while driver.run.chunk_count < 2:
        await asyncio.sleep(0.001)
    return driver


async def stopped(driver: Driver) -> None:
    before = time.monotonic()
    driver.stop("enough")
    assert driver.run.stopping or driver.settled
    await driver.wait()
    assert time.monotonic() - before < 0.2
    assert driver.run.status == "canceled"
    assert not driver.run.stopping
    assert driver.run.finish_reason == "aborted"
    assert driver.run.text_deltas == ["kept"]
    assert driver.failure is None


async def test_a_source_that_waits_is_closed():
    closed = []

    async def source():
        try:
            yield START
            yield text("kept")
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    driver = await begun(source())
    await stopped(driver)
    assert closed == [True]
    await asyncio.sleep(0)
    assert len(asyncio.all_tasks()) == 1


async def test_a_source_that_swallows_its_cancellation_and_goes_on():
    async def source():
        yield START
        yield text("kept")
        while True:
            try:
                await asyncio.sleep(10)
            except asyncio.CancelledError:
                yield text("not to be heard")

    driver = await begun(source())
    await stopped(driver)
    await asyncio.sleep(0.01)
    assert len(asyncio.all_tasks()) == 1


async def test_a_source_that_swallows_its_cancellation_and_waits():
    let_go = asyncio.Event()

    async def source():
        yield START
        yield text("kept")
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue
        yield text("too late")

    driver = await begun(source())
    await stopped(driver)
    let_go.set()
    await asyncio.sleep(0.05)
    assert driver.run.text_deltas == ["kept"]
    assert len(asyncio.all_tasks()) == 1


async def test_a_source_that_takes_its_time_to_close_is_let_do_so():
    closed = []

    async def source():
        try:
            yield START
            yield text("kept")
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.4)
            closed.append(True)

    driver = await begun(source())
    await stopped(driver)
    assert closed == []
    while len(asyncio.all_tasks()) > 1:
        await asyncio.sleep(0.02)
    assert closed == [True]


async def test_a_source_that_swallowed_its_cancellation_is_cancelled_again(monkeypatch):
    monkeypatch.setattr(pump, "INSISTENCE", 0.2)
    swallowed = 0

    async def source():
        nonlocal swallowed
        yield START
        yield text("kept")
        while swallowed < 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed += 1

    driver = await begun(source())
    await stopped(driver)
    while len(asyncio.all_tasks()) > 1:
        await asyncio.sleep(0.02)
    assert swallowed == 3


async def test_a_source_that_raises_when_it_is_stopped_is_canceled_with_a_note():
    async def source():
        yield START
        yield text("kept")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise OSError("no goodbye") from None

    driver = await begun(source())
    await stopped(driver)
    assert any("OSError: no goodbye" in note for note in driver.run.notes)


async def test_a_source_that_blocks_in_its_thread():
    let_go = threading.Event()

    def source():
        yield START
        yield text("kept")
        let_go.wait(5)
        yield text("too late")

    driver = await begun(source())
    try:
        await stopped(driver)
    finally:
        let_go.set()
    await asyncio.sleep(0.1)
    assert driver.run.text_deltas == ["kept"]


async def test_a_stop_from_another_thread_and_more_than_one():
    async def source():
        yield START
        yield text("kept")
        await asyncio.Event().wait()

    driver = await begun(source())
    thread = threading.Thread(target=driver.stop)
    thread.start()
    driver.stop()
    driver.stop("again")
    await driver.wait()
    thread.join()
    assert driver.run.status == "canceled"


async def test_a_stop_after_the_end_changes_nothing():
    async def source():
        yield START
        yield text("kept")
        yield {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {}}}

    driver = Driver(source())
    await driver.wait()
    driver.stop()
    assert driver.run.status == "success"
    assert not driver.run.stopping


async def test_a_run_that_rests_can_be_stopped():
    async def source():
        yield {"type": "tool-call", "runId": "r", "from": "AGENT", "payload": {"toolCallId": "c", "toolName": "f", "args": {}}}
        yield {
            "type": "tool-call-approval",
            "runId": "r",
            "from": "AGENT",
            "payload": {"toolCallId": "c", "toolName": "f", "args": {}},
        }

    driver = Driver(source())
    await driver.wait()
    assert driver.run.status == "suspended"
    driver.stop()
    await driver.wait()
    assert driver.run.status == "canceled"


async def test_the_cancellation_of_its_task_from_outside_is_an_end_too():
    async def source():
        yield START
        yield text("kept")
        await asyncio.Event().wait()

    driver = await begun(source())
    (task,) = asyncio.all_tasks() - {asyncio.current_task()}
    task.cancel()
    await driver.wait()
    assert driver.run.status == "canceled"


async def test_a_stop_before_the_task_has_run():
    async def opening():
        return [START]

    source = opening()
    driver = Driver(source)
    driver.start()
    driver.stop()
    await driver.wait()
    assert driver.run.status == "canceled"
    await asyncio.sleep(0)
    assert source.cr_frame is None


@pytest.mark.parametrize("reason", [None, "user"])
async def test_the_reason_is_kept(reason):
    async def source():
        yield START
        yield text("kept")
        await asyncio.Event().wait()

    driver = await begun(source())
    driver.stop(reason)
    await driver.wait()
    reasons = [part.reason for part in driver.run.parts if hasattr(part, "reason")]
    assert reason is None or reason in reasons
