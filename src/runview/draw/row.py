"""One thing in a run as one line: glyph · what · what came back, state · time. And what the line opens to.

The separators are real text, hidden by the sheet: without it (GitHub, a reader's voice, the transcript) a row is a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from runview.draw.pen import Pen
from runview.draw.tree import Child, Node, h
from runview.run.state import Part

__all__ = ["CARET", "GLYPHS", "Rest", "bdi", "fold", "label", "row", "sep", "sign"]

Rest = Literal[
    "writing", "queued", "running", "needs", "background", "done", "failed", "denied", "cancelled", "stopped", "nothing",
    "waiting", "skipped", "paused", "blocked", "goal", "met", "plain", "was", "asked",
]  # fmt: skip
"""The state of a row, as its class says it (`is-…`). `was` is something at work when the file was saved, `asked`
something that has been answered."""

GLYPHS: dict[str, str] = {
    "writing": "◌", "queued": "○", "running": "◌", "needs": "?", "background": "◌", "done": "✓", "failed": "✗", "denied": "⊘",
    "cancelled": "■", "stopped": "■", "nothing": "–", "waiting": "○", "skipped": "–", "paused": "‖", "blocked": "⊘", "goal": "◎",
    "met": "✓", "was": "◌", "asked": "?", "early": "!", "cut": "!",
}  # fmt: skip

_DRAWN = {"◌": "rv-g rv-ring", "○": "rv-g rv-ring", "■": "rv-g rv-stop", "‖": "rv-g rv-bars"}
"""Glyphs that the sheet draws, so that they are even, sit on one line and turn about their centre."""

CARET = Node("span", {"class": "rv-caret", "aria-hidden": "true", "live": True, "key": "caret"}, [])
"""The writing edge. One node for all, so that it never counts as a change."""


def sign(state: str) -> Node | None:
    """The glyph of a state; None for what has no state."""
    glyph = GLYPHS.get(state)
    return None if glyph is None else h("span", _DRAWN.get(glyph, "rv-g"), glyph, aria_hidden="true", key="g")


def sep(text: str, key: str | None = None) -> Node:
    return h("span", "rv-sep", text, key=key)


def bdi(cls: str, text: Child | None, *more: Child | None, key: str | None = None) -> Node:
    """Words from the stream: kept apart, so that their direction does not scramble the row."""
    return h("bdi", cls, text, *more, key=key)


def label(*kids: Child | None, key: str | None = None, live: bool = False) -> Node:
    return h("p", "rv-label", *kids, key=key, live=live)


def row(
    pen: Pen,
    part: Part | None,
    key: str,
    state: Rest,
    title: str,
    *,
    cls: str = "",
    quiet: bool = False,
    noun: str | None = None,
    quote: str | None = None,
    writing: bool = False,
    caret: bool = False,
    peek: str | None = None,
    progress: tuple[float, float] | None = None,
    act: Node | None = None,
    word: str | None = None,
    silent: bool = False,
    time: str | Node | None = None,
    message: str | None = None,
    aside: bool = False,
    body: Sequence[Child] = (),
    nest: bool = False,
    opened: bool = False,
    deep: bool = False,
) -> Node:
    """A row. All words are ready to be shown: translated, or passed through `characters.show`.

    `noun` says what kind of thing it is, `quote` the one argument that tells it from its like (`writing`: not yet whole), `peek`
    what came back, `word` its state (`silent`: only for those who do not see the glyph). `part` makes a row that once had
    something to open keep its fold.
    `message` stands below the line. `aside`: it came when other rows stood there already, which must not move; so it is on the
    line, as far as there is room, and whole in the body.
    `act` is a button of the page, for rows that are no folds.
    `nest` says that the body is a run. `opened` rows stand open until the reader closes them, `deep` ones are read by themselves.
    """
    if message and aside:
        peek, message, body = message, None, [*body, h("p", "rv-msg", bdi("", message), key="said")]
    edge = CARET if caret and pen.live else None if pen.live else "…"
    what: list[Child | None] = [bdi("rv-q" if quiet else "rv-t", title, key="t")]
    if noun is not None:
        what += [" ", sep("· ", "n-"), h("span", "rv-o", noun, key="n")]
    if quote is not None:
        what += [" ", bdi("rv-o", f"“{quote}" if writing else f"“{quote}”", edge if writing else None, key="o")]
    back: list[Child | None] = []
    if peek is not None or progress is not None:
        bar = h("progress", "rv-prog", value=progress[0], max=progress[1]) if progress else None
        back += [sep(" — ", "p-"), bdi("rv-p rv-pp" if bar else "rv-p", bar, " " if bar and peek else None, peek, key="p")]
    if deep and body:
        act = h("span", "rv-link", pen.words("open here"), live=True, key="deep")
    if act is not None:
        back.append(act)
    if word is not None:
        back += [sep(" — ", "s-"), h("span", "rv-s rv-silent" if silent else "rv-s", word, key="s")]
    head: list[Child | None] = []
    if (glyph := sign(state)) is not None:
        head += [glyph, " "]
    head += [h("span", "rv-w", *what, key="w"), " ", h("span", "rv-e", *back, key="e")]
    if pen.full and part is not None and time is not None:
        head.append(_lane(pen, part))
    if time is not None:
        head.append(sep(", " if word is not None else " — ", "d-"))
        head.append(h("span", "rv-d", time, key="d") if isinstance(time, str) else time)
    if message:
        head += [sep(" — ", "m-"), bdi("rv-msg", message, key="m")]
    cls = f"rv-row is-{state}{' ' + cls if cls else ''}"
    if part is not None and body and pen.live:
        pen.memory.folds.add(part)
    if not body and not (part is not None and part in pen.memory.folds):
        return h("div", cls, h("div", "rv-head", *head, key="head"), key=key)
    inside = (
        h("blockquote", "rv-body rv-nest", *body, role="group", key="body") if nest else h("div", "rv-body", *body, key="body")
    )
    return h(
        "details", cls, h("summary", "rv-head", *head, key="head"), inside, key=key, auto="open" if opened else None, deep=deep
    )


def _lane(pen: Pen, part: Part) -> Node:
    """Where the part lay in the run: a bar on a line as long as the run. Empty while the run goes on, so nothing moves."""
    lane = pen.lane(part)
    bar = h("i", "", at=lane[0], long=lane[1]) if lane is not None else None
    return h("span", "rv-lane", bar, aria_hidden="true", key="l")


def fold(pen: Pen, key: str, title: str, peek: str | None, body: Sequence[Child], *, opened: bool = False) -> Node:
    """A fold inside a body: no gutter and no rail of its own."""
    return row(pen, None, key, "plain", title, cls="rv-sub", quiet=True, peek=peek, body=body, opened=opened)
