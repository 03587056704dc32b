"""Whatever comes, a run takes it, and after the end nothing is running."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.run.inspect import inspect
from runview.run.reduce import apply, finish, new_run, reduce
from runview.run.state import GoalPart, RunState, TaskPart, ToolPart, WorkflowStepPart
from tests.streams import FIELDS, TYPES, streams

schemas = st.sampled_from([None, {"type": "object"}, {"type": "array"}, {"enum": ["a", "ab"]}, {"type": "number"}])


def assert_settled(run: RunState) -> None:
    resting = run.status in ("suspended", "paused")
    assert run.status != "running"
    assert run.ended is not None
    for part in run.parts:
        waits = resting and (
            (isinstance(part, ToolPart) and part.state == "needs-you")
            or (isinstance(part, (TaskPart, WorkflowStepPart)) and part.status == "suspended")
        )
        assert waits or not part.open or not isinstance(part, (ToolPart, TaskPart, WorkflowStepPart, GoalPart))
        if isinstance(part, ToolPart) and not waits:
            assert part.state not in ("writing", "ready", "running", "background", "needs-you")
        if isinstance(part, WorkflowStepPart):
            assert part.status not in ("running", "waiting")
    for child in run.nested:
        assert child.status != "running"


@given(streams, schemas, st.sampled_from(["ended", "raised", "stopped"]))
def test_any_stream_of_json_gives_a_run(stream: list[Any], schema: Any, end: str) -> None:
    run = new_run(schema)
    for at, item in enumerate(stream):
        before = run.version
        changes = apply(run, item, float(at))
        keys = {part.key for part in run.parts}
        assert all(change.key in keys or (change.what, change.key) == ("run", "") for change in changes)
        assert run.version > before or not changes
    finish(run, 99.0, error=OSError("lost") if end == "raised" else None, stopped=end == "stopped")
    assert_settled(run)
    json.dumps(inspect(run))


@given(streams, st.integers(0, 12))
def test_a_run_goes_on_after_a_rest(stream: list[Any], cut: int) -> None:
    """An end in the middle, as at a suspension, leaves a run that takes the rest."""
    run = new_run()
    for item in stream[:cut]:
        apply(run, item, 1.0)
    finish(run, 2.0)
    for item in stream[cut:]:
        apply(run, item, 3.0)
    finish(run, 4.0)
    assert_settled(run)


class Hostile:
    """Raises at every touch."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    def __hash__(self) -> int:
        raise RuntimeError("no")

    def __repr__(self) -> str:
        raise RuntimeError("no")

    __str__ = __repr__


class HostileError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no")


def cycle() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["output"] = value
    return value


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("odd", [Hostile(), HostileError(), cycle(), {1: 2, "a": 3}, object(), b"\xff", {1, 2}, float("nan")])
def test_odd_python_objects_in_every_place(type_: str, odd: Any) -> None:
    run = new_run()
    reduce(run, {"type": "tool-call", "payload": {"toolCallId": "a", "toolName": "t"}}, 0.0)
    reduce(run, {"type": "background-task-started", "payload": {"taskId": "a", "toolCallId": "a"}}, 0.0)
    for wire in (
        odd,
        {"type": type_, "payload": odd, "object": odd, "data": odd, "runId": odd, "from": odd},
        {"type": type_, "payload": dict.fromkeys(FIELDS, odd)},
        {"type": type_, "payload": {**dict.fromkeys(FIELDS, odd), "id": "a", "toolCallId": "a", "taskId": "a"}},
    ):
        reduce(run, wire, 1.0)
    finish(run, 2.0)
    assert_settled(run)


def test_nesting_without_end_is_bounded() -> None:
    chunk: dict[str, Any] = {"type": "text-delta", "from": "AGENT", "payload": {"id": "t", "text": "deep"}}
    for _ in range(3000):
        chunk = {"type": "tool-output", "from": "AGENT", "payload": {"toolCallId": "c", "output": chunk}}
    run = new_run()
    reduce(run, chunk, 0.0)
    finish(run, 1.0)
    assert 30 < len(run.nested) < 100
