"""One line of facts at the end of a run. It comes only with the end; its place is kept from the first chunk on, so that what
stands below the run does not jump then.
"""

from __future__ import annotations

from collections.abc import Mapping

from runview.draw.pen import Pen
from runview.draw.row import row
from runview.draw.secrets import mask_message
from runview.draw.tree import Node, h
from runview.draw.words import number, one_line
from runview.run.state import RunState

__all__ = ["footer", "notes", "tokens"]

_NOTES = 50


def tokens(pen: Pen, usage: Mapping[str, float]) -> list[str]:
    """`4 812 in (3 900 cached)`, `611 out`. What is not known is `—`, never 0."""
    words = pen.words
    given, cached, made = (usage.get(name) for name in ("inputTokens", "cachedInputTokens", "outputTokens"))
    into = f"{'—' if given is None else number(given)} {words('in')}"
    if cached:
        into += f" ({number(cached)} {words('cached')})"
    return [into, f"{'—' if made is None else number(made)} {words('out')}"]


def footer(pen: Pen, run: RunState) -> Node | None:
    """The facts of a run that has ended; while it goes on or rests, their empty place in the page."""
    if not run.is_done:
        return h("p", "rv-foot", "\u00a0", live=True, key="foot") if pen.live and run.chunk_count and not pen.depth else None
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
    return h("p", "rv-foot", " · ".join(facts), key="foot") if facts else None


def notes(pen: Pen, run: RunState) -> Node | None:
    """What was odd in the stream, at its end; unknown chunks are only counted."""
    said = [note for note in run.notes if not note.startswith("unknown chunk type")]
    if not said or not run.is_done:
        return None
    lines = [
        h("li", "", h("bdi", "", one_line(mask_message(note[:1_000]), 500)), key=str(i)) for i, note in enumerate(said[:_NOTES])
    ]
    if len(said) > _NOTES:
        lines.append(h("li", "", f"{number(len(said) - _NOTES)} {pen.words('more')}", key="more"))
    title = pen.words.count(len(said), "note on the stream", "notes on the stream")
    return row(pen, None, "notes", "plain", title, quiet=True, body=[h("ul", "rv-list", *lines)])
