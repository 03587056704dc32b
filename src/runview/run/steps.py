"""Steps of an agent: where they begin and what does not outlive them."""

from __future__ import annotations

from runview.run.event import Event
from runview.run.object_text import judge_text
from runview.run.state import StepPart

__all__ = ["begin_step", "end_step_parts", "new_step"]


def begin_step(e: Event) -> None:
    """Makes sure that a step is open: a stream may leave out `step-start`."""
    if not e.run.book.step_open:
        new_step(e)


def new_step(e: Event) -> None:
    run, book = e.run, e.run.book
    end_step_parts(e)
    if book.step_open:
        book.step_tools.clear()
    book.step_open = True
    run.step_count += 1
    book.step_part = e.open(StepPart(key=e.key(), number=run.step_count))
    e.change_run()


def end_step_parts(e: Event, *, stopped: bool = False) -> None:
    """Text and reasoning do not outlive their step; after it their ids are free again. `stopped`: the run ended before them."""
    book = e.run.book
    for text in (*book.texts.values(), *book.held_texts.values()):
        judge_text(e, text)
        e.close(text, stopped=stopped)
    for reasoning in book.reasonings.values():
        e.close(reasoning, stopped=stopped)
    book.texts.clear()
    book.held_texts.clear()
    book.reasonings.clear()
    for ids in (book.split_texts, book.ended_texts, book.ended_reasonings):
        ids.clear()
    if book.step_part is not None:
        e.close(book.step_part)
        book.step_part = None
