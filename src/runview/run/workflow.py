"""Workflows: their steps, what the steps wrote, and the workflow's end."""

from __future__ import annotations

from runview.run.control import begin_turn, count, trip
from runview.run.ending import fail, leave_rest
from runview.run.event import Event
from runview.run.faults import error_of
from runview.run.kinds import is_dict
from runview.run.nested import Place, pass_on, settle_nested
from runview.run.state import ABSENT, Status, WorkflowStepPart
from runview.run.usage import add_told, usage_in

__all__ = [
    "step_output", "workflow_canceled", "workflow_finish", "workflow_paused", "workflow_start", "workflow_step",
    "workflow_step_progress",
]  # fmt: skip

ENDS: dict[str, Status] = {
    "success": "success",
    "bailed": "success",
    "failed": "failed",
    "suspended": "suspended",
    "paused": "paused",
    "canceled": "canceled",
    "cancelled": "canceled",
    "tripwire": "tripwire",
}


def workflow_start(e: Event) -> None:
    begin_turn(e)
    if e.run.name is None:
        e.run.name = e.string("workflowId")
        e.change_run()


def workflow_step(e: Event) -> None:
    """A step starts, waits, is suspended or has a result: what an earlier status brought does not outlive it."""
    payload, book = e.payload, e.run.book
    id_ = e.id("id") or e.id("stepName")
    part = book.workflow_steps.get(id_)
    if part is None:
        name = payload.get("stepName")
        beside = _is_beside(e, id_)
        part = e.open(WorkflowStepPart(key=e.key(), id=id_, name=name if type(name) is str else id_, beside=beside))
        book.workflow_steps[id_] = part
    part.reported = True
    status = payload.get("status")
    part.status = status if type(status) is str and status else DEFAULT[e.type]
    if e.type == "workflow-step-start":
        if id_ in book.started_steps:
            book.started_steps.remove(id_)
        book.started_steps.append(id_)
        if part.ended is not None:
            part.rounds += 1
        part.started = e.at
    if "payload" in payload:
        part.input = payload["payload"]
    part.output = payload.get("output", ABSENT)
    part.error = error_of(payload["error"]) if payload.get("error") is not None else None
    part.suspend_payload = payload.get("suspendPayload", ABSENT) if part.status == "suspended" else ABSENT
    part.stopped = False
    part.ended = None
    e.change(part)
    if e.type == "workflow-step-result":
        settle_nested(e, part)
        if part.status != "suspended":
            e.close(part)
    _rest_or_run(e)


def _is_beside(e: Event, id_: str) -> bool:
    level = id_.rpartition(".")[0]
    steps = e.run.book.workflow_steps.values()
    return any(one.open and one.status in ("running", "waiting") and one.id.rpartition(".")[0] == level for one in steps)


DEFAULT = {
    "workflow-step-start": "running",
    "workflow-step-waiting": "waiting",
    "workflow-step-suspended": "suspended",
    "workflow-step-result": "success",
}
"""What a chunk without a status means."""


def _rest_or_run(e: Event) -> None:
    """A workflow rests when a step is suspended and no other goes on."""
    run = e.run
    if run.kind != "workflow" or run.book.turn_end is not None:
        return
    statuses = [step.status for step in run.book.workflow_steps.values()]
    resting = "suspended" in statuses and "running" not in statuses and "waiting" not in statuses
    status: Status = "suspended" if resting else "running"
    if run.status != status:
        run.status = status
        e.change_run()


def workflow_step_progress(e: Event) -> None:
    part = _step_named(e, e.id("id") or e.id("stepName"))
    part.progress = e.payload
    e.change(part)


def step_output(e: Event) -> None:
    """What a step wrote. A step of a nested workflow is named by the last part of its dotted id."""
    name = e.payload.get("stepName")
    if type(name) is not str and e.run.kind == "workflow" and e.run.book.started_steps:
        name = e.run.book.started_steps[-1]
    part = _step_named(e, name if type(name) is str else "")
    pass_on(e, Place(part, part.id or None), e.payload.get("output"))


def _step_named(e: Event, name: str) -> WorkflowStepPart:
    book = e.run.book
    for id_ in reversed(book.started_steps):
        if id_ == name or id_.endswith("." + name):
            return book.workflow_steps[id_]
    part = book.workflow_steps.get(name)
    if part is None:
        part = e.open(WorkflowStepPart(key=e.key(), id=name, name=name, reported=False))
        book.workflow_steps[name] = part
    return part


# The end


def workflow_canceled(e: Event) -> None:
    _end(e, "canceled")


def workflow_paused(e: Event) -> None:
    _end(e, "paused")


def workflow_finish(e: Event) -> None:
    run, payload = e.run, e.payload
    add_told(run, count(e, usage_in(payload)))
    told = payload.get("workflowStatus")
    status = ENDS.get(told) if type(told) is str else None
    if status is None:
        e.note(f"workflow-finish: unknown status {told!r}"[:200])
        status = "incomplete"
    _end(e, status)
    if "finalWorkflowResult" in payload:
        run.workflow_result = payload["finalWorkflowResult"]
    if status == "failed":
        _fail(e)
    if status == "tripwire":
        told = payload.get("tripwire")
        trip(e, told if is_dict(told) else None, "Content blocked")


def _end(e: Event, status: Status) -> None:
    run = e.run
    run.book.turn_end = status
    run.status = status if status in ("suspended", "paused") else "running"
    if status != "suspended":
        leave_rest(run)
    e.change_run()


def _fail(e: Event) -> None:
    """Why a workflow failed: as it tells itself, else as its last failed step does, whose row shows it already."""
    run = e.run
    metadata = e.payload.get("metadata")
    told = (metadata.get("error") or metadata.get("errorMessage")) if is_dict(metadata) else None
    errors = [step.error for step in run.book.workflow_steps.values() if step.status == "failed" and step.error is not None]
    if told is None and errors:
        run.error = errors[-1] if run.error is None else run.error
    elif told is not None and all(error["message"] != error_of(told)["message"] for error in errors):
        fail(e, told)
    elif told is not None:
        run.error = error_of(told) if run.error is None else run.error
