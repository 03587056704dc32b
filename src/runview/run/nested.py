"""Runs inside runs: chunks of another run that come wrapped in a call's, a task's or a step's output.

They build a run of their own, by the same reducer, and never touch the text, calls or usage of the run around it.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from runview.chunks.wire import is_known
from runview.run.ending import finish
from runview.run.event import Event
from runview.run.kinds import is_dict
from runview.run.state import RunState, TaskPart, ToolPart, WorkflowStepPart
from runview.run.usage import refresh_nested_usage

__all__ = ["Place", "pass_on", "settle_nested"]

DEPTH = 40
"""Runs nested deeper than this are kept as plain values."""

SENDERS = frozenset({"AGENT", "USER", "SYSTEM", "WORKFLOW", "NETWORK"})


class Place(NamedTuple):
    """Where the chunks of a nested run go."""

    holder: ToolPart | TaskPart | WorkflowStepPart
    under: str | None
    """Id of the call, task or step that wraps the chunk."""
    row: ToolPart | None = None
    """The call whose row shows the holder, where that is a task."""


def pass_on(e: Event, place: Place, value: Any, *, door: int | None = None) -> None:
    """Hands an output to the nested run it belongs to, or keeps it as a value that was written.

    A background task gives the same outputs through two doors; each counts as often as the door that gave it most often.
    """
    if door is not None and _came_already(e, place.under or "", value, door):
        return
    if _is_chunk(value, place) and e.run.book.depth < DEPTH:
        child = _nested_run(e, place, value)
        figures = child.book.figures
        e.reduce(child, value, e.at)
        _tell_role(place, child)
        if child.book.figures != figures:
            refresh_nested_usage(e.run)
            e.change_run()
    else:
        place.holder.outputs.append(value)
    if place.row is None:
        e.change(place.holder)
    else:  # the holder has no place of its own in the run
        place.holder.version += 1
        e.change(place.row)


def settle_nested(e: Event, holder: ToolPart | TaskPart | WorkflowStepPart) -> None:
    """What stands around the nested runs has ended, so they have too."""
    for child in holder.nested:
        if child.ended is None:
            finish(child, e.at)


def _tell_role(place: Place, child: RunState) -> None:
    """What stands behind a call shows in the run inside it."""
    call = place.row or place.holder
    if isinstance(call, ToolPart) and call.role == "tool" and child.kind is not None:
        call.role = "workflow" if child.kind == "workflow" else "agent"


def _is_chunk(value: Any, place: Place) -> bool:
    if not is_dict(value) or type(value.get("type")) is not str:
        return False
    sender = value.get("from")
    if type(sender) is str and sender in SENDERS:
        return True
    return sender is None and bool(place.holder.nested) and is_dict(value.get("payload")) and is_known(value["type"])


def _nested_run(e: Event, place: Place, chunk: dict[str, Any]) -> RunState:
    """The run that a chunk belongs to: the one with its id, else the latest, else a new one."""
    run_id = chunk.get("runId")
    runs = place.holder.nested
    if type(run_id) is not str:
        run_id = None
        if runs:
            return runs[-1]
    for known in reversed(runs):
        if known.run_id == run_id or known.run_id is None:
            return known
    child = RunState(run_id=run_id, under=place.under)
    child.book.parent = e.run
    child.book.root = e.run.book.root or e.run
    child.book.depth = e.run.book.depth + 1
    runs.append(child)
    above: RunState | None = e.run
    while above is not None:
        above.nested.append(child)
        above = above.book.parent
    return child


# Two doors


def _came_already(e: Event, call_id: str, value: Any, door: int) -> bool:
    counts = e.run.book.doors.setdefault(call_id, {})
    mark = _digest(value)
    came = counts.get(mark)
    if came is None:
        came = counts[mark] = [0, 0]
    came[door] += 1
    return came[door] <= came[1 - door]


def _digest(value: Any) -> int:
    """A number that equal values share, in whatever order their keys stand."""
    if is_dict(value) and value.get("type") == "text-delta":
        payload = value.get("payload")
        if is_dict(payload) and len(payload) == 2 and type(payload.get("text")) is str:
            run_id, part_id = value.get("runId"), payload.get("id")
            if type(run_id) is str and type(part_id) is str:
                return hash((run_id, part_id, payload["text"]))
    try:
        return hash(json.dumps(value, sort_keys=True, default=repr))
    except Exception:  # cycles, mixed keys, a failing __repr__: never equal to anything else
        return id(value)
