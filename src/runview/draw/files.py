"""Files that the model made: a picture when the bytes are one, a row with name, type and size otherwise.

In the page both can be saved: the bytes travel with the button, so that this works with no kernel, too. What is large stays in
the kernel, and the row says where. Nothing is ever opened: whatever a file is, the browser takes it as bytes to be kept.
"""

from __future__ import annotations

import base64
import re
from typing import Final

from runview.draw.images import Picture, sniff
from runview.draw.pen import Pen
from runview.draw.row import label, row
from runview.draw.tree import Child, Node, h
from runview.draw.values import bears, picture, say_size
from runview.draw.words import one_line, size
from runview.run.content import Content
from runview.run.state import FilePart

__all__ = ["file", "file_name"]

MOST_OF_ONE: Final = 500_000
MOST_OF_ALL: Final = 4_000_000
"""Bytes of one file, and of all files of a view, that travel to the page."""

_HEAD: Final = 1 << 18
"""A photograph may begin with a few hundred kilobytes about the camera."""

_KIND = re.compile(r"[\w.+-]{1,40}")
_UNSAFE: Final = re.compile(r"[^\w .()+,=@-]+")


def file(pen: Pen, part: FilePart, place: int | None) -> Node:
    """The row of a file. `place` is its index in `output.files`."""
    words = pen.words
    found = _picture(pen, part.data) if part.data is not None else None
    kind = (part.media_type or "").rpartition("/")[2].partition(";")[0]
    kind = kind if _KIND.fullmatch(kind) else ""
    name = one_line(_base(part.filename), 80) if part.filename else words("image" if found else "file")
    noun = words("image" if found else "file") if part.filename else None
    body: list[Child] = []
    act: Node | None = None
    if found is not None:
        about = say_size(pen, found) or ""
        shown = picture(pen, found, (part.filename and name) or words("image"), part)
        body = [shown]
        if shown.tag == "img":
            body.append(label(_link(pen, part.filename, found.kind), key="save", live=True))
    else:
        facts = [kind, size(part.data.size) if part.data is not None else words("by link, not fetched") if part.url else ""]
        about = " · ".join(fact for fact in facts if fact)
        if place is not None:
            about += f"{' · ' if about else ''}view.output.files[{place}]"
        act = _save(pen, part)
    return row(
        pen, part, part.key, "plain", name, cls="rv-file", noun=noun, peek=about or None, act=act, body=body, opened=bool(body)
    )


def file_name(told: str | None, kind: str = "") -> str:
    """What a file is called when it is saved: a base name of plain characters, never a path and never hidden."""
    name = _UNSAFE.sub("_", _base(told or "")[-200:]).strip(" .")
    if not name.strip("_"):
        name = f"file.{kind}" if kind.isalnum() else "file"
    stem, dot, end = name.rpartition(".")
    return name if len(name) <= 100 else f"{stem[:80]}{dot}{end[:16]}" if dot else name[:100]


def _picture(pen: Pen, data: Content) -> Picture | None:
    """The picture that a file is. Of one that this form does not take, no more is decoded than tells its kind and its sides."""
    found = sniff(data.whole() if bears(pen, data.size) else data.head(_HEAD))
    return found and found._replace(size=data.size)


def _base(name: str) -> str:
    return name.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _save(pen: Pen, part: FilePart) -> Node | None:
    """The button that saves a file; None for what the page does not get."""
    data = part.data
    if not pen.live or data is None or not pen.memory.carries(part, data.size, MOST_OF_ONE, MOST_OF_ALL):
        return None
    (link,) = pen.piece(part, "save", data, lambda _pen: [_link(pen, part.filename, "", base64.b64encode(data.whole()).decode())])
    return link


def _link(pen: Pen, told: str | None, kind: str, data: str | None = None) -> Node:
    """Without `data` it saves the picture in its row."""
    return h("a", "rv-link", pen.words("Save"), act="save", save=data, name=file_name(told, kind), live=True, key="save")
