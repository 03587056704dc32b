"""One run as one JSON-ready object: what `runview inspect` prints and `output.inspect()` gives."""

from __future__ import annotations

from typing import Any

from runview.run import values
from runview.run.kinds import is_dict
from runview.run.state import ABSENT, RunState, Step, TaskPart, ToolPart, Wire

__all__ = ["inspect"]


def inspect(run: RunState, *, streams: bool = True) -> dict[str, Any]:
    """The run as it is now. Keys that have no value are left out, except those that always stand; `streams`: with what the
    text, object and element streams yield.
    """
    seen: dict[str, Any] = {"kind": run.kind or "agent", "status": run.status, "runId": run.run_id}
    seen["finishReason"] = run.finish_reason
    seen["text"] = values.text(run)
    seen["reasoningText"] = values.reasoning_text(run) or None
    seen = _without_none(seen)
    if run.object is not ABSENT:
        seen["object"] = plain_object(run)
    tools = values.tool_parts(run)
    seen["toolCalls"] = [_call(part) for part in tools if part.call_chunk is not None]
    seen["toolResults"] = [_result(part, part.result_chunk) for part in tools if part.result_chunk is not None]
    seen["toolErrors"] = [_error(part, part.error_chunk) for part in tools if part.error_chunk is not None]
    seen["usage"] = dict(run.usage)
    seen["steps"] = [_step(step) for step in run.steps]
    seen |= _some(
        {
            "denied": [_denied(part) for part in tools if part.denied_chunk is not None],
            "nestedUsage": dict(run.nested_usage),
            "error": run.error,
            "tripwire": run.tripwire,
            "goal": run.goal,
            "sources": list(run.book.sources.sources) if run.book.sources is not None else [],
            "files": _files(run),
            "warnings": list(run.warnings),
            "data": values.data(run),
            "tasks": [_task(task) for task in run.tasks],
        }
    )
    if run.status == "suspended" and run.kind != "workflow":
        if run.suspend_payload is not ABSENT:
            seen["suspendPayload"] = run.suspend_payload
        if run.resume_schema is not ABSENT:
            seen["resumeSchema"] = run.resume_schema
    if run.kind == "workflow":
        seen["workflow"] = _workflow(run)
    seen |= _some({"nested": [_nested(child) for child in run.nested]})
    if streams:
        seen["textStream"] = list(run.text_deltas)
        seen["objectStream"] = list(run.object_partials)
        seen["elementStream"] = list(run.elements)
    seen["chunks"] = {
        "total": run.chunk_count,
        "byType": dict(run.chunk_types),
        "unknown": run.unknown_count,
        "notes": list(run.notes),
    }
    return seen


def plain_object(run: RunState) -> Any:
    """The object as plain JSON values, where it is an instance of the caller's own type."""
    structured = run.book.structured
    return run.object if structured is None else structured.plain(run.object)


def _without_none(told: Wire) -> Wire:
    return {name: value for name, value in told.items() if value is not None}


def _some(told: Wire) -> Wire:
    return {name: value for name, value in told.items() if value is not None and value not in ([], {})}


def _call(part: ToolPart) -> Wire:
    call: Wire = {"toolCallId": part.call_id, "toolName": part.name, "args": part.args}
    if part.provider_executed:
        call["providerExecuted"] = True
    return call


def _result(part: ToolPart, chunk: Wire) -> Wire:
    told = chunk.get("payload")
    payload = told if is_dict(told) else {}
    result: Wire = {"toolCallId": part.call_id, "toolName": part.name}
    if "result" in payload:
        result["result"] = payload["result"]
    if payload.get("isError") is True:
        result["isError"] = True
    return result


def _error(part: ToolPart, chunk: Wire) -> Wire:
    return {"toolCallId": part.call_id, "toolName": part.name, "error": chunk["payload"]["error"]}


def _denied(part: ToolPart) -> Wire:
    return _without_none({"toolCallId": part.call_id, "toolName": part.name, "reason": part.denied_reason})


def _step(step: Step) -> Wire:
    seen = _without_none({"text": step.text, "reasoningText": step.reasoning_text, "finishReason": step.finish_reason})
    return {**seen, "toolCalls": list(step.tool_calls), "toolResults": list(step.tool_results), "usage": dict(step.usage)}


def _files(run: RunState) -> list[Wire]:
    return [
        _without_none(
            {
                "mimeType": part.media_type,
                "filename": part.filename,
                "size": None if part.data is None else part.data.size,
            }
        )
        for part in values.file_parts(run)
    ]


def _task(task: TaskPart) -> Wire:
    seen = _without_none(
        {
            "taskId": task.task_id,
            "toolName": task.tool_name,
            "toolCallId": task.call_id,
            "status": task.status,
            "error": task.error,
        }
    )
    if task.result is not ABSENT:
        seen["result"] = task.result
    if task.suspend_payload is not ABSENT:
        seen["suspendPayload"] = task.suspend_payload
    return seen


def _workflow(run: RunState) -> Wire:
    seen = _without_none({"workflowId": run.name, "status": run.status, "error": run.error})
    if run.workflow_result is not ABSENT:
        seen["result"] = run.workflow_result
    steps: list[Wire] = []
    for part in run.book.workflow_steps.values():
        if part.reported:
            step = _without_none({"id": part.id, "status": part.status, "error": part.error})
            if part.output is not ABSENT:
                step["output"] = part.output
            if part.suspend_payload is not ABSENT:
                step["suspendPayload"] = part.suspend_payload
            steps.append(step)
    seen["steps"] = steps
    return seen


def _nested(child: RunState) -> Wire:
    seen = _without_none({"under": child.under, "runId": child.run_id})
    calls = [part.call_id for part in values.tool_parts(child) if part.call_chunk is not None]
    return {**seen, "text": values.text(child), "toolCalls": calls, "status": child.status}
