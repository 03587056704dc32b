"""The chunks of a run as pages get them: a page at a time, by type and by part, within bounds."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest

from runview.draw.look import Look
from runview.run.log import ChunkLog
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState, ToolPart
from runview.view.inspector import PAGE, Inspector
from tests.runs import chunk, finish_chunk


def inspected(*chunks: Any) -> tuple[Inspector, RunState, ChunkLog]:
    run, log = new_run(), ChunkLog()
    for at, wire in enumerate(chunks):
        reduce(run, log.append(wire, 100.0 + at / 10), 100.0 + at / 10)
    return Inspector(run, log, Look()), run, log


def rows(inspector: Inspector, type: str = "", part: str = "", first: int = 0) -> list[list[Any]]:
    told = inspector.chunks({"kind": "chunks", "type": type, "part": part, "from": first})
    assert told is not None
    return list(told["rows"])


def nested(type_: str, /, **payload: Any) -> dict[str, Any]:
    inner = {"type": type_, "runId": "inner", "from": "AGENT", "payload": payload}
    return chunk("tool-output", toolCallId="c", toolName="agent-x", output=inner)


RUN = (
    chunk("start", id="a"),
    chunk("text-start", id="t"),
    chunk("text-delta", id="t", text="one "),
    chunk("text-delta", id="t", text="two"),
    chunk("tool-call", toolCallId="c", toolName="agent-x", args={}),
    nested("text-delta", id="t", text="in"),
    chunk("text-delta", id="t2", text="three"),
    nested("text-delta", id="t", text="side"),
    chunk("tool-result", toolCallId="c", toolName="agent-x", result="inside"),
    finish_chunk(),
)


def test_a_row_tells_number_time_type_run_size_and_part() -> None:
    inspector, *_ = inspected(*RUN)
    told = rows(inspector)
    assert [row[0] for row in told] == list(range(10))
    assert [row[1] for row in told] == [at / 10 for at in range(10)]
    assert told[5][2:4] == ["tool-output › text-delta", "inner"]
    assert [row[2] for row in told[:4]] == ["start", "text-start", "text-delta", "text-delta"]
    for row, wire in zip(told, RUN, strict=True):
        assert abs(row[4] - len(json.dumps(wire, separators=(",", ":")))) <= 4


def test_chunks_lead_to_their_part_and_parts_to_their_chunks() -> None:
    inspector, run, _ = inspected(*RUN)
    call = next(part for part in run.parts if isinstance(part, ToolPart))
    inner = f"{call.key}/n0.{call.nested[0].parts[-1].key}"
    told = rows(inspector)
    assert told[2][5] == told[3][5] != ""
    assert told[5][5] == told[7][5] == inner
    assert told[4][5] == told[8][5] == call.key
    assert [row[0] for row in rows(inspector, part=call.key)] == [4, 5, 7, 8]
    assert [row[0] for row in rows(inspector, part=inner)] == [5, 7]
    assert [row[0] for row in rows(inspector, part=call.key, type="tool-output")] == [5, 7]
    assert [row[0] for row in rows(inspector, type="text-delta")] == [2, 3, 6]


def test_the_end_belongs_to_no_chunk() -> None:
    inspector, run, _ = inspected(*RUN[:4])
    before = [list(part.made_by) for part in run.parts]
    finish(run, 200.0)
    assert [part.made_by for part in run.parts[: len(before)]] == before
    assert [row[0] for row in rows(inspector, part=next(part.key for part in run.parts if part.made_by == [1, 3]))] == [1, 2, 3]


def test_what_has_come_since_is_told() -> None:
    inspector, run, log = inspected(*RUN[:3])
    assert len(rows(inspector, type="text-delta")) == 1
    reduce(run, log.append(RUN[3]), 5.0)
    assert len(rows(inspector, type="text-delta")) == 2


def test_one_chunk_is_a_covered_tree() -> None:
    secret = chunk("tool-call", toolCallId="c", toolName="t", args={"api_key": "SECRETKEY", "q": "<b>&\u202e"})
    inspector, *_ = inspected(chunk("start"), secret)
    told = inspector.chunk({"kind": "chunk", "at": 1})
    assert told is not None
    text = json.dumps(told, ensure_ascii=False)
    assert "SECRETKEY" not in text
    assert "hidden" in text
    assert "⟨U+202E⟩" in text
    assert told["part"] == rows(inspector)[1][5]


HOSTILE: list[Any] = [None, True, 1.0, -1, "1", [], {}, 10**30, "x" * 100_000]


@pytest.mark.parametrize("value", HOSTILE, ids=[str(at) for at in range(len(HOSTILE))])
@pytest.mark.parametrize("name", ["type", "part", "from", "at"])
def test_a_hostile_question_gets_no_answer(name: str, value: Any) -> None:
    inspector, *_ = inspected(*RUN)
    asked = {"type": "", "part": "", "from": 0, "at": 0, name: value}
    if name == "at":
        assert inspector.chunk(asked) is None
        return
    told = inspector.chunks(asked)
    assert told is None or told["rows"] == []


@pytest.mark.parametrize("part", ["p99", "p1/n0.p0", "p3/n9.p0", "p3/n0.p99", "p", "../p1", "p1\n", "p1/p2", "p٣"])
def test_a_part_that_is_none_gets_no_answer(part: str) -> None:
    assert inspected(*RUN)[0].chunks({"type": "", "part": part, "from": 0}) is None


def test_answers_are_bounded_whatever_the_chunks_are() -> None:
    huge: list[Any] = [
        {"type": "x" * 10_000 + str(at), "runId": "y" * 10_000, "payload": {"a": ["z" * 100] * 10_000}} for at in range(300)
    ]
    huge.append({"type": 5, "payload": {"a": "b" * 50_000_000}})
    inspector, *_ = inspected(*huge)
    begun = time.perf_counter()
    told = inspector.chunks({"type": "", "part": "", "from": 0})
    assert told is not None
    assert len(told["rows"]) == PAGE
    assert len(told["types"]) <= 251
    assert any(row[4] < 0 for row in told["rows"]), "what was not weighed to its end says so"
    assert len(json.dumps(told)) < 1_000_000
    one = inspector.chunk({"at": 300})
    assert len(json.dumps(one)) < 1_000_000
    assert time.perf_counter() - begun < 2


def test_many_chunks_of_parallel_calls_are_told_quickly() -> None:
    random.seed(1)
    chunks: list[Any] = [chunk("start")]
    for at in range(30_000):
        chunks.append(chunk("tool-call-delta", toolCallId=f"c{random.randrange(4)}", toolName="t", argsTextDelta=f"{at} "))
    inspector, run, _ = inspected(*chunks)
    begun = time.perf_counter()
    assert len(rows(inspector, first=15_000)) == PAGE
    told = inspector.chunks({"type": "tool-call-delta", "part": run.parts[-1].key, "from": 7_000})
    assert told is not None
    assert 6_500 < told["count"] < 8_500
    assert time.perf_counter() - begun < 1.5
