"""From bytes, in pieces of any size, to JSON objects.

Three framings carry chunks: server-sent events (`data: {…}` and an empty line), JSON Lines (`{…}` and a line end) and records
(`{…}` and the byte 0x1E). Only CR and LF end a line; U+2028 and its kin are data. What is malformed becomes a note in its place,
and the rest is read on. Pure: no I/O, no waiting.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias

from runview.chunks.json_text import decode
from runview.chunks.wire import Wire, is_note, is_wire, note
from runview.sources.foreign.fields import listed

__all__ = ["FORMATS", "Format", "Frames"]

Format: TypeAlias = Literal["auto", "jsonl", "sse", "records"]
FORMATS: Final[tuple[Format, ...]] = ("auto", "jsonl", "sse", "records")

_RECORD_END: Final = b"\x1e"
_BOM: Final = b"\xef\xbb\xbf"
_EVENT: Final = re.compile(rb"(?:data|event|id|retry)?:|(?:data|event|id|retry)[\r\n]")
_FIELDS: Final = frozenset({"event", "id", "retry"})
_TELLING: Final = 6
"""So many bytes tell the format: `event:`."""
_SHOWN: Final = 80
"""Characters of a malformed frame that its note shows."""


class Frames:
    """A decoder to feed with bytes. `auto` decides by how the first line begins; `jsonl` takes 0x1E for a line's end too."""

    done: bool
    """The sender has said `[DONE]`; what comes after is not read."""

    def __init__(self, format: Format = "auto") -> None:
        self.done = False
        self._format: Format = format
        self._fragments: list[bytes] = []  # of the line, or record, that is not whole yet
        self._number = 0  # of the line or record at hand, from 1
        self._after_cr = False
        self._data: list[str] = []  # data lines of the event at hand that are no value by themselves

    def feed(self, piece: bytes) -> list[Wire]:
        """The values that are whole with this piece."""
        return self._read(piece if self._format != "auto" else self._told(piece, _TELLING))

    def end(self) -> list[Wire]:
        """The values of what is left when there are no more bytes: a last line or frame without its end."""
        values = self._read(self._told(b"", 0)) if self._format == "auto" else []
        values += self._read(_RECORD_END if self._format == "records" else b"\n")
        if self._data and not self.done:
            self._end_event(values)
        return values

    def _told(self, piece: bytes, least: int) -> bytes:
        """All bytes so far, once there are enough to tell the format; none before."""
        self._fragments.append(piece)
        piece = b"".join(self._fragments)
        beginning = piece.removeprefix(_BOM).lstrip(b" \t\r\n\x1e")
        if len(beginning) < least:
            return b""
        self._format = "sse" if _EVENT.match(beginning) else "jsonl"
        self._fragments = []
        return piece

    def _read(self, piece: bytes) -> list[Wire]:
        values: list[Wire] = []
        match self._format:
            case "auto":
                pass
            case "records":
                self._split(piece, _RECORD_END, self._take_json, values)
            case "sse":
                self._split(self._unix(piece), b"\n", self._take_event_line, values)
            case "jsonl":
                self._split(self._unix(piece.replace(_RECORD_END, b"\n")), b"\n", self._take_json, values)
        return values

    def _unix(self, piece: bytes) -> bytes:
        """The piece with LF for every line end; a CR LF may be cut in two."""
        if self._after_cr and piece[:1] == b"\n":
            piece = piece[1:]
        self._after_cr = piece[-1:] == b"\r"
        return piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in piece else piece

    def _split(self, piece: bytes, end: bytes, take: Callable[[str, list[Wire]], None], values: list[Wire]) -> None:
        """Take every line that is whole; keep the rest in fragments, so that a line in many pieces is joined once."""
        *lines, rest = piece.split(end)
        if lines:
            lines[0] = b"".join((*self._fragments, lines[0]))
            self._fragments = []
        for line in lines:
            if self.done:
                return
            self._number += 1
            if self._number == 1:
                line = line.removeprefix(_BOM)
            take(line.decode("utf-8", "replace"), values)
        if rest:
            self._fragments.append(rest)

    def _take_json(self, text: str, values: list[Wire]) -> None:
        text = text.strip()
        if text == "[DONE]":
            self.done = True
        elif text:
            values.append(self._value(text))

    def _take_event_line(self, line: str, values: list[Wire]) -> None:
        name, _, value = line.partition(":")
        if not line:
            self._end_event(values)
        elif name == "data":
            self._take_data(value.removeprefix(" "), values)
        elif name and name not in _FIELDS:
            values.append(self._malformed("is no field of an event", line))

    def _take_data(self, text: str, values: list[Wire]) -> None:
        """A data line. One that is an object by itself is handed out at once: nothing could follow it in the same value."""
        if self._data:
            self._data.append(text)
        elif text.strip() == "[DONE]":
            self.done = True
        elif text.strip():
            value = self._value(text)
            if is_note(value):
                self._data.append(text)  # until the event ends
            else:
                values.append(value)

    def _end_event(self, values: list[Wire]) -> None:
        """The value of the data lines together; where the sender forgot the empty lines, the value of each."""
        lines, self._data = self._data, []
        if not lines:
            return
        together = self._value("\n".join(lines))
        each = [self._value(line) for line in lines if line.strip()] if is_note(together) else []
        values += each if not all(map(is_note, each)) else [together]

    def _value(self, text: str) -> Any:
        """The object that a JSON text is, or the note that it is none. Tuples are what LangGraph gives: they pass."""
        try:
            value = decode(text)
        except ValueError as error:
            return self._malformed(f"is not JSON ({error})", text)
        return value if is_wire(value) or _is_tuple(value) else self._malformed("is not an object", text)

    def _malformed(self, reason: str, text: str) -> Wire:
        kind = "record" if self._format == "records" else "line"
        shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
        return note(f"{kind} {self._number} {reason}: {shown}")


def _is_tuple(value: object) -> bool:
    """Whether it may have been a tuple of a mode, a namespace or a message, and data."""
    parts = listed(value)
    return len(parts) in (2, 3) and isinstance(parts[0], (str, list, dict))
