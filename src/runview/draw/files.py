"""Files that the model made: a picture when the bytes are one, a row with name, type and size otherwise."""

from __future__ import annotations

import re

from runview.draw.images import sniff
from runview.draw.pen import Pen
from runview.draw.row import row
from runview.draw.tree import Child, Node
from runview.draw.values import picture, say_size
from runview.draw.words import one_line, size
from runview.run.state import FilePart

__all__ = ["file"]

_KIND = re.compile(r"[\w.+-]{1,40}")


def file(pen: Pen, part: FilePart, place: int | None) -> Node:
    """The row of a file. `place` is its index in `output.files`."""
    words = pen.words
    found = sniff(part.data) if part.data is not None else None
    kind = (part.media_type or "").rpartition("/")[2].partition(";")[0]
    kind = kind if _KIND.fullmatch(kind) else ""
    name = (
        one_line(part.filename.replace("\\", "/").rpartition("/")[2], 80)
        if part.filename
        else words("image" if found else "file")
    )
    noun = words("image" if found else "file") if part.filename else None
    body: list[Child] = []
    if found is not None:
        about = say_size(pen, found) or ""
        body = [picture(pen, found, (part.filename and name) or words("image"))]
    else:
        facts = [kind, size(len(part.data)) if part.data is not None else words("by link, not fetched") if part.url else ""]
        about = " · ".join(fact for fact in facts if fact)
        if place is not None:
            about += f"{' · ' if about else ''}view.output.files[{place}]"
    return row(pen, part, part.key, "plain", name, cls="rv-file", noun=noun, peek=about or None, body=body, opened=bool(body))
