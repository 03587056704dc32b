"""Tool calls: streamed arguments, the call, its results, errors, approvals, and what the tool wrote."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from runview.run.ending import leave_rest
from runview.run.event import Event
from runview.run.faults import error_of
from runview.run.kinds import is_dict
from runview.run.nested import Place, pass_on, settle_nested
from runview.run.state import ABSENT, RunState, TaskPart, ToolPart, Wire
from runview.run.steps import begin_step

__all__ = [
    "TASK_OVER", "find_call", "needs_you", "no_longer_waits", "open_tool", "tool_call", "tool_call_delta", "tool_error",
    "tool_input_end", "tool_input_start", "tool_output", "tool_output_denied", "tool_result", "tool_waits",
]  # fmt: skip

Work = TypeVar("Work", ToolPart, TaskPart)
TASK_OVER = ("completed", "failed", "cancelled")


def find_call(run: RunState, call_id: str) -> ToolPart | None:
    """The latest call with this id."""
    return run.book.calls.get(call_id)


def open_tool(e: Event, part: Work) -> Work:
    """A row of work opens: text that is still being written goes on below it, as a part of its own."""
    book = e.run.book
    e.open(part)
    book.split_texts.update(book.texts, book.held_texts)
    book.held_texts.update(book.texts)
    book.texts.clear()
    return part


# Arguments


def tool_input_start(e: Event) -> None:
    begin_step(e)
    id_ = e.id("toolCallId")
    part = _in_step(e.run, id_)
    if part is not None and part.call_chunk is not None:
        e.note(f"the input of call {id_!r} started once more and was ignored")
        return
    if part is not None and part.state == "writing":
        e.close(part, stopped=True)
        part.state = "stopped"
    _describe(e, _new_call(e, id_))


def tool_call_delta(e: Event) -> None:
    text = e.string("argsTextDelta")
    if text is None:
        return
    id_ = e.id("toolCallId")
    begin_step(e)
    part = _in_step(e.run, id_)
    if part is not None and part.state != "writing":
        e.note(f"arguments after the end of the input of call {id_!r} were dropped")
        return
    if part is None:
        part = _new_call(e, id_)
    if part.name is None:
        _describe(e, part)
    part.args_pieces.append(text)
    e.change(part)


def tool_input_end(e: Event) -> None:
    """The arguments are whole: a `tool-call` usually follows and then has the last word; this stands in for it."""
    id_ = e.id("toolCallId")
    part = _in_step(e.run, id_)
    if part is None or part.state != "writing":
        e.note(f"the input of call {id_!r} ended without having started")
        return
    _describe(e, part)
    part.state = "ready"
    if part.name is None:
        e.note(f"call {id_!r} has no tool name")
    else:
        part.args = _arguments(e, part)
        payload: Wire = {"toolCallId": id_, "toolName": part.name, "args": part.args}
        if part.provider_executed:
            payload["providerExecuted"] = True
        _call_is_whole(e, part, {**e.wire, "type": "tool-call", "payload": payload})
    e.change(part)


def _arguments(e: Event, part: ToolPart) -> Any:
    text = part.args_text
    if not text.strip():
        return {}
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        e.note(f"the arguments of call {part.call_id!r} are no JSON: {text[:1000]}")
        return {}


# The call and what becomes of it


def tool_call(e: Event) -> None:
    begin_step(e)
    id_ = e.id("toolCallId")
    part = _in_step(e.run, id_)
    if part is None:
        part = _new_call(e, id_)
    _describe(e, part)
    if "args" in e.payload:
        part.args = e.payload["args"]
    elif part.args is ABSENT:
        part.args = {}
    if part.state in ("writing", "ready"):
        part.state = "running"
    chunk = e.wire
    if e.payload.get("args", ABSENT) is not part.args or "toolName" not in e.payload:
        chunk = {**e.wire, "payload": {**e.payload, "toolName": part.name, "args": part.args}}
    _call_is_whole(e, part, chunk)
    e.change(part)


def tool_result(e: Event) -> None:
    id_ = e.id("toolCallId")
    part = _known_or_new(e, id_)
    part.result_chunk = e.wire
    part.result = e.payload.get("result", ABSENT)
    if e.payload.get("isError") is True:
        part.error = error_of(part.result)
        _settle(e, part, "failed")
    else:
        part.error = None
        _settle(e, part, "done")
    if not any(known is part for known in e.run.book.step_results):
        e.run.book.step_results.append(part)


def tool_error(e: Event) -> None:
    part = _known_or_new(e, e.id("toolCallId"))
    part.error = error_of(e.payload.get("error"))
    part.error_chunk = {**e.wire, "payload": {**e.payload, "error": part.error}}
    _settle(e, part, "failed")


def tool_output_denied(e: Event) -> None:
    part = _known_or_new(e, e.id("toolCallId"))
    part.denied_chunk = e.wire
    approval = e.payload.get("approval")
    reason = approval.get("reason") if is_dict(approval) else None
    part.denied_reason = reason if type(reason) is str else None
    _settle(e, part, "denied")


def _settle(e: Event, part: ToolPart, state: Any) -> None:
    """A result, an error or a refusal came. It does not complete a background task, whose row waits for the task's own end."""
    no_longer_waits(e, part)
    if part.task is not None and part.task.status not in TASK_OVER:
        e.change(part)
        return
    settle_nested(e, part)
    if part.state not in ("done", "failed", "denied"):
        part.stopped = False
        part.ended = None
    part.state = state
    e.change(part)
    e.close(part)


def tool_waits(e: Event) -> None:
    """An approval is asked for, or the tool waits for input."""
    part = _known_or_new(e, e.id("toolCallId"))
    needs_you(e, part)


def needs_you(e: Event, part: ToolPart) -> None:
    run = e.run
    part.state = "needs-you"
    part.approval = e.payload
    part.asked = e.at
    part.answer = part.unheard = None
    part.asked_by = e.wire["runId"] if type(e.wire.get("runId")) is str else None
    part.ended = None
    part.stopped = False
    run.book.pending[part.call_id] = part
    run.book.turn_end = "suspended"
    run.status = "suspended"
    run.suspend_payload = e.payload
    run.resume_schema = e.payload.get("resumeSchema", ABSENT)
    e.change(part)
    e.change_run()


def no_longer_waits(e: Event, part: ToolPart) -> None:
    run, book = e.run, e.run.book
    part.approval = None
    if book.pending.get(part.call_id) is part:
        del book.pending[part.call_id]
        if not book.pending and book.turn_end == "suspended":
            book.turn_end = None
            run.status = "running"
            leave_rest(run)
            e.change_run()


def tool_output(e: Event) -> None:
    """What a tool wrote while it ran: a value of its own, or a chunk of a run inside it."""
    id_ = e.id("toolCallId")
    part = find_call(e.run, id_)
    if part is None:
        part = _new_call(e, id_)
        part.state = "running"
        _describe(e, part)
    pass_on(e, Place(part, id_), e.payload.get("output"), door=0)
    if part.state == "writing":
        part.state = "running"


# Parts


def _in_step(run: RunState, call_id: str) -> ToolPart | None:
    """The call with this id in the current step; in a later step the id means a new call."""
    part = run.book.step_tools.get(call_id)
    return part if part is not None and not part.stopped else None


def _new_call(e: Event, call_id: str) -> ToolPart:
    part = open_tool(e, ToolPart(key=e.key(), call_id=call_id))
    e.run.book.calls[call_id] = e.run.book.step_tools[call_id] = part
    return part


def _known_or_new(e: Event, call_id: str) -> ToolPart:
    part = find_call(e.run, call_id)
    if part is None:
        part = _new_call(e, call_id)
    _describe(e, part, keep=True)
    return part


def _describe(e: Event, part: ToolPart, *, keep: bool = False) -> None:
    """Takes name, title and the like from a chunk; `keep`: what is known already stays."""
    payload = e.payload
    name = e.string("toolName")
    if name is not None and (part.name is None or not keep):
        part.name = name
    title = payload.get("title")
    if type(title) is str:
        part.title = title
    if payload.get("providerExecuted") is True:
        part.provider_executed = True
    if keep and part.args is ABSENT and not part.args_pieces and "args" in payload:
        part.args = payload["args"]


def _call_is_whole(e: Event, part: ToolPart, chunk: Wire) -> None:
    part.call_chunk = chunk
    calls = e.run.book.step_calls
    if not any(known is part for known in calls):
        calls.append(part)
