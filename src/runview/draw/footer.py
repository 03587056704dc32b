"""One line of facts at the end of a run. It comes only with the end, so nothing jumps while the run is read."""

from __future__ import annotations

from collections.abc import Mapping

from runview.draw.pen import Pen
from runview.draw.tree import Node, h
from runview.draw.words import number
from runview.run.state import RunState

__all__ = ["footer", "tokens"]


def tokens(pen: Pen, usage: Mapping[str, float]) -> list[str]:
    """`4 812 in (3 900 cached)`, `611 out`. What is not known is `—`, never 0."""
    words = pen.words
    given, cached, made = (usage.get(name) for name in ("inputTokens", "cachedInputTokens", "outputTokens"))
    into = f"{'—' if given is None else number(given)} {words('in')}"
    if cached:
        into += f" ({number(cached)} {words('cached')})"
    return [into, f"{'—' if made is None else number(made)} {words('out')}"]


def footer(pen: Pen, run: RunState) -> Node | None:
    """The facts of a run that has ended; None while it goes on or rests."""
    if not run.is_done:
        return None
    words = pen.words
    facts: list[str] = []
    if pen.depth and run.step_count:
        facts.append(words.count(run.step_count, "step"))
    if run.started is not None and run.ended is not None:
        facts.append(words.seconds(run.ended - run.started))
    if run.first_text is not None and run.started is not None and not pen.depth:
        facts.append(f"{words('first text')} {words.seconds(run.first_text - run.started)}")
    if run.status == "canceled":
        facts.append(words("partial"))
    if run.status == "incomplete":
        facts.append(words("the stream closed without a finish"))
    if run.usage or run.kind in (None, "agent"):
        facts += tokens(pen, run.usage)
    if run.nested_usage and run.kind in (None, "agent"):
        inner = max(1, len(run.nested))
        facts.append(f"+ {', '.join(tokens(pen, run.nested_usage))} {words('in')} {words.count(inner, 'sub-agent')}")
    if run.unknown_count:
        facts.append(words.count(run.unknown_count, "unknown chunk"))
    if run.notes and not pen.depth:
        facts.append(words.count(len(run.notes), "note"))
    return h("p", "rv-foot", " · ".join(facts), key="foot") if facts else None
