"""One chunk as the reader of the chunks sees it: its JSON as a tree, covered and bounded."""

from __future__ import annotations

from runview.draw.characters import show
from runview.draw.look import Look
from runview.draw.pen import Memory, Pen
from runview.draw.plain import plain
from runview.draw.tree import Node, h
from runview.draw.values import tree
from runview.draw.words import Words
from runview.run.state import Wire

__all__ = ["raw"]

LIMIT = 20_000
"""Characters of a chunk that are shown."""


def raw(look: Look, wire: Wire, text: str) -> Node:
    """The tree of a chunk that has been covered already; `text` is its JSON, to be copied."""
    pen = Pen(look=look, words=Words(look.labels), now=0.0, form="live", memory=Memory())
    form, _ = plain(wire, LIMIT)
    return h("div", "rv-block", tree(pen, form), copy=show(text) if len(text) <= 2 * LIMIT else True)
