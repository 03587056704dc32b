"""The tree of nodes, its allow-list, and the difference of two trees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.draw.tree import Child, Node, Sealed, diff, h, wire
from tests.applier import applied, copied

TEXTS = st.text("ab 😀\u0301\ud83d", max_size=5)


def _keyed(kids: list[Child], keyed: dict[str, Node]) -> list[Child]:
    return [*kids, *(Node(node.tag, {**node.attrs, "key": key}, node.kids) for key, node in sorted(keyed.items()))]


def nodes(depth: int = 2) -> st.SearchStrategy[Node]:
    below = st.one_of(TEXTS, nodes(depth - 1)) if depth else TEXTS
    keyed = st.dictionaries(st.sampled_from("12345678"), nodes(depth - 1), max_size=4) if depth else st.just({})
    return st.builds(
        lambda tag, cls, kids, named: h(tag, cls, *_keyed(kids, named)),
        st.sampled_from(["p", "div", "details"]),
        st.sampled_from(["", "rv-a", "rv-b"]),
        st.lists(below, max_size=4),
        keyed,
    )


@given(nodes(), nodes())
def test_the_difference_turns_the_old_tree_into_the_new(old: Node, new: Node) -> None:
    new = Node(old.tag, new.attrs, new.kids)
    assert applied(copied(wire(old)), diff(old, new)) == copied(wire(new))


@given(nodes())
def test_a_tree_differs_from_itself_by_nothing(tree: Node) -> None:
    assert diff(tree, Node(tree.tag, dict(tree.attrs), list(tree.kids))) == []


@pytest.mark.parametrize(
    ("old", "new", "ops"),
    [
        (h("p", "", "one"), h("p", "", "one two"), [["append", [0], " two"]]),
        (h("p", "", "one"), h("p", "", "once"), [["splice", [0], 2, 0, "c"]]),
        (h("p", "", "a😀b"), h("p", "", "a😀c"), [["splice", [0], 3, 1, "c"]]),
        (h("p", "rv-a", "x"), h("p", "", "x"), [["set", [], "class", None]]),
        (h("p", "", h("em", "", "x")), h("p", "", h("strong", "", "x")), [["replace", [0], ["strong", {}, ["x"]]]]),
        (h("p", "", "x"), h("p", "", "x", h("br")), [["insert", [], 1, [["br", {}, []]]]]),
        (h("p", "", "x", h("br")), h("p", "", "x"), [["remove", [], 1, 1]]),
    ],
)
def test_operations_are_the_smallest(old: Node, new: Node, ops: list[object]) -> None:
    assert diff(old, new) == ops


def test_a_keyed_child_stays_when_another_comes_before_it() -> None:
    old = h("div", "", h("p", "", "one", key="1"), h("p", "", "three", key="3"))
    new = h("div", "", h("p", "", "one", key="1"), h("p", "", "two", key="2"), h("p", "", "three!", key="3"))
    assert diff(old, new) == [["insert", [], 1, [["p", {"key": "2"}, ["two"]]]], ["append", [2, 0], "!"]]


def test_a_details_is_never_swapped() -> None:
    old = h("div", "", h("div", "", h("details", "", "x")))
    new = h("div", "", h("p", "", "y"))
    assert diff(old, new) == [["remove", [], 0, 1], ["insert", [], 0, [["p", {}, ["y"]]]]]


def test_a_sealed_node_is_drawn_when_it_is_asked_for_and_compared_once() -> None:
    drawn = []

    def again() -> Node:
        drawn.append(1)
        return h("p", "", "text", key="b0")

    sealed = Sealed(again(), again)
    assert sealed.kids == []
    assert sealed.text() == "text"
    assert wire(h("div", "", sealed)) == ["div", {}, [["p", {"key": "b0"}, ["text"]]]]
    # What stood there before may have been dressed, with a caret say.
    dressed = h("div", "", h("p", "", "tex", h("span", "rv-caret", live=True), key="b0"))
    assert diff(dressed, h("div", "", sealed)) == [["remove", [0], 1, 1], ["append", [0, 0], "t"]]
    before = len(drawn)
    assert diff(h("div", "", sealed), h("div", "", sealed)) == []
    assert len(drawn) == before


def test_nothing_outside_the_allow_list_can_be_drawn() -> None:
    with pytest.raises(ValueError, match="<script> is not an element"):
        h("script")
    for name in ("onclick", "id", "style", "srcset", "slot", "part", "is", "target", "data-commandlinker-command", "formaction"):
        with pytest.raises(ValueError, match=f"'{name}' is not an attribute"):
            h("p", **{name: "x"})
