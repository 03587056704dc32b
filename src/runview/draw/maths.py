"""A formula: TeX made MathML, and what is not understood left as TeX.

A formula's node carries its TeX in the hint `tex`, so that the saved form (whose hosts take MathML's tags away and leave
the letters) can write it in `code` in place of the children.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from html import unescape
from typing import TYPE_CHECKING, Any, Final

from runview.draw.characters import show
from runview.draw.tree import MATH_ATTRIBUTES, MATH_TAGS, Child, Node, h

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = ["formula"]

MAX_TEX: Final = 2000
MAX_DEPTH: Final = 60
MAX_NODES: Final = 3000

_REFUSED: Final = re.compile(
    r"\\(?:href|url|style|class|cssId|require|def|let|newcommand|renewcommand|html\w*|data|unicode|color)\b"
)
_VALUE: Final = re.compile(r"true|false|prefix|infix|postfix|normal|[+-]?\d{0,2}(?:\.\d{1,4})?(?:em)?")
"""All that an attribute of MathML may say here; the page looks for the same."""
_SPACES: Final = {
    sign + name: f"{minus}{width}em"
    for name, width in (("thinmathspace", 0.167), ("mediummathspace", 0.222), ("thickmathspace", 0.278))
    for sign, minus in (("", ""), ("negative", "-"))
}
"""Widths by the names that browsers have forgotten."""
_SIDES: Final = {"left": "rv-left", "right": "rv-right"}


def formula(tex: str, *, block: bool = False) -> Node:
    """A formula in a line of text or, as `block`, one that stands by itself. Whatever can't be drawn is shown as TeX."""
    tex = show(tex).strip()
    kids = _mathml(tex, "block" if block else "inline")
    attrs = {"class": "rv-math" if block else "rv-imath"}
    if kids is None:
        return Node("span", attrs, [h("code", "", tex)])
    return Node("span", {**attrs, "tex": tex}, [h("math", "", *kids, display="block" if block else None)])


@cache
def _converter() -> Any:
    from latex2mathml.converter import convert_to_element

    return convert_to_element


@lru_cache(maxsize=256)
def _mathml(tex: str, display: str) -> list[Child] | None:
    """The children of `math`. Remembered, for the open end of a text is drawn again and again."""
    if len(tex) > MAX_TEX or _deep(tex) or _REFUSED.search(tex):
        return None
    try:
        element = _converter()(tex, display=display)
    except Exception:  # the converter raises many things on odd TeX, and none of them may reach the reader
        return None
    room = [MAX_NODES]
    try:
        node = _node(element, 0, room)
    except _Refused:
        return None
    return node.kids


def _deep(tex: str) -> bool:
    """Whether braces and commands nest so deep that the converter, which calls itself, should not see them."""
    depth = most = raised = 0
    for character in tex:
        raised = raised + 1 if character in "^_" else 0
        if character in "{[(":
            depth += 1
        elif character in "}])":
            depth -= 1
        most = max(most, depth + raised)
    return most > MAX_DEPTH or tex.count("\\left") > MAX_DEPTH or tex.count("\\begin") > MAX_DEPTH


class _Refused(Exception):
    """The converter made something that the drawing has no place for."""


def _node(element: Element, depth: int, room: list[int]) -> Node:
    tag = element.tag.rpartition("}")[2]
    room[0] -= 1
    if tag not in MATH_TAGS or depth > MAX_DEPTH or room[0] < 0:
        raise _Refused
    kids: list[Child] = []
    if element.text and element.text.strip():
        kids.append(show(unescape(element.text)))
    kids += [_node(kid, depth + 1, room) for kid in element]
    return Node(tag, _attributes(element), kids)


def _attributes(element: Element) -> dict[str, Any]:
    """Those that change what a formula means or how tall its brackets are."""
    out: dict[str, Any] = {}
    for name, value in element.attrib.items():
        value = _SPACES.get(value, value)
        if name in MATH_ATTRIBUTES and _VALUE.fullmatch(value):
            out[name] = value
        elif name == "columnalign" and value in _SIDES:
            out["class"] = _SIDES[value]
    return out
