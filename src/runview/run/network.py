"""Networks: a routing agent that hands the work to agents, workflows and tools, one execution after the other."""

from __future__ import annotations

from typing import Any, Literal

from runview.run.control import abort, count
from runview.run.event import Event, string_of
from runview.run.faults import error_of
from runview.run.kinds import is_dict
from runview.run.nested import Place, pass_on, settle_nested
from runview.run.state import ABSENT, GoalPart, ToolPart
from runview.run.text import add_text, text_end
from runview.run.tools import needs_you, no_longer_waits, open_tool
from runview.run.usage import add_told, usage_in

__all__ = ["execution_chunk", "network_chunk", "routing_chunk"]

ROUTING = "routing"
"""The id of the routing agent's text, which has none of its own."""

ROLES: dict[str, Literal["agent", "workflow", "tool"]] = {"agent": "agent", "workflow": "workflow", "tool": "tool"}


def routing_chunk(e: Event) -> None:
    """`routing-agent-*`"""
    word = e.type.removeprefix("routing-agent-")
    if word == "start":
        name = e.payload.get("networkId", e.payload.get("agentId"))
        if e.run.name is None and type(name) is str:
            e.run.name = name
            e.change_run()
    elif word == "text-start":
        _end_text(e)
    elif word == "text-delta":
        text = e.string("text")
        if text is not None:
            add_text(e, ROUTING, text)
    elif word == "end":
        _end_text(e)
    elif word == "abort":
        abort(e)


def _end_text(e: Event) -> None:
    e.payload = {**e.payload, "id": ROUTING}
    text_end(e)
    e.run.book.ended_texts.discard(ROUTING)


def execution_chunk(e: Event) -> None:
    """`agent-execution-*`, `workflow-execution-*`, `tool-execution-*`"""
    kind, _, word = e.type.partition("-execution-")
    if word == "start":
        _start(e, kind)
        return
    part = e.run.book.executions.get(kind) or _start(e, kind)
    if word.startswith("event-"):
        pass_on(e, Place(part, part.call_id), e.payload)
    elif word == "end":
        _end(e, part)
    elif word in ("approval", "suspended"):
        needs_you(e, part)
    elif word == "abort":
        part.state = "cancelled"
        settle_nested(e, part)
        e.close(part)
        abort(e)


def _start(e: Event, kind: str) -> ToolPart:
    payload = e.payload
    name = payload.get({"agent": "agentId", "workflow": "workflowId"}.get(kind, "toolName"))
    args = payload.get("args")
    if name is None and is_dict(args):
        name = args.get("toolName", args.get("primitiveId"))
    call_id = payload.get("toolCallId") if kind == "tool" else None
    name = string_of(name)
    part = ToolPart(
        key=e.key(),
        call_id=name if call_id is None else string_of(call_id),
        name=name,
        role=ROLES[kind],
        state="running",
        execution=True,
    )
    if args is not None:
        part.args = args.get("prompt", args) if kind == "agent" and is_dict(args) else args
    e.run.book.executions[kind] = part
    return open_tool(e, part)


def _end(e: Event, part: ToolPart) -> None:
    no_longer_waits(e, part)
    settle_nested(e, part)
    part.result = e.payload.get("result", ABSENT)
    failed = e.payload.get("error")
    part.error = error_of(failed) if failed is not None else None
    part.state = "failed" if failed is not None else "done"
    part.ended = None
    part.stopped = False
    e.change(part)
    e.close(part)


def network_chunk(e: Event) -> None:
    """`network-*`, but for the objects"""
    if e.type == "network-validation-start":
        e.run.book.goal_part = e.open(GoalPart(key=e.key(), payload={**e.payload, "pending": True}))
    elif e.type == "network-validation-end":
        _validated(e)
    elif e.type == "network-execution-event-finish":
        _finish(e)


def _validated(e: Event) -> None:
    part = e.run.book.goal_part
    if part is None:
        part = e.open(GoalPart(key=e.key()))
    part.payload = e.payload
    e.run.book.goal_part = None
    e.close(part)


def _finish(e: Event) -> None:
    run, payload = e.run, e.payload
    result: Any = payload.get("result")
    if type(result) is str:
        run.book.network_result = result
    usage = usage_in(payload)
    if usage is not None:
        add_told(run, count(e, usage))
    if run.book.turn_end is None or run.book.turn_end == "suspended":
        run.book.turn_end = "success"
        run.status = "running"
    e.change_run()
