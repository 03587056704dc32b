"""The evaluation of a goal, or of a task's completion: how far the agent is from what it was asked for."""

from __future__ import annotations

from typing import Any

from runview.draw.exact import figure, listing, mapping, word
from runview.draw.pen import Pen
from runview.draw.row import Rest, label, row
from runview.draw.tree import Child, Node, h
from runview.draw.values import fields
from runview.draw.words import number, one_line
from runview.run.state import GoalPart

__all__ = ["goal"]


def _standing(pen: Pen, part: GoalPart) -> tuple[Rest, str | None]:
    """The state of the row and its word, in English; a goal that is met says so in its title."""
    say = part.payload.get
    if say("pending") and part.open and not pen.over:
        return ("running" if pen.live else "was"), "judging" if pen.live else "was being judged"
    if say("pending"):
        return "stopped", "stopped"
    if say("passed"):
        return "met", None
    if say("maxRunsReached") or say("maxIterationReached"):
        return "stopped", "stopped: limit reached"
    if say("judgeFailed"):
        return "paused", "judging failed"
    if say("timedOut"):
        return "goal", "judging timed out"
    if say("status") == "paused" or say("waitingForUser"):
        return "paused", "paused" if say("status") == "paused" else "waiting for you"
    return "goal", "not yet"


def goal(pen: Pen, part: GoalPart) -> Node:
    """`Goal 2 of 5 “no source” — not yet`, `Goal met · both have a source — 2 of 5`."""
    words = pen.words
    say = part.payload.get
    state, told = _standing(pen, part)
    most, nth = say("maxRuns"), say("iteration")
    count = number(nth) if type(nth) is int else None
    if count and type(most) is int:
        count = f"{count} {words('of')} {number(most)}"
    reason = word(say("pausedReason")) or word(say("reason"))
    said = one_line(reason, 200) if reason else None
    title = words("Goal met") if state == "met" else f"{words('Goal')} {count}" if count else words("Goal")
    took = figure(say("duration"))
    time: str | Node | None = None
    if state in ("running", "was"):
        time = pen.clock(part.started, "rv-d", "d")
    elif took is not None and took > 0:
        time = words.seconds(took / 1000)
    return row(
        pen, part, part.key, state, title, cls="is-turning" if state == "running" else "",
        noun=said if state in ("met", "paused", "stopped") else None,
        quote=said if state == "goal" else None,
        peek=count if state == "met" else None, word=words(told) if told else None, time=time, body=_body(pen, say),
    )  # fmt: skip


def _body(pen: Pen, say: Any) -> list[Child]:
    words = pen.words
    out: list[Child] = []
    if (objective := word(say("objective"))) is not None:
        out += fields(pen, {words("objective"): objective})[0]
    rows: list[Node] = []
    for one in map(mapping, (listing(say("results")) or [])[:50]):
        if one is None:
            continue
        name = word(one.get("scorerName")) or word(one.get("scorerId"))
        score, reason = figure(one.get("score")), word(one.get("reason"))
        rows.append(
            h(
                "tr", "",
                h("td", "", h("bdi", "", one_line(name, 80) if name else "—")),
                h("td", "rv-num", repr(score) if score is not None else "—"),
                h("td", "", h("bdi", "", one_line(reason, 300) if reason else "—")),
            )
        )  # fmt: skip
    if rows:
        head = h("tr", "", h("th", "", words("Scorer")), h("th", "rv-num", words("Score")), h("th", "", words("Reason")))
        table = h("table", "rv-table", h("thead", "", head), h("tbody", "", *rows))
        out.append(h("div", "rv-scroll", table, key="scores"))
    for i, one in enumerate(map(mapping, (listing(say("activity")) or [])[:50])):
        said = word(one.get("message")) if one else None
        if one is None or said is None:
            continue
        name = word(one.get("name"))
        out.append(label(f"{one_line(name, 80)}: {one_line(said, 300)}" if name else one_line(said, 300), key=f"a{i}"))
    return out
