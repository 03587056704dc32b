"""Workflows: what ran at the same time shares a rail, loops tell their rounds, and a step that is one run shows it at once."""

from __future__ import annotations

from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node, wire
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState, WorkflowStepPart
from tests.applier import copied, heard, shown
from tests.runs import event
from tests.unit.test_draw_run import recorded


def start(id_: str) -> dict[str, Any]:
    return event("workflow-step-start", id=id_, stepName=id_, status="running", payload={})


def result(id_: str, status: str = "success") -> dict[str, Any]:
    return event("workflow-step-result", id=id_, stepName=id_, status=status, output={"n": 1})


def fed(*chunks: Any, end: bool = True) -> RunState:
    run = new_run()
    for at, one in enumerate(chunks):
        reduce(run, one, float(at))
    if end:
        finish(run, float(len(chunks)))
    return run


def rails(tree: Node) -> list[Node]:
    return [node for node in tree.walk() if node.attrs.get("class") == "rv-parl"]


def names(rail: Node) -> list[str]:
    return [node.text() for node in rail.walk() if node.attrs.get("class") == "rv-t"]


@pytest.mark.parametrize(
    ("chunks", "together"),
    [
        ([start("a"), result("a"), start("b"), result("b")], []),
        ([start("a"), start("b"), result("a"), result("b"), start("c")], [["a", "b"]]),
        ([start("a"), start("b"), start("c"), result("c"), result("a"), result("b")], [["a", "b", "c"]]),
        ([start("a"), start("b"), result("a"), result("b"), start("c"), start("d")], [["a", "b"], ["c", "d"]]),
        ([start("a"), result("a"), start("b"), result("b"), start("a"), result("a"), start("b")], []),
        ([start("a"), start("a.b"), result("a.b"), start("a.c"), result("a.c"), result("a")], []),
        ([start("a"), start("a.b"), start("a.c"), result("a.b"), result("a.c"), result("a")], [["b", "c"]]),
    ],
    ids=["one after the other", "two", "three", "twice two", "a loop of two", "nested in a row", "nested together"],
)
def test_steps_at_work_at_the_same_time_share_a_rail(chunks: list[Any], together: list[list[str]]) -> None:
    tree = RunDrawing(fed(*chunks)).tree(99.0)
    assert [names(rail) for rail in rails(tree)] == together
    said = [node for node in tree.walk() if node.attrs.get("class") == "rv-w" and "in parallel" in node.text()]
    assert len(said) == len([name for rail in together for name in rail]), "each says so, and no other"


def test_the_second_step_joins_the_first_where_it_stands() -> None:
    run = fed(start("a"), end=False)
    drawing = RunDrawing(run)
    page = copied(wire(drawing.tree(1.0)))
    reduce(run, start("b"), 1.0)
    ops = drawing.update(2.0)
    assert {op[0] for op in ops} <= {"set", "insert", "append", "splice"}
    assert heard(page, ops) == shown(drawing.snapshot())


def test_the_rail_is_told_in_words() -> None:
    run = fed(start("a"), start("b"), result("a"), result("b"), start("c"), result("c"))
    lines = transcript(run, None, 99.0).splitlines()
    assert [line.split(" — ")[0] for line in lines if "step" in line and "✓" in line] == [
        "  ✓ a · step · in parallel",
        "  ✓ b · step · in parallel",
        "✓ c · step",
    ]
    html = to_html(RunDrawing(run).tree(99.0, saved=True), style=False)
    assert html.count("rv-parl") == 1
    assert html.count("<blockquote") == 1, "a rail of one is not written"


def test_a_loop_tells_its_rounds() -> None:
    run = fed(*recorded("wf_loop"))
    (part,) = [part for part in run.parts if isinstance(part, WorkflowStepPart)]
    assert part.rounds == 2
    assert "lp1 · step · 2 rounds" in transcript(run, None, 99.0)


def test_a_step_over_many_things_says_how_far_it_is() -> None:
    chunks = recorded("wf_foreach")
    at = max(i for i, one in enumerate(chunks) if one["type"] == "workflow-step-progress")
    tree = RunDrawing(fed(*chunks[:at], end=False)).tree(99.0)
    (bar,) = [node for node in tree.walk() if node.tag == "progress"]
    assert (bar.attrs["value"], bar.attrs["max"]) == (2, 3)
    assert "2 of 3" in tree.text()


def test_a_step_that_is_one_run_shows_the_rows_of_that_run_at_once() -> None:
    run = fed(*recorded("wf_agent_step"))
    step = next(part for part in run.parts if isinstance(part, WorkflowStepPart) and part.nested)
    (row,) = [node for node in RunDrawing(run).tree(99.0).walk() if node.key == step.key]
    body = row.kids[-1]
    assert isinstance(body, Node)
    assert [kid.attrs["class"] for kid in body.kids if isinstance(kid, Node) and kid.tag == "div"] == ["rv-text"]


@pytest.mark.parametrize(
    ("status", "word"), [("waiting", "waiting"), ("skipped", "skipped"), ("bailed", "done"), ("paused", "paused")]
)
def test_the_word_of_a_step(status: str, word: str) -> None:
    kind = "workflow-step-waiting" if status == "waiting" else "workflow-step-result"
    run = fed(event(kind, id="a", stepName="a", status=status), end=False)
    assert f"a · step — {word}" in " ".join(RunDrawing(run).tree(9.0).text().split())
