"""Workflow events.

Steps of a nested workflow come flat, their ids dotted: `outer.inner`. Times are milliseconds since the epoch.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from runview.chunks.base import Chunk, Number, Object, Payload, Text

__all__ = [
    "WorkflowCanceledChunk", "WorkflowFinishChunk", "WorkflowFinishPayload", "WorkflowPausedChunk", "WorkflowStartChunk",
    "WorkflowStartPayload", "WorkflowStepFinishChunk", "WorkflowStepFinishPayload", "WorkflowStepOutputChunk",
    "WorkflowStepOutputPayload", "WorkflowStepPayload", "WorkflowStepProgressChunk", "WorkflowStepProgressPayload",
    "WorkflowStepResultChunk", "WorkflowStepResultPayload", "WorkflowStepStartChunk", "WorkflowStepSuspendedChunk",
    "WorkflowStepSuspendedPayload", "WorkflowStepWaitingChunk",
]  # fmt: skip


class WorkflowStartPayload(Payload):
    """Which workflow."""

    workflow_id: Text
    """The workflow."""


class WorkflowStartChunk(Chunk):
    """The workflow begins, or goes on after a suspension."""

    type: Literal["workflow-start"] = "workflow-start"
    payload: WorkflowStartPayload


class WorkflowStepPayload(Payload):
    """A step, as far as it has come. Loops repeat a step under the same id."""

    id: Text
    """The step; dotted inside a nested workflow."""
    step_name: Text | None = None
    """Its name, the same as the id as a rule."""
    step_call_id: Text | None = None
    """This one execution of it."""
    status: Text | None = None
    """`running`, `waiting`, `suspended`, `success`, `failed`, …"""
    payload: Any = None
    """The step's input."""
    started_at: Number | None = None
    """When it began."""
    resume_payload: Any = None
    """What it was resumed with."""
    resumed_at: Number | None = None
    """When it was resumed."""
    metadata: Object | None = None
    """What the workflow adds, such as the number of an iteration."""


class WorkflowStepStartChunk(Chunk):
    """A step begins."""

    type: Literal["workflow-step-start"] = "workflow-step-start"
    payload: WorkflowStepPayload


class WorkflowStepWaitingChunk(Chunk):
    """A step sleeps."""

    type: Literal["workflow-step-waiting"] = "workflow-step-waiting"
    payload: WorkflowStepPayload


class WorkflowStepOutputPayload(Payload):
    """Something that a step wrote."""

    output: Any
    """A chunk of the agent or workflow inside the step, or any value."""
    step_name: Text | None = None
    """The step; of an inner one only the last part of its id."""
    run_id: Text | None = None
    """The workflow's run."""


class WorkflowStepOutputChunk(Chunk):
    """A step speaks while it runs, or the agent inside it does. Its sender is USER."""

    type: Literal["workflow-step-output"] = "workflow-step-output"
    payload: WorkflowStepOutputPayload


class WorkflowStepProgressPayload(Payload):
    """How far a step over many items has come."""

    id: Text
    """The step."""
    step_name: Text | None = None
    """Its name."""
    completed_count: Number | None = None
    """Items done."""
    total_count: Number | None = None
    """Items in all."""
    current_index: Number | None = None
    """The item that has just ended, from 0."""
    iteration_status: Text | None = None
    """How it ended: `success`, `failed` or `suspended`."""
    iteration_output: Any = None
    """What it gave."""


class WorkflowStepProgressChunk(Chunk):
    """One item of a foreach step has ended."""

    type: Literal["workflow-step-progress"] = "workflow-step-progress"
    payload: WorkflowStepProgressPayload


class WorkflowStepSuspendedPayload(WorkflowStepPayload):
    """A step that waits for input."""

    suspend_payload: Any = None
    """What the step says about why it waits."""
    suspended_at: Number | None = None
    """When it began to wait."""


class WorkflowStepSuspendedChunk(Chunk):
    """A step waits for input; the workflow rests until it is resumed."""

    type: Literal["workflow-step-suspended"] = "workflow-step-suspended"
    payload: WorkflowStepSuspendedPayload


class WorkflowStepResultPayload(WorkflowStepPayload):
    """How a step ended."""

    output: Any = None
    """What it gave."""
    error: Any = None
    """Why it failed, as `{message, name, stack?, …}`."""
    tripwire: Any = None
    """The tripwire of the agent inside the step."""
    ended_at: Number | None = None
    """When it ended."""


class WorkflowStepResultChunk(Chunk):
    """A step has ended, well or not."""

    type: Literal["workflow-step-result"] = "workflow-step-result"
    payload: WorkflowStepResultPayload


class WorkflowStepFinishPayload(Payload):
    """A step that is put away."""

    id: Text
    """The step."""
    metadata: Object | None = None
    """What the workflow adds."""


class WorkflowStepFinishChunk(Chunk):
    """Internal to the workflow; streams leave it out as a rule."""

    type: Literal["workflow-step-finish"] = "workflow-step-finish"
    payload: WorkflowStepFinishPayload


class WorkflowCanceledChunk(Chunk):
    """The workflow was stopped."""

    type: Literal["workflow-canceled"] = "workflow-canceled"
    payload: Payload = Field(default_factory=Payload)


class WorkflowPausedChunk(Chunk):
    """The workflow stopped after one step, as asked."""

    type: Literal["workflow-paused"] = "workflow-paused"
    payload: Payload = Field(default_factory=Payload)


class WorkflowFinishPayload(Payload):
    """How the workflow ended."""

    workflow_status: Text
    """`success`, `failed`, `suspended`, `canceled`, `paused` or `tripwire`."""
    metadata: Object | None = None
    """Empty, or `{error, errorMessage}`."""
    output: Object | None = None
    """`{usage}`: tokens of all agents inside; zeros where none ran."""
    final_workflow_result: Any = None
    """The workflow's result; only of a success."""
    tripwire: Any = None
    """The tripwire that stopped it."""


class WorkflowFinishChunk(Chunk):
    """The workflow has ended, or rests."""

    type: Literal["workflow-finish"] = "workflow-finish"
    payload: WorkflowFinishPayload
