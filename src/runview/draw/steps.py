"""The boundary of a step: nothing in compact density, a hairline with its figures in full; and the table of usage by step."""

from __future__ import annotations

from runview.draw.footer import tokens
from runview.draw.pen import Pen
from runview.draw.row import row
from runview.draw.tree import Node, h
from runview.draw.values import fields
from runview.draw.words import number, one_line
from runview.run.state import RunState, StepPart

__all__ = ["step", "usage_table"]


def step(pen: Pen, part: StepPart) -> Node | None:
    """A hairline `step 2`; with warnings of the provider it opens to them, in either density."""
    words = pen.words
    name = f"{words('step')} {part.number}"
    if part.warnings:
        body = fields(pen, {str(i + 1): warning for i, warning in enumerate(part.warnings)})[0]
        return row(pen, part, part.key, "plain", name, quiet=True, noun=words.count(len(part.warnings), "warning"), body=body)
    if not pen.full or (pen.depth and part.number == 1):
        return None
    facts = [""]
    if part.started is not None and part.ended is not None:
        facts.append(words.seconds(part.ended - part.started))
    if part.usage:
        facts += tokens(pen, part.usage)
    return h("p", "rv-step", h("span", "rv-stept", name), h("span", "rv-meta", " · ".join(facts)), key=part.key)


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
        pen, None, "usage", "plain", words("Usage"), noun=words("per step"), peek=about, body=[h("div", "rv-scroll", table)]
    )
