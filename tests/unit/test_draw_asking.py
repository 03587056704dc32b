"""What a row that waits shows: buttons where an answer can be passed on, else what to do; in the file, that it was waiting."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.draw.tree import Node
from runview.run.reduce import finish, new_run
from runview.run.resting import answered, unheard
from runview.run.state import RunState
from tests.runs import chunk, event, feed, tool

CALL = chunk("tool-call", toolCallId="c", toolName="dig", args={"depth": 3})
ASKS = chunk("tool-call-approval", toolCallId="c", toolName="dig", args={"depth": 3})
ALL = ("approve", "decline", "resume")


def waiting(*chunks: Any) -> RunState:
    run = new_run()
    feed(run, *(chunks or (CALL, ASKS)))
    finish(run, 10.0)
    return run


def drawn(run: RunState, ways: tuple[str, ...] = ALL) -> Node:
    return RunDrawing(run, None, lambda: ways).tree(20.0)


def buttons(tree: Node) -> list[tuple[str, str, bool]]:
    """Words, act and whether they can be pressed; Stop left out."""
    found = [node for node in tree.walk() if node.tag == "button" and node.attrs["act"] != "stop"]
    return [(node.text(), node.attrs["act"], "disabled" not in node.attrs) for node in found]


def refs(tree: Node) -> list[str]:
    return [str(node.attrs["ref"]) for node in tree.walk() if "ref" in node.attrs]


def test_deny_comes_first() -> None:
    assert buttons(drawn(waiting())) == [("Deny", "deny", True), ("Allow once", "allow", True)]


@pytest.mark.parametrize(("way", "name"), [("approve", "Allow once"), ("decline", "Deny")])
def test_only_what_the_source_can_take_is_offered(way: str, name: str) -> None:
    assert [said for said, _, _ in buttons(drawn(waiting(), (way,)))] == [name]


def test_a_source_that_can_take_no_answer_says_what_it_would_need() -> None:
    tree = drawn(waiting(), ())
    assert buttons(tree) == []
    assert "has no method approve(run_id, tool_call_id)" in tree.text()


def test_where_nobody_can_answer_nothing_is_offered() -> None:
    tree = RunDrawing(waiting()).tree(20.0)
    assert buttons(tree) == []
    assert "no method" not in tree.text()


def test_the_file_says_that_it_was_waiting_and_holds_no_button() -> None:
    drawing = RunDrawing(waiting(), None, lambda: ALL)
    live = drawing.tree(20.0)
    for form in (to_html(live), to_html(drawing.tree(20.0, saved=True)), written(drawing.text(20.0))):
        assert "Allow once" not in form
        assert "ref=" not in form
        assert refs(live)[0] not in form.split()
    assert "Was waiting for approval" in to_html(drawing.tree(20.0, saved=True))


def test_ids_of_the_stream_are_not_the_ids_of_buttons() -> None:
    """Two calls may carry one id, in runs inside each other; a button means one row."""
    again = [{**one, "payload": {**one["payload"], "toolCallId": "d"}} for one in (CALL, ASKS)]
    names = refs(drawn(waiting(CALL, ASKS, *again)))
    assert len(names) == 4
    assert len(set(names)) == 2
    assert not {"c", "d"} & set(names)


@pytest.mark.parametrize(("answer", "words"), [("allow", ("allowing…", "Allowing…")), ("deny", ("denying…", "Denying…"))])
def test_an_answer_under_way_is_told(answer: Any, words: tuple[str, str]) -> None:
    run = waiting()
    answered(run, 11.0, tool(run), answer)
    tree = drawn(run)
    assert [pressable for _, _, pressable in buttons(tree)] == [False, False]
    assert words[1] in [said for said, _, _ in buttons(tree)]
    assert words[0] in tree.text()
    assert "Needs you" not in tree.text()


def test_an_answer_that_was_not_passed_on_says_why() -> None:
    run = waiting()
    unheard(run, 11.0, tool(run), "no \u202ewire")
    text = drawn(run).text()
    assert "The answer could not be passed on: no ⟨U+202E⟩wire" in text
    feed(run, ASKS)
    assert "could not be passed on" not in drawn(run).text()


def nested(*around: Any) -> RunState:
    inner = [{**one, "runId": "r2", "payload": {**one["payload"], "toolCallId": "i"}} for one in (CALL, ASKS)]
    outer = chunk("tool-call", toolCallId="c", toolName="agent-sub", args={"prompt": "dig"})
    passed = [chunk("tool-output", toolCallId="c", toolName="agent-sub", output=one) for one in inner]
    run = new_run()
    feed(run, outer, *passed, *around)
    return run


def test_the_question_of_a_sub_agent_is_answered_in_the_row_of_its_call() -> None:
    tree = drawn(nested(ASKS))
    assert [act for _, act, _ in buttons(tree)] == ["deny", "allow"]
    assert "Asks to run dig" in tree.text()
    assert "where this inner run was started" not in tree.text()


def test_a_question_inside_a_call_that_does_not_ask_itself_says_where_it_is_answered() -> None:
    tree = drawn(nested())
    assert buttons(tree) == []
    assert tree.text().count("Can only be answered where this inner run was started.") == 1


@pytest.mark.parametrize(
    ("schema", "sketch"),
    [
        (json.dumps({"properties": {"ok": {}, "why not": {}, "when": {}}}), '{"ok": …, "when": …}'),
        ({"properties": {"ok": {}}}, '{"ok": …}'),
        ("{", "…"),
        ("[" * 100_000, "…"),
        ({"properties": [1]}, "…"),
        (None, "…"),
    ],
)
def test_what_waits_for_data_says_how_it_is_given(schema: Any, sketch: str) -> None:
    suspended = chunk("tool-call-suspended", toolCallId="c", toolName="dig", suspendPayload={"why": "rock"}, resumeSchema=schema)
    tree = drawn(waiting(CALL, suspended))
    assert buttons(tree) == []
    assert "rock" in tree.text()
    assert f'Answer in Python: view.resume({sketch}, "c")' in tree.text()
    assert "has no method resume(run_id, data, id)" in drawn(waiting(CALL, suspended), ("approve",)).text()


def test_a_step_of_a_workflow_that_waits_says_how_it_goes_on() -> None:
    steps = [
        event("workflow-start"),
        event("workflow-step-start", id="ask", stepName="ask", payload={}),
        event("workflow-step-suspended", id="ask", stepName="ask", suspendPayload={"need": "ok"}),
    ]
    text = drawn(waiting(*steps)).text()
    assert 'Answer in Python: view.resume(…, "ask")' in text
    assert "ok" in text


def test_a_run_that_is_over_asks_nothing() -> None:
    run = waiting()
    finish(run, 11.0, stopped=True)
    tree = drawn(run)
    assert buttons(tree) == []
    assert "needs" not in tree.text().lower()
