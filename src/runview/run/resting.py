"""A run that waits for somebody: which call it is that waits, and how the run is when the answer has been given."""

from __future__ import annotations

from typing import Literal, TypeAlias

from runview.run.change import Change
from runview.run.event import Event
from runview.run.state import RunState, ToolPart
from runview.run.tools import no_longer_waits

__all__ = ["Answer", "answered", "go_on", "unheard", "waiting_call", "waiting_calls"]

Answer: TypeAlias = Literal["allow", "deny"]


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


def waiting_calls(run: RunState) -> list[ToolPart]:
    """All calls that wait for somebody, in the order in which they asked."""
    return list(run.book.pending.values())


def answered(run: RunState, at: float, call: ToolPart, answer: Answer | None) -> tuple[Change, ...]:
    """Somebody has answered, and the source that said it waits has not ended yet: the run goes on when it has."""
    e = Event(run, "answered", {}, at, _never)
    call.answer, call.unheard = answer, None
    e.change(call)
    e.change_run()
    return tuple(e.changes)


def unheard(run: RunState, at: float, call: ToolPart, why: str) -> tuple[Change, ...]:
    """An answer could not be passed on: the call waits as before."""
    e = Event(run, "unheard", {}, at, _never)
    call.unheard = why
    e.change(call)
    return tuple(e.changes)


def go_on(run: RunState, at: float, call: ToolPart | None = None, answer: Answer | None = None) -> tuple[Change, ...]:
    """Somebody has answered (`call`: that call): the run goes on, though it has not said anything yet."""
    e = Event(run, "go-on", {}, at, _never)
    if call is not None and call.state == "needs-you":
        call.state = "running"
        call.answer, call.unheard = answer, None
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
