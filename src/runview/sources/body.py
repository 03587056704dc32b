"""The bytes of an answer, whatever it speaks: framed JSON, or the AI SDK's data stream of version 4. Its beginning tells."""

from __future__ import annotations

import re
from typing import Final

from runview.chunks.wire import Wire
from runview.sources.data_stream import DataStream
from runview.sources.framing import Format, Frames

__all__ = ["Body", "is_line"]

_DATA_STREAM: Final = re.compile(rb"[0-9a-k]:[\[{\"]")
_EVENTS: Final = re.compile(r"(?:data: ?[\[{]|event: ?\w+(?:[.:-]\w+)*\s*$|[0-9a-k]:[\[{\"])")
_TELLING: Final = 3
"""So many bytes tell the one from the others."""


def is_line(text: str) -> bool:
    """Whether a text is a line of an answer (`data: {`, `0:"`): clients hand those out one by one, as strings."""
    return _EVENTS.match(text) is not None


class Body:
    """A decoder to feed with bytes, like those that it chooses from."""

    def __init__(self, format: Format = "auto") -> None:
        self._format: Format = format
        self._decoder: Frames | DataStream | None = None
        self._beginning = b""

    @property
    def done(self) -> bool:
        """The sender has said that nothing follows."""
        return self._decoder is not None and self._decoder.done

    def feed(self, piece: bytes) -> list[Wire]:
        """The values that are whole with this piece."""
        if self._decoder is not None:
            return self._decoder.feed(piece)
        self._beginning += piece
        if len(self._beginning.lstrip()) < _TELLING:
            return []
        return self._chosen().feed(self._beginning)

    def end(self) -> list[Wire]:
        """The values of what is left when there are no more bytes."""
        if self._decoder is not None:
            return self._decoder.end()
        decoder = self._chosen()
        return [*decoder.feed(self._beginning), *decoder.end()]

    def _chosen(self) -> Frames | DataStream:
        told = self._format != "records" and _DATA_STREAM.match(self._beginning.lstrip()) is not None
        self._decoder = DataStream() if told else Frames(self._format)
        return self._decoder
