"""The rows of a run, in the order in which its parts began. A new kind is a line in `DRAW` and a file beside this."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple, TypeAlias

from runview.draw.data import data
from runview.draw.errors import abort, error
from runview.draw.files import file
from runview.draw.goal import goal
from runview.draw.groups import Drawn, grouped
from runview.draw.object import obj
from runview.draw.order import begun_below, goes_on_above, is_late
from runview.draw.pen import Pen
from runview.draw.rails import in_parallel, railed
from runview.draw.reasoning import reasoning
from runview.draw.row import sep
from runview.draw.sources import sources
from runview.draw.steps import step
from runview.draw.tasks import task
from runview.draw.text import text
from runview.draw.tool import tool
from runview.draw.tree import Node, h
from runview.draw.tripwire import tripwire
from runview.draw.words import number
from runview.draw.workflow import workflow_step
from runview.run.state import (
    ABSENT,
    AbortPart,
    DataPart,
    ErrorPart,
    FilePart,
    GoalPart,
    ObjectPart,
    Part,
    ReasoningPart,
    RunState,
    SourcesPart,
    StepPart,
    TaskPart,
    TextPart,
    ToolPart,
    TripwirePart,
    WorkflowStepPart,
)  # fmt: skip
from runview.run.usage import nested_in

__all__ = ["rows"]

_MOST = 500
"""Rows of one run that are shown."""

Inner: TypeAlias = dict[Part, list[WorkflowStepPart]]
"""The steps of nested workflows, by the step they belong to."""


def rows(pen: Pen, run: RunState, prefix: str = "") -> list[Node]:
    """One node for every part that shows. A part that has not changed since the last live drawing is the same node again."""
    edge = _edge(run) if not pen.over else None
    inner = _inner(run)
    hidden = {part for parts in inner.values() for part in parts}
    skipped = _skipped(pen, run)
    siblings = [part for part in run.parts if part not in hidden and (pen.full or not isinstance(part, StepPart))]
    below, together = begun_below(siblings), in_parallel(siblings)
    out: list[Drawn] = []
    results = made = at = 0
    told = False
    for part in run.parts:
        place = None
        if isinstance(part, ToolPart) and part.result is not ABSENT:
            place, results = results if not pen.depth else None, results + 1
        elif isinstance(part, FilePart) and not part.reasoning:
            place, made = made if not pen.depth else None, made + 1
        if part in hidden:
            continue
        if part in skipped:
            if not told:
                told = True
                out.append((None, _left_out(pen, run, skipped, prefix)))
            continue
        first = not pen.depth and bool(out) and (isinstance(part, WorkflowStepPart) or part.step != at)
        node = _kept(pen, part, _at(part, part is edge, place, below, together, inner), inner, prefix, first=first)
        if node is not None:
            out.append((part, node))
            at = part.step
    out = railed(pen, out, prefix)
    return [node for _, node in out] if pen.full else grouped(pen, out, prefix, below)


def _skipped(pen: Pen, run: RunState) -> set[Part]:
    """Of very many rows only the first and the last ones are drawn, and every text between them: a page has to stay quick."""
    if len(run.parts) <= _MOST:
        return set()
    parts = [part for part in run.parts if pen.full or not isinstance(part, StepPart)]
    half = _MOST // 2
    return {part for part in parts[half:-half] if not isinstance(part, TextPart)} if len(parts) > _MOST else set()


def _left_out(pen: Pen, run: RunState, skipped: set[Part], prefix: str) -> Node:
    """How many rows are not drawn, and where in Python the reader finds what they would have told."""
    results = [part for part in run.parts if isinstance(part, ToolPart) and part.result is not ABSENT]
    places = [place for place, part in enumerate(results) if part in skipped]
    all_are_results = not pen.depth and len(places) == len(skipped)
    where = f"view.output.tool_results[{places[0]}:{places[-1] + 1}]" if all_are_results else "view.output.full_stream"
    said = f"{number(len(skipped))} {pen.words('rows are not shown')}"
    return h("p", "rv-label", said, sep(" · "), h("code", "", where), key=f"{prefix}left-out")


def _kept(pen: Pen, part: Part, at: At, inner: Inner, prefix: str, *, first: bool = False) -> Node | None:
    """The drawing of a part. `first`: another step begins with it, which is where the keys for steps lead."""
    made_of = (_version(part, inner), at, pen.over, pen.asks, pen.asked_above, pen.lanes, first)
    known = pen.memory.drawn.get(part) if pen.live else None
    if known is not None and known[0] == made_of:
        return known[1]
    node = _drawn(pen, part, at, inner)
    if node is not None and (prefix or first):
        attrs = {**node.attrs, "key": prefix + part.key}
        if first:
            attrs["class"] = f"{node.attrs.get('class', '')} rv-first"
        node = Node(node.tag, attrs, node.kids)
    if pen.live:
        pen.memory.drawn[part] = (made_of, node)
    return node


def _version(part: Part, inner: Inner) -> object:
    below = inner.get(part)
    return part.version if below is None else (part.version, *(_version(one, inner) for one in below))


class At(NamedTuple):
    """What the drawing of a part is told of its place."""

    caret: bool
    """The run is being written at the end of this part."""
    place: int | None = None
    """Its index among the run's results or files."""
    late: bool = False
    """It ended when there were rows below it, which must not move."""
    together: bool = False
    """Another step of the workflow was at work at the same time."""
    above: bool = False
    """What goes on inside it began when there were rows below it."""
    inner: Callable[[], list[Node]] = list[Node]
    """Draws the steps inside a step."""


def _at(part: Part, caret: bool, place: int | None, below: Mapping[Part, int], together: Collection[Part], inner: Inner) -> At:
    begun, nested = below.get(part), nested_in(part)
    above = (bool(nested) or part in inner) and goes_on_above(nested, inner.get(part, ()), begun)
    return At(caret, place, is_late(part, begun), part in together, above)


Draw: TypeAlias = Callable[[Pen, Any, At], Node | None]

DRAW: dict[type[Part], Draw] = {
    TextPart: lambda pen, part, at: text(pen, part, at.caret),
    ReasoningPart: lambda pen, part, at: reasoning(pen, part, at.caret),
    ToolPart: lambda pen, part, at: tool(pen, part, at.caret, at.place, late=at.late, above=at.above),
    ObjectPart: lambda pen, part, at: obj(pen, part, at.caret),
    WorkflowStepPart: lambda pen, part, at: workflow_step(
        pen, part, at.inner(), late=at.late, together=at.together, above=at.above
    ),
    FilePart: lambda pen, part, at: file(pen, part, at.place),
    TaskPart: lambda pen, part, at: task(pen, part, late=at.late),
    SourcesPart: lambda pen, part, _at: sources(pen, part),
    StepPart: lambda pen, part, _at: step(pen, part),
    GoalPart: lambda pen, part, _at: goal(pen, part),
    TripwirePart: lambda pen, part, _at: tripwire(pen, part),
    ErrorPart: lambda pen, part, _at: error(pen, part),
    AbortPart: lambda pen, part, _at: abort(pen, part),
    DataPart: lambda pen, part, _at: data(pen, part),
}
"""How each kind of part is drawn. One that is not listed has no row."""


def _drawn(pen: Pen, part: Part, at: At, inner: Inner) -> Node | None:
    draw = DRAW.get(type(part))
    return draw(pen, part, at._replace(inner=lambda: _below(pen, part, inner))) if draw is not None else None


def _below(pen: Pen, part: Part, inner: Inner) -> list[Node]:
    siblings = inner.get(part, [])
    below, together = begun_below(siblings), in_parallel(siblings)
    steps = ((one, _kept(pen, one, _at(one, False, None, below, together, inner), inner, "")) for one in siblings)
    return [node for _, node in railed(pen, [(one, node) for one, node in steps if node is not None], "")]


def _edge(run: RunState) -> Part | None:
    """The part at whose end the run is being written just now, if there is one."""
    for part in reversed(run.parts):
        if not part.open:
            continue
        if isinstance(part, ReasoningPart | ObjectPart) or (isinstance(part, TextPart) and not part.is_object):
            return part
        if isinstance(part, ToolPart) and part.state == "writing":
            return part
    return None


def _inner(run: RunState) -> Inner:
    """Steps of nested workflows by the step they belong to, which their dotted ids tell."""
    if run.kind not in ("workflow", None):
        return {}
    known: dict[str, WorkflowStepPart] = {}
    out: Inner = {}
    for part in run.parts:
        if isinstance(part, WorkflowStepPart):
            outer = known.get(part.id.rpartition(".")[0])
            if outer is not None:
                out.setdefault(outer, []).append(part)
            known[part.id] = part
    return out
