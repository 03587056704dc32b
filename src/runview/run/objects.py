"""Structured output: partial objects, the final one, the elements of an array, and the text that is nothing but its JSON."""

from __future__ import annotations

from typing import Any

from runview.run.equality import same
from runview.run.event import Event
from runview.run.kinds import is_dict, is_list
from runview.run.object_text import may_be_json
from runview.run.partial_json import parse_partial
from runview.run.state import ABSENT, ObjectPart, RunState, TextPart
from runview.run.steps import begin_step

__all__ = ["add_elements", "object_chunk", "object_part", "object_result", "settle", "settle_object"]


def object_chunk(e: Event) -> None:
    value = _value(e)
    if value is ABSENT:
        e.note(f"{e.type}: no object")
        return
    _claim_text(e)
    _add_partial(e, value)


def object_result(e: Event) -> None:
    value = _value(e)
    if value is ABSENT:
        e.note(f"{e.type}: no object")
        return
    _claim_text(e)
    run, part = e.run, object_part(e)
    part.told, part.reader = value, None
    part.state = "complete"
    run.object = value
    if run.book.structured is not None:
        run.book.structured.check(run, part, value)
    settle(run, value)
    e.change(part)
    e.close(part)
    e.change_run()


def _add_partial(e: Event, value: Any) -> None:
    """A partial object, unless it is the one before once more."""
    run = e.run
    if run.object_partials and same(run.object_partials[-1], value):
        return
    run.object_partials.append(value)
    part = object_part(e)
    part.told, part.reader = value, None
    part.state = "writing"
    part.ended = None
    if is_list(value):
        add_elements(run, value[:-1])
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
        settle(run, part.value)
    if part.state == "writing":
        invalid = run.error is not None and run.error.get("code") == "STRUCTURED_OUTPUT_SCHEMA_VALIDATION_FAILED"
        part.state = "invalid" if invalid else "unfinished"
        if invalid and run.error is not None:
            part.error = str(run.error.get("message"))
        elif run.book.object_text and run.book.structured is None:
            _keep_the_text(e, part)
    e.close(part)


def _keep_the_text(e: Event, part: ObjectPart) -> None:
    """The text came further than the last partial object: what it had of the value stands, or itself where that is nothing."""
    text = next((each for each in reversed(e.run.parts) if isinstance(each, TextPart) and each.is_object), None)
    if text is None:
        return
    _, value = parse_partial(text.text)
    if value is not ABSENT and value not in ({}, []):
        part.told, part.reader = value, None
    elif part.value is ABSENT or part.value in ({}, []):
        text.is_object = False
        e.change(text)


def add_elements(run: RunState, whole: list[Any]) -> None:
    """Elements of an array that are complete: those that are new go out, and no other again."""
    run.elements += whole[len(run.elements) :]


def settle(run: RunState, value: Any) -> None:
    """The final value brings the elements that are still out."""
    if is_list(value):
        add_elements(run, value)


def _value(e: Event) -> Any:
    if "object" in e.wire:
        return e.wire["object"]
    return e.payload.get("object", ABSENT)


def object_part(e: Event) -> ObjectPart:
    """The row of the object, opened where its first value came."""
    book = e.run.book
    if book.object_part is None:
        begin_step(e)
        name = book.structured.name if book.structured is not None else None
        book.object_part = e.open(ObjectPart(key=e.key(), name=name))
    return book.object_part


# Text that is the object


def _claim_text(e: Event) -> None:
    """Objects are read from the run's own text, unless a second model makes them; that text need not be drawn twice."""
    if e.run.book.structured is not None:
        e.run.book.structured.given()
    metadata = e.wire.get("metadata")
    if is_dict(metadata) and metadata.get("from") == "structured-output":
        return
    book = e.run.book
    book.object_text = True
    for id_, part in list(book.texts.items()):
        if may_be_json(part.pieces) is not False:
            part.is_object = True
            book.held_texts[id_] = book.texts.pop(id_)
            e.change(part)
