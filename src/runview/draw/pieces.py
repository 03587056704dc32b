"""Credentials in JSON that comes in pieces: the arguments of a call, an object as text.

A piece alone does not tell that it is part of a password; all pieces up to it do. So what is hidden is found in the text of all
pieces together, and taken out of each piece that holds some of it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, Final, NamedTuple

from runview.draw.secret_json import Span, secret_spans
from runview.run.kinds import is_dict
from runview.run.log import WRAPPERS, ChunkLog
from runview.run.state import Wire

__all__ = ["Delta", "Pieces", "delta_of"]

_FIELDS: Final = {"tool-call-delta": ("argsTextDelta", "toolCallId"), "text-delta": ("text", "id")}
_DEPTH: Final = 8
_BEGINS = frozenset('{["`')


class Delta(NamedTuple):
    """A piece of text in a chunk."""

    key: tuple[object, ...]
    """The same for all pieces of one text."""
    path: tuple[str, ...]
    text: str


def delta_of(wire: Wire) -> Delta | None:
    """The piece that a chunk carries, also inside the outputs of calls and steps; None where it carries none."""
    key: list[object] = []
    path: list[str] = []
    at: Any = wire
    for _ in range(_DEPTH):
        kind, payload = at.get("type"), at.get("payload")
        if type(kind) is not str or not is_dict(payload):
            return None
        run = at.get("runId")
        key += (kind, run if type(run) is str else "")
        if kind in _FIELDS:
            field, name = _FIELDS[kind]
            text, id_ = payload.get(field), payload.get(name)
            if type(text) is not str:
                return None
            return Delta((*key, id_ if type(id_) is str else ""), (*path, "payload", field), text)
        at = payload.get("output")
        if kind not in WRAPPERS or not is_dict(at):
            return None
        path += ("payload", "output")
    return None


class _Text:
    """All pieces of one text."""

    __slots__ = ("found", "length", "looks_like_json", "numbers", "pieces", "starts")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.numbers: list[int] = []
        """Of each piece the number of its chunk."""
        self.starts: list[int] = []
        self.length = 0
        self.looks_like_json: bool | None = None
        self.found: tuple[int, list[Span], list[int]] = (0, [], [])

    def add(self, number: int, piece: str) -> None:
        if self.looks_like_json is None and (begun := piece.lstrip()):
            self.looks_like_json = begun[0] in _BEGINS
        if self.looks_like_json is False:
            return
        self.numbers.append(number)
        self.starts.append(self.length)
        self.pieces.append(piece)
        self.length += len(piece)

    def spans(self) -> tuple[list[Span], list[int]]:
        if self.found[0] != self.length:
            spans = secret_spans("".join(self.pieces))
            self.found = (self.length, spans, [span[1] for span in spans])
        return self.found[1:]


class Pieces:
    """The texts of a log that come in pieces. `read` first, whenever the log has grown."""

    def __init__(self, log: ChunkLog) -> None:
        self._log = log
        self._seen = 0
        self._texts: dict[tuple[object, ...], _Text] = {}

    def read(self) -> None:
        """Takes in what has come since the last time."""
        for stretch in self._log.stretches(self._seen):
            delta = delta_of(stretch.sample)
            if delta is None:
                continue
            text = self._texts.get(delta.key)
            if text is None:
                text = self._texts[delta.key] = _Text()
            if text.looks_like_json is False and delta.key[-3] == "text-delta":
                continue
            text.looks_like_json = text.looks_like_json if delta.key[-3] == "text-delta" else True
            for at, piece in enumerate(stretch.pieces or (delta.text,)):
                text.add(stretch.first + at, piece)
        self._seen = len(self._log)

    def covered(self, number: int, delta: Delta) -> str:
        """The piece in the chunk with this number without what is to be hidden."""
        text = self._texts.get(delta.key)
        if text is None or not text.numbers:
            return delta.text
        at = bisect_right(text.numbers, number) - 1
        if at < 0 or text.numbers[at] != number:
            return delta.text
        spans, ends = text.spans()
        begin = text.starts[at]
        end = begin + len(delta.text)
        out: list[str] = []
        done = begin
        for place in range(bisect_right(ends, begin), len(spans)):
            first, last, instead = spans[place]
            if first >= end:
                break
            out.append(delta.text[done - begin : max(first, begin) - begin])
            if first >= begin:
                out.append(instead)
            done = min(last, end)
        return "".join(out) + delta.text[done - begin :] if out or done > begin else delta.text
