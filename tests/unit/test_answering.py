"""Runs that wait for an answer: any source may know how they go on."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from runview import record, replay, stream_view
from runview.driver import Driver
from tests.runs import Wire, chunk, finish_chunk, step_finish

CALLS = [chunk("start", id="a"), chunk("tool-call", toolCallId="c", toolName="dig", args={})]
ASKS = chunk("tool-call-approval", toolCallId="c", toolName="dig", args={})
RESULT = chunk("tool-result", toolCallId="c", toolName="dig", result=1)
END = [step_finish(), finish_chunk()]


class Source:
    """Waits after its first chunks; its answers are recorded, and what they give is told."""

    def __init__(self, first: list[Wire], **then: Any) -> None:
        self.first = first
        self.then = then
        self.answers: list[tuple[Any, ...]] = []

    async def __aiter__(self) -> AsyncIterator[Wire]:
        for wire in self.first:
            yield wire

    def approve(self, run_id: str, call_id: str) -> Any:
        self.answers.append(("approve", run_id, call_id))
        return self.then.get("approve")

    def decline(self, run_id: str, call_id: str, reason: str | None) -> Any:
        self.answers.append(("decline", run_id, call_id, reason))
        return self.then.get("decline")

    def resume(self, run_id: str, data: Any, what: str | None) -> Any:
        self.answers.append(("resume", run_id, data, what))
        return self.then.get("resume")


async def test_an_own_source_goes_on():
    source = Source([*CALLS, ASKS], approve=[RESULT, *END])
    view = stream_view(source)
    assert (await view).status == "suspended"
    view.approve()
    (part,) = [part for part in view._driver.run.parts if getattr(part, "call_id", None)]
    assert part.state == "running"
    assert (view.status, await view.output.finish_reason) == ("running", "stop")
    assert view.status == "success"
    assert source.answers == [("approve", "r", "c")]
    with pytest.raises(RuntimeError, match=r"^Only a run that is suspended or paused can go on; this one is success\.$"):
        view.approve()


async def test_approval_may_be_a_coroutine_and_be_asked_for_again():
    async def later() -> Any:
        return [RESULT, chunk("tool-call", toolCallId="d", toolName="dig", args={}), {**ASKS, "payload": {"toolCallId": "d"}}]

    source = Source([*CALLS, ASKS], approve=later(), decline=[chunk("tool-output-denied", toolCallId="d"), *END])
    view = stream_view(source)
    await view
    view.approve("c")
    assert (await view).status == "suspended"
    view.deny(reason="enough")  # what the first source gave knows no answers, the first one does
    assert (await view).status == "success"
    assert source.answers == [("approve", "r", "c"), ("decline", "r", "d", "enough")]


async def test_an_answer_before_the_source_has_ended_waits_for_its_end():
    go = asyncio.Event()

    class Slow(Source):
        async def __aiter__(self) -> AsyncIterator[Wire]:
            for wire in self.first:
                yield wire
            await go.wait()

    view = stream_view(Slow([*CALLS, ASKS], approve=[RESULT, *END]))
    while view.status != "suspended":
        await asyncio.sleep(0)
    view.approve()
    with pytest.raises(RuntimeError, match="was answered a moment ago"):
        view.approve()
    waiting = asyncio.ensure_future(view.output.get_full_output())
    await asyncio.sleep(0.01)
    assert not waiting.done()
    go.set()
    assert (await waiting).status == "success"


async def test_a_stream_that_stays_open_goes_on_by_itself():
    answered = asyncio.Event()

    class Open(Source):
        async def __aiter__(self) -> AsyncIterator[Wire]:
            for wire in self.first:
                yield wire
            await answered.wait()
            for wire in (RESULT, *END):
                yield wire

        def approve(self, run_id: str, call_id: str) -> None:
            super().approve(run_id, call_id)
            answered.set()

    view = stream_view(Open([*CALLS, ASKS]))
    while view.status != "suspended":
        await asyncio.sleep(0)
    view.approve()
    assert view.status == "running"
    assert (await view).status == "success"


async def test_why_a_run_can_not_go_on():
    view = stream_view([*CALLS, ASKS])
    await view
    with pytest.raises(TypeError, match=r"can't go on after an answer: neither it nor .* has a method approve\(\)\.$"):
        view.approve()
    with pytest.raises(ValueError, match=r"^No call 'x' waits; waiting: 'c' \(dig\)\.$"):
        view.deny("x")
    gives_nothing = stream_view(Source([*CALLS, ASKS]))
    await gives_nothing
    with pytest.raises(TypeError, match=r"approve\(\) gave None, but its stream has ended"):
        gives_nothing.approve()
    no_id = stream_view(Source([{"type": "tool-call-approval", "payload": {"toolCallId": "c", "toolName": "dig"}}]))
    await no_id
    with pytest.raises(RuntimeError, match="has told no id"):
        no_id.approve()
    wrong = stream_view(Source([*CALLS, ASKS], approve=3))
    await wrong
    with pytest.raises(TypeError, match="got int, but a run is read from"):
        wrong.approve()
    for each in (view, gives_nothing, no_id, wrong):
        assert each.status == "suspended"


async def test_several_calls_wait():
    both = [
        *CALLS,
        chunk("tool-call", toolCallId="d", toolName="fill", args={}),
        ASKS,
        chunk("tool-call-approval", toolCallId="d", toolName="fill", args={}),
    ]
    source = Source(both, approve=[RESULT], decline=[chunk("tool-output-denied", toolCallId="d"), *END])
    view = stream_view(source)
    await view
    with pytest.raises(ValueError, match=r"^Several calls wait, so say which by its id: 'c' \(dig\), 'd' \(fill\)\.$"):
        view.approve()
    view.approve("c")
    assert (await view).status == "suspended"  # the other one still waits
    view.deny("d")
    assert (await view).status == "success"


async def test_a_continuation_that_says_nothing():
    view = stream_view(Source([*CALLS, ASKS], approve=[]))
    await view
    view.approve()
    full = await view.output.get_full_output()
    assert full.status == "incomplete"
    assert full.finish_reason is None


async def test_the_run_that_asks_is_the_one_that_is_answered():
    """A stream may hold several runs, one a turn."""
    second = [{**wire, "runId": "r2"} for wire in (*CALLS, ASKS)]
    source = Source([chunk("start", id="a"), *END, *second], approve=[])
    view = stream_view(source)
    await view
    view.approve()
    assert source.answers == [("approve", "r2", "c")]


async def test_a_stop_while_the_answer_is_on_its_way():
    async def never() -> AsyncIterator[Wire]:
        await asyncio.sleep(60)
        yield RESULT

    view = stream_view(Source([*CALLS, ASKS], approve=never()))
    await view
    view.approve()
    await asyncio.sleep(0.01)
    view.stop("enough")
    assert (await view).status == "canceled"

    driver = Driver(Source([*CALLS, ASKS], approve=never()))
    await driver.wait()

    def answer_and_stop() -> None:  # both before the loop has heard of either
        driver.approve()
        driver.stop()

    await asyncio.to_thread(answer_and_stop)
    await driver.wait()
    assert driver.run.status == "canceled"


async def test_structured_output_goes_on():
    text = [chunk("text-start", id="t"), chunk("text-delta", id="t", text='{"a": 1}'), chunk("text-end", id="t")]
    view = stream_view(Source([*CALLS, ASKS], approve=[RESULT, step_finish("tool-calls"), *text, *END]), schema=dict[str, int])
    assert (await view).object is None
    view.approve()
    assert await view.output.object == {"a": 1}


async def test_what_can_be_answered_just_now():
    both = [
        *CALLS,
        ASKS,
        chunk("tool-call", toolCallId="d", toolName="fill", args={}),
        chunk("tool-call-approval", toolCallId="d"),
    ]
    driver = Driver(Source(both, approve=[RESULT], decline=[chunk("tool-output-denied", toolCallId="d"), *END]))
    assert driver.questions == []
    await driver.wait()
    assert driver.ways == {"approve", "decline", "resume"}
    first, second = driver.questions
    driver.give(first, True)
    assert driver.questions == [], "one answer at a time"
    await driver.wait()
    assert driver.questions == [second]
    driver.give(second, False)
    await driver.wait()
    assert (driver.run.status, second.state, driver.questions) == ("success", "denied", [])


async def test_nothing_can_be_answered_where_the_source_could_not_go_on(tmp_path: Path):
    suspended = chunk("tool-call-suspended", toolCallId="c", toolName="dig", suspendPayload={})
    no_id = {"type": "tool-call-approval", "payload": {"toolCallId": "c"}}
    for source in ([*CALLS, ASKS], record([*CALLS, ASKS], tmp_path / "a.jsonl"), Source([*CALLS, suspended]), Source([no_id])):
        driver = Driver(source)
        await driver.wait()
        assert (driver.run.status, driver.questions) == ("suspended", [])
    driver = Driver(record(Source([*CALLS, ASKS]), tmp_path / "b.jsonl"))
    await driver.wait()
    assert len(driver.questions) == 1


async def test_an_answer_that_the_source_does_not_take_is_told_in_its_row():
    class Away(Source):
        def approve(self, run_id: str, call_id: str) -> Any:
            raise ConnectionError("away")

    driver = Driver(Away([*CALLS, ASKS], decline=END))
    await driver.wait()
    (call,) = driver.questions
    driver.give(call, True)
    assert (call.unheard, call.state, driver.run.status) == ("away", "needs-you", "suspended")
    driver.give(call, False)
    assert call.unheard is None
    await driver.wait()
    assert driver.run.status == "success"


async def test_an_answer_is_told_until_the_stream_confirms_it():
    go = asyncio.Event()

    class Slow(Source):
        async def __aiter__(self) -> AsyncIterator[Wire]:
            for wire in self.first:
                yield wire
            await go.wait()

    driver = Driver(Slow([*CALLS, ASKS], decline=[chunk("tool-output-denied", toolCallId="c"), *END]))
    driver.start()
    while not driver.questions:
        await asyncio.sleep(0)
    (call,) = driver.questions
    driver.give(call, False)
    assert (call.answer, call.state, driver.questions) == ("deny", "needs-you", [])
    go.set()
    await driver.wait()
    assert (call.answer, call.state) == ("deny", "denied")


def test_a_run_whose_loop_has_closed_goes_on_elsewhere():
    source = Source([*CALLS, ASKS], approve=[RESULT, *END])

    async def first() -> Any:
        view = stream_view(source)
        await view
        return view

    view = asyncio.run(first())
    view.approve()
    assert view.output.wait(5).status == "success"


async def test_a_recorded_run_goes_on_in_the_same_file(tmp_path: Path):
    path = tmp_path / "run.jsonl"
    source = Source([*CALLS, ASKS], approve=[RESULT, chunk("tool-call-approval", toolCallId="d")], decline=END, resume=None)
    view = stream_view(record(source, path))
    await view
    view.approve("c")
    assert (await view).status == "suspended"
    view.deny("d", "enough")
    full = await view.output.get_full_output()
    assert full.finish_reason == "stop"
    again = stream_view(replay(path, speed=math.inf))
    await again
    assert list(again.output.inspect()["chunks"]["byType"]) == list(view.output.inspect()["chunks"]["byType"])
    times = [json.loads(line)["t"] for line in path.read_text("utf-8").splitlines()]
    assert times == sorted(times)
    plain = stream_view(record([*CALLS, ASKS], tmp_path / "plain.jsonl"))
    await plain
    with pytest.raises(
        TypeError, match=r"The source that is recorded can't go on after an answer: it has no method decline\(\)\.$"
    ):
        plain.deny()
