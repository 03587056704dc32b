"""Background tasks: tool calls that go on after the model has been answered.

All but the first and the progress come from the task manager: they have neither run id nor sender; the run is in the
payload.
"""

from __future__ import annotations

from typing import Any, Literal

from runview.chunks.base import Chunk, Flag, Number, Payload, Text, Values

__all__ = [
    "BackgroundTaskCancelledChunk", "BackgroundTaskCancelledPayload", "BackgroundTaskCompletedChunk",
    "BackgroundTaskCompletedPayload", "BackgroundTaskFailedChunk", "BackgroundTaskFailedPayload", "BackgroundTaskOutputChunk",
    "BackgroundTaskOutputPayload", "BackgroundTaskPayload", "BackgroundTaskProgressChunk", "BackgroundTaskProgressPayload",
    "BackgroundTaskResumedChunk", "BackgroundTaskRunningChunk", "BackgroundTaskRunningPayload", "BackgroundTaskStartedChunk",
    "BackgroundTaskSuspendedChunk", "BackgroundTaskSuspendedPayload",
]  # fmt: skip


class BackgroundTaskPayload(Payload):
    """Which task."""

    task_id: Text
    """The task."""
    tool_name: Text
    """The tool that runs."""
    tool_call_id: Text | None = None
    """The call that became the task."""
    run_id: Text | None = None
    """The run that the call belongs to."""
    agent_id: Text | None = None
    """The agent of that run."""


class BackgroundTaskStartedChunk(Chunk):
    """A call goes to the background; the model gets an acknowledgement as its result."""

    type: Literal["background-task-started"] = "background-task-started"
    payload: BackgroundTaskPayload


class BackgroundTaskRunningPayload(BackgroundTaskPayload):
    """A task at work."""

    started_at: Any = None
    """When, as ISO text."""
    args: Any = None
    """The arguments of the tool."""


class BackgroundTaskRunningChunk(Chunk):
    """The task is at work."""

    type: Literal["background-task-running"] = "background-task-running"
    payload: BackgroundTaskRunningPayload


class BackgroundTaskResumedChunk(Chunk):
    """A suspended task is at work again."""

    type: Literal["background-task-resumed"] = "background-task-resumed"
    payload: BackgroundTaskRunningPayload


class BackgroundTaskProgressPayload(Payload):
    """How the tasks of a run are getting on."""

    task_ids: Values
    """The tasks."""
    running_count: Number | None = None
    """How many are at work."""
    elapsed_ms: Number | None = None
    """How long the run has waited for them, in milliseconds."""


class BackgroundTaskProgressChunk(Chunk):
    """The agent waits for its tasks; sent by durable agents."""

    type: Literal["background-task-progress"] = "background-task-progress"
    payload: BackgroundTaskProgressPayload


class BackgroundTaskOutputPayload(BackgroundTaskPayload):
    """What a task wrote."""

    payload: Any
    """A `tool-output` chunk, or a `data-*` chunk when the tool sent one of its own."""


class BackgroundTaskOutputChunk(Chunk):
    """The task's tool speaks while it runs."""

    type: Literal["background-task-output"] = "background-task-output"
    payload: BackgroundTaskOutputPayload


class BackgroundTaskCompletedPayload(BackgroundTaskPayload):
    """What a task gave."""

    result: Any = None
    """The tool's result."""
    completed_at: Any = None
    """When, as ISO text."""
    is_error: Flag | None = None
    """The tool calls its own result an error."""


class BackgroundTaskCompletedChunk(Chunk):
    """The task is done."""

    type: Literal["background-task-completed"] = "background-task-completed"
    payload: BackgroundTaskCompletedPayload


class BackgroundTaskFailedPayload(BackgroundTaskPayload):
    """How a task failed."""

    error: Any = None
    """`{message, stack?}`."""
    completed_at: Any = None
    """When, as ISO text."""


class BackgroundTaskFailedChunk(Chunk):
    """The task's tool failed, or took too long."""

    type: Literal["background-task-failed"] = "background-task-failed"
    payload: BackgroundTaskFailedPayload


class BackgroundTaskSuspendedPayload(BackgroundTaskPayload):
    """Why a task waits."""

    args: Any = None
    """The arguments of the tool."""
    suspend_payload: Any = None
    """What the tool says about why it waits."""
    suspended_at: Any = None
    """When, as ISO text."""


class BackgroundTaskSuspendedChunk(Chunk):
    """The task waits for input."""

    type: Literal["background-task-suspended"] = "background-task-suspended"
    payload: BackgroundTaskSuspendedPayload


class BackgroundTaskCancelledPayload(BackgroundTaskPayload):
    """A task that was stopped."""

    completed_at: Any = None
    """When, as ISO text."""


class BackgroundTaskCancelledChunk(Chunk):
    """The task was stopped."""

    type: Literal["background-task-cancelled"] = "background-task-cancelled"
    payload: BackgroundTaskCancelledPayload
