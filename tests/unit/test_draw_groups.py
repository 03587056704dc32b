"""Calls with nothing between them become one row, and the reader of the first of them loses nothing when the second comes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node, wire
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.applier import copied, heard, shown
from tests.runs import chunk


def call(name: str, id_: str, **args: Any) -> dict[str, Any]:
    return chunk("tool-call", toolCallId=id_, toolName=name, args=args)


def came(id_: str, result: Any) -> dict[str, Any]:
    return chunk("tool-result", toolCallId=id_, result=result)


def failed(id_: str, message: str) -> dict[str, Any]:
    return chunk("tool-error", toolCallId=id_, error={"message": message})


def text(words: str) -> list[dict[str, Any]]:
    return [chunk("text-start", id=words), chunk("text-delta", id=words, text=words), chunk("text-end", id=words)]


def fed(*chunks: Any, end: bool = False) -> RunState:
    run = new_run()
    for at, one in enumerate(chunks):
        reduce(run, one, float(at))
    if end:
        finish(run, float(len(chunks)))
    return run


def groups(tree: Node) -> list[Node]:
    return [node for node in tree.walk() if "rv-group" in str(node.attrs.get("class", "")).split()]


def head(group: Node) -> str:
    (summary,) = [kid for kid in group.kids if isinstance(kid, Node) and kid.tag == "summary"]
    return " ".join(summary.text().split())


def gathered(tree: Node) -> list[str]:
    return [head(group) for group in groups(tree) if not group.attrs.get("lone")]


def test_the_second_call_joins_the_first_where_it_stands() -> None:
    run = fed(call("search", "1", q="a"))
    drawing = RunDrawing(run)
    before = drawing.tree(5.0)
    (lone,) = groups(before)
    assert lone.attrs["lone"] is True
    assert lone.attrs["auto"] == "open"
    reduce(run, call("fetch", "2", url="b"), 6.0)
    ops = drawing.update(7.0)
    (group,) = groups(drawing.tree(7.0))
    assert group.key == lone.key
    assert "lone" not in group.attrs
    assert "auto" not in group.attrs
    assert {op[0] for op in ops} <= {"set", "insert", "append", "splice"}, "nothing that stood there is taken away"
    assert head(group).startswith("◌ 2 tools · search · fetch — running")


def test_a_row_in_a_group_stays_the_same_while_others_come() -> None:
    run = fed(call("search", "1", q="a"), came("1", [1]))
    drawing = RunDrawing(run)
    row = groups(drawing.tree(5.0))[0].kids[-1]
    for number in range(2, 9):
        reduce(run, call("search", str(number), q="b"), 6.0)
        group = groups(drawing.tree(6.0))[0]
        body = group.kids[-1]
        assert isinstance(row, Node)
        assert isinstance(body, Node)
        assert body.kids[0] is row.kids[0]
    assert gathered(drawing.tree(6.0)) == ["◌ 8 tools · search ×8 — 1 result — running,"]


@pytest.mark.parametrize("density", ["compact", "full"])
def test_only_compact_density_has_groups(density: Any) -> None:
    run = fed(call("a", "1"), call("b", "2"), end=True)
    assert len(groups(RunDrawing(run, Look(density=density)).tree(9.0))) == (1 if density == "compact" else 0)


@pytest.mark.parametrize(
    ("between", "apart"),
    [
        ([], False),
        ([chunk("step-finish", stepResult={"reason": "tool-calls"}), chunk("step-start")], False),
        ([chunk("reasoning-start", id="r"), chunk("reasoning-end", id="r")], False),
        (text("then"), True),
        ([chunk("reasoning-start", id="r"), chunk("reasoning-delta", id="r", text="hm"), chunk("reasoning-end", id="r")], True),
        ([chunk("source", id="s", sourceType="url", url="https://example.org/", title="S")], True),
        ([call("agent-expert", "9")], True),
    ],
)
def test_what_is_seen_between_calls_keeps_them_apart(between: list[Any], apart: bool) -> None:
    run = fed(call("a", "1"), *between, call("b", "2"), end=True)
    assert len(gathered(RunDrawing(run).tree(99.0, saved=True))) == (0 if apart else 1)


def test_runs_and_background_tasks_have_rows_of_their_own() -> None:
    inner = {"type": "text-delta", "runId": "n", "from": "AGENT", "payload": {"id": "t", "text": "hello"}}
    run = fed(call("a", "1"), call("b", "2"), chunk("tool-output", toolCallId="2", output=inner), call("c", "3"), call("d", "4"))
    assert gathered(RunDrawing(run).tree(9.0)) == ["◌ 2 tools · c · d — running,"]
    task = {"taskId": "t", "toolCallId": "2", "toolName": "b"}
    run = fed(call("a", "1"), call("b", "2"), call("c", "3"), chunk("background-task-started", **task))
    assert gathered(RunDrawing(run).tree(9.0)) == []


def test_a_failure_is_seen_in_the_closed_row() -> None:
    run = fed(call("a", "1"), call("b", "2"), failed("2", "404 Not Found"), end=True)
    assert gathered(RunDrawing(run).tree(9.0)) == ["✗ 2 tools · a · b — 1 failed, 3.0 s — b: 404 Not Found"]


def test_what_needs_the_reader_opens_the_group() -> None:
    run = fed(call("a", "1"), came("1", 1), call("delete", "2"), chunk("tool-call-approval", toolCallId="2", toolName="delete"))
    drawing = RunDrawing(run)
    (group,) = groups(drawing.tree(9.0))
    assert group.attrs["auto"] == "open"
    assert "needs you" in head(group)
    (saved,) = groups(drawing.tree(9.0, saved=True))
    assert " open" in to_html(saved, style=False)[:80]
    reduce(run, came("2", 2), 10.0)
    assert "auto" not in groups(drawing.tree(11.0))[0].attrs


@pytest.mark.parametrize(
    ("results", "said"),
    [([[1, 2], [3]], "3 results"), ([1, 2.5], "2 numbers"), (["a", "b"], None), ([[1], "b"], "1 result"), ([True, None], None)],
)
def test_what_came_back_is_told_together(results: list[Any], said: str | None) -> None:
    run = fed(call("a", "1"), call("a", "2"), came("1", results[0]), came("2", results[1]), end=True)
    assert gathered(RunDrawing(run).tree(9.0)) == [f"✓ 2 tools · a ×2 — {f'{said} — ' if said else ''}done, 3.0 s"]


def test_time_that_calls_spent_together_counts_once() -> None:
    run = new_run()
    for at, one in (
        (0.0, call("a", "1")),
        (1.0, call("a", "2")),
        (3.0, came("1", 1)),
        (4.0, came("2", 1)),
        (9.0, call("b", "3")),
    ):
        reduce(run, one, at)
    drawing = RunDrawing(run)
    clocks = [node.attrs["since"] for node in groups(drawing.tree(10.0))[0].kids[0].walk() if "since" in node.attrs]  # type: ignore[union-attr]
    assert clocks == [5.0], "four seconds before, and counting since nine"
    reduce(run, came("3", 1), 10.0)
    assert gathered(drawing.tree(11.0))[0].endswith("done, 5.0 s")


def test_a_lone_call_is_written_as_if_there_were_no_group() -> None:
    run = fed(call("a", "1", q="x"), came("1", "y"), *text("The answer."), end=True)
    drawing = RunDrawing(run)
    html = to_html(drawing.tree(9.0, saved=True), style=False)
    assert "rv-group" not in html
    assert html.count("<details") == 1
    assert "blockquote" not in html
    assert transcript(run, None, 9.0).splitlines()[1].startswith("✓ a “x” — y — done")


def test_the_file_and_the_transcript_tell_every_call_of_a_group() -> None:
    run = fed(call("a", "1", q="x"), call("b", "2", q="y"), came("1", "one"), failed("2", "no"), end=True)
    lines = transcript(run, None, 9.0).splitlines()
    assert lines[1].startswith("✗ 2 tools · a · b — 1 failed")
    assert lines[2].startswith("  ✓ a “x” — one — done")
    assert any(line.startswith("  ✗ b “y” — failed") for line in lines)


def test_any_order_of_calls_texts_and_ends_is_sent_as_it_is_drawn() -> None:
    dice = random.Random(7)
    for _ in range(30):
        run = new_run()
        drawing = RunDrawing(run)
        page = copied(wire(drawing.tree(0.0)))
        opened: list[str] = []
        for at in range(40):
            kind = dice.random()
            if kind < 0.45 or not opened:
                opened.append(str(at))
                chunks = [call(dice.choice("abc"), str(at), q=at)]
            elif kind < 0.7:
                chunks = [came(opened.pop(dice.randrange(len(opened))), dice.choice([1, [1, 2], "x"]))]
            elif kind < 0.8:
                chunks = [failed(opened.pop(), "no")]
            elif kind < 0.9:
                chunks = [
                    chunk("tool-output", toolCallId=opened[-1], output={"type": "start", "runId": f"n{at}", "from": "AGENT"})
                ]
            else:
                chunks = text(f"t{at}")
            for one in chunks:
                reduce(run, one, float(at))
            if dice.random() < 0.5:
                page = heard(page, drawing.update(float(at)))
                assert page == shown(drawing.snapshot())
        finish(run, 41.0)
        page = heard(page, drawing.update(42.0))
        assert page == copied(wire(RunDrawing(run).tree(42.0)))
