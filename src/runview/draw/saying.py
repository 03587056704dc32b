"""What a view says to readers who hear it: one short sentence for what the run does just now.

A mark before it (`!`) means that it can't wait. The page says at most one of the others in five seconds.
"""

from __future__ import annotations

from runview.draw.pen import Pen
from runview.draw.status import needs, word_of
from runview.draw.words import one_line
from runview.run.state import ObjectPart, Part, ReasoningPart, RunState, TextPart, ToolPart

__all__ = ["saying"]

_CALLS = {"done": "done", "failed": "failed", "denied": "denied", "cancelled": "cancelled", "background": "in background"}


def saying(pen: Pen, run: RunState) -> str | None:
    """The sentence, in the view's language; None before there is anything to say."""
    words = pen.words
    if (asking := needs(run)) is not None:
        return f"!{words('Needs you')}: {one_line(asking.name or '', 80)}"
    if run.status != "running":
        _, word = word_of(pen, run)
        if run.status == "success" and run.started is not None and run.ended is not None:
            return f"!{words('Finished in')} {words.count(round(run.ended - run.started), 'second')}"
        return f"!{words(word)}"
    for part in reversed(run.parts):
        if (said := _part(pen, part)) is not None:
            return said
    return None


def _part(pen: Pen, part: Part) -> str | None:
    words = pen.words
    match part:
        case ReasoningPart():
            return words("Thinking")
        case TextPart() if not part.is_object:
            return words("Answer started")
        case ObjectPart():
            return words("Object")
        case ToolPart():
            name = one_line(part.title or part.name or "", 80)
            if (state := _CALLS.get(part.state)) is None:
                return f"{words('Running')} {name}"
            return f"{'!' if part.state == 'failed' else ''}{name} {words(state)}"
        case _:
            return None
