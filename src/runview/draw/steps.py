"""The boundary of a step: nothing in compact density, a hairline with its figures in full; and the table of usage by step."""

from __future__ import annotations

from collections.abc import Sequence

from runview.draw.footer import tokens
from runview.draw.pen import Pen
from runview.draw.row import row
from runview.draw.tree import Node, h
from runview.draw.values import fields
from runview.draw.words import number, one_line
from runview.run.state import RunState, StepPart

__all__ = ["step", "usage_table", "warnings"]


def step(pen: Pen, part: StepPart) -> Node | None:
    """A hairline `step 2`, which opens to the provider's warnings; full density only."""
    words = pen.words
    name = f"{words('step')} {part.number}"
    if not pen.full:
        return None
    if pen.depth and part.number == 1 and not part.warnings:
        return None
    facts: list[str] = []
    if part.started is not None and part.ended is not None:
        facts.append(words.seconds(part.ended - part.started))
    if part.usage:
        facts += tokens(pen, part.usage)
    if part.warnings:
        facts.insert(0, words.count(len(part.warnings), "warning"))
        body = _warned(pen, part.warnings)
        return row(pen, part, part.key, "plain", name, cls="rv-warned", quiet=True, noun=" · ".join(facts), body=body)
    return h("p", "rv-step", h("span", "rv-stept", name), h("span", "rv-meta", " · ".join(["", *facts])), key=part.key)


def warnings(pen: Pen, run: RunState) -> Node | None:
    """All warnings of a run that has ended, where steps have no rows: one among the rows would come late and push others down."""
    if pen.full or not run.is_done or not run.warnings:
        return None
    title = pen.words.count(len(run.warnings), "warning")
    return row(pen, None, "warnings", "plain", title, cls="rv-warned", quiet=True, body=_warned(pen, run.warnings))


def _warned(pen: Pen, told: Sequence[object]) -> list[Node]:
    return fields(pen, {str(i): warning for i, warning in enumerate(told, 1)})[0]


def usage_table(pen: Pen, run: RunState) -> Node | None:
    """What each step cost and how it ended; full density only, and only where there is more than one."""
    if not pen.full or not run.is_done or len(run.steps) < 2:
        return None
    words = pen.words
    parts = {part.number: part for part in run.parts if isinstance(part, StepPart)}
    rows: list[Node] = []
    for one in run.steps:
        part = parts.get(one.number)
        took = words.seconds(part.ended - part.started) if part and part.started is not None and part.ended is not None else "—"
        figures = [one.usage.get(name) for name in ("inputTokens", "cachedInputTokens", "outputTokens")]
        cells = [took, *("—" if figure is None else number(figure) for figure in figures)]
        ended = one_line(one.finish_reason, 40) if one.finish_reason else "—"
        rows.append(h("tr", "", h("td", "", str(one.number)), *(h("td", "rv-num", cell) for cell in cells), h("td", "", ended)))
    names = [h("th", "", words("Step")), *(h("th", "rv-num", words(name)) for name in ("Time", "Input", "Cached", "Output"))]
    table = h("table", "rv-table", h("thead", "", h("tr", "", *names, h("th", "", words("Ended by")))), h("tbody", "", *rows))
    about = words.count(len(run.steps), "step")
    return row(
        pen,
        None,
        "usage",
        "plain",
        words("Usage"),
        noun=words("per step"),
        peek=about,
        body=[h("div", "rv-scroll", table)],
        opened=True,
    )
