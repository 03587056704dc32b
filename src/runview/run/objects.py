"""Structured output: partial objects, the final one, the elements of an array, and the text that is nothing but its JSON."""

from __future__ import annotations

from typing import Any

from runview.run.event import Event
from runview.run.object_text import may_be_json
from runview.run.state import ABSENT, ObjectPart, RunState
from runview.run.steps import begin_step

__all__ = ["add_partial", "object_chunk", "object_result", "same", "settle_object"]

def same(a: Any, b: Any) -> bool:
    """Deep equality as in JSON: `1` is `1.0` but `True` is not `1`."""
    if type(a) is dict and type(b) is dict:
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if type(a) is list and type(b) is list:
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is bool or type(b) is bool:
        return a is b
    return bool(a == b)


def object_chunk(e: Event) -> None:
    value = _value(e)
    if value is ABSENT:
        e.note(f"{e.type}: no object")
        return
    _claim_text(e)
    add_partial(e, value)


def object_result(e: Event) -> None:
    value = _value(e)
    if value is ABSENT:
        e.note(f"{e.type}: no object")
        return
    _claim_text(e)
    run, part = e.run, _part(e)
    part.value = value
    part.state = "complete"
    run.object = value
    if run.book.structured is not None:
        run.book.structured.check(run, part, value)
    _finish_elements(run, value)
    e.close(part)
    e.change_run()


def add_partial(e: Event, value: Any) -> None:
    """A partial object, unless it is the one before once more."""
    run = e.run
    if run.object_partials and same(run.object_partials[-1], value):
        return
    run.object_partials.append(value)
    part = _part(e)
    part.value = value
    part.state = "writing"
    part.ended = None
    if type(value) is list:
        run.elements += value[len(run.elements) : -1]
    e.change(part)


def settle_object(e: Event) -> None:
    """At the end: the last partial object stands for the final one where the run went well, and is unfinished otherwise."""
    run, part = e.run, e.run.book.object_part
    if part is None:
        return
    cut = run.finish_reason in ("length", "content-filter")
    if run.object is ABSENT and run.status == "success" and not cut and run.book.structured is None:
        run.object = part.value
        part.state = "complete"
        _finish_elements(run, part.value)
    if part.state == "writing":
        invalid = run.error is not None and run.error.get("code") == "STRUCTURED_OUTPUT_SCHEMA_VALIDATION_FAILED"
        part.state = "invalid" if invalid else "unfinished"
        if invalid and run.error is not None:
            part.error = str(run.error.get("message"))
    e.close(part)


def _finish_elements(run: RunState, value: Any) -> None:
    if type(value) is list:
        run.elements += value[len(run.elements) :]


def _value(e: Event) -> Any:
    if "object" in e.wire:
        return e.wire["object"]
    return e.payload.get("object", ABSENT)


def _part(e: Event) -> ObjectPart:
    book = e.run.book
    if book.object_part is None:
        begin_step(e)
        book.object_part = e.open(ObjectPart(key=e.key()))
    return book.object_part


# Text that is the object


def _claim_text(e: Event) -> None:
    """Objects are read from the run's own text, unless a second model makes them; that text need not be drawn twice."""
    metadata = e.wire.get("metadata")
    if type(metadata) is dict and metadata.get("from") == "structured-output":
        return
    book = e.run.book
    book.object_text = True
    for id_, part in list(book.texts.items()):
        if may_be_json(part.pieces) is not False:
            part.is_object = True
            book.held_texts[id_] = book.texts.pop(id_)
            e.change(part)
