"""The reducer: a run and the next chunk give what changed. Pure, and total: whatever comes, the run is in a valid state.

`reduce` knows which room a chunk type belongs to; the rooms beside it know what the chunk means. Text deltas, which are most of
a stream, take a short way. `finish` (in `ending.py`) is the end of the source.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runview.chunks.wire import NOTE_TYPE, is_known
from runview.run import control, extras, network, objects, tasks, text, tools, workflow
from runview.run.change import Change
from runview.run.ending import finish
from runview.run.event import Event, note
from runview.run.kinds import is_dict
from runview.run.state import Kind, RunState, Wire
from runview.run.structured import structured_for

__all__ = ["Change", "finish", "new_run", "reduce"]

Handler = Callable[[Event], None]


def new_run(schema: Any = None) -> RunState:
    """A run of which nothing is known yet. `schema`: what its structured output should be; a pydantic model, a type that
    pydantic can check, or a JSON Schema as a dict. Raises TypeError when it is none of these.
    """
    run = RunState()
    if schema is not None:
        run.book.structured = structured_for(schema)
        run.object_partials = run.book.structured.partials()
    return run


def reduce(run: RunState, wire: object, at: float) -> tuple[Change, ...]:
    """Takes a chunk into the run, at a time in seconds since the epoch. Never raises."""
    if is_dict(wire) and wire.get("type") == "text-delta":
        changes = _quick_text(run, wire, at)
        if changes is not None:
            return changes
    try:
        return apply(run, wire, at)
    except Exception as error:  # the promise that nothing in a stream can stop a run
        note(run, f"a chunk could not be read: {type(error).__name__}")
        run.version += 1
        return (Change("run", ""),)


def _quick_text(run: RunState, wire: Wire, at: float) -> tuple[Change, ...] | None:
    """The short way of a text delta whose part is open and needs no further thought; None when it has to go the long way."""
    payload = wire.get("payload")
    if not is_dict(payload):
        return None
    piece, id_ = payload.get("text"), payload.get("id")
    if type(piece) is not str or type(id_) is not str or run.book.blocked or run.ended is not None:
        return None
    part = run.book.texts.get(id_)
    if part is None or not run.text_deltas:
        return None
    part.pieces.append(piece)
    run.text_deltas.append(piece)
    part.version += 1
    run.version += 1
    run.chunk_count += 1
    run.chunk_types["text-delta"] += 1
    part.came((run.book.root or run).chunk_count - 1)
    if run.first_text is None and piece:
        run.first_text = at
    return part.grown


def apply(run: RunState, wire: object, at: float) -> tuple[Change, ...]:
    """The long way. Raises only for Python objects that raise by themselves, never for a JSON value."""
    if not is_dict(wire):
        note(run, f"an item that is no chunk was left out: {type(wire).__name__}")
        run.version += 1
        return (Change("run", ""),)
    type_ = wire.get("type")
    if type_ == NOTE_TYPE:
        return _stream_note(run, wire)
    if type(type_) is not str:
        note(run, "a chunk without a type was left out")
        run.chunk_count += 1
        run.unknown_count += 1
        run.version += 1
        return (Change("run", ""),)
    event = Event(run, type_, wire, at, reduce)
    _count(event)
    event.chunk = (run.book.root or run).chunk_count - 1
    if run.book.blocked and type_ in DROPPED:
        event.note(f"{type_} after a tripwire was dropped")
        return tuple(event.changes)
    handler = HANDLERS.get(type_) or _family(type_)
    if handler is not None:
        handler(event)
    return tuple(event.changes)


def _stream_note(run: RunState, wire: Wire) -> tuple[Change, ...]:
    """What the source has to say about the stream itself."""
    payload = wire.get("payload")
    message = payload.get("message") if is_dict(payload) else None
    if type(message) is str:
        note(run, message)
    run.version += 1
    return (Change("run", ""),)


def _count(e: Event) -> None:
    """What every chunk tells, whatever its type."""
    run, type_ = e.run, e.type
    run.chunk_count += 1
    run.chunk_types[type_] = run.chunk_types.get(type_, 0) + 1
    if not is_known(type_):
        run.unknown_count += 1
        e.note(f"unknown chunk type {type_!r}"[:200])
    if run.started is None:
        run.started = e.at
        e.change_run()
    if run.run_id is None and type(e.wire.get("runId")) is str:
        run.run_id = e.wire["runId"]
        e.change_run()
    if run.kind is None:
        run.kind = _kind(type_, e.wire)
        if run.kind is not None:
            e.change_run()
    if run.ended is not None:
        run.ended = None
        if run.status not in ("suspended", "paused"):
            run.status = "running"
        e.change_run()


def _kind(type_: str, wire: Wire) -> Kind | None:
    """Told by the first chunk that is not about data or background tasks."""
    if type_.startswith(("data-", "background-")):
        return None
    if type_.startswith(("routing-agent-", "agent-execution-", "workflow-execution-", "tool-execution-", "network-")):
        return "network"
    if type_.startswith("workflow-"):
        return "workflow"
    sender = wire.get("from")
    if sender == "WORKFLOW":
        return "workflow"
    return "network" if sender == "NETWORK" else "agent"


def _family(type_: str) -> Handler | None:
    for prefix, handler in FAMILIES:
        if type_.startswith(prefix):
            return handler
    return None


HANDLERS: Final[dict[str, Handler]] = {
    "start": control.start,
    "step-start": control.step_start,
    "step-finish": control.step_finish,
    "finish": control.finish_chunk,
    "error": control.error,
    "abort": control.abort,
    "tripwire": control.tripwire,
    "text-start": text.text_start,
    "text-delta": text.text_delta,
    "text-end": text.text_end,
    "reasoning-start": text.reasoning_start,
    "reasoning-delta": text.reasoning_delta,
    "reasoning-end": text.reasoning_end,
    "redacted-reasoning": text.redacted_reasoning,
    "tool-call-input-streaming-start": tools.tool_input_start,
    "tool-call-delta": tools.tool_call_delta,
    "tool-call-input-streaming-end": tools.tool_input_end,
    "tool-call": tools.tool_call,
    "tool-result": tools.tool_result,
    "tool-error": tools.tool_error,
    "tool-output": tools.tool_output,
    "tool-call-approval": tools.tool_waits,
    "tool-call-suspended": tools.tool_waits,
    "tool-output-denied": tools.tool_output_denied,
    "source": extras.source,
    "file": extras.file,
    "reasoning-file": extras.file,
    "goal": extras.goal,
    "is-task-complete": extras.goal,
    "object": objects.object_chunk,
    "object-result": objects.object_result,
    "network-object": objects.object_chunk,
    "network-object-result": objects.object_result,
    "background-task-started": tasks.task_chunk,
    "background-task-running": tasks.task_chunk,
    "background-task-completed": tasks.task_chunk,
    "background-task-failed": tasks.task_chunk,
    "background-task-suspended": tasks.task_chunk,
    "background-task-resumed": tasks.task_chunk,
    "background-task-cancelled": tasks.task_chunk,
    "background-task-progress": tasks.task_progress,
    "background-task-output": tasks.task_output,
    "workflow-start": workflow.workflow_start,
    "workflow-step-start": workflow.workflow_step,
    "workflow-step-waiting": workflow.workflow_step,
    "workflow-step-suspended": workflow.workflow_step,
    "workflow-step-result": workflow.workflow_step,
    "workflow-step-progress": workflow.workflow_step_progress,
    "workflow-step-output": workflow.step_output,
    "step-output": workflow.step_output,
    "workflow-canceled": workflow.workflow_canceled,
    "workflow-paused": workflow.workflow_paused,
    "workflow-finish": workflow.workflow_finish,
}
"""A type that is in no table (raw, watch, response-metadata, custom, unknown ones) is counted and changes nothing else."""

FAMILIES: Final[tuple[tuple[str, Handler], ...]] = (
    ("data-", extras.data),
    ("routing-agent-", network.routing_chunk),
    ("agent-execution-", network.execution_chunk),
    ("workflow-execution-", network.execution_chunk),
    ("tool-execution-", network.execution_chunk),
    ("network-", network.network_chunk),
)

DROPPED: Final = frozenset(
    type_
    for type_ in HANDLERS
    if type_.startswith(("text-", "reasoning-", "redacted-", "tool-", "source", "file", "object", "network-object"))
)
"""What a blocked run says no more."""
