"""Tool calls: their input as it streams, their results, and the questions that they put to the user."""

from __future__ import annotations

from typing import Any

from runview.chunks.wire import Wire
from runview.convert.fields import ABSENT, dict_of, error_text, is_dict, record, told, word
from runview.convert.parts import Version

__all__ = ["TOOL_TYPES", "tool_parts"]

TOOL_TYPES = frozenset(
    """
    tool-call-input-streaming-start tool-call-delta tool-call-input-streaming-end tool-call tool-result tool-error
    tool-output-denied tool-call-approval tool-call-suspended
    """.split()
)


def tool_parts(type_: str, chunk: Wire, payload: Wire, version: Version) -> list[Wire]:
    """The parts of a chunk whose type is one of `TOOL_TYPES`."""
    call = record(toolCallId=payload.get("toolCallId", ABSENT))
    named = call | record(toolName=payload.get("toolName", ABSENT))
    part: Wire
    match type_:
        case "tool-call-input-streaming-start":
            dynamic = bool(payload.get("dynamic"))
            part = {"type": "tool-input-start", **named, **told(payload, "providerExecuted"), "dynamic": dynamic}
        case "tool-call-delta":
            shown = _shown(chunk, "input-delta")
            if shown.get("suppress"):
                return []
            delta = shown.get("transformed")
            delta = payload.get("argsTextDelta", ABSENT) if delta is None else delta
            part = {"type": "tool-input-delta", **call, **record(inputTextDelta=delta)}
        case "tool-call":
            value = _shown(chunk, "input-available").get("transformed", payload.get("args", ABSENT))
            part = {"type": "tool-input-available", **named, **record(input=value)}
            part |= told(payload, "providerExecuted", "providerMetadata")
            if payload.get("observability"):
                part["toolMetadata"] = {"__mastraObservability": payload["observability"]}
        case "tool-result":
            value = _shown(chunk, "output-available").get("transformed", payload.get("result", ABSENT))
            part = {"type": "tool-output-available", **call, **record(output=value)}
            part |= told(payload, "providerExecuted", "providerMetadata")
        case "tool-error":
            text = error_text(_shown(chunk, "error").get("transformed", payload.get("error", ABSENT)))
            part = {"type": "tool-output-error", **call, "errorText": text, **told(payload, "providerExecuted")}
        case "tool-output-denied":
            part = {"type": "tool-output-denied", **call}
        case "tool-call-approval" | "tool-call-suspended":
            return _question(type_, chunk, payload, version)
        case _:  # the end of the input: the whole call follows
            return []
    return [part]


def _question(type_: str, chunk: Wire, payload: Wire, version: Version) -> list[Wire]:
    """A call that waits for the user. From v6 on the AI SDK has a word of its own for approvals, which comes first."""
    approval = type_ == "tool-call-approval"
    phase, field = ("approval", "args") if approval else ("suspend", "suspendPayload")
    call_id = payload.get("toolCallId", ABSENT)
    run_id = chunk.get("runId", ABSENT)
    data = record(state=f"data-{type_}", runId=run_id, toolCallId=call_id, toolName=payload.get("toolName", ABSENT))
    data |= record(**{field: _shown(chunk, phase).get("transformed", payload.get(field, ABSENT))})
    data |= record(resumeSchema=payload.get("resumeSchema", ABSENT))
    part = record(type=f"data-{type_}", id=call_id, data=data)
    if not approval or version == "v5":
        return [part]
    request = record(type="tool-approval-request", approvalId=f"{word(run_id)}::{word(call_id)}", toolCallId=call_id)
    return [request, part]


def _shown(chunk: Wire, phase: str) -> Wire:
    """What the user is to be shown in place of a tool's input or output, if its author gave that; `{}` if not."""
    mastra = dict_of(dict_of(chunk.get("metadata")).get("mastra"))
    for name in ("toolPayloadTransform", "toolPayloadProjection"):
        state: Any = dict_of(dict_of(mastra.get(name)).get("display")).get(phase)
        if state is None:
            continue
        if is_dict(state) and "projected" in state and "transformed" not in state:
            return {**state, "transformed": state["projected"]}
        return dict_of(state)
    return {}
