"""What fails when other rows stand below it says so on its own line, since nothing may move under the reader."""

from __future__ import annotations

from typing import Any

import pytest

from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node
from runview.run.reduce import finish, new_run, reduce


def tell(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": "r", "from": "AGENT", "payload": payload}


def call(id_: str) -> dict[str, Any]:
    return tell("tool-call", toolCallId=id_, toolName="fetch_page", args={"url": id_})


def failed(id_: str) -> dict[str, Any]:
    return tell("tool-error", toolCallId=id_, toolName="fetch_page", error={"message": "404 Not Found"})


START = [tell("start", id="agent"), tell("step-start", messageId="m")]


def step(id_: str, status: str, **more: Any) -> dict[str, Any]:
    kind = "workflow-step-start" if status == "running" else "workflow-step-result"
    return tell(kind, id=id_, stepName=id_, status=status, **more) | {"from": "WORKFLOW"}


def drawn(chunks: list[dict[str, Any]], density: str = "full") -> Node:
    run = new_run()
    for at, chunk in enumerate(chunks):
        reduce(run, chunk, float(at))
    return RunDrawing(run, Look(density=density)).tree(99.0)  # type: ignore[arg-type]


def lines(tree: Node) -> list[str]:
    """The messages that stand on lines of their own below a row's first line."""
    heads = [node for node in tree.walk() if node.attrs.get("class") == "rv-head"]
    return [kid.text() for head in heads for kid in head.kids if isinstance(kid, Node) and kid.attrs.get("class") == "rv-msg"]


def peeks(tree: Node) -> list[str]:
    return [node.text() for node in tree.walk() if node.attrs.get("class") == "rv-p"]


@pytest.mark.parametrize("density", ["full", "compact"])
def test_the_last_row_tells_its_message_on_a_line_of_its_own(density: str) -> None:
    tree = drawn([*START, call("a"), failed("a"), call("b")], density)
    assert any("404 Not Found" in said for said in lines(tree))
    assert not any("404" in said for said in peeks(tree))


def test_a_call_that_fails_above_another_tells_it_on_its_line() -> None:
    before = [*START, call("a"), call("b")]
    tree = drawn([*before, failed("a")])
    assert lines(drawn(before)) == lines(tree) == []
    assert peeks(tree) == ["404 Not Found"]
    row = next(node for node in tree.walk() if node.tag == "details" and "is-failed" in node.attrs["class"])
    assert "404 Not Found" in row.kids[1].text(), "whole when it is opened"  # type: ignore[union-attr]


def test_a_group_that_is_the_last_row_has_room_for_a_line() -> None:
    tree = drawn([*START, call("a"), call("b"), failed("a")], "compact")
    assert lines(tree) == ["fetch_page: 404 Not Found"], "of the group; in it the failed call stands above another"


def test_a_group_above_a_text_does_not_grow() -> None:
    chunks = [*START, call("a"), call("b"), tell("text-start", id="t"), tell("text-delta", id="t", text="So far:")]
    tree = drawn([*chunks, failed("a")], "compact")
    assert lines(tree) == []
    assert "fetch_page: 404 Not Found" in peeks(tree)


def test_a_group_keeps_the_line_that_it_had() -> None:
    chunks = [*START, call("a"), call("b"), failed("a"), tell("text-start", id="t"), tell("text-delta", id="t", text="So far:")]
    error = tell("tool-error", toolCallId="b", toolName="other", error={"message": "No answer"})
    assert lines(drawn([*chunks, error], "compact")) == ["fetch_page: 404 Not Found"]


def test_steps_side_by_side_do_not_move_each_other() -> None:
    chunks = [tell("workflow-start", workflowId="w") | {"from": "WORKFLOW"}, step("a", "running"), step("b", "running")]
    tree = drawn([*chunks, step("a", "failed", error={"message": "no datum"})])
    assert lines(tree) == []
    assert "no datum" in peeks(tree)


def test_tasks_in_the_background_do_not_move_each_other() -> None:
    chunks = [*START, *(tell("background-task-started", taskId=id_, toolName=id_) for id_ in "ab")]
    tree = drawn([*chunks, tell("background-task-failed", taskId="a", toolName="a", error={"message": "disk full"})])
    assert lines(tree) == []
    assert "disk full" in peeks(tree)


def test_a_call_with_a_run_under_it_does_not_push_that_run_down() -> None:
    inside = {"type": "text-delta", "runId": "r2", "from": "AGENT", "payload": {"id": "t", "text": "Looking."}}
    chunks = [*START, call("a"), tell("tool-output", toolCallId="a", toolName="fetch_page", output=inside), failed("a")]
    assert lines(drawn(chunks)) == []
    assert "404 Not Found" in peeks(drawn(chunks))


def test_the_file_says_the_same() -> None:
    run = new_run()
    for at, chunk in enumerate(
        [*START, call("a"), call("b"), failed("a"), tell("finish", stepResult={"reason": "stop"}, output={})]
    ):
        reduce(run, chunk, float(at))
    finish(run, 9.0)
    look = Look(density="full")
    assert "404 Not Found — failed" in transcript(run, look, 9.0)
    live, saved = RunDrawing(run, look).tree(9.0), RunDrawing(run, look).tree(9.0, saved=True)
    assert peeks(live) == peeks(saved)


def opened(tree: Node) -> list[str]:
    """Names of the rows that stand open by themselves."""
    rows = [node for node in tree.walk() if node.attrs.get("auto") == "open" and "rv-row" in str(node.attrs.get("class"))]
    return [next(one.text() for one in row.walk() if one.attrs.get("class") == "rv-t") for row in rows]


def inside(id_: str, type_: str, **payload: Any) -> dict[str, Any]:
    return tell("tool-output", toolCallId=id_, toolName=f"agent-{id_}", output=tell(type_, **payload) | {"runId": f"run-{id_}"})


def agent(id_: str) -> dict[str, Any]:
    return tell("tool-call", toolCallId=id_, toolName=f"agent-{id_}", args={"prompt": "Go"})


def test_of_agents_side_by_side_only_the_last_stands_open() -> None:
    begun = [inside(id_, kind, **more) for id_ in "ab" for kind, more in (("start", {"id": id_}), ("text-start", {"id": "t"}))]
    chunks = [*START, agent("a"), agent("b"), *begun, inside("a", "text-delta", id="t", text="Looking.")]
    assert opened(drawn(chunks, "compact")) == ["b"]
    assert "writing" in peeks(drawn(chunks, "compact")), "the closed one says what it is at"
    assert opened(drawn(chunks, "full")) == ["a", "b"]
    digs = inside("a", "tool-call", toolCallId="i", toolName="dig", args={})
    assert "dig" in peeks(drawn([*chunks, digs], "compact"))


def test_an_agent_that_stands_open_stays_so_when_another_begins() -> None:
    chunks = [*START, agent("a"), inside("a", "start", id="a"), inside("a", "text-start", id="t"), agent("b")]
    assert opened(drawn(chunks, "compact")) == ["a"]


def test_of_steps_side_by_side_only_the_last_stands_open() -> None:
    def output(id_: str) -> dict[str, Any]:
        said = tell("text-delta", id="t", text="Looking.") | {"runId": f"run-{id_}"}
        return tell("workflow-step-output", id=id_, stepName=id_, output=said) | {"from": "USER"}

    chunks = [tell("workflow-start", workflowId="w") | {"from": "WORKFLOW"}, step("a", "running"), step("b", "running")]
    assert opened(drawn([*chunks, output("a"), output("b")], "compact")) == ["b"]
