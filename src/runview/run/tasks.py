"""Background tasks: calls that go on while the run does something else."""

from __future__ import annotations

from runview.run.event import Event, string_of
from runview.run.faults import error_of
from runview.run.kinds import is_dict, is_list
from runview.run.nested import Place, pass_on, settle_nested
from runview.run.state import ABSENT, CallState, TaskPart, TaskStatus, ToolPart
from runview.run.tools import TASK_OVER, find_call, open_tool

__all__ = ["task_chunk", "task_output", "task_progress"]

STATUS: dict[str, TaskStatus] = {
    "started": "started",
    "running": "running",
    "completed": "completed",
    "failed": "failed",
    "suspended": "suspended",
    "resumed": "running",
    "cancelled": "cancelled",
}
ROW: dict[TaskStatus, CallState] = {
    "started": "background",
    "running": "background",
    "completed": "done",
    "failed": "failed",
    "suspended": "needs-you",
    "cancelled": "cancelled",
}


def task_chunk(e: Event) -> None:
    """Every chunk that tells a status; what came with an earlier status does not outlive it."""
    word = e.type.removeprefix("background-task-")
    status = STATUS[word]
    task, new = _task(e)
    if status == "started" and not new:
        return
    payload = e.payload
    task.result = payload.get("result", ABSENT) if status == "completed" else ABSENT
    task.error = error_of(payload.get("error")) if status == "failed" else None
    waits_for = payload.get("suspendPayload", payload.get("suspendData", ABSENT))
    task.suspend_payload = waits_for if status == "suspended" else ABSENT
    if "args" in payload:
        task.args = payload["args"]
    _set(e, task, status)


def task_progress(e: Event) -> None:
    ids = e.payload.get("taskIds")
    for id_ in ids if is_list(ids) else []:
        task = e.run.book.tasks.get(string_of(id_))
        if task is not None and task.status == "started":
            _set(e, task, "running")


def task_output(e: Event) -> None:
    """An output of the tool, wrapped once more: it belongs to the call, as if it had come from there."""
    task, _ = _task(e)
    if task.status == "started":
        _set(e, task, "running")
    row = _row(e, task)
    chunk = e.payload.get("payload")
    holder: ToolPart | TaskPart = task if row is None else row
    if is_dict(chunk) and chunk.get("type") == "tool-output" and is_dict(chunk.get("payload")):
        wrapped = chunk["payload"]
        call_id = string_of(wrapped.get("toolCallId", task.call_id))
        inner = find_call(e.run, call_id)
        pass_on(e, Place(inner or holder, call_id), wrapped.get("output"), door=1)
    elif is_dict(chunk) and type(chunk.get("type")) is str and chunk["type"].startswith("data-"):
        holder.outputs.append(chunk)
    else:
        pass_on(e, Place(task, task.task_id, row), chunk)
    e.change(holder)


def _task(e: Event) -> tuple[TaskPart, bool]:
    """The task that a chunk tells of, and whether this is the first chunk that does."""
    id_ = e.id("taskId")
    task = e.run.book.tasks.get(id_)
    new = task is None
    if task is None:
        task = TaskPart(key=e.key(), task_id=id_, step=e.run.step_count, started=e.at)
        e.run.book.tasks[id_] = task
        e.run.tasks.append(task)
    name, call_id = e.string("toolName"), e.payload.get("toolCallId")
    task.tool_name = name if name is not None else task.tool_name
    task.call_id = string_of(call_id) if call_id is not None else task.call_id
    if new:
        call = find_call(e.run, task.call_id) if task.call_id is not None else None
        if call is not None and call.task is None:
            call.task = task
        else:
            open_tool(e, task)
    return task, new


def _set(e: Event, task: TaskPart, status: TaskStatus) -> None:
    task.status = status
    row = _row(e, task)
    over = status in TASK_OVER
    shown = task if row is None else row
    task.stopped = shown.stopped = False
    task.ended = shown.ended = None
    if row is not None:
        task.ended = e.at if over else None
        task.version += 1
        row.state = ROW[status]
        row.error = task.error
        row.asked = e.at if status == "suspended" else row.asked
        row.approval = e.payload if status == "suspended" else None
    if over:
        settle_nested(e, task)
        if row is not None:
            settle_nested(e, row)
    e.change(shown)
    if over:
        e.close(shown)


def _row(e: Event, task: TaskPart) -> ToolPart | None:
    """The call that shows this task."""
    call = find_call(e.run, task.call_id) if task.call_id is not None else None
    if call is not None and call.task is task:
        return call
    return next((part for part in e.run.parts if isinstance(part, ToolPart) and part.task is task), None)
