"""Makes chunks in wire form. What is None is left out."""

from __future__ import annotations

from typing import Any

from runview.chunks.wire import Wire

__all__ = [
    "abort", "chunk", "data", "error", "file", "finish", "object_partial", "object_result", "raw", "reasoning_delta",
    "reasoning_end", "reasoning_signature", "reasoning_start", "redacted_reasoning", "response_metadata", "source", "start",
    "step_finish", "step_start", "text_delta", "text_end", "text_start", "tool_call", "tool_call_approval", "tool_call_delta",
    "tool_call_input_streaming_end", "tool_call_input_streaming_start", "tool_call_suspended", "tool_error", "tool_output",
    "tool_output_denied", "tool_result", "tripwire",
]  # fmt: skip


def chunk(type_: str, **payload: Any) -> Wire:
    """A chunk of an agent's run."""
    return {"type": type_, "from": "AGENT", "payload": {name: value for name, value in payload.items() if value is not None}}


# Turns and steps


def start(id: str | None = None, **more: Any) -> Wire:
    """`id` is the agent's name."""
    return chunk("start", id=id, **more)


def step_start(**more: Any) -> Wire:
    return chunk("step-start", **more)


def response_metadata(**more: Any) -> Wire:
    """`id`, `modelId`, `timestamp`."""
    return chunk("response-metadata", **more)


def step_finish(
    reason: str | None = None,
    *,
    raw: str | None = None,
    usage: Wire | None = None,
    metadata: Wire | None = None,
    warnings: list[Any] | None = None,
    **more: Any,
) -> Wire:
    result = _result(reason, raw)
    if warnings:
        result["warnings"] = warnings
    return chunk("step-finish", stepResult=result, output={"usage": usage} if usage else {}, metadata=metadata, **more)


def finish(reason: str | None = None, *, raw: str | None = None, usage: Wire | None = None, **more: Any) -> Wire:
    """`usage` here is only for a run whose steps told none."""
    return chunk("finish", stepResult=_result(reason, raw), output={"usage": usage} if usage else {}, **more)


def _result(reason: str | None, raw: str | None) -> Wire:
    told: Wire = {"reason": reason, "rawReason": raw}
    return {name: value for name, value in told.items() if value is not None}


# Text and reasoning


def text_start(id: str, **more: Any) -> Wire:
    return chunk("text-start", id=id, **more)


def text_delta(id: str, text: str) -> Wire:
    return {"type": "text-delta", "from": "AGENT", "payload": {"id": id, "text": text}}


def text_end(id: str, **more: Any) -> Wire:
    return chunk("text-end", id=id, **more)


def reasoning_start(id: str, **more: Any) -> Wire:
    return chunk("reasoning-start", id=id, **more)


def reasoning_delta(id: str, text: str) -> Wire:
    return {"type": "reasoning-delta", "from": "AGENT", "payload": {"id": id, "text": text}}


def reasoning_end(id: str, **more: Any) -> Wire:
    return chunk("reasoning-end", id=id, **more)


def reasoning_signature(id: str, signature: str) -> Wire:
    return chunk("reasoning-signature", id=id, signature=signature)


def redacted_reasoning(id: str, data: Any = None) -> Wire:
    return chunk("redacted-reasoning", id=id, data=data)


# Tools


def tool_call_input_streaming_start(id: str, name: str | None, **more: Any) -> Wire:
    return chunk("tool-call-input-streaming-start", toolCallId=id, toolName=name, **more)


def tool_call_delta(id: str, text: str) -> Wire:
    return chunk("tool-call-delta", toolCallId=id, argsTextDelta=text)


def tool_call_input_streaming_end(id: str) -> Wire:
    return chunk("tool-call-input-streaming-end", toolCallId=id)


def tool_call(id: str, name: str | None, args: Any, **more: Any) -> Wire:
    return chunk("tool-call", toolCallId=id, toolName=name, args={} if args is None else args, **more)


def tool_result(id: str, name: str, result: Any, **more: Any) -> Wire:
    wire = chunk("tool-result", toolCallId=id, toolName=name, **more)
    wire["payload"]["result"] = result  # None is a result
    return wire


def tool_error(id: str, name: str, error: Any, **more: Any) -> Wire:
    wire = chunk("tool-error", toolCallId=id, toolName=name, **more)
    wire["payload"]["error"] = error
    return wire


def tool_output(id: str, output: Any, name: str | None = None) -> Wire:
    """What a tool wrote while it ran; `output` may be a chunk of a nested run, with a `runId`."""
    wire = chunk("tool-output", toolCallId=id, toolName=name)
    wire["payload"]["output"] = output
    return wire


def tool_output_denied(id: str, name: str, reason: str | None = None) -> Wire:
    approval: Wire = {"id": id, "approved": False, **({"reason": reason} if reason else {})}
    return chunk("tool-output-denied", toolCallId=id, toolName=name, approval=approval)


def tool_call_approval(id: str, name: str, args: Any, **more: Any) -> Wire:
    return chunk("tool-call-approval", toolCallId=id, toolName=name, args={} if args is None else args, **more)


def tool_call_suspended(id: str, name: str, payload: Any, **more: Any) -> Wire:
    wire = chunk("tool-call-suspended", toolCallId=id, toolName=name, **more)
    wire["payload"]["suspendPayload"] = payload
    return wire


# What stands beside them


def object_partial(value: Any) -> Wire:
    return {"type": "object", "from": "AGENT", "object": value}


def object_result(value: Any) -> Wire:
    return {"type": "object-result", "from": "AGENT", "object": value}


def source(id: str, *, url: str | None = None, title: str | None = None, **more: Any) -> Wire:
    """A page, or without `url` a document."""
    return chunk("source", id=id, sourceType="url" if url else "document", url=url, title=title, **more)


def file(data: Any, mime_type: str, filename: str | None = None, **more: Any) -> Wire:
    """`data` is base64, bytes, or a URL."""
    return chunk("file", data=data, mimeType=mime_type, filename=filename, **more)


def data(name: str, value: Any, id: str | None = None) -> Wire:
    return {"type": f"data-{name}", "from": "AGENT", "data": value, **({"id": id} if id else {})}


def raw(value: Any) -> Wire:
    return {"type": "raw", "from": "AGENT", "payload": value if isinstance(value, dict) else {"value": value}}


# Ends beside finish


def error(told: Any) -> Wire:
    """`told` is text, an exception, or an object with a message."""
    return {"type": "error", "from": "AGENT", "payload": {"error": told}}


def abort(reason: str | None = None) -> Wire:
    return chunk("abort", reason=reason)


def tripwire(reason: str, **more: Any) -> Wire:
    """`metadata`, `processorId`."""
    return chunk("tripwire", reason=reason, **more)
