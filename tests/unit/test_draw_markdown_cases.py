"""Faults that users met in other drawings of a growing text, each as the smallest input that shows it.

The cases' own format is kept: `pieces`, and what must hold at the end or at every prefix. Wishes that a case marks as soft
are not in the fixtures: `test_draw_markdown_half.py` tests what we make of them.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from runview.draw.markdown import Growing, render
from runview.draw.tree import Child, Node, wire

CASES: list[dict[str, Any]] = [
    case
    for path in sorted((Path(__file__).parent.parent / "fixtures/cases").glob("*.json"))
    if (case := json.loads(path.read_text()))["level"] == "markdown"
]
KNOWN = frozenset(
    "at_every_prefix dir final_count final_equals_oneshot final_html_has final_html_has_any final_html_lacks final_no_element "
    "final_visible final_visible_has final_visible_without_markers time_limit_s".split()
)
KNOWN_PREFIX = frozenset(
    "html_lacks no_exception no_href_prefix_of no_img_src_prefix_of no_script_or_handler visible_has_first "
    "visible_is_prefix_of_final".split()
)


def as_html(kids: list[Child]) -> str:
    """HTML as the cases write it: no attributes but addresses, headings from level 1, and no host beside a link."""
    out: list[str] = []
    for kid in kids:
        if isinstance(kid, str):
            out.append(html.escape(kid, quote=False))
            continue
        kid = kid.opened()
        if kid.attrs.get("class") == "rv-host":
            continue
        tag = f"h{int(kid.tag[1]) - 3}" if re.fullmatch("h[456]", kid.tag) else kid.tag
        addresses = "".join(f' {name}="{html.escape(kid.attrs[name])}"' for name in ("href", "src") if name in kid.attrs)
        out.append(f"<{tag}{addresses}>{as_html(kid.kids)}</{tag}>")
    return "".join(out)


def visible(nodes: list[Node]) -> str:
    return html.unescape("\n".join(re.sub(r"<[^>]*>", "", as_html([node])) for node in nodes))


def pages(pieces: list[str]) -> list[list[Node]]:
    """What is drawn after each piece and, last, at the end."""
    growing = Growing()
    out: list[list[Node]] = []
    for piece in pieces:
        growing.feed(piece)
        out.append([node.opened() for node in growing.nodes()])
    growing.close()
    return [*out, [node.opened() for node in growing.nodes()]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    expect = case["expect"]
    assert set(expect) <= KNOWN
    pieces = case["input"]["pieces"]
    drawn = pages(pieces)
    final = drawn[-1]
    assert [wire(node) for node in final] == [wire(node) for node in render("".join(pieces))]
    page, seen = as_html([*final]), visible(final)
    for text in expect.get("final_html_has", []):
        assert (text if "href" in text else re.sub(r' href="[^"]*"', "", text)) in page
    if "final_html_has_any" in expect:
        assert any(text in page for text in expect["final_html_has_any"])
    for text in expect.get("final_html_lacks", []):
        assert text not in page
    for tag in expect.get("final_no_element", []):
        assert f"<{tag}>" not in page
    if "final_visible" in expect:
        assert seen == expect["final_visible"]
    for text in expect.get("final_visible_has", []):
        assert text in seen
    if "final_visible_without_markers" in expect:
        assert seen.replace("*", "") == expect["final_visible_without_markers"]
    for tag, count in expect.get("final_count", {}).items():
        assert len(re.findall(rf"<{tag}[ >]", page)) == count
    for wanted in expect.get("dir", []):
        assert final[wanted["block"]].attrs["dir"] in wanted["any_of"]
    _at_every_prefix(expect.get("at_every_prefix", {}), drawn, seen)


def _at_every_prefix(expect: dict[str, Any], drawn: list[list[Node]], final: str) -> None:
    assert set(expect) <= KNOWN_PREFIX
    for nodes in drawn:
        page, seen = as_html([*nodes]), visible(nodes)
        for text in expect.get("html_lacks", []):
            assert text not in page
        if expect.get("visible_is_prefix_of_final"):
            assert final.startswith(seen)
        if "visible_has_first" in expect:
            assert seen.startswith(expect["visible_has_first"])
        if expect.get("no_script_or_handler"):
            assert not re.search(r"<(?:script|iframe|img)|<[^<>]* on\w+=|<[^<>]*javascript:", page)
        for attribute, key in (("href", "no_href_prefix_of"), ("src", "no_img_src_prefix_of")):
            if key in expect:
                whole = expect[key]
                assert all(address == whole for address in re.findall(rf'{attribute}="([^"]*)"', page))
