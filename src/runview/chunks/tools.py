"""Tool calls: how they are asked for, what becomes of them, and what a person has to decide about them."""

from __future__ import annotations

from typing import Any, Literal

from runview.chunks.base import Chunk, Flag, Object, Payload, Text

__all__ = [
    "ToolCallApprovalChunk", "ToolCallApprovalPayload", "ToolCallChunk", "ToolCallDeltaChunk", "ToolCallDeltaPayload",
    "ToolCallInputStreamingEndChunk", "ToolCallInputStreamingEndPayload", "ToolCallInputStreamingStartChunk",
    "ToolCallInputStreamingStartPayload", "ToolCallPayload", "ToolCallSuspendedChunk", "ToolCallSuspendedPayload",
    "ToolErrorChunk", "ToolErrorPayload", "ToolOutputChunk", "ToolOutputDeniedChunk", "ToolOutputDeniedPayload",
    "ToolOutputPayload", "ToolResultChunk", "ToolResultPayload",
]  # fmt: skip


class ToolCallPayload(Payload):
    """A whole call."""

    tool_call_id: Text
    """The call; its result, error and outputs carry the same id."""
    tool_name: Text
    """The tool, by the name that the model knows."""
    args: Any = None
    """The arguments, an object as a rule; left out when the model's text was no JSON."""
    provider_executed: Flag | None = None
    """The model's provider runs the tool itself, such as a web search."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""
    output: Any = None
    """What a provider's tool gave, when it comes with the call."""
    dynamic: Flag | None = None
    """The tool's shape was not known beforehand."""
    title: Text | None = None
    """The tool's name for people."""
    observability: Any = None
    """Trace data of the agent; nothing to show."""


class ToolCallChunk(Chunk):
    """The model calls a tool, and its arguments are whole."""

    type: Literal["tool-call"] = "tool-call"
    payload: ToolCallPayload


class ToolCallInputStreamingStartPayload(Payload):
    """A call whose arguments are still being written."""

    tool_call_id: Text
    """The call."""
    tool_name: Text
    """The tool, by the name that the model knows."""
    provider_executed: Flag | None = None
    """The model's provider runs the tool itself."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""
    dynamic: Flag | None = None
    """The tool's shape was not known beforehand."""
    title: Text | None = None
    """The tool's name for people."""
    observability: Any = None
    """Trace data of the agent; nothing to show."""


class ToolCallInputStreamingStartChunk(Chunk):
    """The model begins to write the arguments of a call."""

    type: Literal["tool-call-input-streaming-start"] = "tool-call-input-streaming-start"
    payload: ToolCallInputStreamingStartPayload


class ToolCallDeltaPayload(Payload):
    """A piece of a call's arguments."""

    args_text_delta: Text
    """The next piece of their JSON text."""
    tool_call_id: Text
    """The call."""
    tool_name: Text | None = None
    """The tool, where the agent knows it from the call's start."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""


class ToolCallDeltaChunk(Chunk):
    """The model goes on writing the arguments of a call."""

    type: Literal["tool-call-delta"] = "tool-call-delta"
    payload: ToolCallDeltaPayload


class ToolCallInputStreamingEndPayload(Payload):
    """The end of a call's arguments."""

    tool_call_id: Text
    """The call."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""


class ToolCallInputStreamingEndChunk(Chunk):
    """The arguments of a call are whole; a `tool-call` with all of them follows as a rule."""

    type: Literal["tool-call-input-streaming-end"] = "tool-call-input-streaming-end"
    payload: ToolCallInputStreamingEndPayload


class ToolResultPayload(Payload):
    """What a call gave."""

    tool_call_id: Text
    """The call."""
    tool_name: Text
    """The tool."""
    result: Any
    """Any value; falsy ones and null are results too."""
    is_error: Flag | None = None
    """The tool calls its own result an error."""
    provider_executed: Flag | None = None
    """The model's provider ran the tool itself."""
    provider_metadata: Object | None = None
    """What the provider or the agent adds; of a background task: its id."""
    args: Any = None
    """The arguments it was called with."""
    dynamic: Flag | None = None
    """The tool's shape was not known beforehand."""


class ToolResultChunk(Chunk):
    """A tool has answered. Results come in the order of the calls, and may come twice."""

    type: Literal["tool-result"] = "tool-result"
    payload: ToolResultPayload


class ToolErrorPayload(Payload):
    """How a call failed."""

    tool_call_id: Text
    """The call."""
    tool_name: Text
    """The tool."""
    args: Any = None
    """The arguments it was called with."""
    error: Any
    """The error: text, or an object whose message may be missing or stand under its cause."""
    id: Text | None = None
    """The id of the model's message part, if it has one."""
    provider_executed: Flag | None = None
    """The model's provider ran the tool itself."""
    provider_metadata: Object | None = None
    """What the model's provider adds, by provider."""


class ToolErrorChunk(Chunk):
    """A tool failed. The run goes on: the model is told."""

    type: Literal["tool-error"] = "tool-error"
    payload: ToolErrorPayload


class ToolOutputPayload(Payload):
    """Something that a tool wrote while it ran."""

    output: Any
    """Any value; a whole chunk when the tool runs an agent or a workflow."""
    tool_call_id: Text
    """The call."""
    tool_name: Text | None = None
    """The name under which the tool was registered."""


class ToolOutputChunk(Chunk):
    """A tool speaks while it runs, or the agent inside it does."""

    type: Literal["tool-output"] = "tool-output"
    payload: ToolOutputPayload


class ToolCallApprovalPayload(Payload):
    """A call that waits for a person's yes."""

    tool_call_id: Text
    """The call."""
    tool_name: Text
    """The tool."""
    args: Any = None
    """The arguments it would run with."""
    resume_schema: Text | None = None
    """The JSON Schema of the answer, as JSON text."""


class ToolCallApprovalChunk(Chunk):
    """A call needs a person's approval; the run rests until it is approved or declined."""

    type: Literal["tool-call-approval"] = "tool-call-approval"
    payload: ToolCallApprovalPayload


class ToolCallSuspendedPayload(Payload):
    """A call that stopped itself to ask for something."""

    tool_call_id: Text
    """The call."""
    tool_name: Text
    """The tool."""
    args: Any = None
    """The arguments it runs with."""
    suspend_payload: Any = None
    """What the tool says about why it waits."""
    resume_schema: Text | None = None
    """The JSON Schema of what it waits for, as JSON text."""


class ToolCallSuspendedChunk(Chunk):
    """A tool waits for input; the run rests until it is resumed."""

    type: Literal["tool-call-suspended"] = "tool-call-suspended"
    payload: ToolCallSuspendedPayload


class ToolOutputDeniedPayload(Payload):
    """A call that was not allowed."""

    tool_call_id: Text
    """The call."""
    tool_name: Text
    """The tool."""
    args: Any = None
    """The arguments it would have run with."""
    approval: Object | None = None
    """`{id, approved: false, reason?}`: the answer that was given."""


class ToolOutputDeniedChunk(Chunk):
    """A person declined a call; the model is told."""

    type: Literal["tool-output-denied"] = "tool-output-denied"
    payload: ToolOutputDeniedPayload
