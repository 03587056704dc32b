"""The blocks of a long text stand in sections: none ever moves, and a change is looked for in a few of them only."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.markdown import Growing, render
from runview.draw.sections import Sections
from runview.draw.tree import Node, diff, h, wire
from tests.applier import applied, copied


def blocks(kids: list[Any]) -> list[str]:
    """The keys of the blocks, in order, whatever sections they are in."""
    out: list[str] = []
    for kid in kids:
        if kid.attrs.get("class") == "rv-part":
            assert 1 <= len(kid.kids) <= 32
            out += blocks(kid.kids)
        else:
            out.append(kid.key)
    return out


@pytest.mark.parametrize("count", [0, 1, 32, 33, 64, 65, 1_055, 1_056, 1_057, 2_079, 2_080, 2_081, 40_000])
def test_every_block_is_there_in_order(count: int) -> None:
    keys = [f"b{number}" for number in range(count)]
    nodes = [Node("p", {"key": key}, []) for key in keys]
    assert blocks(Sections(nodes).nodes()) == keys
    growing = Sections(nodes[: count // 2])
    assert blocks(growing.nodes(nodes[count // 2 :])) == keys
    assert blocks(growing.nodes()) == keys[: count // 2]
    assert len(Sections(nodes).nodes()) <= 128


def test_no_block_moves_and_full_sections_stay_the_same_objects() -> None:
    nodes = [Node("p", {"key": f"b{number}"}, [str(number)]) for number in range(3_200)]
    growing = Sections()
    page = copied(wire(h("div")))
    last = h("div")
    for number, node in enumerate(nodes):
        now = h("div", "", *growing.nodes([node]))
        ops = diff(last, now)
        assert [op[0] for op in ops] == ["insert"], "what stands in the page is not touched"
        assert len(json.dumps(ops)) < 300
        page, last = applied(page, ops), now
        growing.append(node)
        if number % 400 == 0:
            assert page == copied(wire(h("div", "", *growing.nodes())))
    first, second = growing.nodes(), growing.nodes()
    assert all(one is other for one, other in zip(first[:-1], second[:-1], strict=True))


def test_a_flush_compares_a_few_nodes_of_a_text_of_thousands_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from runview.draw import tree

    looked = 0
    children = tree._children

    def counted(old: list[Any], new: list[Any], *rest: Any) -> None:
        nonlocal looked
        looked += len(new)
        children(old, new, *rest)

    monkeypatch.setattr(tree, "_children", counted)
    growing = Growing()
    growing.feed("A short line.\n\n" * 10_000)
    growing.nodes()
    last = h("div", "", *growing.nodes())
    looked = 0
    growing.feed("One more")
    diff(last, h("div", "", *growing.nodes()))
    assert looked < 200


def test_the_file_holds_the_same_blocks_and_a_late_definition_reaches_into_a_section() -> None:
    text = "one [docs]\n\n" * 100 + "[docs]: https://docs.example/\n"
    growing = Growing()
    for at in range(0, len(text), 50):
        growing.feed(text[at : at + 50])
        growing.nodes()
    growing.close()
    nodes = growing.nodes()
    assert [wire(node) for node in nodes] == [wire(node) for node in render(text)]
    html = to_html(h("section", "rv", h("div", "rv-text", *nodes)), style=False)
    assert html.count("<p ") == html.count('href="https://docs.example/"') == 100
    assert html.count('<div class="rv-part">') == 3


def test_a_short_text_has_no_sections() -> None:
    assert blocks(render("line\n\n" * 32)) == [node.key for node in render("line\n\n" * 32)]
