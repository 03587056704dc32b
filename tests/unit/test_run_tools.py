"""Tool calls: streamed arguments, results in any order, approvals, and every state of a row."""

from __future__ import annotations

from typing import Any

import pytest

from runview.run import values
from runview.run.change import Change
from runview.run.reduce import finish, new_run
from runview.run.state import ABSENT, RunState
from tests.runs import chunk, feed, finish_chunk, run_of, shape, step_finish, tool

START = chunk("tool-call-input-streaming-start", toolCallId="c", toolName="sum")
END = chunk("tool-call-input-streaming-end", toolCallId="c")
CALL = chunk("tool-call", toolCallId="c", toolName="sum", args={"a": 1})
RESULT = chunk("tool-result", toolCallId="c", toolName="sum", result=3)


def delta(text: str) -> dict[str, Any]:
    return chunk("tool-call-delta", toolCallId="c", toolName="sum", argsTextDelta=text)


def calls(run: RunState) -> list[Any]:
    return [wire["payload"]["args"] for wire in values.tool_calls(run)]


def test_a_streamed_call_chunk_by_chunk() -> None:
    run = new_run()
    states = []
    for wire in (START, delta('{"a":'), delta("1}"), END, CALL, RESULT):
        (changes,) = feed(run, wire)
        assert changes[-1].key in ("p1", "")
        states.append(tool(run).state)
    assert states == ["writing", "writing", "writing", "ready", "running", "done"]
    part = tool(run)
    assert (part.args_text, part.args, part.result, part.ended) == ('{"a":1}', {"a": 1}, 3, 5.0)
    assert changes == (Change("changed", "p1"), Change("closed", "p1"))
    assert calls(run) == [{"a": 1}]


def test_without_a_tool_call_one_is_made_of_the_streamed_arguments() -> None:
    run = run_of(START, delta('{"a":2}'), END, step_finish())
    assert values.tool_calls(run) == [chunk("tool-call", toolCallId="c", toolName="sum", args={"a": 2})]
    assert run.steps[0].tool_calls == ["c"]


def test_arguments_that_are_no_json_are_empty_and_noted() -> None:
    run = run_of(START, delta("{'a"), END)
    assert calls(run) == [{}]
    assert any("{'a" in note for note in run.notes)


def test_a_call_whose_input_never_ended_is_no_call() -> None:
    run = run_of(START, delta('{"a":'), step_finish("length"), finish_chunk("length"))
    assert calls(run) == []
    assert (tool(run).state, tool(run).args_text, tool(run).args) == ("no-result", '{"a":', ABSENT)


def test_arguments_after_the_end_of_the_input_are_dropped() -> None:
    run = run_of(START, delta("{}"), END, delta("junk"))
    assert tool(run).args_text == "{}"
    assert any("were dropped" in note for note in run.notes)


def test_streamed_arguments_without_a_name_make_no_call() -> None:
    run = run_of(chunk("tool-call-delta", toolCallId="c", argsTextDelta="{}"), END)
    assert calls(run) == []
    assert any("no tool name" in note for note in run.notes)


def test_a_second_call_in_the_same_step_updates() -> None:
    again = chunk("tool-call", toolCallId="c", toolName="sum", args={"a": 9})
    bare = chunk("tool-call", toolCallId="c", toolName="sum")
    assert calls(run_of(CALL, again, bare)) == [{"a": 9}]


def test_a_call_without_arguments_has_empty_ones() -> None:
    assert calls(run_of(chunk("tool-call", toolCallId="c", toolName="sum"))) == [{}]


def test_the_same_id_in_a_later_step_is_a_new_call() -> None:
    error = chunk("tool-error", toolCallId="c", toolName="sum", error="no")
    run = run_of(CALL, error, step_finish("tool-calls"), CALL, RESULT, step_finish("tool-calls"), finish_chunk())
    assert shape(run) == ["c sum failed", "c sum done"]
    assert [step.tool_calls for step in run.steps] == [["c"], ["c"]]
    assert [step.tool_results for step in run.steps] == [[], ["c"]]


def test_a_result_before_its_call_and_twice() -> None:
    second = chunk("tool-result", toolCallId="c", toolName="sum", result=4)
    run = run_of(RESULT, CALL, second, step_finish(), finish_chunk())
    assert shape(run) == ["c sum done"]
    assert [wire["payload"]["result"] for wire in values.tool_results(run)] == [4]
    assert run.steps[0].tool_results == ["c"]


def test_results_stand_in_the_order_of_their_calls() -> None:
    def of(type_: str, id_: str) -> dict[str, Any]:
        return chunk(type_, toolCallId=id_, toolName="t", result=id_)

    run = run_of(of("tool-call", "a"), of("tool-call", "b"), of("tool-result", "b"), of("tool-result", "a"), step_finish())
    assert [wire["payload"]["result"] for wire in values.tool_results(run)] == ["a", "b"]
    assert run.steps[0].tool_results == ["a", "b"]


def test_a_result_between_two_steps_counts_in_the_next() -> None:
    run = run_of(CALL, step_finish("tool-calls"), RESULT, chunk("step-start"), step_finish())
    assert [(step.tool_calls, step.tool_results) for step in run.steps] == [(["c"], []), ([], ["c"])]


@pytest.mark.parametrize("result", [None, 0, "", False])
def test_falsy_results_are_results(result: Any) -> None:
    run = run_of(CALL, chunk("tool-result", toolCallId="c", toolName="sum", result=result))
    assert tool(run).state == "done"
    assert tool(run).result == result


def test_a_result_that_is_an_error() -> None:
    run = run_of(CALL, chunk("tool-result", toolCallId="c", toolName="sum", result="boom", isError=True))
    assert (tool(run).state, tool(run).error) == ("failed", {"message": "boom", "name": "Error"})


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("boom", "boom"),
        ({"message": "boom"}, "boom"),
        ({"name": "E", "cause": {"name": "F", "cause": {"message": "deep"}}}, "deep"),
        ({"name": "ToolNotFoundError"}, "ToolNotFoundError"),
        ({}, "Unknown error"),
        (ValueError("bad"), "bad"),
        (ValueError(), "ValueError"),
        ({"message": {"a": 1}}, '{"a": 1}'),
        (5, "5"),
        (None, "Unknown error"),
    ],
)
def test_an_error_always_has_a_message(told: Any, message: str) -> None:
    run = run_of(CALL, chunk("tool-error", toolCallId="c", toolName="sum", error=told))
    assert values.tool_errors(run)[0]["payload"]["error"]["message"] == message
    assert run.error is None


def test_an_approval_rests_the_run_and_the_answer_wakes_it() -> None:
    asked = chunk("tool-call-approval", toolCallId="c", toolName="inner", args={"a": 1}, resumeSchema="{}")
    run = new_run()
    feed(run, CALL, asked)
    assert (tool(run).state, tool(run).name, run.status) == ("needs-you", "sum", "suspended")
    assert tool(run).approval == asked["payload"]
    finish(run, 5.0)
    assert (run.status, run.finish_reason, run.resume_schema) == ("suspended", "suspended", "{}")
    assert run.suspend_payload == asked["payload"]
    assert tool(run).state == "needs-you"
    feed(run, RESULT)
    assert (tool(run).state, run.status, run.suspend_payload, run.ended) == ("done", "running", ABSENT, None)
    feed(run, step_finish("tool-calls"), finish_chunk())
    finish(run, 9.0)
    assert (run.status, run.finish_reason) == ("success", "stop")


def test_one_answer_of_two_leaves_the_run_resting() -> None:
    ask = [chunk("tool-call-suspended", toolCallId=id_, toolName="t", suspendPayload={}) for id_ in "ab"]
    run = new_run()
    feed(run, *ask, chunk("tool-result", toolCallId="a", toolName="t", result=1))
    assert run.status == "suspended"
    feed(run, chunk("tool-output-denied", toolCallId="b", toolName="t", approval={"id": "b", "approved": False, "reason": "no"}))
    assert (run.status, tool(run, "b").state, tool(run, "b").denied_reason) == ("running", "denied", "no")
    assert [wire["payload"]["toolCallId"] for wire in values.denied(run)] == ["b"]


def test_a_finish_ends_the_rest() -> None:
    run = run_of(CALL, chunk("tool-call-approval", toolCallId="c", toolName="sum", args={}), finish_chunk("tool-calls"))
    assert (run.status, run.suspend_payload, tool(run).state) == ("success", ABSENT, "no-result")


def test_what_a_tool_writes_stays_in_its_row() -> None:
    out = [chunk("tool-output", toolCallId="c", toolName="sum", output=value) for value in ({"p": 1}, "line", None, "line")]
    run = run_of(CALL, *out)
    assert tool(run).outputs == [{"p": 1}, "line", None, "line"]
    assert values.text(run) == ""


@pytest.mark.parametrize(
    ("end", "state"),
    [
        ([finish_chunk()], "no-result"),
        ([chunk("abort")], "stopped"),
        ([chunk("error", error="x")], "stopped"),
        ([chunk("tripwire", reason="x")], "stopped"),
        ([], "stopped"),
    ],
)
def test_a_call_without_a_result_gets_a_terminal_state(end: list[Any], state: str) -> None:
    run = run_of(CALL, *end)
    assert tool(run).state == state
    assert not tool(run).open


def test_a_call_that_was_stopped_keeps_its_result() -> None:
    run = run_of(CALL, RESULT, stopped=True)
    assert (tool(run).state, tool(run).result) == ("done", 3)


def test_title_and_provider_execution_are_taken_over() -> None:
    run = run_of(chunk("tool-call", toolCallId="c", toolName="t", args={}, title="The Tool", providerExecuted=True))
    assert (tool(run).title, tool(run).provider_executed) == ("The Tool", True)
