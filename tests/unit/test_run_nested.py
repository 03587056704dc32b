"""Runs inside runs, background tasks, workflows and networks."""

from __future__ import annotations

from typing import Any

import pytest

from runview.run import values
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import (
    ABSENT,
    DataPart,
    ErrorPart,
    GoalPart,
    RunState,
    TaskPart,
    TextPart,
    ToolPart,
    TripwirePart,
    WorkflowStepPart,
)
from tests.runs import chunk, event, feed, finish_chunk, run_of, shape, step_finish, tool

CALL = chunk("tool-call", toolCallId="c", toolName="agent-sub", args={})
RESULT = chunk("tool-result", toolCallId="c", toolName="agent-sub", result="ok")


def inner(type_: str, /, **payload: Any) -> dict[str, Any]:
    return {**chunk(type_, **payload), "runId": "sub"}


def out(value: Any, call_id: str = "c") -> dict[str, Any]:
    return chunk("tool-output", toolCallId=call_id, toolName="agent-sub", output=value)


def word(text: str) -> dict[str, Any]:
    return inner("text-delta", id="t", text=text)


def task(word_: str, **payload: Any) -> dict[str, Any]:
    return {"type": f"background-task-{word_}", "payload": {"taskId": "k", "toolName": "job", "toolCallId": "c", **payload}}


# Nested runs


def test_a_sub_agent_never_touches_the_run_around_it() -> None:
    run = run_of(
        CALL, out(inner("start", id="sub-agent")), out(word("inner")), out(inner("error", error="hiccup")),
        out(inner("finish", stepResult={"reason": "stop"}, output={"usage": {"inputTokens": 5}})),
        RESULT, step_finish("stop", inputTokens=1), finish_chunk(),
    )  # fmt: skip
    assert (values.text(run), run.error, run.usage, run.status) == ("", None, {"inputTokens": 1}, "success")
    assert run.nested_usage == {"inputTokens": 5}
    (sub,) = tool(run).nested
    assert (sub.run_id, sub.under, sub.name, sub.kind, sub.status) == ("sub", "c", "sub-agent", "agent", "failed")
    assert (values.text(sub), tool(run).role, tool(run).outputs) == ("inner", "agent", [])


def test_the_row_changes_with_the_run_inside_it() -> None:
    run = new_run()
    feed(run, CALL, out(word("a")))
    version, part_version = run.version, tool(run).version
    (changes,) = feed(run, out(word("b")))
    assert [(change.what, change.key) for change in changes] == [("changed", tool(run).key)]
    assert run.version > version
    assert tool(run).version > part_version


def test_the_end_of_the_call_ends_the_run_inside_it() -> None:
    run = new_run()
    feed(run, CALL, out(word("a")))
    (sub,) = run.nested
    assert sub.status == "running"
    feed(run, RESULT)
    assert sub.status == "incomplete"


def test_any_depth_is_listed_flat_and_counted_once() -> None:
    deep = inner("tool-output", toolCallId="ic", output={**step_finish("stop", inputTokens=7), "runId": "deep"})
    call = inner("tool-call", toolCallId="ic", toolName="x")
    run = run_of(CALL, out(call), out(inner("step-finish", output={"usage": {"inputTokens": 2}})), out(deep), finish_chunk())
    assert [(child.under, child.run_id) for child in run.nested] == [("c", "sub"), ("ic", "deep")]
    assert run.nested_usage == {"inputTokens": 9}
    assert [child.run_id for child in run.nested[0].nested] == ["deep"]


@pytest.mark.parametrize(
    ("value", "is_chunk"),
    [
        ({"type": "progress", "pct": 5}, False),
        ({"type": "text-delta", "payload": {"text": "x"}}, False),
        ({"type": "anything", "from": "AGENT"}, True),
        ({"type": "text-delta", "from": "SOMEBODY", "payload": {}}, False),
        ({"type": 5, "from": "AGENT"}, False),
        ("text", False),
    ],
)
def test_what_counts_as_a_chunk_inside(value: Any, is_chunk: bool) -> None:
    run = run_of(CALL, out(value))
    assert bool(tool(run).nested) is is_chunk
    assert tool(run).outputs == ([] if is_chunk else [value])


def test_without_a_sender_a_known_chunk_joins_the_run_that_is_there() -> None:
    run = run_of(
        CALL, out(word("a")), out({"type": "tripwire", "payload": {"reason": "no"}}), out({"type": "odd", "payload": {}})
    )
    assert [child.status for child in run.nested] == ["tripwire"]
    assert tool(run).outputs == [{"type": "odd", "payload": {}}]


def test_a_nested_workflow_counts_its_own_figures_only_when_nothing_in_it_told_any() -> None:
    def workflow(*events: dict[str, Any]) -> RunState:
        return run_of(CALL, *(out(item) for item in events))

    step = event("workflow-step-output", stepName="s", output=inner("step-finish", output={"usage": {"inputTokens": 3}}))
    end = event("workflow-finish", workflowStatus="success", output={"usage": {"inputTokens": 8, "outputTokens": 0}})
    assert workflow(end).nested_usage == {"inputTokens": 8}
    assert workflow(step, end).nested_usage == {"inputTokens": 3}
    assert tool(workflow(end)).role == "workflow"


def test_data_inside_a_nested_run_is_not_the_runs_own() -> None:
    run = run_of(CALL, out({**inner("data-x"), "data": 1}))
    assert values.data(run) == []
    assert [part.data for part in run.nested[0].parts if isinstance(part, DataPart)] == [1]


# Background tasks


def test_a_task_lives_in_the_row_of_its_call() -> None:
    run = new_run()
    states = []
    for wire in (
        CALL, task("started"), task("running", args={"a": 1}), task("started"), RESULT,
        task("suspended", suspendPayload={"q": 1}), task("resumed"), task("completed", result=5),
    ):  # fmt: skip
        feed(run, wire)
        states.append((tool(run).state, run.tasks[0].status if run.tasks else None))
    assert states == [
        ("running", None),
        ("background", "started"),
        ("background", "running"),
        ("background", "running"),
        ("background", "running"),
        ("needs-you", "suspended"),
        ("background", "running"),
        ("done", "completed"),
    ]
    (known,) = run.tasks
    assert tool(run).task is known
    assert (known.result, known.suspend_payload, known.args) == (5, ABSENT, {"a": 1})
    assert tool(run).result == "ok"
    assert not any(isinstance(part, TaskPart) for part in run.parts)


def test_what_came_with_a_status_does_not_outlive_it() -> None:
    run = run_of(task("failed", error={"message": "x"}), task("running"), task("cancelled"))
    (known,) = run.tasks
    assert (known.status, known.error, known.result) == ("cancelled", None, ABSENT)


def test_progress_makes_a_started_task_running() -> None:
    run = run_of(task("started"), {"type": "background-task-progress", "payload": {"taskIds": ["k", "unknown"]}})
    assert [(known.task_id, known.status) for known in run.tasks] == [("k", "running")]


def test_a_task_without_its_call_is_a_row_of_its_own_and_an_unfinished_one_is_stopped() -> None:
    run = run_of(task("running"), finish_chunk())
    (part,) = (part for part in run.parts if isinstance(part, TaskPart))
    assert (part.status, part.stopped) == ("running", True)


def test_an_unfinished_task_stops_its_row_even_after_a_good_end() -> None:
    run = run_of(CALL, task("started"), RESULT, finish_chunk())
    assert (tool(run).state, run.tasks[0].status, run.status) == ("stopped", "started", "success")


def test_the_same_output_through_two_doors_counts_once() -> None:
    def door(value: Any) -> dict[str, Any]:
        return task("output", payload=out(value))

    run = run_of(
        CALL, task("started"),
        out(word("a")), door(word("a")), door(word("b")), out(word("b")), out(word("a")), door(word("a")),
        out({"p": 1}), door({"p": 1}), door({"p": 1}),
        task("completed", result=1),
    )  # fmt: skip
    assert [(child.under, values.text(child)) for child in run.nested] == [("c", "aba")]
    assert tool(run).outputs == [{"p": 1}, {"p": 1}]


def test_equal_outputs_are_told_by_content_and_not_by_the_order_of_keys() -> None:
    first, second = {"a": 1, "b": 2}, {"b": 2, "a": 1}
    run = run_of(CALL, task("started"), out(first), task("output", payload=out(second)))
    assert tool(run).outputs == [first]


def test_data_of_a_background_tool_is_an_output_and_no_data() -> None:
    run = run_of(CALL, task("started"), task("output", payload={"type": "data-x", "data": 1}))
    assert tool(run).outputs == [{"type": "data-x", "data": 1}]
    assert values.data(run) == []


def test_chunks_that_a_task_sends_itself_are_under_the_task() -> None:
    run = run_of(CALL, task("started"), task("output", payload=word("a")))
    assert [child.under for child in run.nested] == ["k"]


@pytest.mark.parametrize("sent", [word("a"), {}, "a line"], ids=["a chunk", "a value", "a text"])
def test_only_rows_of_the_run_are_said_to_change(sent: Any) -> None:
    """A task in the row of its call has no row, so whoever follows the changes would look for it in vain."""
    run = new_run()
    feed(run, CALL, task("started"))
    changes = reduce(run, task("output", payload=sent), 1.0)
    assert {change.key for change in changes} - {""} <= {part.key for part in run.parts}
    assert any(change.what == "changed" for change in changes)


# Workflows


def step(word_: str, id_: str = "s", **payload: Any) -> dict[str, Any]:
    return event(f"workflow-step-{word_}", id=id_, stepName=id_, **payload)


def steps(run: RunState) -> list[tuple[str, str]]:
    return [(part.id, part.status) for part in run.parts if isinstance(part, WorkflowStepPart)]


def test_a_workflow_chunk_by_chunk() -> None:
    run = new_run()
    feed(run, event("workflow-start", workflowId="wf"), step("start", payload={"v": 1}, status="running"))
    part = run.parts[0]
    assert isinstance(part, WorkflowStepPart)
    assert (run.kind, run.name, part.status, part.input, part.open) == ("workflow", "wf", "running", {"v": 1}, True)
    feed(run, step("progress", completedCount=1, totalCount=3), step("result", status="success", output=5))
    assert (part.status, part.output, part.open) == ("success", 5, False)
    assert part.progress is not None
    feed(run, event("workflow-finish", workflowStatus="success", finalWorkflowResult=None, output={"usage": {"inputTokens": 0}}))
    finish(run, 9.0)
    assert (run.status, run.workflow_result, run.finish_reason, run.usage) == ("success", None, None, {"inputTokens": 0})


@pytest.mark.parametrize(
    ("stream", "status", "states"),
    [
        ([step("start"), step("suspended", suspendPayload=1)], "suspended", ["suspended"]),
        ([step("start"), step("suspended"), step("start", "b")], "incomplete", ["suspended", "incomplete"]),
        ([step("start"), event("workflow-canceled")], "canceled", ["canceled"]),
        ([step("start"), step("result", status="success"), event("workflow-paused")], "paused", ["success"]),
        ([step("waiting")], "incomplete", ["incomplete"]),
        ([step("start"), event("workflow-finish", workflowStatus="odd")], "incomplete", ["incomplete"]),
        ([step("result", status="bailed"), event("workflow-finish", workflowStatus="success")], "success", ["bailed"]),
    ],
)
def test_how_a_workflow_ends(stream: list[Any], status: str, states: list[str]) -> None:
    run = run_of(event("workflow-start"), *stream)
    assert run.status == status
    assert [state for _, state in steps(run)] == states


def test_a_suspended_step_waits_while_the_run_rests() -> None:
    run = new_run()
    feed(run, event("workflow-start"), step("start"), step("suspended", suspendPayload={"why": 1}))
    assert run.status == "suspended"
    finish(run, 5.0)
    part = run.parts[0]
    assert isinstance(part, WorkflowStepPart)
    assert (part.open, part.suspend_payload, run.suspend_payload) == (True, {"why": 1}, ABSENT)
    feed(run, event("workflow-start"), step("start"), step("result", status="success"))
    assert (part.status, part.suspend_payload, run.status) == ("success", ABSENT, "running")


def test_a_loop_is_one_row() -> None:
    run = run_of(
        step("start"), step("result", status="success", output=1), step("start"), step("result", status="failed", error="x")
    )
    assert steps(run) == [("s", "failed")]
    part = run.parts[0]
    assert isinstance(part, WorkflowStepPart)
    assert (part.output, part.error) == (ABSENT, {"message": "x", "name": "Error"})


@pytest.mark.parametrize(
    ("stream", "metadata", "message", "rows"),
    [
        ([step("result", status="failed", error={"message": "s"})], {}, "s", 0),
        ([step("result", status="failed", error={"message": "s"})], {"error": {"message": "s"}}, "s", 0),
        ([], {"error": {"message": "bad input"}, "errorMessage": "other"}, "bad input", 1),
        ([], {"errorMessage": "bad input"}, "bad input", 1),
    ],
)
def test_why_a_workflow_failed(stream: list[Any], metadata: dict[str, Any], message: str, rows: int) -> None:
    run = run_of(event("workflow-start"), *stream, event("workflow-finish", workflowStatus="failed", metadata=metadata))
    assert run.error is not None
    assert (run.status, run.error["message"]) == ("failed", message)
    assert sum(isinstance(part, ErrorPart) for part in run.parts) == rows


def test_a_workflow_that_a_tripwire_blocked() -> None:
    run = run_of(event("workflow-finish", workflowStatus="tripwire", tripwire={"reason": "r", "processorId": "p"}))
    assert (run.status, run.tripwire) == ("tripwire", {"reason": "r", "processorId": "p"})
    assert sum(isinstance(part, TripwirePart) for part in run.parts) == 1


def test_an_inner_step_is_found_by_the_last_part_of_its_id() -> None:
    run = run_of(
        event("workflow-start"), step("start", "inner"), step("start", "outer"), step("start", "outer.inner"),
        event("workflow-step-output", stepName="inner", output="x"),
        event("workflow-step-output", stepName="inner", output=word("y")),
    )  # fmt: skip
    assert [(part.id, part.outputs) for part in run.parts if isinstance(part, WorkflowStepPart)] == [
        ("inner", []), ("outer", []), ("outer.inner", ["x"]),
    ]  # fmt: skip
    assert [child.under for child in run.nested] == ["outer.inner"]


def test_strings_of_a_step_are_kept_whichever_chunk_brings_them() -> None:
    out_of_step = [event(type_, stepName="s", output="x") for type_ in ("workflow-step-output", "step-output")]
    run = run_of(step("start"), *out_of_step)
    assert [part.outputs for part in run.parts if isinstance(part, WorkflowStepPart)] == [["x", "x"]]


def test_without_a_finish_a_workflow_used_what_its_runs_used() -> None:
    run = run_of(
        step("start"),
        event("workflow-step-output", stepName="s", output=inner("step-finish", output={"usage": {"inputTokens": 3}})),
    )
    assert (run.usage, run.nested_usage) == ({"inputTokens": 3}, {"inputTokens": 3})


# Networks


def net(type_: str, /, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": "n", "from": "NETWORK", "payload": payload}


def test_a_network_chunk_by_chunk() -> None:
    run = run_of(
        net("routing-agent-start", networkId="router"),
        net("agent-execution-start", agentId="helper", args={"prompt": "do it"}),
        net("agent-execution-event-text-delta", **word("hi")),
        net("agent-execution-event-finish", **inner("finish", stepResult={"reason": "stop"}, usage={"inputTokens": 2})),
        net("agent-execution-end", agentId="helper", result="hi"),
        net("network-validation-start", iteration=0),
        net("routing-agent-text-start"), net("routing-agent-text-delta", text="all "),
        net("routing-agent-text-delta", text="done"),
        net("network-validation-end", iteration=0, passed=True),
        net("network-execution-event-finish", result="all done", usage={"inputTokens": 9}),
    )  # fmt: skip
    assert (run.kind, run.name, run.status, run.finish_reason) == ("network", "router", "success", None)
    assert (values.text(run), run.usage, run.nested_usage) == ("all done", {"inputTokens": 9}, {"inputTokens": 2})
    assert [(child.under, values.text(child), child.status) for child in run.nested] == [("helper", "hi", "success")]
    (part,) = (part for part in run.parts if isinstance(part, ToolPart))
    assert (part.execution, part.role, part.state, part.args, part.result) == (True, "agent", "done", "do it", "hi")
    assert values.tool_calls(run) == values.tool_results(run) == []
    assert [part.payload for part in run.parts if isinstance(part, GoalPart)] == [{"iteration": 0, "passed": True}]
    assert [part.text for part in run.parts if isinstance(part, TextPart)] == ["all done"]


def test_the_result_of_a_network_is_its_text_where_nobody_spoke() -> None:
    run = run_of(net("routing-agent-start"), net("network-execution-event-finish", result="done"))
    assert (values.text(run), run.text_deltas) == ("done", [])


@pytest.mark.parametrize(
    ("end", "status", "state"),
    [
        (net("agent-execution-approval", agentId="h", toolCallId="c"), "suspended", "needs-you"),
        (net("workflow-execution-suspended", workflowId="h", suspendPayload=1), "suspended", "needs-you"),
        (net("tool-execution-abort"), "canceled", "cancelled"),
        (net("routing-agent-abort"), "canceled", "stopped"),
        (net("tool-execution-end", error="boom"), "incomplete", "failed"),
    ],
)
def test_how_an_execution_can_stop(end: dict[str, Any], status: str, state: str) -> None:
    kind = end["type"].partition("-execution-")[0] if "execution" in end["type"] else "agent"
    run = run_of(net(f"{kind}-execution-start", agentId="h", workflowId="h", toolName="h"), end)
    assert run.status == status
    assert [part.state for part in run.parts if isinstance(part, ToolPart)] == [state]
    assert (run.suspend_payload == end["payload"]) is (status == "suspended")


def test_the_object_of_a_network() -> None:
    run = run_of(net("network-object", object={"a": 1}), net("network-object-result", object={"a": 2}))
    assert (list(run.object_partials), run.object) == ([{"a": 1}], {"a": 2})


def test_a_stopped_run_cancels_what_goes_on_inside_it() -> None:
    run = run_of(CALL, out(word("a")), stopped=True)
    assert (run.nested[0].status, shape(run.nested[0])) == ("canceled", ["Text a"])
