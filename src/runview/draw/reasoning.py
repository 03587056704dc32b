"""Thoughts: one line while they are written, one line when they are over; open them to read."""

from __future__ import annotations

import re

from runview.draw.pen import Pen
from runview.draw.row import row
from runview.draw.text import blocks, with_caret
from runview.draw.tree import Node
from runview.draw.words import one_line
from runview.run.state import ReasoningPart

__all__ = ["reasoning"]

_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\s\u200b]+|\n+")
_TAIL = 600
_PACE = 1.0
"""Seconds for which a peek stays before it is replaced."""


def reasoning(pen: Pen, part: ReasoningPart, caret: bool) -> Node | None:
    """A thought; None when there was none (a bare signature) or when the caller hides them."""
    if pen.look.reasoning == "hidden":
        return None
    words = pen.words
    if part.redacted:
        return row(pen, part, part.key, "plain", words("Reasoning hidden by the provider"), cls="rv-thought", quiet=True)
    if not any(piece and not piece.isspace() for piece in part.pieces):
        return None
    body = blocks(pen, part)
    if part.open and not pen.over:
        if caret and pen.live:
            body = with_caret(body)
        return row(
            pen, part, part.key, "running" if pen.live else "was", words("Thinking" if pen.live else "Was thinking"),
            cls="rv-thinking is-turning" if pen.live else "rv-thinking", noun=_peek(pen, part) or None,
            time=pen.clock(part.started, "rv-d", "d"), body=body, opened=_stands_open(pen),
        )  # fmt: skip
    took = pen.took(part) if part.ended is not None or part.stopped else None
    title = words("Thought") if took is None or pen.full else f"{words('Thought for')} {words.roughly(took)}"
    time = words.seconds(took) if took is not None and pen.full else None
    word = words("stopped") if part.stopped else None
    return row(
        pen,
        part,
        part.key,
        "plain",
        title,
        cls="rv-thought",
        quiet=True,
        word=word,
        time=time,
        body=body,
        opened=_stands_open(pen),
    )


def _stands_open(pen: Pen) -> bool:
    return pen.look.reasoning == "open" or (pen.full and not pen.depth)


def _peek(pen: Pen, part: ReasoningPart) -> str:
    """The newest sentence from its beginning (the row cuts it at its end), changed at most once a second."""
    known = pen.memory.peeks.get(part)
    if known is not None and pen.now - known[0] < _PACE and pen.live:
        return known[1]
    tail: list[str] = []
    length = 0
    for piece in reversed(part.pieces):
        tail.append(piece)
        length += len(piece)
        if length >= _TAIL:
            break
    sentences = [piece for piece in _SENTENCE.split("".join(reversed(tail))[-_TAIL:]) if piece.strip()]
    line = one_line(sentences[-1].strip("*#_>- "), 160) if sentences else ""
    if len(line) < 12 and len(sentences) > 1:  # a sentence just begun says nothing yet
        line = one_line(sentences[-2].strip("*#_>- "), 160)
    if pen.live:
        pen.memory.peeks[part] = (pen.now, line)
    return line
