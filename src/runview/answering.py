"""What may be answered to a run that waits, and by which of its sources; every refusal is one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runview.run.resting import waiting_call, waiting_calls
from runview.run.state import RunState, ToolPart
from runview.sources.continuing import WAYS, OneRun, Way, knows, way_of

__all__ = ["answer", "expect_rest", "questions", "to_approve", "ways"]


def expect_rest(run: RunState) -> None:
    """Raises RuntimeError when nobody is waited for."""
    if run.status not in ("suspended", "paused"):
        raise RuntimeError(f"Only a run that is suspended or paused can go on; this one is {run.status}.")


def to_approve(run: RunState, call_id: str | None) -> ToolPart:
    """The call that waits to be allowed. RuntimeError when none does, ValueError when it is not clear which."""
    expect_rest(run)
    call = waiting_call(run, call_id)
    if call is None:
        raise RuntimeError("No call waits to be allowed; what a run is suspended for is given by resume(data).")
    if _wants_data(call):
        raise RuntimeError(f"The call {call.call_id!r} waits for data, which is given by resume(data).")
    return call


def ways(sources: Sequence[object]) -> frozenset[Way]:
    """What may be answered at all: the ways in which the sources of a run can go on."""
    return frozenset(way for way in WAYS if knows(sources, way))


def questions(run: RunState, sources: Sequence[object]) -> list[ToolPart]:
    """The calls that can be allowed or refused just now."""
    if run.status not in ("suspended", "paused") or not ways(sources) & {"approve", "decline"}:
        return []
    known = any(isinstance(source, OneRun) for source in sources)
    return [call for call in waiting_calls(run) if not _wants_data(call) and (known or _asker(run, call) is not None)]


def _wants_data(call: ToolPart) -> bool:
    return call.approval is not None and "suspendPayload" in call.approval


def _asker(run: RunState, call: ToolPart | None) -> str | None:
    """The id of the run that is answered."""
    return call.asked_by if call is not None and call.asked_by is not None else run.run_id


def answer(run: RunState, sources: Sequence[object], way: Way, call: ToolPart | None, *more: Any, advice: str = "") -> Any:
    """What the latest source that knows the way gives: the source of what comes next, or None when it goes on by itself.

    Raises TypeError when no source knows the way (`advice`: what its user can do instead), RuntimeError when the run has told
    no id.
    """
    method = way_of(sources, way)
    if method is None:
        raise TypeError(
            advice
            or f"The source of this run can't go on after an answer: neither it nor what it was opened from has a method {way}()."
        )
    run_id = _asker(run, call)
    if run_id is None and isinstance(getattr(method, "__self__", None), OneRun):
        run_id = ""
    if run_id is None:
        raise RuntimeError("The run has told no id (runId), without which its source can't be asked to go on.")
    return method(run_id, *more)
