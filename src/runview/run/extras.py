"""Sources, files, goals and data: what stands beside text and tools."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, cast

from runview.run.event import Event
from runview.run.kinds import is_dict, is_list
from runview.run.state import DataPart, FilePart, GoalPart, SourcesPart

__all__ = ["bytes_of", "data", "file", "goal", "source"]


def source(e: Event) -> None:
    """All sources of a run are one list, which stands where the first one came."""
    book = e.run.book
    if book.sources is None:
        book.sources = e.open(SourcesPart(key=e.key()))
    book.sources.sources.append(e.payload)
    book.sources.chunks.append(e.wire)
    e.change(book.sources)


def file(e: Event) -> None:
    content, url = bytes_of(e.payload)
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


DATA_URL = re.compile(r"data:[^,]*?(;base64)?,", re.IGNORECASE)


def bytes_of(payload: dict[str, Any]) -> tuple[bytes | None, str | None]:
    """The content of a file, or the address where it is. Content comes as base64, as a data URL, as bytes, or as the
    object that bytes become in JSON: `{"0": 1, "1": 2}`.
    """
    data: Any = payload.get("data")
    encoded: Any = payload.get("base64")
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(cast("bytes | bytearray | memoryview", data)), None
    if is_dict(data) or is_list(data):
        items: list[Any] = list(data.values()) if is_dict(data) else list(data)
        if all(type(item) is int and 0 <= item <= 255 for item in items):
            return bytes(items), None
        return None, None
    text = data if type(data) is str else encoded
    if type(text) is not str:
        return None, None
    if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://", text) or text.startswith("blob:"):
        return None, text
    header = DATA_URL.match(text)
    if header is not None and header[1] is None:
        from urllib.parse import unquote_to_bytes

        return unquote_to_bytes(text[header.end() :]), None
    return _decoded(text[header.end() :] if header is not None else text), None


def _decoded(text: str) -> bytes:
    """Base64 of either alphabet, padded or not; what is none is taken as it stands."""
    packed = re.sub(r"\s", "", text).translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except (binascii.Error, ValueError):
        return text.encode("utf-8", "surrogatepass")


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
