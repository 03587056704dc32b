"""What the stream of every family must do, whoever sends it: break with its text kept, stop with nothing left, and not mix."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from runview import ModelOutput, stream_view
from runview.sources.foreign import FAMILIES
from tests.families import ROWS, Row, another
from tests.packages.stopping import stops_cleanly

FORMS = ("a generator", "an async generator")
SAID = "the line is dead"


def test_every_family_has_a_row() -> None:
    """A family that is added is tried with all faults, or this fails."""
    assert {row.family for row in ROWS.values()} - {""} == {family.name for family in FAMILIES}


def given(form: str, events: list[Any], error: Exception | None = None) -> Any:
    """The events as a stream, which raises in the end."""

    def plain() -> Iterator[Any]:
        yield from events
        if error is not None:
            raise error

    async def made() -> AsyncIterator[Any]:
        for event in plain():
            yield event

    return plain() if form == "a generator" else made()


def events_of(row: Row, form: str) -> list[Any]:
    """Dicts in one form, the SDK's objects in the other."""
    return row.events() if form == "a generator" else row.objects()


async def told(source: Any) -> dict[str, Any]:
    output = ModelOutput(source)
    await output.get_full_output()
    inspected = output.inspect(streams=False)
    return {
        name: inspected.get(name) for name in ("status", "text", "reasoningText", "toolCalls", "toolResults", "usage", "steps")
    }


def words_of(said: str) -> list[str]:
    """Those that are whole: of JSON that is shown as an object, the last one may be half a key."""
    words = re.findall(r"\w+", said)
    return words[:-1] if said.startswith("{") and not said.endswith("}") else words


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ROWS)
async def test_an_exception_in_mid_stream_keeps_the_text(name: str, form: str):
    """Wherever it breaks: a beginning of the text stands in the output and in the view, with what was raised."""
    row = ROWS[name]
    whole = (await told(given(form, events_of(row, form))))["text"]
    count = len(events_of(row, form))
    kept = []
    for cut in sorted({count * part // 6 for part in range(1, 7)} | {1}):
        error = ConnectionError(SAID)
        view = stream_view(given(form, events_of(row, form)[:cut], error))
        full = await view
        assert (full.status, full.error["message"], view.output.failure) == ("failed", SAID, error)
        assert whole.startswith(full.text)
        kept.append(full.text)
        shown = view._repr_mimebundle_()
        for each in (shown["text/plain"], shown["text/html"]):
            assert "Failed" in each
            assert SAID in each
            assert all(word in each for word in words_of(full.text))
    assert kept[-1] == whole != ""
    assert kept == sorted(kept, key=len)


class Hangs:
    """A stream that gives its events and then nothing for an hour, whoever waits; it can be closed from elsewhere."""

    def __init__(self, events: list[Any]) -> None:
        self._events = iter(events)
        self._closed = threading.Event()

    def close(self) -> None:
        self._closed.set()

    def __iter__(self) -> Hangs:
        return self

    def __next__(self) -> Any:
        for event in self._events:
            return event
        self._closed.wait(3600)
        raise ConnectionError("closed")


async def hangs(events: list[Any]) -> AsyncIterator[Any]:
    for event in events:
        yield event
    await asyncio.Event().wait()


@pytest.mark.parametrize("name", ROWS)
async def test_stop_leaves_no_thread_and_no_task(name: str):
    """Of a stream that hangs after half of its events, read by a thread and by a task at once."""
    row = ROWS[name]
    half = len(row.events()) // 2 or 1
    expected = (await told(given("a generator", row.events()[:half])))["text"]
    for output in (await stops_cleanly(Hangs(row.events()[:half])), await stops_cleanly(hangs(row.objects()[:half]))):
        assert output.partial.text == expected


class Alternating:
    """Lets two streams give one event each, by turns, until one of them has ended."""

    def __init__(self) -> None:
        self._turns = (asyncio.Semaphore(1), asyncio.Semaphore(0))
        self._blocking = (threading.Semaphore(1), threading.Semaphore(0))

    async def woven(self, events: list[Any], at: int) -> AsyncIterator[Any]:
        for event in events:
            await self._turns[at].acquire()
            yield event
            self._turns[1 - at].release()
        for _ in range(1000):
            self._turns[1 - at].release()

    def threaded(self, events: list[Any], at: int) -> Iterator[Any]:
        for event in events:
            self._blocking[at].acquire()
            yield event
            self._blocking[1 - at].release()
        self._blocking[1 - at].release(1000)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ROWS)
async def test_two_at_once_do_not_mix(name: str, form: str):
    """Event by event by turns, in one loop: each has the values that it has alone, which are not the other's."""
    row = ROWS[name]
    objects = form != "a generator"
    alone = [await told(given(form, events_of(row, form))), await told(given(form, another(row, objects=objects)))]
    assert alone[0]["text"] != alone[1]["text"]
    by_turns = Alternating()
    weave = by_turns.threaded if form == "a generator" else by_turns.woven
    both = await asyncio.gather(told(weave(events_of(row, form), 0)), told(weave(another(row, objects=objects), 1)))
    assert both == alone
