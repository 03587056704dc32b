"""The tree written out as HTML, for the saved file.

Three levels in one string, each of them complete. The tags and words alone tell everything (level 0: GitHub, and whatever
strips styles). One scoped `<style>` (level 2) makes it look as it did live; where that is stripped, the few inline styles of
`level_one.py` (level 1) stay. No script, no id, no `data-*`, nothing that is fetched, and nothing that is not on the lists of
`tree.py`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from runview.draw.level_one import inline_style
from runview.draw.links import check
from runview.draw.tree import ATTRIBUTES, MATH_TAGS, TAGS, Child, Node, Sealed, unwrapped

__all__ = ["saved_sheet", "to_html"]

_STATIC = Path(__file__).parent.parent / "static"
_VOID = frozenset("br hr img input".split())
_EMPTY = frozenset("checked disabled".split())
_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*\Z")
_LEAVES = 'target="_blank" rel="noopener noreferrer nofollow" referrerpolicy="no-referrer"'
_AMP = re.compile(r"[&<>]")
_QUOTE = re.compile(r'[&<>"]')
_NAMES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_WRITTEN: WeakKeyDictionary[Sealed, str] = WeakKeyDictionary()
"""What does not change any more is written once, however often the file is refreshed."""
_IGNORED = "mathjax_ignore tex2jax_ignore"
"""Lab and nbconvert run MathJax over saved HTML, which makes maths of `$5 and $10`."""


@cache
def saved_sheet() -> str:
    """The style sheet for saved files; empty where the package was not built, which leaves the other two levels."""
    path = _STATIC / "saved.css"
    return path.read_text("utf-8").strip() if path.is_file() else ""


def to_html(tree: Node, *, marker: str = "", style: bool = True) -> str:
    """The HTML of a drawing that was made with `saved=True`: one top-level element with everything in it.

    `marker` is added to the classes of the root, by which the page finds it again. Nodes that are only live are left out.
    """
    classes = " ".join(word for word in (str(tree.attrs.get("class", "")), marker, _IGNORED) if word)
    root = Node(tree.tag, {**tree.attrs, "class": classes}, tree.kids)
    out: list[str] = []
    sheet = saved_sheet() if style else ""
    _write(root, out, f"<style>{sheet}</style>" if sheet else "")
    return "".join(out)


def _write(node: Child, out: list[str], first: str = "") -> None:
    if isinstance(node, str):
        out.append(_AMP.sub(_name, node))
        return
    if isinstance(node, Sealed):
        known = _WRITTEN.get(node)
        if known is None:
            again: list[str] = []
            _write(node.opened(), again)
            known = _WRITTEN[node] = "".join(again)
        out.append(known)
        return
    attrs = node.attrs
    if attrs.get("live"):
        return
    if (inside := unwrapped(node)) is not None:
        for kid in inside:
            _write(kid, out)
        return
    tag = node.tag
    if tag not in TAGS and tag not in MATH_TAGS:
        tag = "span"
    link = check(str(attrs.get("href", ""))) if tag == "a" else None
    if (tag == "a" and link is None) or tag == "button":
        tag = "span"
    if tag == "img" and not _IMAGE.match(str(attrs.get("src", ""))):
        return
    out.append(f"<{tag}{_attributes(tag, attrs, link.href if link else None)}>{first}")
    if tag in _VOID:
        return
    if tag in ("div", "span") and type(tex := attrs.get("tex")) is str:
        out.append(f"<code>{_AMP.sub(_name, tex)}</code>")  # sanitisers drop the tags of MathML and keep its letters as rubbish
    else:
        for kid in node.kids:
            _write(kid, out)
    out.append(f"</{tag}>")


def _attributes(tag: str, attrs: dict[str, Any], href: str | None) -> str:
    out: list[str] = []
    for name, value in attrs.items():
        if name not in ATTRIBUTES or value is None or value is False or name == "href" or (name == "src" and tag != "img"):
            continue
        out.append(f" {name}" if name in _EMPTY or value is True else f' {name}="{_QUOTE.sub(_name, str(value))}"')
    if href is not None:
        out.append(f' href="{_QUOTE.sub(_name, href)}" {_LEAVES}')
    if attrs.get("auto") == "open" and tag == "details":
        out.append(" open")
    inline = inline_style(tag, attrs.get("class", ""))
    if type(height := attrs.get("height")) is int:
        # The plain declarations speak where the sheet is stripped; where it is not, it takes them away and reads the property.
        inline = f"{inline};" * bool(inline) + f"max-height:{height}px;overflow:auto;--rv-max:{height}px"
    if type(at := attrs.get("at")) is int and type(long := attrs.get("long")) is int:
        inline = f"--rv-at:{at / 10:g}%;--rv-long:{long / 10:g}%"
    if inline:
        out.append(f' style="{inline}"')
    return "".join(out)


def _name(match: re.Match[str]) -> str:
    return _NAMES[match[0]]
