"""What happens to a run beside its answer: errors, aborts, tripwires, goals and checks, and what others let through."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from runview.chunks.base import Chunk, Flag, Number, Payload, Text, Values

__all__ = [
    "AbortChunk", "ErrorChunk", "ErrorPayload", "GoalChunk", "GoalPayload", "IsTaskCompleteChunk", "IsTaskCompletePayload",
    "RawChunk", "ResponseMetadataChunk", "ResponseMetadataPayload", "StepOutputChunk", "StepOutputPayload", "TripwireChunk",
    "TripwirePayload", "WatchChunk",
]  # fmt: skip


class ErrorPayload(Payload):
    """What went wrong."""

    error: Any
    """`{message, name, stack?, …}` as a rule; text, an object without a message, and null occur."""


class ErrorChunk(Chunk):
    """The run has failed. `step-finish` and `finish` may still follow."""

    type: Literal["error"] = "error"
    payload: ErrorPayload


class AbortChunk(Chunk):
    """The caller has stopped the run."""

    type: Literal["abort"] = "abort"
    payload: Payload = Field(default_factory=Payload)


class TripwirePayload(Payload):
    """Why a processor stopped the run."""

    reason: Text | None = None
    """In words."""
    retry: Flag | None = None
    """The processor asks for another attempt."""
    metadata: Any = None
    """What the processor adds."""
    processor_id: Text | None = None
    """The processor."""


class TripwireChunk(Chunk):
    """A processor stops the run. One that reads the stream sends neither run id nor sender."""

    type: Literal["tripwire"] = "tripwire"
    payload: TripwirePayload


class IsTaskCompletePayload(Payload):
    """What a check of the answer found."""

    iteration: Number | None = None
    """The attempt, from 1."""
    passed: Flag | None = None
    """The task is done."""
    results: Values | None = None
    """`{score, passed, reason, scorerId, scorerName, duration}` of each scorer; scores from 0 to 1."""
    duration: Number | None = None
    """Of the check, in milliseconds."""
    timed_out: Flag | None = None
    """The check took too long."""
    reason: Text | None = None
    """Why it did or did not pass."""
    max_iteration_reached: Flag | None = None
    """There will be no further attempt."""
    suppress_feedback: Flag | None = None
    """The model is not told."""


class IsTaskCompleteChunk(Chunk):
    """The agent has checked whether its task is done; if not, it goes on."""

    type: Literal["is-task-complete"] = "is-task-complete"
    payload: IsTaskCompletePayload


class GoalPayload(Payload):
    """Where a run stands that pursues a goal."""

    objective: Text | None = None
    """The goal, in words."""
    iteration: Number | None = None
    """The evaluation, from 1."""
    max_runs: Number | None = None
    """How many there may be."""
    passed: Flag | None = None
    """The goal is reached."""
    status: Text | None = None
    """`active`, `paused` or `done`."""
    results: Values | None = None
    """What each scorer found."""
    reason: Text | None = None
    """The judge's reason."""
    paused_reason: Text | None = None
    """Why it is paused."""
    waiting_for_user: Flag | None = None
    """The judge waits for a word from the user."""
    judge_failed: Flag | None = None
    """The judge itself failed."""
    duration: Number | None = None
    """Of the evaluation, in milliseconds."""
    timed_out: Flag | None = None
    """The evaluation took too long."""
    max_runs_reached: Flag | None = None
    """There will be no further run."""
    suppress_feedback: Flag | None = None
    """The model is not told."""
    should_continue: Flag | None = None
    """Another turn follows; the text starts again."""
    pending: Flag | None = None
    """The evaluation is still going on."""
    activity: Values | None = None
    """What the judge does meanwhile: `{type: tool-call, tool-result or reason, name?, message}`."""


class GoalChunk(Chunk):
    """A judge evaluates the run against its goal."""

    type: Literal["goal"] = "goal"
    payload: GoalPayload


class RawChunk(Chunk):
    """What the provider sent, as it sent it; only where raw chunks were asked for."""

    type: Literal["raw"] = "raw"
    payload: Any = None


class ResponseMetadataPayload(Payload):
    """About the provider's answer."""

    id: Text | None = None
    """The answer's id."""
    model_id: Text | None = None
    """The model that answered."""
    timestamp: Any = None
    """When, as ISO text."""
    signature: Text | None = None
    """The provider's proof of its reasoning."""


class ResponseMetadataChunk(Chunk):
    """The provider introduces its answer. Only durable agents let it through."""

    type: Literal["response-metadata"] = "response-metadata"
    payload: ResponseMetadataPayload = Field(default_factory=ResponseMetadataPayload)


class WatchChunk(Chunk):
    """An event of a watched workflow, free in form."""

    type: Literal["watch"] = "watch"
    payload: Any = None


class StepOutputPayload(Payload):
    """Something that a step wrote."""

    output: Any
    """A chunk of the run inside, or any value."""


class StepOutputChunk(Chunk):
    """A step of a workflow speaks, inside a network."""

    type: Literal["step-output"] = "step-output"
    payload: StepOutputPayload
