"""The examples of the CommonMark specification mean in the drawing what markdown-it makes of them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from runview.draw import links
from runview.draw.markdown import render
from runview.draw.tree import Child

EXAMPLES: list[dict[str, Any]] = json.loads((Path(__file__).parent.parent / "fixtures/commonmark.json").read_text())
REFERENCE = MarkdownIt("commonmark", {"html": False})
EMPTY = ("br", "hr", "img", "input")


class _Meaning(HTMLParser):
    """HTML as a list of tags and texts. Paragraphs in items are left out: here each item says by itself whether it is loose."""

    def __init__(self) -> None:
        super().__init__()
        self.out: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.handle_data(dict(attrs).get("alt") or "image")
            return
        self.out.append(_tag(tag, self.open))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in EMPTY:
            return
        self.open.pop()
        self.out.append("/" + _tag(tag, self.open))

    def handle_data(self, data: str) -> None:
        self.out.append("=" + data)


def _tag(tag: str, above: list[str]) -> str:
    if tag == "p" and above and above[-1] == "li":
        return ""
    return f"h{min(3 + int(tag[1]), 6)}" if re.fullmatch("h[1-6]", tag) else tag


def _ours(kids: list[Any], out: list[str], above: list[str]) -> None:
    for kid in kids:
        if isinstance(kid, str):
            out.append("=" + kid)
            continue
        kid = kid.opened()
        if kid.attrs.get("class") == "rv-host":
            continue
        if kid.tag in ("div", "span"):
            _ours(kid.kids, out, above)
            continue
        tag = "" if kid.tag == "p" and above and above[-1] == "li" else kid.tag
        out.append(tag)
        _ours(kid.kids, out, [*above, kid.tag])
        if kid.tag not in EMPTY:
            out.append("/" + tag)


def _normal(parts: list[str], *, anchors: bool) -> list[str]:
    """Texts that meet made one, white space made equal, tags that say nothing left out."""
    out: list[str] = []
    for part in parts:
        if not anchors and part in ("a", "/a"):
            continue
        if part in ("", "/"):
            part = "= "
        if part.startswith("=") and out and out[-1].startswith("="):
            out[-1] += part[1:]
        else:
            out.append(part)
    out = ["=" + " ".join(part[1:].split()) if part.startswith("=") else part for part in out]
    return [part for part in out if part != "="]


def meaning(html: str, *, anchors: bool = True) -> list[str]:
    parser = _Meaning()
    parser.feed(html)
    return _normal(parser.out, anchors=anchors)


def drawn(nodes: list[Child], *, anchors: bool = True) -> list[str]:
    out: list[str] = []
    _ours(list(nodes), out, [])
    return _normal(out, anchors=anchors)


@pytest.fixture(autouse=True)
def any_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples link to `/url`, which no drawing may do, and leave bare addresses alone."""
    monkeypatch.setattr(links, "check", lambda href: links.Link(href, ""))
    monkeypatch.setattr(links, "says", lambda text, host: True)
    monkeypatch.setattr(links, "found", lambda text: [])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["example"]))
def test_example(example: dict[str, Any]) -> None:
    text = example["markdown"]
    anchors = "![" not in text  # an image is a link with its alternative text here
    assert drawn(render(text), anchors=anchors) == meaning(REFERENCE.render(text), anchors=anchors)
