"""Text and reasoning: parts that grow by deltas between a start and an end."""

from __future__ import annotations

from typing import Any

from runview.run.event import Event
from runview.run.kinds import is_dict
from runview.run.object_text import judge_text, may_be_json
from runview.run.state import ReasoningPart, RunState, TextPart
from runview.run.steps import begin_step

__all__ = [
    "add_text", "reasoning_delta", "reasoning_end", "reasoning_start", "redacted_reasoning", "reject_text", "text_delta",
    "text_end", "text_of", "text_start",
]  # fmt: skip


def text_of(run: RunState, start: int, end: int | None = None) -> str:
    """The run's text deltas from `start` on, without what a processor rejected."""
    deltas = run.text_deltas
    end = len(deltas) if end is None else end
    pieces: list[str] = []
    for rejected_start, rejected_end in run.book.rejected:
        pieces += deltas[start : max(start, rejected_start)]
        start = max(start, rejected_end)
    pieces += deltas[start : max(start, end)]
    return "".join(pieces)


def reject_text(run: RunState) -> None:
    """A processor rejected the current step for a retry: its text is not part of the run's text."""
    book = run.book
    if book.step_text < len(run.text_deltas):
        book.rejected.append((book.step_text, len(run.text_deltas)))


# Text


def text_start(e: Event) -> None:
    begin_step(e)
    id_ = e.id("id")
    _close_text(e, id_)
    e.run.book.ended_texts.discard(id_)
    _open_text(e, id_)


def text_delta(e: Event) -> None:
    """Every delta that does not take the short way through `reduce`."""
    text = e.string("text")
    if text is not None:
        add_text(e, e.id("id"), text)
    elif "text" not in e.payload:
        e.note("text-delta: no text")


def add_text(e: Event, id_: str, text: str) -> None:
    book, run = e.run.book, e.run
    if id_ in book.ended_texts:
        e.note(f"text-delta after the end of text {id_!r} was dropped")
        return
    begin_step(e)
    if id_ in book.split_texts:
        book.split_texts.discard(id_)
        _close_text(e, id_)
    part = book.texts.get(id_) or book.held_texts.get(id_)
    if part is None:
        part = _open_text(e, id_)
    if run.first_text is None and text:
        run.first_text = e.at
    part.pieces.append(text)
    run.text_deltas.append(text)
    e.change(part)
    if book.structured is not None:
        book.structured.feed(e, part, text)
    if id_ in book.held_texts:
        _look_at(e, part)


def text_end(e: Event) -> None:
    id_ = e.id("id")
    _close_text(e, id_)
    e.run.book.ended_texts.add(id_)


def _open_text(e: Event, id_: str) -> TextPart:
    book = e.run.book
    part = e.open(TextPart(key=e.key(), id=id_))
    if book.object_text or book.structured is not None:
        part.is_object = True
        book.held_texts[id_] = part
    else:
        book.texts[id_] = part
    return part


def _close_text(e: Event, id_: str) -> None:
    book = e.run.book
    part = book.texts.pop(id_, None) or book.held_texts.pop(id_, None)
    if part is not None:
        judge_text(e, part)
        e.close(part)


def _look_at(e: Event, part: TextPart) -> None:
    """Text that was taken for the object's JSON before its first character came turns out to be prose."""
    if part.is_object and may_be_json(part.pieces) is False:
        part.is_object = False
    if not part.is_object and e.run.book.structured is None:
        book = e.run.book
        book.held_texts.pop(part.id, None)
        book.texts[part.id] = part


# Reasoning


def reasoning_start(e: Event) -> None:
    begin_step(e)
    id_ = e.id("id")
    _close_reasoning(e, id_)
    e.run.book.ended_reasonings.discard(id_)
    _open_reasoning(e, id_, redacted=_hidden(e.payload.get("providerMetadata")))


def reasoning_delta(e: Event) -> None:
    book = e.run.book
    text = e.string("text")
    if text is None:
        return
    id_ = e.id("id")
    if id_ in book.ended_reasonings:
        e.note(f"reasoning-delta after the end of reasoning {id_!r} was dropped")
        return
    begin_step(e)
    part = book.reasonings.get(id_)
    if part is None:
        part = _open_reasoning(e, id_)
    part.pieces.append(text)
    book.reasoning_deltas.append(text)
    e.change(part)


def reasoning_end(e: Event) -> None:
    id_ = e.id("id")
    _close_reasoning(e, id_)
    e.run.book.ended_reasonings.add(id_)


def redacted_reasoning(e: Event) -> None:
    begin_step(e)
    e.open(ReasoningPart(key=e.key(), id=e.id("id"), redacted=True), whole=True)


def _open_reasoning(e: Event, id_: str, *, redacted: bool = False) -> ReasoningPart:
    part = e.open(ReasoningPart(key=e.key(), id=id_, redacted=redacted))
    e.run.book.reasonings[id_] = part
    return part


def _close_reasoning(e: Event, id_: str) -> None:
    part = e.run.book.reasonings.pop(id_, None)
    if part is not None:
        e.close(part)


def _hidden(metadata: Any) -> bool:
    """Redacted reasoning comes as metadata of the provider, under the provider's name."""
    if not is_dict(metadata):
        return False
    return any(is_dict(told) and "redactedData" in told for told in metadata.values())
