"""Where an answer comes from: one line a source, its host always told, nothing fetched."""

from __future__ import annotations

from functools import partial
from typing import Any

from runview.draw.characters import show
from runview.draw.exact import word
from runview.draw.links import check
from runview.draw.pen import Pen
from runview.draw.row import bdi
from runview.draw.secrets import mask_message
from runview.draw.tree import Child, Node, h
from runview.draw.words import number, one_line
from runview.run.state import SourcesPart

__all__ = ["sources"]

_MOST = 200
_QUOTES = ("quote", "citedText", "snippet", "excerpt", "content", "description", "text")
"""Where a source may tell the words that are cited. The protocol has no place for them; streams of the user's own do."""


def sources(pen: Pen, part: SourcesPart) -> Node | None:
    """All sources of a run, numbered in the order in which they came."""
    if not part.sources:
        return None
    lines: list[Node] = []
    for i, one in enumerate(part.sources[:_MOST]):
        lines += pen.piece(part, f"s{i}", one, partial(_lines, one=one, key=str(i)))
    if len(part.sources) > _MOST:
        lines.append(h("li", "", h("span", "rv-meta", f"{number(len(part.sources) - _MOST)} {pen.words('more')}"), key="more"))
    count = h("span", "rv-count", number(len(part.sources)), key="n")
    return h(
        "div",
        "rv-sources",
        h("p", "rv-label", pen.words("Sources") + " ", count, key="l"),
        h("ol", "rv-srcs", *lines, key="s"),
        key=part.key,
    )


def _lines(pen: Pen, one: dict[str, Any], key: str) -> list[Node]:
    return [_line(pen, one, key)]


def _line(pen: Pen, one: dict[str, Any], key: str) -> Node:
    title, name = one.get("title"), one.get("filename")
    raw = one.get("url")
    target = check(raw) if type(raw) is str else None
    said = next((one_line(word, 200) for word in (title, name) if type(word) is str and word.strip()), None)
    if said is None:
        said = one_line(raw, 200) if type(raw) is str and raw else pen.words("untitled")
    meta: Child | None = None
    if target is not None:
        meta = h("span", "rv-meta", show(target.host).removeprefix("www."))
    elif one.get("sourceType") == "document":
        kind = one.get("mimeType") or one.get("mediaType")
        meta = h("span", "rv-meta", one_line(kind, 80) if type(kind) is str else pen.words("document"))
    link = h("a", "", bdi("", said), href=target.href) if target is not None else bdi("", said)
    quote = next((one_line(mask_message(words[:2_000]), 300) for name in _QUOTES if (words := word(one.get(name)))), None)
    back = h("button", "rv-act", "↑", act="cited", live=True, aria_label=pen.words("Where it is cited"))
    quoted = h("p", "rv-label", bdi("", f"“{quote}”")) if quote else None
    return h("li", "", link, " " if meta else None, meta, " ", back, quoted, key=key)
