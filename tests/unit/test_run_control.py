"""Turns, steps, errors, aborts, tripwires, goals and token counts: how a run goes and how it ends."""

from __future__ import annotations

from typing import Any

import pytest

from runview.run import values
from runview.run.change import Change
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import AbortPart, ErrorPart, GoalPart, SourcesPart, StepPart, TextPart, TripwirePart
from tests.runs import chunk, feed, finish_chunk, run_of, shape, step_finish

TEXT = chunk("text-delta", id="t", text="a")


def text(said: str) -> dict[str, Any]:
    return chunk("text-delta", id="t", text=said)


# Ends


@pytest.mark.parametrize(
    ("stream", "end", "status", "reason"),
    [
        ([TEXT, finish_chunk()], {}, "success", "stop"),
        ([TEXT, finish_chunk(None)], {}, "success", None),
        ([TEXT], {}, "incomplete", None),
        ([], {}, "incomplete", None),
        ([TEXT, chunk("abort")], {}, "canceled", "aborted"),
        ([TEXT, chunk("abort"), finish_chunk("tripwire")], {}, "canceled", "aborted"),
        ([TEXT], {"stopped": "enough"}, "canceled", "aborted"),
        ([TEXT, finish_chunk()], {"stopped": True}, "canceled", "aborted"),
        ([TEXT, finish_chunk("abort")], {}, "canceled", "abort"),
        ([TEXT, finish_chunk("suspended")], {}, "suspended", "suspended"),
        ([TEXT, finish_chunk("error")], {}, "failed", "error"),
        ([TEXT, chunk("error", error="x"), finish_chunk()], {}, "failed", "stop"),
        ([TEXT, chunk("error", error="x")], {"stopped": True}, "failed", None),
        ([TEXT], {"error": OSError("lost")}, "failed", None),
        ([TEXT, finish_chunk()], {"error": OSError("lost")}, "failed", "stop"),
        ([TEXT, chunk("tripwire", reason="x")], {}, "tripwire", "tripwire"),
        ([TEXT, finish_chunk("tripwire")], {}, "tripwire", "tripwire"),
        ([TEXT, finish_chunk("content-filter")], {}, "success", "content-filter"),
        ([finish_chunk(), chunk("start"), TEXT, finish_chunk("length")], {}, "success", "length"),
        ([finish_chunk(), chunk("start"), TEXT], {}, "incomplete", "stop"),
        ([chunk("abort"), chunk("start"), TEXT], {}, "incomplete", None),
        ([chunk("abort"), chunk("start"), TEXT, finish_chunk()], {}, "success", "stop"),
        ([chunk("tripwire", reason="x"), chunk("start"), TEXT, finish_chunk()], {}, "success", "stop"),
        ([chunk("error", error="x"), finish_chunk("error"), chunk("start"), finish_chunk()], {}, "failed", "stop"),
    ],
)
def test_every_way_to_end(stream: list[Any], end: dict[str, Any], status: str, reason: str | None) -> None:
    run = run_of(*stream, **end)
    assert (run.status, run.finish_reason) == (status, reason)
    assert not any(part.open for part in run.parts if not isinstance(part, SourcesPart))


def test_an_error_has_a_row_and_the_first_one_stays() -> None:
    run = run_of(chunk("error", error="one"), chunk("error", error={"message": "two"}))
    assert run.error == {"message": "one", "name": "Error"}
    assert [part.error["message"] for part in run.parts if isinstance(part, ErrorPart)] == ["one", "two"]


def test_an_exception_stays_reachable() -> None:
    raised, told = OSError("lost"), TimeoutError("slow")
    assert run_of(TEXT, error=raised).exception is raised
    run = run_of(chunk("error", error=told))
    assert run.exception is told
    assert run.error == {"message": "slow", "name": "TimeoutError"}


def test_an_error_chunk_without_an_error() -> None:
    assert run_of(chunk("error")).error == {"message": "Unknown error chunk in stream", "name": "Error"}
    assert run_of(chunk("error", message="flat")).error == {"message": "flat"}


def test_a_finish_with_reason_error_shows_a_row_though_nothing_told_which() -> None:
    run = run_of(TEXT, finish_chunk("error"))
    assert run.error is None
    assert sum(isinstance(part, ErrorPart) for part in run.parts) == 1


def test_a_stop_has_a_row_with_its_reason() -> None:
    assert [part.reason for part in run_of(TEXT, stopped="enough").parts if isinstance(part, AbortPart)] == ["enough"]
    assert [part.reason for part in run_of(chunk("abort", reason="user")).parts if isinstance(part, AbortPart)] == ["user"]


# Steps


def test_steps_begin_by_a_chunk_or_by_themselves() -> None:
    run = run_of(chunk("step-start", warnings=["w"]), TEXT, step_finish("stop", inputTokens=1), TEXT, step_finish("length"))
    steps = [part for part in run.parts if isinstance(part, StepPart)]
    assert [(part.number, part.finish_reason, part.open) for part in steps] == [(1, "stop", False), (2, "length", False)]
    assert [(step.number, step.text, step.warnings) for step in run.steps] == [(1, "a", ["w"]), (2, "a", [])]
    assert run.warnings == ["w"]
    assert [part.step for part in run.parts if isinstance(part, TextPart)] == [1, 2]


def test_answers_are_of_the_last_step_that_had_them() -> None:
    first = chunk(
        "step-finish",
        metadata={"modelId": "m", "id": "1", "request": {"body": 1}, "other": 2},
        providerMetadata={"p": 1},
    )
    run = run_of(chunk("step-start", request={"body": 0}), first, step_finish(), finish_chunk())
    assert values.response(run) == {"modelId": "m", "id": "1"}
    assert values.request(run) == {"body": 1}
    assert values.provider_metadata(run) == {"p": 1}


# Usage


@pytest.mark.parametrize(
    ("stream", "usage"),
    [
        ([step_finish(inputTokens=1), step_finish(inputTokens=2)], {"inputTokens": 3}),
        ([step_finish(inputTokens=2, outputTokens=3)], {"inputTokens": 2, "outputTokens": 3, "totalTokens": 5}),
        ([step_finish(inputTokens=5), step_finish(outputTokens=7)], {"inputTokens": 5, "outputTokens": 7, "totalTokens": 12}),
        ([step_finish(), finish_chunk(inputTokens=9, outputTokens=9)], {"inputTokens": 9, "outputTokens": 9, "totalTokens": 18}),
        ([step_finish(), finish_chunk(inputTokens=0, outputTokens=4)], {"outputTokens": 4}),
        ([step_finish(inputTokens=0)], {"inputTokens": 0}),
        ([step_finish(inputTokens=1), finish_chunk(inputTokens=9, reasoningTokens=2)], {"inputTokens": 1, "reasoningTokens": 2}),
        ([step_finish(inputTokens=1), finish_chunk(), finish_chunk(inputTokens=9)], {"inputTokens": 10}),
        ([step_finish(inputTokens="5", outputTokens=True, raw={"a": 1}, x=float("nan"))], {}),
        ([chunk("step-finish", output={"usage": 5}), chunk("finish", usage={"inputTokens": 3})], {"inputTokens": 3}),
        ([chunk("tool-call", toolCallId="c", output={"type": "finish", "payload": {"usage": {"inputTokens": 9}}})], {}),
    ],
)  # fmt: skip
def test_usage(stream: list[Any], usage: dict[str, Any]) -> None:
    assert run_of(*stream).usage == usage


def test_what_is_no_number_is_noted() -> None:
    run = run_of(step_finish(inputTokens="5", raw={}, outputTokens=None))
    assert run.notes == ["step-finish: inputTokens in usage is no number"]


# Tripwires


def test_after_a_tripwire_the_model_says_no_more_but_usage_counts() -> None:
    run = run_of(
        TEXT,
        chunk("tripwire", reason="bad", processorId="p", metadata={"a": 1}),
        text("b"),
        chunk("tool-call", toolCallId="c", toolName="t"),
        chunk("source", id="s"),
        step_finish("tripwire", inputTokens=1),
        finish_chunk("tripwire"),
    )
    assert run.tripwire == {"reason": "bad", "processorId": "p", "metadata": {"a": 1}}
    assert (values.text(run), values.tool_calls(run), values.sources(run)) == ("a", [], [])
    assert (run.usage, len(run.steps), len(run.notes)) == ({"inputTokens": 1}, 1, 3)
    assert [part.processor_id for part in run.parts if isinstance(part, TripwirePart)] == ["p"]


@pytest.mark.parametrize("withdrawal", [step_finish("retry"), chunk("step-start")])
def test_a_retry_withdraws_the_tripwire_and_the_text(withdrawal: dict[str, Any]) -> None:
    run = run_of(
        text("one "), step_finish(), text("secret"), chunk("tripwire", reason="bad", retry=True), withdrawal, text("good"),
        step_finish(), finish_chunk(),
    )  # fmt: skip
    assert (values.text(run), run.status, run.tripwire) == ("one good", "success", None)
    assert [part.retried for part in run.parts if isinstance(part, TripwirePart)] == [True]
    assert [part.rejected for part in run.parts if isinstance(part, TextPart)] == [False, True, False]
    assert run.text_deltas == ["one ", "secret", "good"]


def test_a_step_start_after_a_tripwire_without_retry_withdraws_nothing() -> None:
    run = run_of(TEXT, chunk("tripwire", reason="bad"), chunk("step-start"), text("b"), finish_chunk())
    assert (values.text(run), run.status) == ("a", "tripwire")


def test_a_retry_that_no_chunk_announced() -> None:
    retry = chunk("step-finish", stepResult={"reason": "retry", "retryReason": "bad", "retryProcessorId": "p"})
    run = run_of(text("x"), retry, text("y"), step_finish(), finish_chunk())
    assert (values.text(run), [step.text for step in run.steps]) == ("y", ["", "y"])
    assert [(part.reason, part.processor_id, part.retried) for part in run.parts if isinstance(part, TripwirePart)] == [
        ("bad", "p", True)
    ]


@pytest.mark.parametrize(
    ("told", "tripwire"),
    [
        ({"tripwire": {"reason": "r"}}, {"reason": "r"}),
        ({"output": {"steps": [{}, {"tripwire": {"reason": "s", "retry": False}}]}}, {"reason": "s", "retry": False}),
        ({}, {"reason": "Processor tripwire triggered"}),
    ],
)
def test_a_tripwire_that_the_finish_tells(told: dict[str, Any], tripwire: dict[str, Any]) -> None:
    run = run_of(TEXT, chunk("finish", stepResult={"reason": "tripwire"}, **told))
    assert run.tripwire == tripwire
    assert sum(isinstance(part, TripwirePart) for part in run.parts) == 1


def test_a_tripwire_without_a_reason() -> None:
    assert run_of(chunk("tripwire")).tripwire == {"reason": "Content blocked"}


# Goals


def test_each_evaluation_is_one_part_and_a_continuation_starts_the_text_again() -> None:
    def goal(**payload: Any) -> dict[str, Any]:
        return chunk("goal", **payload)

    run = run_of(
        text("one"), goal(iteration=1, pending=True), goal(iteration=1, pending=True, activity=[]),
        goal(iteration=1, passed=False, shouldContinue=True), step_finish(),
        text("two"), goal(iteration=2, pending=True), goal(iteration=2, passed=True), step_finish(), finish_chunk(),
    )  # fmt: skip
    assert values.text(run) == "two"
    assert [step.text for step in run.steps] == ["one", "two"]
    assert run.goal == {"iteration": 2, "passed": True}
    assert [part.payload["passed"] for part in run.parts if isinstance(part, GoalPart)] == [False, True]


def test_a_goal_that_is_still_pending_at_the_end_is_stopped_and_no_value() -> None:
    run = run_of(TEXT, chunk("goal", iteration=1, pending=True), finish_chunk())
    assert run.goal is None
    assert [part.stopped for part in run.parts if isinstance(part, GoalPart)] == [True]


def test_a_failed_check_of_completeness_does_not_start_the_text_again() -> None:
    run = run_of(text("one"), chunk("is-task-complete", iteration=1, passed=False), step_finish(), text("two"), finish_chunk())
    assert (values.text(run), run.goal) == ("onetwo", None)
    assert sum(isinstance(part, GoalPart) for part in run.parts) == 1


# The rest


def test_notes_of_the_stream_are_no_chunks() -> None:
    run = new_run()
    assert reduce(run, {"type": "runview-note", "payload": {"message": "line 3: no JSON"}}, 0.0) == (Change("run", ""),)
    assert (run.notes, run.chunk_count, run.kind) == (["line 3: no JSON"], 0, None)


def test_what_is_no_chunk_is_noted() -> None:
    run = run_of(5, None, "text", [1], {"no": "type"}, {"type": 5})
    assert (run.chunk_count, run.unknown_count, len(run.notes), run.kind) == (2, 2, 6, "agent")


def test_unknown_types_are_counted_and_change_nothing_else() -> None:
    run = run_of(chunk("brand-new", a=1), chunk("raw", v=1), chunk("watch"), chunk("data-x"), finish_chunk())
    assert (run.unknown_count, run.chunk_types["brand-new"], shape(run)) == (1, 1, ["Data"])


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        ([chunk("start")], "agent"),
        ([{"type": "data-x", "from": "WORKFLOW"}, {"type": "background-task-running"}, {"type": "workflow-start"}], "workflow"),
        ([{"type": "workflow-execution-start"}], "network"),
        ([{"type": "routing-agent-start"}], "network"),
        ([{"type": "error", "from": "WORKFLOW"}], "workflow"),
        ([{"type": "brand-new", "from": "NETWORK"}], "network"),
        ([{"type": "data-x"}], "agent"),
    ],
)
def test_kind(stream: list[Any], kind: str) -> None:
    assert run_of(*stream).kind == kind


def test_notes_do_not_grow_without_end() -> None:
    run = run_of(*[5] * 1000)
    assert len(run.notes) == 201
    assert run.notes[-1] == "further notes are left out"


def test_a_run_that_was_stopped_takes_what_still_comes() -> None:
    run = run_of(TEXT, stopped=True)
    feed(run, text("late"))
    finish(run, 101.0)
    assert (values.text(run), run.status) == ("alate", "canceled")
