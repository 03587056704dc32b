"""How a run goes: turns and steps begin and end, errors, aborts and tripwires."""

from __future__ import annotations

from typing import Any

from runview.run.ending import fail, leave_rest
from runview.run.event import Event
from runview.run.kinds import is_dict, is_list
from runview.run.state import AbortPart, ErrorPart, RunState, Status, Step, TextPart, ToolPart, TripwirePart, Wire
from runview.run.steps import begin_step, end_step_parts, new_step
from runview.run.text import reject_text, text_of
from runview.run.usage import add_finish, add_step, numbers, usage_in

__all__ = ["abort", "begin_turn", "count", "error", "finish_chunk", "start", "step_finish", "step_start", "trip", "tripwire"]


# Turns


def start(e: Event) -> None:
    begin_turn(e)
    if e.run.name is None:
        e.run.name = e.string("id")


def begin_turn(e: Event) -> None:
    """A start after an end opens a new turn, whose end decides; an error stays."""
    run, book = e.run, e.run.book
    if book.turn_end is None:
        return
    if not book.reason_told:
        run.finish_reason = None
    book.turn_end = None
    book.reason_told = False
    book.blocked = False
    run.tripwire = None
    run.status = "running"
    leave_rest(run)
    e.change_run()


def finish_chunk(e: Event) -> None:
    run, book = e.run, e.run.book
    add_finish(run, count(e, usage_in(e.payload)))
    _keep_answers(e)
    end_step_parts(e)
    if book.turn_end is None or book.turn_end in ("suspended", "success"):
        reason = _reason(e)
        book.reason_told = reason is not None
        run.finish_reason = reason
        book.turn_end = _end_of(reason)
        if reason == "tripwire":
            trip(e, _told_tripwire(e, run), "Processor tripwire triggered")
        elif book.turn_end == "canceled":
            e.open(AbortPart(key=e.key()), whole=True)
        elif reason == "error" and run.error is None:
            e.open(ErrorPart(key=e.key(), error={"message": "The run ended with an error and did not tell which."}), whole=True)
        run.status = "running"
        if book.turn_end != "suspended":
            leave_rest(run)
    e.change_run()


def _end_of(reason: str | None) -> Status:
    if reason == "tripwire":
        return "tripwire"
    if reason == "error":
        return "failed"
    if reason in ("abort", "aborted"):
        return "canceled"
    if reason == "suspended":
        return "suspended"
    return "success"


# Steps


def step_start(e: Event) -> None:
    run, book = e.run, e.run.book
    if book.blocked and run.tripwire is not None and run.tripwire.get("retry") is True:
        _withdraw_tripwire(e)
        book.step_text = len(run.text_deltas)
    new_step(e)
    request = e.payload.get("request")
    if request is not None:
        book.request = request
    warnings = e.payload.get("warnings")
    if is_list(warnings):
        book.start_warnings = warnings
        if book.step_part is not None:
            book.step_part.warnings = warnings


def step_finish(e: Event) -> None:
    run, book = e.run, e.run.book
    begin_step(e)
    reason = _reason(e)
    told = _told_tripwire(e, run)
    text = text_of(run, book.step_text)
    if reason == "retry":
        text = ""
        _step_is_retried(e, told)
    reasoning = "".join(book.reasoning_deltas[book.step_reasoning :])
    step = Step(
        number=run.step_count,
        text=text,
        reasoning_text=reasoning or None,
        tool_calls=_ids(run, book.step_calls),
        tool_results=_ids(run, book.step_results),
        finish_reason=reason,
        usage=add_step(run, count(e, usage_in(e.payload))),
        warnings=_warnings(e),
        tripwire=told if reason in ("retry", "tripwire") else None,
    )
    run.steps.append(step)
    run.warnings += step.warnings
    if book.step_part is not None:
        part = book.step_part
        part.finish_reason, part.usage, part.warnings = step.finish_reason, step.usage, step.warnings
    _keep_answers(e)
    end_step_parts(e)
    book.step_open = False
    book.step_text = len(run.text_deltas)
    book.step_reasoning = len(book.reasoning_deltas)
    book.step_tools.clear()
    book.step_calls.clear()
    book.step_results.clear()
    book.start_warnings = []
    e.change_run()


def _ids(run: RunState, parts: list[ToolPart]) -> list[str]:
    """In the order of the rows."""
    if len(parts) > 1:
        place = {id(part): at for at, part in enumerate(run.parts)}
        parts = sorted(parts, key=lambda part: place[id(part)])
    return [part.call_id for part in parts]


def _warnings(e: Event) -> list[Any]:
    result = e.payload.get("stepResult")
    warnings = result.get("warnings") if is_dict(result) else None
    if is_list(warnings) and warnings:
        return warnings
    return e.run.book.start_warnings


def _reason(e: Event) -> str | None:
    result = e.payload.get("stepResult")
    reason = result.get("reason") if is_dict(result) else None
    if reason is not None and type(reason) is not str:
        e.note(f"{e.type}: the finish reason is no string")
        return None
    return reason


def count(e: Event, usage: Any) -> dict[str, int | float]:
    found, odd = numbers(usage)
    for name in odd:
        e.note(f"{e.type}: {name} in usage is no number")
    return found


RESPONSE = ("id", "timestamp", "modelId", "headers", "modelMetadata")
"""What the metadata of a step tells of the model's response."""


def _keep_answers(e: Event) -> None:
    """Response, request and metadata of the provider, as far as this chunk has them."""
    payload, book = e.payload, e.run.book
    metadata = payload.get("metadata")
    metadata = metadata if is_dict(metadata) else {}
    response = payload.get("response")
    told: Wire = {name: metadata[name] for name in RESPONSE if name in metadata}
    if is_dict(response):
        told = {**told, **response}
    if told:
        book.response = told
    if metadata.get("request") is not None:
        book.request = metadata["request"]
    provider = payload.get("providerMetadata")
    provider = metadata.get("providerMetadata") if provider is None else provider
    if provider is not None:
        book.provider_metadata = provider


# Tripwires


def tripwire(e: Event) -> None:
    e.run.book.blocked = True
    trip(e, e.payload, "Content blocked")
    if e.run.book.turn_end in (None, "suspended", "success"):
        e.run.book.turn_end = "tripwire"
        e.run.book.reason_told = False
        e.run.status = "running"
    e.change_run()


def trip(e: Event, told: Wire | None, default: str) -> None:
    """The run is blocked, with the details that were told."""
    run = e.run
    details = _details(told or {}, default)
    if run.tripwire is not None:
        return
    run.tripwire = details
    run.book.tripwire_part = e.open(_tripwire_part(e, details), whole=True)


def _tripwire_part(e: Event, details: Wire) -> TripwirePart:
    return TripwirePart(
        key=e.key(),
        reason=details["reason"],
        processor_id=details.get("processorId") if type(details.get("processorId")) is str else None,
        retry=details.get("retry") is True,
        metadata=details.get("metadata"),
    )


def _details(told: Wire, default: str) -> Wire:
    reason = told.get("reason")
    details: Wire = {"reason": reason if type(reason) is str and reason else default}
    for name in ("retry", "metadata", "processorId"):
        if told.get(name) is not None:
            details[name] = told[name]
    return details


def _told_tripwire(e: Event, run: RunState) -> Wire | None:
    """What a finish or step-finish says about its tripwire: by itself, or in the last of its steps."""
    told = e.payload.get("tripwire")
    if is_dict(told):
        return told
    output = e.payload.get("output")
    steps = output.get("steps") if is_dict(output) else None
    last = steps[-1] if is_list(steps) and steps else None
    if is_dict(last) and is_dict(last.get("tripwire")):
        blocked: Wire = last["tripwire"]
        return blocked
    return run.steps[-1].tripwire if e.type == "finish" and run.steps else None


def _step_is_retried(e: Event, told: Wire | None) -> None:
    """A processor rejected the step and the model tries again: its text goes, and with it a tripwire that asked for this."""
    run = e.run
    if run.tripwire is not None:
        _withdraw_tripwire(e)
        return
    _reject(e)
    result = e.payload.get("stepResult")
    details = dict(told or {})
    if is_dict(result):
        for name, source in (("reason", "retryReason"), ("metadata", "retryMetadata"), ("processorId", "retryProcessorId")):
            if result.get(source) is not None:
                details[name] = result[source]
    part = _tripwire_part(e, {**_details(details, "Processor tripwire triggered"), "retry": True})
    part.retried = True
    e.open(part, whole=True)


def _withdraw_tripwire(e: Event) -> None:
    run, book = e.run, e.run.book
    _reject(e)
    book.blocked = False
    run.tripwire = None
    if book.turn_end == "tripwire":
        book.turn_end = None
        run.finish_reason = None
    if book.tripwire_part is not None:
        book.tripwire_part.retried = True
        e.change(book.tripwire_part)
        book.tripwire_part = None
    e.change_run()


def _reject(e: Event) -> None:
    """The text parts of the step that is rejected say so."""
    run = e.run
    reject_text(run)
    for part in run.parts:
        if isinstance(part, TextPart) and part.step == run.step_count and not part.rejected:
            part.rejected = True
            e.change(part)


# Errors and aborts


def error(e: Event) -> None:
    told = e.payload.get("error")
    if told is None and type(e.payload.get("message")) is str:
        told = e.payload
    fail(e, told)


def abort(e: Event) -> None:
    run, book = e.run, e.run.book
    reason = e.payload.get("reason")
    e.open(AbortPart(key=e.key(), reason=reason if type(reason) is str else None), whole=True)
    if book.turn_end != "tripwire":
        book.turn_end = "canceled"
        book.reason_told = False
        run.finish_reason = None if run.kind == "workflow" else "aborted"
        run.status = "running"
        leave_rest(run)
    e.change_run()
