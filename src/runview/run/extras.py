"""Sources, files, goals and data: what stands beside text and tools."""

from __future__ import annotations

from runview.run.content import content_of
from runview.run.event import Event
from runview.run.state import DataPart, FilePart, GoalPart, SourcesPart

__all__ = ["data", "file", "goal", "source"]


def source(e: Event) -> None:
    """All sources of a run are one list, which stands where the first one came."""
    book = e.run.book
    if book.sources is None:
        book.sources = e.open(SourcesPart(key=e.key()))
    book.sources.sources.append(e.payload)
    book.sources.chunks.append(e.wire)
    e.change(book.sources)


def file(e: Event) -> None:
    content, url = content_of(e.payload)
    e.open(
        FilePart(
            key=e.key(),
            media_type=e.string("mimeType"),
            filename=e.string("filename"),
            data=content,
            url=url,
            reasoning=e.type == "reasoning-file",
            chunk=e.wire,
        ),
        whole=True,
    )


def goal(e: Event) -> None:
    """One part for each evaluation: while it is pending, and then with what it found."""
    book, run, payload = e.run.book, e.run, e.payload
    pending = payload.get("pending") is True
    part = book.goal_part
    if part is not None and part.payload.get("iteration") != payload.get("iteration"):
        e.close(part)
        part = None
    if part is None:
        part = e.open(GoalPart(key=e.key()))
    part.payload = payload
    e.change(part)
    book.goal_part = part if pending else None
    if pending:
        return
    e.close(part)
    if e.type == "goal":
        run.goal = payload
        if payload.get("shouldContinue") is True:
            book.text_from = len(run.text_deltas)
        e.change_run()


def data(e: Event) -> None:
    """A part of the user's own kind. Without `data`, the rest of its fields are its data."""
    wire = e.wire
    if "data" in wire:
        value = wire["data"]
    else:
        value = {name: told for name, told in wire.items() if name not in ("type", "runId", "from", "id", "transient")}
    id_ = wire.get("id")
    e.open(
        DataPart(
            key=e.key(), type=e.type, data=value, id=id_ if type(id_) is str else None, transient=wire.get("transient") is True
        ),
        whole=True,
    )
