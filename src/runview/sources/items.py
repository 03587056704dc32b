"""From the items of a source to chunks in wire form.

A source may yield dicts and models, JSON text, bytes of a response as they come from the network, and plain text; of text a run
is made that says it. Anything else is passed on as it is: whoever reduces the run notes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from runview.chunks.json_text import decode
from runview.chunks.wire import HasWire, Wire, is_wire, to_wire
from runview.sources.framing import Frames

__all__ = ["Items"]


class Items:
    """Turns one source's items into chunks, in order."""

    def __init__(self) -> None:
        self._frames: Frames | None = None
        self._texts = 0
        self._text_open = False
        self._only_text = True

    def take(self, item: object) -> Iterable[Any]:
        """The chunks that an item is or completes."""
        if is_wire(item) and not self._text_open:
            self._only_text = False
            return (item,)
        if isinstance(item, str):
            wire = _chunk_in(item)
            return self._text(item) if wire is None else self._chunk(wire)
        if isinstance(item, (bytes, bytearray)):
            return self._bytes(bytes(item))
        if isinstance(item, (dict, HasWire, Mapping)):
            return self._chunk(to_wire(cast(Wire, item)))
        return (item,)

    def end(self) -> Iterable[Any]:
        """What a normal end adds: the rest of a frame; the end of the text, and of the run when text was all of it."""
        if self._frames is not None:
            yield from self._frames.end()
        yield from self._end_of_text()
        if self._only_text and self._texts:
            yield {"type": "finish", "from": "AGENT", "payload": {"stepResult": {}, "output": {}}}

    def _chunk(self, wire: Wire) -> Iterable[Any]:
        self._only_text = False
        return (*self._end_of_text(), wire)

    def _text(self, text: str) -> Iterable[Any]:
        if self._text_open:
            return (self._part("text-delta", text=text),)
        start: Wire = {"type": "start", "from": "AGENT", "payload": {}}
        begin = (start,) if self._only_text and not self._texts else ()
        self._text_open = True
        self._texts += 1
        return (*begin, self._part("text-start"), self._part("text-delta", text=text))

    def _end_of_text(self) -> tuple[Wire, ...]:
        if not self._text_open:
            return ()
        self._text_open = False
        return (self._part("text-end"),)

    def _part(self, type_: str, **fields: str) -> Wire:
        return {"type": type_, "from": "AGENT", "payload": {"id": f"text-{self._texts}", **fields}}

    def _bytes(self, piece: bytes) -> Iterable[Any]:
        self._only_text = False
        if self._frames is None:
            if (wire := _chunk_in(piece)) is not None:
                return self._chunk(wire)
            self._frames = Frames()
        return self._frames.feed(piece)


def _chunk_in(text: str | bytes) -> Wire | None:
    """The chunk whose JSON a text is; None for any other text, other JSON included."""
    brace = "{" if isinstance(text, str) else b"{"
    if not text.lstrip().startswith(brace):  # type: ignore[arg-type]
        return None
    try:
        value = decode(text)
    except ValueError:
        return None
    return value if is_wire(value) and isinstance(value.get("type"), str) else None
