"""All values of a run in one frozen object: at its end, or as of now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from runview.chunks.base import Chunk
from runview.chunks.parse import parse_chunk
from runview.run import values
from runview.run.state import ABSENT, Kind, RunState, Status, Step, WorkflowStepPart
from runview.summary import field_summary

__all__ = ["FullOutput", "StepOutput", "WorkflowResult", "WorkflowStep", "gather", "step_outputs", "workflow_result"]


@dataclass(frozen=True, kw_only=True)
class StepOutput:
    """One step of an agent: what the model said and did until it stopped to hear the results of its tools."""

    number: int
    text: str
    reasoning_text: str | None
    tool_calls: list[Chunk]
    tool_results: list[Chunk]
    """Those that arrived in this step, also of calls of an earlier one."""
    finish_reason: str | None
    usage: dict[str, int | float]
    warnings: list[Any]
    tripwire: dict[str, Any] | None


@dataclass(frozen=True, kw_only=True)
class WorkflowStep:
    """The last state of a workflow's step."""

    id: str
    """Dotted for a step of a nested workflow: `outer.inner`."""
    status: str
    output: Any
    """None when there is none."""
    error: dict[str, Any] | None
    suspend_payload: Any


@dataclass(frozen=True, kw_only=True)
class WorkflowResult:
    """How a workflow ended. A failing step shows here; it raises nothing."""

    status: Status
    result: Any
    error: dict[str, Any] | None
    steps: dict[str, WorkflowStep]


@dataclass(frozen=True, kw_only=True, repr=False)
class FullOutput:
    """Every value of a run. What a run of its kind cannot have is empty or None."""

    kind: Kind | None
    status: Status
    run_id: str | None
    error: dict[str, Any] | None
    """`{message, name?, …}` of the first failure."""
    finish_reason: str | None
    text: str
    reasoning: str
    reasoning_text: str | None
    object: Any
    """None when there is no valid object."""
    tool_calls: list[Chunk]
    tool_results: list[Chunk]
    tool_errors: list[Chunk]
    sources: list[Chunk]
    files: list[Chunk]
    warnings: list[Any]
    steps: list[StepOutput]
    usage: dict[str, int | float]
    nested_usage: dict[str, int | float]
    response: Any
    request: Any
    provider_metadata: Any
    suspend_payload: Any
    resume_schema: Any
    tripwire: dict[str, Any] | None
    goal: dict[str, Any] | None
    result: WorkflowResult | None
    """Of a workflow only."""

    def __repr__(self) -> str:
        shown = [(field.name, getattr(self, field.name)) for field in fields(self)]
        return field_summary("FullOutput", (self.kind, self.status), [row for row in shown if row[0] not in ("kind", "status")])


def gather(run: RunState) -> FullOutput:
    """The values as of now; never raises."""
    return FullOutput(
        kind=run.kind,
        status=run.status,
        run_id=run.run_id,
        error=run.error,
        finish_reason=run.finish_reason,
        text=values.text(run),
        reasoning=values.reasoning_text(run) or "",
        reasoning_text=values.reasoning_text(run),
        object=given(run.object) if run.object_error is None else None,
        tool_calls=_chunks(values.tool_calls(run)),
        tool_results=_chunks(values.tool_results(run)),
        tool_errors=_chunks(values.tool_errors(run)),
        sources=_chunks(values.sources(run)),
        files=_chunks(values.files(run)),
        warnings=list(run.warnings),
        steps=step_outputs(run),
        usage=dict(run.usage),
        nested_usage=dict(run.nested_usage),
        response=values.response(run),
        request=values.request(run),
        provider_metadata=values.provider_metadata(run),
        suspend_payload=given(run.suspend_payload),
        resume_schema=given(run.resume_schema),
        tripwire=run.tripwire,
        goal=run.goal,
        result=workflow_result(run) if run.kind == "workflow" else None,
    )


def given(value: Any) -> Any:
    """None for what was never given."""
    return None if value is ABSENT else value


def step_outputs(run: RunState) -> list[StepOutput]:
    parts = values.tool_parts(run)
    calls = _ById((part.call_id, part.call_chunk) for part in parts)
    results = _ById((part.call_id, part.result_chunk) for part in parts)
    return [_step_output(step, calls, results) for step in run.steps]


def _step_output(step: Step, calls: _ById, results: _ById) -> StepOutput:
    return StepOutput(
        number=step.number,
        text=step.text,
        reasoning_text=step.reasoning_text,
        tool_calls=calls.take(step.tool_calls),
        tool_results=results.take(step.tool_results),
        finish_reason=step.finish_reason,
        usage=dict(step.usage),
        warnings=list(step.warnings),
        tripwire=step.tripwire,
    )


class _ById:
    """Chunks of calls by id. An id that returns in a later step is another call, so each but the last is handed out once."""

    def __init__(self, calls: Iterable[tuple[str, dict[str, Any] | None]]) -> None:
        self._chunks: dict[str, list[Chunk]] = {}
        for id_, wire in calls:
            if wire is not None:
                self._chunks.setdefault(id_, []).append(parse_chunk(wire))

    def take(self, ids: Iterable[str]) -> list[Chunk]:
        found: list[Chunk] = []
        for id_ in ids:
            chunks = self._chunks.get(id_)
            if chunks:
                found.append(chunks.pop(0) if len(chunks) > 1 else chunks[0])
        return found


def workflow_result(run: RunState) -> WorkflowResult:
    steps = {
        part.id: WorkflowStep(
            id=part.id,
            status=part.status,
            output=given(part.output),
            error=part.error,
            suspend_payload=given(part.suspend_payload),
        )
        for part in run.parts
        if isinstance(part, WorkflowStepPart) and part.reported
    }
    return WorkflowResult(status=run.status, result=given(run.workflow_result), error=run.error, steps=steps)


def _chunks(wires: Iterable[dict[str, Any]]) -> list[Chunk]:
    return [parse_chunk(wire) for wire in wires]
