"""What the page's script and the kernel must agree on, and what the script must never do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from runview.draw import tree

JS = Path(__file__).parents[2] / "js" / "src"

SINKS = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "setHTML",
    "setHTMLUnsafe",
    "DOMParser",
    "createContextualFragment",
    "document.write",
    "srcdoc",
    "cssText",
    "insertRule",
    "eval(",
    "new Function",
    "importScripts",
)
"""Ways from a string to elements, styles or code."""

REQUESTS = ("fetch(", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon", "@import", "@font-face", "url(")
"""Ways out of the page."""


def listed(name: str) -> list[str]:
    """The strings of `export const NAME = […] as const` in contract.ts."""
    text = (JS / "contract.ts").read_text(encoding="utf-8")
    found = re.search(rf"export const {name} = \[(.*?)\] as const;", text, re.DOTALL)
    assert found, f"contract.ts has no list {name}"
    return re.findall(r'"([^"]+)"', found[1])


def without_comments(path: Path) -> str:
    return re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("name", ["TAGS", "MATH_TAGS", "ATTRIBUTES", "MATH_ATTRIBUTES", "HINTS"])
def test_both_sides_have_the_same_allow_list(name: str) -> None:
    names = listed(name)
    assert len(names) == len(set(names))
    assert set(names) == getattr(tree, name)


def test_both_sides_have_the_same_operations() -> None:
    documented = re.findall(r'\["(\w+)", path', Path(tree.__file__).read_text(encoding="utf-8"))
    assert set(listed("OPERATIONS")) == set(documented)


def test_both_sides_have_the_same_messages() -> None:
    """What the view sends and what it answers to, read from its code."""
    view = Path(tree.__file__).parents[1] / "view"
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(view.glob("*.py")))
    assert set(re.findall(r'"kind": "([^"]+)"', text)) == set(listed("NEWS"))
    asked = text[text.index('match content.get("kind"):') :]
    assert set(re.findall(r'\n +case "([^"]+)"', asked)) == set(listed("REQUESTS"))


def test_operations_of_the_difference_are_known_to_the_page() -> None:
    """Every operation that `diff` makes, for a pair of trees that needs all of them."""
    h = tree.h
    old = h("div", "a", h("p", "", "a", key="1"), h("p", "", "one two", key="2"), h("p", "", "gone", key="3"), h("hr"), h("hr"))
    new = h("div", "b", h("p", "", "ab", key="1"), h("p", "", "new", key="4"), h("p", "", "one 2", key="2"), h("b", "", "x"))
    assert {op[0] for op in tree.diff(old, new)} == set(listed("OPERATIONS"))


@pytest.mark.parametrize("path", sorted(JS.rglob("*.ts")), ids=lambda path: str(path.relative_to(JS)))
def test_the_script_has_no_sink_and_asks_for_nothing(path: Path) -> None:
    text = without_comments(path)
    assert [sink for sink in (*SINKS, *REQUESTS) if sink in text] == []


def test_the_sheet_asks_for_nothing() -> None:
    text = without_comments(JS / "styles.css")
    assert [way for way in ("@import", "@font-face", "url(", "image-set(", "expression(") if way in text] == []


def test_the_sheet_says_what_of_it_is_saved() -> None:
    """`build.mjs` cuts the saved sheet at this comment."""
    parts = re.split(r"/\*[^*]*\bonly while live\b[^*]*\*/", (JS / "styles.css").read_text(encoding="utf-8"))
    assert len(parts) == 2
    assert "rv-caret" not in parts[0]
