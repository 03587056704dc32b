"""Data of the caller's own: `data-*` chunks, drawn plainly."""

from __future__ import annotations

from runview.draw.exact import mapping
from runview.draw.pen import Pen
from runview.draw.row import row
from runview.draw.tasks import progress
from runview.draw.tree import Node
from runview.draw.values import peek, result
from runview.draw.words import one_line
from runview.run.state import DataPart

__all__ = ["data"]


def data(pen: Pen, part: DataPart) -> Node:
    """`weather · data — 3 keys`."""
    name = one_line(part.type.removeprefix("data-"), 80) or pen.words("data")
    far = progress(pen, [part.data]) if mapping(part.data) else None
    about = far[0] if far else peek(pen, part.data)
    body = pen.piece(part, "data", part.data, lambda pen: result(pen, part.data, pen.words("Data")))
    return row(pen, part, part.key, "plain", name, noun=pen.words("data"), peek=about, body=body)
