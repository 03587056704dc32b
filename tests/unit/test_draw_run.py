"""The drawing of a run as it grows: what is sent is what is drawn, nothing is drawn twice, and it ends in the saved form."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node, wire
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.applier import applied, copied, heard, shown
from tests.streams import streams

FIXTURES = Path(__file__).parent.parent / "fixtures" / "mastra"
NAMES = sorted(str(path.relative_to(FIXTURES))[: -len(".jsonl")] for path in FIXTURES.rglob("*.jsonl"))


def recorded(name: str) -> list[Any]:
    return [json.loads(line) for line in (FIXTURES / f"{name}.jsonl").read_text("utf-8").split("\n") if line]


def chunk(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": "r", "from": "AGENT", "payload": payload}


def run_of(*chunks: Any, end: bool = True) -> RunState:
    run = new_run()
    at = 0.0
    for at, one in enumerate(chunks):
        reduce(run, one, float(at))
    if end:
        finish(run, at + 1.0)
    return run


def saved(run: RunState, now: float = 100.0, look: Look | None = None) -> str:
    """The words of the saved form."""
    return " ".join(RunDrawing(run, look).tree(now, saved=True).text().split())


def twice(tree: Node) -> list[tuple[str, str]]:
    """Keys that two siblings share, with the class of their parent."""
    found: list[tuple[str, str]] = []
    for node in tree.walk():
        keys = [kid.key for kid in node.opened().kids if isinstance(kid, Node) and kid.key is not None]
        found += [(key, str(node.attrs.get("class"))) for key in {*keys} if keys.count(key) > 1]
    return found


def rows(tree: Node) -> list[Node]:
    return [node for node in tree.walk() if "rv-row" in str(node.attrs.get("class", ""))]


@pytest.mark.parametrize("density", ["compact", "full"])
@pytest.mark.parametrize("name", NAMES)
def test_operations_lead_from_the_first_tree_to_each_later_one(name: str, density: Any) -> None:
    dice = random.Random(name)
    look = Look(density=density)
    run = new_run()
    drawing = RunDrawing(run, look)
    page = copied(wire(drawing.tree(0.0)))
    now = 0.0
    for one in recorded(name):
        now += 0.3
        reduce(run, one, now)
        if dice.random() < 0.4:
            page = heard(page, drawing.update(now))
            assert page == shown(drawing.snapshot())
            assert twice(drawing.tree(now)) == [], "the page would keep one of them only"
    finish(run, now)
    page = heard(page, drawing.update(now + 1))
    assert page == shown(drawing.snapshot())
    assert page == copied(wire(RunDrawing(run, look).tree(now + 1))), "what was kept from earlier drawings is out of date"


@settings(max_examples=60, deadline=None)
@given(streams)
def test_no_two_siblings_have_one_name(stream: list[Any]) -> None:
    run = run_of(*stream, end=False)
    assert twice(RunDrawing(run).tree(1.0)) == []
    finish(run, 9.0)
    for density in ("compact", "full"):
        assert twice(RunDrawing(run, Look(density=density)).tree(9.0)) == []  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_the_saved_form_at_the_end_is_the_live_one(name: str) -> None:
    run = run_of(*recorded(name))
    drawing = RunDrawing(run)
    live = to_html(drawing.tree(1e6), style=False)
    file = to_html(drawing.tree(1e6, saved=True), style=False)
    if run.status == "suspended":  # what rests is asked with buttons in the page, and told in words in the file
        assert "Was waiting for" in file
        return
    assert file.replace(" rv-done", "").replace(" rv-resting", "") == live


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_at_work_after_the_end(name: str) -> None:
    run = run_of(*recorded(name))
    if not run.is_done:
        return
    tree = RunDrawing(run).tree(1e6)
    for node in tree.walk():
        classes = str(node.attrs.get("class", "")).split()
        assert not {"is-turning", "is-running", "is-writing", "is-background", "rv-caret"} & set(classes)
        assert "since" not in node.attrs
        assert "aria-busy" not in node.attrs


def test_a_piece_of_text_costs_the_text_and_nothing_else() -> None:
    calls = [
        one
        for i in range(300)
        for one in (
            chunk("tool-call", toolCallId=f"c{i}", toolName="f", args={"q": i}),
            chunk("tool-result", toolCallId=f"c{i}", toolName="f", result={"a": [i] * 5}),
        )
    ]
    run = run_of(*calls, chunk("text-start", id="t"), chunk("text-delta", id="t", text="one"), end=False)
    drawing = RunDrawing(run)
    before = drawing.tree(1000.0)
    reduce(run, chunk("text-delta", id="t", text=" two"), 1001.0)
    ops = drawing.update(1001.0)
    after = drawing.tree(1001.0)
    assert [op[0] for op in ops] == ["append"]
    assert ops[0][2] == " two"
    old = {node.key: node for node in before.kids if isinstance(node, Node)}
    assert all(old[node.key] is node for node in after.kids if isinstance(node, Node) and "rv-row" in node.attrs["class"])


def test_one_caret_at_the_writing_edge() -> None:
    run = run_of(
        chunk("text-start", id="a"), chunk("text-delta", id="a", text="first\n\n- x"),
        chunk("reasoning-start", id="r"), chunk("reasoning-delta", id="r", text="hm"), end=False,
    )  # fmt: skip
    carets = [node for node in RunDrawing(run).tree(9.0).walk() if node.attrs.get("class") == "rv-caret"]
    assert len(carets) == 1
    assert all(node.attrs["live"] for node in carets)


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("plain", ["div", "p", "span"]),
        ("- a\n- b", ["div", "ul", "li", "span"]),
        ("```\ncode", ["div", "div", "pre", "code", "span"]),
        ("> quote", ["div", "blockquote", "p", "span"]),
        ("**bold", ["div", "p", "span"]),
    ],
)
def test_the_caret_stands_where_the_next_word_will(source: str, path: list[str]) -> None:
    run = run_of(chunk("text-start", id="a"), chunk("text-delta", id="a", text=source), end=False)
    (node,) = [kid for kid in RunDrawing(run).tree(9.0).kids if isinstance(kid, Node) and kid.attrs["class"] == "rv-text"]
    tags = [node.tag]
    while node.kids and isinstance(node.kids[-1], Node):
        node = node.kids[-1]
        tags.append(node.tag)
    assert tags == path


def test_a_row_that_was_a_fold_stays_one() -> None:
    run = run_of(chunk("tool-call", toolCallId="c", toolName="f", args={"a": 1}), end=False)
    drawing = RunDrawing(run)
    assert rows(drawing.tree(1.0))[0].tag == "details"
    reduce(run, chunk("tool-call", toolCallId="c", toolName="f", args={}), 2.0)
    for part in run.parts:
        part.version += 1
    assert rows(drawing.tree(2.0))[0].tag == "details"


def test_what_is_asked_stands_open_and_says_since_when() -> None:
    run = run_of(
        chunk("tool-call", toolCallId="c", toolName="delete_file", args={"path": "old"}),
        chunk("tool-call-approval", toolCallId="c", toolName="delete_file", args={"path": "old"}), end=False,
    )  # fmt: skip
    tree = RunDrawing(run).tree(9.0)
    (row,) = rows(tree)
    assert row.attrs["auto"] == "open"
    assert [node.attrs["since"] for node in row.walk() if "since" in node.attrs] == [1.0]
    assert "Was waiting for approval, asked 8 s before the save" in saved(run, 9.0)


@pytest.mark.parametrize(
    ("chunks", "end", "word"),
    [
        ([], False, "◌ Run in progress when this was saved — 0 s"),
        ([chunk("start")], False, "◌ Run in progress when this was saved"),
        ([chunk("start"), chunk("finish", stepResult={"reason": "stop"})], True, "✓ Done"),
        ([chunk("start"), chunk("finish", stepResult={"reason": "length"})], True, "! Cut at the length limit"),
        ([chunk("start"), chunk("finish", stepResult={"reason": "content-filter"})], True, "! Cut by the content filter"),
        ([chunk("start"), chunk("error", error={"message": "no"})], True, "✗ Failed"),
        ([chunk("start"), chunk("abort")], True, "■ Stopped"),
        ([chunk("start"), chunk("tripwire", reason="no")], True, "⊘ Blocked"),
        ([chunk("start")], True, "! Ended early"),
        (
            [
                chunk("tool-call", toolCallId="c", toolName="f", args={}),
                chunk("tool-error", toolCallId="c", toolName="f", error={"message": "404"}),
                chunk("finish", stepResult={"reason": "stop"}),
            ],
            True,
            "✓ Done, 1 tool failed",
        ),
    ],
)
def test_the_status_line_says_how_the_run_stands(chunks: list[Any], end: bool, word: str) -> None:
    assert saved(run_of(*chunks, end=end), now=0.0).startswith(word)


def test_the_live_status_line_runs_its_own_clock() -> None:
    run = new_run()
    drawing = RunDrawing(run)
    assert drawing.tree(50.0).text().startswith("○ Waiting…")
    assert [node.attrs["since"] for node in drawing.tree(53.0).walk() if "since" in node.attrs] == [50.0]
    reduce(run, chunk("start"), 55.0)
    tree = drawing.tree(60.0)
    assert tree.text().startswith("◌ Running")
    assert [node.attrs["since"] for node in tree.walk() if "since" in node.attrs] == [55.0]
    run.stopping = True
    assert drawing.tree(61.0).text().startswith("◌ Stopping…")
    assert [node.attrs.get("disabled") for node in drawing.tree(61.0).walk() if node.attrs.get("act") == "stop"] == [True]


@pytest.mark.parametrize("value", [0, False, "", None, [], {}])
def test_falsy_results_are_shown(value: Any) -> None:
    run = run_of(
        chunk("tool-call", toolCallId="c", toolName="f", args={}),
        chunk("tool-result", toolCallId="c", toolName="f", result=value),
    )
    literal = '""' if value == "" else json.dumps(value)
    assert f"f — {literal} — done" in saved(run)


def test_a_thought_without_words_has_no_row_and_one_without_an_end_no_number() -> None:
    assert rows(RunDrawing(run_of(chunk("reasoning-start", id="r"), chunk("reasoning-end", id="r"))).tree(9.0)) == []
    quick = new_run()
    for one in (chunk("reasoning-start", id="r"), chunk("reasoning-delta", id="r", text="x"), chunk("reasoning-end", id="r")):
        reduce(quick, one, 5.0)
    assert "Thought for <1\u202fs" in RunDrawing(quick).tree(6.0).text()


def test_a_peek_changes_at_most_once_a_second() -> None:
    run = run_of(chunk("reasoning-start", id="r"), chunk("reasoning-delta", id="r", text="A long first sentence."), end=False)
    drawing = RunDrawing(run)
    peek = lambda now: next(node.text() for node in drawing.tree(now).walk() if node.attrs.get("class") == "rv-o")  # noqa: E731
    assert peek(10.0) == "A long first sentence."
    reduce(run, chunk("reasoning-delta", id="r", text=" And then a second one comes"), 10.2)
    assert peek(10.2) == "A long first sentence."
    reduce(run, chunk("reasoning-delta", id="r", text="."), 11.2)
    assert peek(11.2) == "And then a second one comes."


def test_an_object_that_is_written_never_loses_a_key() -> None:
    run = new_run()
    drawing = RunDrawing(run)
    for at, value in enumerate([{}, {"a": "x"}, {}, {"b": [1]}]):
        reduce(run, {"type": "object", "runId": "r", "from": "AGENT", "object": value}, float(at))
        drawing.update(float(at))
    text = drawing.tree(9.0).text()
    assert 'a"x"' in text
    assert "b1 so far" in text


def test_own_and_nested_usage_are_told_apart_and_the_unknown_is_not_zero() -> None:
    inner = [
        {"type": "start", "runId": "n", "from": "AGENT", "payload": {}},
        {"type": "step-finish", "runId": "n", "from": "AGENT", "payload": {
            "stepResult": {"reason": "stop"}, "output": {"usage": {"inputTokens": 100, "outputTokens": 50}}}},
    ]  # fmt: skip
    usage = {"inputTokens": 10, "outputTokens": 5}
    run = run_of(
        chunk("tool-call", toolCallId="c", toolName="agent-sub", args={}),
        *(chunk("tool-output", toolCallId="c", toolName="agent-sub", output=one) for one in inner),
        chunk("step-finish", stepResult={"reason": "stop"}, output={"usage": usage}),
        chunk("finish", stepResult={"reason": "stop"}, output={"usage": usage}),
    )
    assert "10 in · 5 out · + 100 in, 50 out in 1 sub-agent" in saved(run)
    assert "— in · — out" in saved(run_of(chunk("start")))


def test_labels_translate_the_view() -> None:
    look = Look(labels={"Done": "Fertig", "step": "Schritt", "dir": "rtl"})
    run = run_of(chunk("start"), chunk("step-start"), chunk("finish", stepResult={"reason": "stop"}))
    tree = RunDrawing(run, look).tree(9.0)
    assert tree.text().startswith("✓ Fertig")
    assert "1 Schritt" in tree.text()
    assert tree.attrs["dir"] == "rtl"


def test_the_callers_label_of_a_tool_may_fail() -> None:
    run = run_of(chunk("tool-call", toolCallId="c", toolName="f", args={"q": "x"}))
    assert "“!x”" in saved(run, look=Look(tool_labels={"f": lambda args: "!" + args["q"]}))
    assert "“x”" in saved(run, look=Look(tool_labels={"f": lambda args: args["missing"]}))


def test_arguments_that_are_being_written_are_not_whole() -> None:
    run = run_of(
        chunk("tool-call-input-streaming-start", toolCallId="c", toolName="search"),
        chunk("tool-call-delta", toolCallId="c", toolName="search", argsTextDelta='{"query":"tidal \\u00e9 ran'), end=False,
    )  # fmt: skip
    (row,) = rows(RunDrawing(run).tree(1.0))
    assert " ".join(row.text().split()).endswith("“tidal é ran — writing…")
    assert "search “tidal é ran… — was being written" in saved(run, 1.0)


def test_a_call_in_the_background_shows_what_its_task_gave() -> None:
    task = {"taskId": "t", "toolCallId": "c", "toolName": "research"}
    run = run_of(
        chunk("start"), chunk("tool-call", toolCallId="c", toolName="research", args={"topic": "x"}),
        chunk("background-task-started", **task),
        chunk("tool-result", toolCallId="c", toolName="research", result="Background task started."),
        chunk("background-task-completed", **task, result={"pages": 120}), chunk("finish", stepResult={"reason": "stop"}),
    )  # fmt: skip
    text = transcript(run, None, 9.0)
    assert "research “x” — pages 120 — done" in text
    assert "Background task started" not in text


def test_a_step_whose_result_left_it_running_is_drawn_again_at_the_end() -> None:
    run = new_run()
    drawing = RunDrawing(run)
    for type_, payload in (("workflow-paused", {}), ("workflow-step-result", {"id": "a", "status": "running"})):
        reduce(run, {"type": type_, "from": "WORKFLOW", "payload": payload}, 0.0)
    page = applied(copied(wire(drawing.tree(1.0))), [])
    finish(run, 2.0)
    page = heard(page, drawing.update(3.0))
    assert page == copied(wire(RunDrawing(run).tree(3.0)))
