"""A run that waits for somebody: which call it is that waits, and how the run is when the answer has been given."""

from __future__ import annotations

from runview.run.change import Change
from runview.run.event import Event
from runview.run.state import RunState, ToolPart
from runview.run.tools import no_longer_waits

__all__ = ["go_on", "waiting_call"]


def waiting_call(run: RunState, call_id: str | None = None) -> ToolPart | None:
    """The call with this id if it waits; without an id, the only one that does. ValueError when the id is not one of those."""
    waiting = run.book.pending
    if call_id is None and len(waiting) <= 1:
        return next(iter(waiting.values()), None)
    if call_id is not None and call_id in waiting:
        return waiting[call_id]
    names = ", ".join(f"{id_!r} ({part.name})" for id_, part in waiting.items()) or "none"
    if call_id is None:
        raise ValueError(f"Several calls wait, so say which by its id: {names}.")
    raise ValueError(f"No call {call_id!r} waits; waiting: {names}.")


def go_on(run: RunState, at: float, call: ToolPart | None = None) -> tuple[Change, ...]:
    """Somebody has answered (`call`: that call): the run goes on, though it has not said anything yet."""
    e = Event(run, "go-on", {}, at, _never)
    if call is not None and call.state == "needs-you":
        call.state = "running"
        no_longer_waits(e, call)
        e.change(call)
    if not run.book.reason_told:
        run.finish_reason = None
    run.ended = None
    run.status = "running"
    e.change_run()
    return tuple(e.changes)


def _never(run: RunState, wire: object, at: float) -> object:
    raise AssertionError("an answer passes no chunk on")
