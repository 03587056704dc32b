"""The beginning and the end of a run and of its steps, and what they cost."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from runview.chunks.base import Chunk, Flag, Number, Object, Payload, Text, Values

__all__ = [
    "FinishChunk", "FinishPayload", "StartChunk", "StartPayload", "StepFinishChunk", "StepFinishPayload", "StepOutput",
    "StepResult", "StepStartChunk", "StepStartPayload", "Usage",
]  # fmt: skip


class Usage(Payload):
    """Tokens, as the provider counts them; what it does not tell is left out. An agent's `finish` writes 0 for unknown."""

    input_tokens: Number | None = None
    """Read by the model, cached ones included."""
    output_tokens: Number | None = None
    """Written by the model, reasoning included."""
    total_tokens: Number | None = None
    """Both together."""
    reasoning_tokens: Number | None = None
    """The part of the output that was reasoning."""
    cached_input_tokens: Number | None = None
    """The part of the input that was read from a cache."""
    cache_creation_input_tokens: Number | None = None
    """The part of the input that was written to a cache."""


class StepResult(Payload):
    """Why the model stopped."""

    reason: Text | None = None
    """`stop`, `length`, `content-filter`, `tool-calls`, `error`, `other`, and the agent's own `tripwire` and `retry`."""
    raw_reason: Text | None = None
    """The provider's own word for it."""
    warnings: Values | None = None
    """What the provider warned about, such as settings it ignores."""
    is_continued: Flag | None = None
    """Another step follows."""
    logprobs: Any = None
    """Probabilities of the tokens, where they were asked for."""
    retry_reason: Text | None = None
    """Why a processor wants the step again."""
    retry_metadata: Any = None
    """What the processor adds."""
    retry_processor_id: Text | None = None
    """The processor that wants it."""


class StepOutput(Payload):
    """What a step, or the whole run, came to."""

    text: Text | None = None
    """Its text."""
    tool_calls: Values | None = None
    """Its calls."""
    usage: Usage | None = None
    """Its tokens."""
    steps: Values | None = None
    """The steps so far, each whole."""
    object: Any = None
    """The object, where structured output was asked for."""


class StartPayload(Payload):
    """Who runs."""

    id: Text | None = None
    """The agent."""
    message_id: Text | None = None
    """The message that the answer will be."""


class StartChunk(Chunk):
    """A run begins. A further one opens the next turn of the same run."""

    type: Literal["start"] = "start"
    payload: StartPayload = Field(default_factory=StartPayload)


class StepStartPayload(Payload):
    """What a step is asked."""

    message_id: Text | None = None
    """The message that the answer will be."""
    started_at: Number | None = None
    """When, in milliseconds since the epoch."""
    request: Any = None
    """What was sent to the provider; servers leave it empty."""
    input_messages: Any = None
    """The conversation so far."""
    warnings: Values | None = None
    """What the provider warned about."""


class StepStartChunk(Chunk):
    """The model is called."""

    type: Literal["step-start"] = "step-start"
    payload: StepStartPayload = Field(default_factory=StepStartPayload)


class StepFinishPayload(Payload):
    """How a step ended."""

    id: Text | None = None
    """The step's id, where it has one."""
    message_id: Text | None = None
    """The message that the answer is."""
    step_result: StepResult
    """Why the model stopped."""
    output: StepOutput
    """What it came to."""
    metadata: Object | None = None
    """About the answer: id, timestamp, model id, headers; servers leave the request out."""
    total_usage: Usage | None = None
    """Tokens of the run so far."""
    response: Any = None
    """The answer as the provider gave it."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""
    messages: Object | None = None
    """The conversation: `{all, user, nonUser}`."""
    processor_retry_count: Number | None = None
    """How often processors have asked for this step again."""
    processor_retry_feedback: Text | None = None
    """What they told the model."""
    background_task_pending: Flag | None = None
    """A background task still runs."""
    is_task_complete_check_failed: Flag | None = None
    """A check found the task not done, so the run goes on."""


class StepFinishChunk(Chunk):
    """The model's turn is over, and its tools have answered."""

    type: Literal["step-finish"] = "step-finish"
    payload: StepFinishPayload


class FinishPayload(Payload):
    """How the run ended. A durable agent leaves the metadata and messages out."""

    message_id: Text | None = None
    """The message that the answer is."""
    step_result: StepResult
    """Why the last step stopped."""
    output: StepOutput
    """What the run came to."""
    metadata: Object | None = None
    """About the last answer: id, timestamp, model id, headers."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""
    messages: Object | None = None
    """The conversation: `{all, user, nonUser}`."""
    response: Any = None
    """The messages of the answer, when output processors are at work."""
    processor_retry_count: Number | None = None
    """How often processors have asked for a step again."""


class FinishChunk(Chunk):
    """The run is done. The stream may go on: background tasks, and further turns."""

    type: Literal["finish"] = "finish"
    payload: FinishPayload
