"""Every way to end: after it each part has a terminal state and nothing is running."""

from __future__ import annotations

from runview.run.change import Change
from runview.run.event import Event
from runview.run.faults import error_of
from runview.run.objects import settle_object
from runview.run.state import (
    ABSENT,
    AbortPart,
    ErrorPart,
    GoalPart,
    ObjectPart,
    Part,
    ReasoningPart,
    RunState,
    Status,
    TaskPart,
    TextPart,
    ToolPart,
    WorkflowStepPart,
)  # fmt: skip
from runview.run.steps import end_step_parts
from runview.run.usage import nested_in

__all__ = ["fail", "finish", "leave_rest"]

OVER = ("completed", "failed", "cancelled")
SETTLED = ("done", "failed", "denied", "cancelled")


def finish(run: RunState, at: float, *, error: BaseException | None = None, stopped: str | bool = False) -> tuple[Change, ...]:
    """The source has ended (`error`: it raised; `stopped`: somebody stopped it, with the reason if one was given).

    Settles the status and gives every part its terminal state. A run that rests, because an approval or a suspension was its
    last word, keeps the rows that wait; a chunk that comes afterwards opens the run again.
    """
    e = Event(run, "end", {}, at, _never)
    if error is not None:
        fail(e, error)
    elif stopped is not False and run.error is None:
        _stop(e, stopped)
    run.status = _status(run)
    if run.status != "suspended":
        leave_rest(run)
    if run.kind is None:
        run.kind = "agent"
    _reason(run)
    if run.book.structured is not None:
        run.book.structured.finish(e)
    settle_object(e)
    for part in run.parts:
        _finish_nested(e, part)
    end_step_parts(e, stopped=run.status in ("failed", "incomplete", "canceled", "tripwire"))
    for part in run.parts:
        _settle(e, part)
    run.stopping = False
    run.ended = at
    e.change_run()
    return tuple(e.changes)


def fail(e: Event, error: object) -> None:
    """An error, from the stream or of the stream itself. A second one does not replace the first."""
    run = e.run
    told = error_of(error, unknown="Unknown error chunk in stream")
    e.open(ErrorPart(key=e.key(), error=told), whole=True)
    if run.error is None:
        run.error = told
        run.exception = error if isinstance(error, BaseException) else None
    e.change_run()


def leave_rest(run: RunState) -> None:
    """The run waits for nobody any more."""
    run.book.pending.clear()
    run.suspend_payload = ABSENT
    run.resume_schema = ABSENT


def _never(run: RunState, wire: object, at: float) -> object:
    raise AssertionError("an end passes no chunk on")


def _stop(e: Event, reason: str | bool) -> None:
    book = e.run.book
    if book.turn_end != "canceled":
        book.turn_end = "canceled"
        book.reason_told = False
        e.run.finish_reason = None
        if book.parent is None:
            e.open(AbortPart(key=e.key(), reason=reason if isinstance(reason, str) else None), whole=True)


def _status(run: RunState) -> Status:
    if run.error is not None:
        return "failed"
    end = run.book.turn_end
    if end is not None:
        return end
    steps = [step.status for step in run.book.workflow_steps.values()]
    if run.kind == "workflow" and "suspended" in steps and not {"running", "waiting"} & set(steps):
        return "suspended"
    return "incomplete"


def _reason(run: RunState) -> None:
    """Ends that have no reason of their own get one, but for workflows, which have none."""
    if run.kind == "workflow":
        return
    book = run.book
    if run.status in ("suspended", "canceled", "tripwire") and not book.reason_told:
        run.finish_reason = "aborted" if run.status == "canceled" else run.status


def _finish_nested(e: Event, part: Part) -> None:
    for child in nested_in(part):
        if child.ended is None:
            finish(child, e.at, stopped=e.run.status == "canceled" and child.book.turn_end is None)
            e.change(part)


def _settle(e: Event, part: Part) -> None:
    run = e.run
    resting = run.status in ("suspended", "paused")
    if isinstance(part, ToolPart):
        _settle_tool(e, part, resting)
    elif isinstance(part, TaskPart):
        if not (resting and part.status == "suspended"):
            e.close(part, stopped=part.status not in OVER)
    elif isinstance(part, WorkflowStepPart):
        _settle_step(e, part, resting)
    elif isinstance(part, GoalPart):
        e.close(part, stopped=True)
    elif isinstance(part, (TextPart, ReasoningPart, ObjectPart)):
        e.close(part, stopped=run.status != "success")


def _settle_tool(e: Event, part: ToolPart, resting: bool) -> None:
    task = part.task
    if task is not None and task.status not in OVER:
        if resting and task.status == "suspended":
            return
        task.stopped = True
        part.state = "stopped"
    elif part.state in SETTLED or part.ended is not None or part.stopped or (resting and part.state == "needs-you"):
        return
    else:
        part.state = "no-result" if resting or e.run.status == "success" else "stopped"
        part.approval = None
    e.change(part)
    e.close(part, stopped=part.state == "stopped")


def _settle_step(e: Event, part: WorkflowStepPart, resting: bool) -> None:
    run = e.run
    if part.status in ("running", "waiting"):
        if not part.reported and run.status == "success":
            part.status = "success"
        else:
            part.status = "canceled" if run.status == "canceled" else "incomplete"
            e.change(part)  # a result with such a status has closed it already
            e.close(part, stopped=True)
    if part.status != "suspended":
        e.close(part)
    elif not resting:
        e.close(part, stopped=True)
