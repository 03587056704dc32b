"""Network events: a routing agent chooses, turn by turn, which agent, workflow or tool goes on with the task.

The families are open: `agent-execution-event-TYPE` wraps a chunk of type TYPE, and events that are not listed here are kept as
`NetworkChunk`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from runview.chunks.base import Chunk, Flag, Number, Payload, Text
from runview.chunks.control import IsTaskCompletePayload
from runview.chunks.steps import Usage

__all__ = [
    "ExecutionAbortChunk", "ExecutionApprovalChunk", "ExecutionEndChunk", "ExecutionEndPayload", "ExecutionEventChunk",
    "ExecutionPayload", "ExecutionStartChunk", "ExecutionSuspendedChunk", "ExecutionWaitingPayload", "NetworkChunk",
    "NetworkFinishChunk", "NetworkFinishPayload", "NetworkObjectChunk", "NetworkObjectPayload", "NetworkValidationEndChunk",
    "NetworkValidationEndPayload", "NetworkValidationStartChunk", "NetworkValidationStartPayload", "RoutingAgentAbortChunk",
    "RoutingAgentEndChunk", "RoutingAgentEndPayload", "RoutingAgentStartChunk", "RoutingAgentStartPayload",
    "RoutingAgentTextDeltaChunk", "RoutingAgentTextDeltaPayload", "RoutingAgentTextStartChunk",
]  # fmt: skip


class NetworkChunk(Chunk):
    """An event of a network that has no model of its own."""

    prefixes: ClassVar[tuple[str, ...]] = (
        "network-", "routing-agent-", "agent-execution-", "workflow-execution-", "tool-execution-",
    )  # fmt: skip

    type: Text
    payload: Any = None


class ExecutionPayload(Payload):
    """What the routing agent chose."""

    run_id: Text | None = None
    """The run of what was chosen."""
    agent_id: Text | None = None
    """The agent, if it is one."""
    workflow_id: Text | None = None
    """The workflow, if it is one."""
    tool_name: Text | None = None
    """The tool, if it is one."""
    tool_call_id: Text | None = None
    """The call of the tool."""
    primitive_type: Text | None = None
    """`agent`, `workflow` or `tool`."""
    primitive_id: Text | None = None
    """Its id, whatever it is."""
    args: Any = None
    """What it is given: `{prompt, …}` for an agent, the input of a workflow or tool."""


class RoutingAgentStartPayload(Payload):
    """Who routes."""

    agent_id: Text | None = None
    """The routing agent."""
    network_id: Text | None = None
    """The network."""
    run_id: Text | None = None
    """The run."""
    input_data: Any = None
    """`{task, primitiveId, primitiveType, iteration, …}`: the task so far."""


class RoutingAgentStartChunk(Chunk):
    """The routing agent thinks about who is next."""

    type: Literal["routing-agent-start"] = "routing-agent-start"
    payload: RoutingAgentStartPayload


class RoutingAgentTextStartChunk(Chunk):
    """The routing agent answers itself."""

    type: Literal["routing-agent-text-start"] = "routing-agent-text-start"
    payload: ExecutionPayload


class RoutingAgentTextDeltaPayload(Payload):
    """A piece of the routing agent's own answer."""

    text: Text
    """What comes next."""


class RoutingAgentTextDeltaChunk(Chunk):
    """The routing agent goes on with its answer."""

    type: Literal["routing-agent-text-delta"] = "routing-agent-text-delta"
    payload: RoutingAgentTextDeltaPayload


class RoutingAgentEndPayload(Payload):
    """What the routing agent decided."""

    task: Text | None = None
    """The task."""
    primitive_id: Text | None = None
    """Who is next; `none` when nobody is."""
    primitive_type: Text | None = None
    """`agent`, `workflow`, `tool` or `none`."""
    prompt: Text | None = None
    """What the next one is given."""
    result: Any = None
    """What there is so far."""
    is_complete: Flag | None = None
    """The task is done."""
    selection_reason: Text | None = None
    """Why this one, in words."""
    iteration: Number | None = None
    """The turn, from 0."""
    run_id: Text | None = None
    """The run."""
    usage: Usage | None = None
    """Tokens of the routing."""


class RoutingAgentEndChunk(Chunk):
    """The routing agent has decided."""

    type: Literal["routing-agent-end"] = "routing-agent-end"
    payload: RoutingAgentEndPayload


class RoutingAgentAbortChunk(Chunk):
    """The caller stopped the run while the routing agent was thinking."""

    type: Literal["routing-agent-abort"] = "routing-agent-abort"
    payload: ExecutionPayload


class ExecutionStartChunk(Chunk):
    """The agent, workflow or tool that was chosen begins."""

    type: Literal["agent-execution-start", "workflow-execution-start", "tool-execution-start"]
    payload: ExecutionPayload


class ExecutionEventChunk(Chunk):
    """A chunk of the agent or workflow that was chosen. The rest of `type` is the type of that chunk."""

    prefixes: ClassVar[tuple[str, ...]] = ("agent-execution-event-", "workflow-execution-event-", "tool-execution-event-")

    type: Text
    payload: Any = None
    """The whole chunk."""


class ExecutionEndPayload(ExecutionPayload):
    """How the chosen one ended."""

    task: Any = None
    """The task."""
    result: Any = None
    """What it gave."""
    is_complete: Flag | None = None
    """The task is done."""
    iteration: Number | None = None
    """The turn, from 0."""
    usage: Usage | None = None
    """Its tokens."""


class ExecutionEndChunk(Chunk):
    """The agent, workflow or tool that was chosen is done."""

    type: Literal["agent-execution-end", "workflow-execution-end", "tool-execution-end"]
    payload: ExecutionEndPayload


class ExecutionWaitingPayload(ExecutionPayload):
    """What the chosen one waits for: the fields of an approval or a suspension, and who it is."""

    suspend_payload: Any = None
    """What it says about why it waits."""
    resume_schema: Text | None = None
    """The JSON Schema of what it waits for, as JSON text."""
    selection_reason: Text | None = None
    """Why it was chosen."""
    usage: Usage | None = None
    """Its tokens so far."""


class ExecutionApprovalChunk(Chunk):
    """A call inside the chosen one needs a person's approval."""

    type: Literal["agent-execution-approval", "tool-execution-approval"]
    payload: ExecutionWaitingPayload


class ExecutionSuspendedChunk(Chunk):
    """The chosen one waits for input."""

    type: Literal["agent-execution-suspended", "workflow-execution-suspended", "tool-execution-suspended"]
    payload: ExecutionWaitingPayload


class ExecutionAbortChunk(Chunk):
    """The caller stopped the run while the chosen one was at work."""

    type: Literal["agent-execution-abort", "workflow-execution-abort", "tool-execution-abort"]
    payload: ExecutionPayload


class NetworkFinishPayload(Payload):
    """What the network, or one of its turns, came to."""

    task: Any = None
    """The task."""
    result: Any = None
    """The answer."""
    is_complete: Flag | None = None
    """The task is done."""
    completion_reason: Text | None = None
    """Why the network stopped, in words."""
    iteration: Number | None = None
    """The last turn, from 0."""
    usage: Usage | None = None
    """Tokens of the whole network."""
    object: Any = None
    """The object, where structured output was asked for."""


class NetworkFinishChunk(Chunk):
    """A turn of the network (`…step-finish`), or the whole of it (`…finish`), has ended."""

    type: Literal["network-execution-event-step-finish", "network-execution-event-finish"]
    payload: NetworkFinishPayload


class NetworkValidationStartPayload(Payload):
    """A check that begins."""

    run_id: Text | None = None
    """The run."""
    iteration: Number | None = None
    """The turn that is checked."""
    checks_count: Number | None = None
    """How many scorers there are."""


class NetworkValidationStartChunk(Chunk):
    """The network checks whether its task is done."""

    type: Literal["network-validation-start"] = "network-validation-start"
    payload: NetworkValidationStartPayload


class NetworkValidationEndPayload(IsTaskCompletePayload):
    """What the check found."""

    run_id: Text | None = None
    """The run."""


class NetworkValidationEndChunk(Chunk):
    """The check is done; if it did not pass, the network goes on."""

    type: Literal["network-validation-end"] = "network-validation-end"
    payload: NetworkValidationEndPayload


class NetworkObjectPayload(Payload):
    """The network's object."""

    object: Any
    """The value, partial or final."""


class NetworkObjectChunk(Chunk):
    """The network's object so far, or its final value."""

    type: Literal["network-object", "network-object-result"]
    payload: NetworkObjectPayload
