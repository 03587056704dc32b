"""What stood below a row when something came in it: nothing may move under the reader.

All of it is told by the numbers of chunks, so that the page, the file and every drawing of a run agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runview.draw.pen import Pen
from runview.draw.words import one_line
from runview.run.state import Part, ReasoningPart, RunState, StepPart, TextPart, ToolPart, WorkflowStepPart

__all__ = ["begun_below", "doing", "goes_on_above", "is_late"]


def begun_below(siblings: Iterable[Part]) -> dict[Part, int]:
    """For each row but the last the number of the chunk with which the next one began."""
    out: dict[Part, int] = {}
    begun: int | None = None
    for part in reversed(list(siblings)):
        if begun is not None:
            out[part] = begun
        if part.made_by:
            begun = part.made_by[0]
    return out


def is_late(part: Part, below: int | None) -> bool:
    """Whether a part ended after the next row had begun, with the chunk of number `below`."""
    return below is not None and not part.open and bool(part.made_by) and below < part.made_by[-1]


def goes_on_above(nested: Sequence[RunState], inner: Sequence[Part], below: int | None) -> bool:
    """Whether what goes on inside a row, runs or steps, began after the next row had, and would push it down."""
    if below is None:
        return False
    first = next((part for part in [*inner, *(part for run in nested for part in run.parts)] if part.made_by), None)
    return first is None or below < first.made_by[0]


def doing(pen: Pen, run: RunState) -> str | None:
    """What a run is at just now, in a word or two."""
    for part in reversed(run.parts):
        if isinstance(part, ToolPart | WorkflowStepPart):
            return one_line(part.name, 40) if part.name else None
        if not isinstance(part, StepPart):
            said = "writing" if isinstance(part, TextPart) else "thinking" if isinstance(part, ReasoningPart) else None
            return pen.words(said) if said is not None and part.open else None
    return None
