"""The log of chunks: whole, compact, and out of the producer's reach."""

from __future__ import annotations

import copy
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.run.log import ChunkLog
from runview.run.reduce import new_run, reduce
from runview.run.state import RunState, TextPart
from tests.runs import chunk


def delta(text: str, **more: Any) -> dict[str, Any]:
    return {**chunk("text-delta", id="t", text=text), **more}


def wrapped(text: str) -> dict[str, Any]:
    return chunk("tool-output", output=delta(text), toolCallId="c")


def segments(log: ChunkLog) -> int:
    return len(log._segments)


@pytest.mark.parametrize("make", [delta, wrapped])
def test_a_row_of_deltas_is_one_envelope(make: Any) -> None:
    chunks = [make(str(number)) for number in range(100)]
    log = ChunkLog()
    for wire in chunks:
        log.append(wire)
    assert segments(log) == 1
    assert (len(log), list(log), log[7], log[-1], log[2:5]) == (100, chunks, chunks[7], chunks[-1], chunks[2:5])
    with pytest.raises(IndexError):
        log[100]


def test_another_envelope_begins_another_row() -> None:
    chunks = [delta("a"), delta("b", runId="s"), chunk("text-end", id="t"), delta("c"), delta("d", metadata=None), delta("e")]
    log = ChunkLog()
    for wire in chunks:
        log.append(wire)
    assert list(log) == chunks
    assert segments(log) == 6


def test_keys_keep_their_order_and_other_shapes_stay_apart() -> None:
    first, second = delta("a"), dict(reversed(delta("b").items()))
    log = ChunkLog()
    log.append(first)
    log.append(second)
    assert [list(wire) for wire in log] == [list(first), list(second)]


json_values = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["text", "payload", "type", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)
types = st.sampled_from(["text-delta", "reasoning-delta", "tool-call-delta", "tool-output", "start", "x-delta"])


@given(st.lists(st.fixed_dictionaries({"type": types}, optional={"payload": json_values, "text": json_values}), max_size=8))
def test_what_comes_out_is_what_went_in(chunks: list[Any]) -> None:
    log = ChunkLog()
    given_on = [log.append(wire) for wire in copy.deepcopy(chunks)]
    assert list(log) == chunks == given_on


@pytest.mark.parametrize(
    "wire",
    [
        chunk("tool-call", toolCallId="c", args={"list": [1]}),
        chunk("tool-output", toolCallId="c", output={"text": "a"}),
        delta("a"),
    ],
)
def test_the_producer_can_change_nothing_afterwards(wire: dict[str, Any]) -> None:
    before = copy.deepcopy(wire)
    log, run = ChunkLog(), new_run()
    reduce(run, log.append(wire), 0.0)
    wire["payload"].clear()
    wire["type"] = "changed"
    assert log[0] == before
    (part,) = (part for part in run.parts if hasattr(part, "outputs") or isinstance(part, TextPart))
    if isinstance(part, TextPart):
        assert part.text == "a"
    else:
        assert part.args == before["payload"].get("args", part.args)
        assert part.outputs == ([before["payload"]["output"]] if "output" in before["payload"] else [])


def test_a_cycle_and_odd_objects_are_kept() -> None:
    wire: dict[str, Any] = {"type": "tool-output", "payload": {"odd": object(), 5: 6}}
    wire["payload"]["self"] = wire
    kept = ChunkLog().append(wire)
    assert kept["payload"]["self"] is kept
    assert kept["payload"]["odd"] is wire["payload"]["odd"]


def test_the_log_shares_its_strings_with_the_run() -> None:
    log, run = ChunkLog(), new_run()
    for word in ("first word ", "second word "):
        reduce(run, log.append(delta(word)), 0.0)
    assert log[1]["payload"]["text"] is run.text_deltas[1]


def test_a_reader_goes_on_to_what_comes_meanwhile() -> None:
    log = ChunkLog()
    log.append(delta("a"))
    reader = iter(log)
    next(reader)
    log.append(delta("b"))
    assert next(reader) == delta("b")


def test_a_long_run_of_goals_takes_little_more_than_its_chunks() -> None:
    """Two hundred rounds of five hundred chunks: the log and the state together, against the chunks as the stream made them."""

    def rounds() -> Iterator[dict[str, Any]]:
        for at in range(200):
            yield chunk("text-start", id=f"t{at}")
            for nth in range(497):
                yield chunk("text-delta", id=f"t{at}", text=f"word{at}x{nth} ")
            yield chunk("text-end", id=f"t{at}")
            yield chunk("goal", iteration=at + 1, objective="Two figures", maxRuns=200, reason="not yet")

    def size(made: Callable[[], object]) -> int:
        tracemalloc.start()
        kept = made()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert kept is not None
        return taken

    def run() -> tuple[RunState, ChunkLog]:
        state, log = new_run(), ChunkLog()
        for number, wire in enumerate(rounds()):
            reduce(state, log.append(wire, float(number)), float(number))
        return state, log

    assert size(run) < size(lambda: list(rounds()))
