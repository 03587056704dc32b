"""What travels is the same tree in fewer characters; `js/tests/packed.test.ts` unpacks the same pairs."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from benchmarks.texts import answer

from runview.draw.packed import pack, packed_ops
from runview.draw.run import RunDrawing
from runview.run.reduce import new_run, reduce
from tests.applier import unpacked
from tests.runs import chunk

PAIRS: list[tuple[Any, Any]] = json.loads((Path(__file__).parent.parent / "fixtures/packed.json").read_text("utf-8"))


@pytest.mark.parametrize(("node", "packed"), PAIRS, ids=[json.dumps(packed) for _, packed in PAIRS])
def test_a_node_is_packed_and_comes_back(node: Any, packed: Any) -> None:
    assert pack(node) == packed
    assert unpacked(packed) == node
    assert packed_ops([["insert", [1], 0, [node]], ["replace", [1], node], ["append", [0], "x"]]) == [
        ["insert", [1], 0, [packed]],
        ["replace", [1], packed],
        ["append", [0], "x"],
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_long_answer_costs_twice_its_text(seed: int) -> None:
    """10,000 chunks, 200 kB, 1,000 chunks a second, 30 flushes a second; headings, lists, tables, code, maths, links."""
    text = answer(200_000, random.Random(seed))
    run = new_run()
    drawing = RunDrawing(run)
    drawing.tree(0.0)
    sent = 0
    for at in range(0, len(text), 20):
        reduce(run, chunk("text-delta", id="t", text=text[at : at + 20]), 0.0)
        if at % (20 * 33) == 0:
            sent += len(json.dumps(drawing.update(0.0), ensure_ascii=False, separators=(",", ":")).encode())
    assert sent <= 2 * len(text.encode()) + 2_000
