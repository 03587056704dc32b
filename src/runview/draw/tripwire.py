"""A processor that blocked the run, or that asked for another try."""

from __future__ import annotations

from itertools import islice

from runview.draw.exact import mapping
from runview.draw.pen import Pen
from runview.draw.row import row
from runview.draw.tree import Node
from runview.draw.values import fields
from runview.draw.words import one_line
from runview.run.state import TripwirePart

__all__ = ["tripwire"]


def tripwire(pen: Pen, part: TripwirePart) -> Node:
    """`Blocked by pii-filter · e-mail address in the output — ↻ retrying`."""
    words = pen.words
    by = f"{words('Blocked by')} {one_line(part.processor_id, 80)}" if part.processor_id else words("Blocked")
    going = pen.live and part.retry and not part.retried and not pen.over
    word = None
    if part.retried or (part.retry and not pen.over):
        word = "↻ " + words("retrying" if going else "retried" if part.retried else "was to retry")
    details: dict[str, object] = {}
    if part.processor_id:
        details[words("processor")] = part.processor_id
    if (given := mapping(part.metadata)) is not None:
        details.update({str(key): value for key, value in islice(given.items(), 50)})
    elif part.metadata is not None:
        details[words("details")] = part.metadata
    body = fields(pen, details)[0]
    cls = "is-retrying" if going else ""
    return row(pen, part, part.key, "blocked", by, cls=cls, noun=one_line(part.reason, 200) or None, word=word, body=body)
