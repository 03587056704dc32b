"""Proofs by trying: however a text is cut, it is the same in the end, and every prefix of it keeps the rules of the tree.

All 652 examples of CommonMark in 20 cuts each, and what Hypothesis makes of the pieces of Markdown. The exhaustive part is
`slow`; a sample of it is not.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.draw import links
from runview.draw.markdown import render
from tests.markdown import check_pieces, cut, wires

EXAMPLES: list[str] = [
    example["markdown"] for example in json.loads((Path(__file__).parent.parent / "fixtures/commonmark.json").read_text("utf-8"))
]
WORDS = st.text(st.sampled_from("ab é_日ش1"), max_size=6)
PIECES = st.one_of(
    WORDS,
    st.sampled_from(
        "\n|\n\n|  \n|\r\n|# |## |- |* |+ |1. |2) |> |    |\t|```|```py\n|~~~\n|`|``|*|**|***|_|__|~~|~|[|](|](https://a.example/b)|"
        "](https://a.example 't')|]|![|![x](https://a.example/p.png)|[r]|[r]: https://r.example\n|[^1]|[^1]: note\n|[x] |[ ] |"
        "$|$$|$$\n|\\(|\\)|\\[|\\]|$x^2$|\\frac{a}{b}|<b>|</b>|<https://c.example>|<!--|&amp;|&#x3c;|\\|\\*|---\n|===\n|***\n|"
        "https://d.example/e?f=g |www.e.example |a@b.example |:|!|\u202e|\u200b|\u200d|\x1b[31m|\x1b]8;;|\0|\ufeff|\U0001f468|"
        "e\u0301".split("|")
    ),
    st.sampled_from(["|", "|--|--|\n", "| a | b |\n|:-:|--:|\n", "| c |\n", "\\|", "a | b\n-|-\n"]),
)


def check_example(text: str, cuts: int, seed: int) -> None:
    chance = random.Random(seed)
    check_pieces([*text])
    for _ in range(cuts):
        check_pieces(cut(text, chance))


@pytest.mark.parametrize("number", range(0, 652, 13))
def test_a_sample_of_the_examples(number: int) -> None:
    check_example(EXAMPLES[number], 3, number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, 652, 4))
def test_every_example_in_twenty_cuts(number: int) -> None:
    for text in EXAMPLES[number : number + 4]:
        check_example(text, 20, number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, 652, 4))
def test_every_example_in_twenty_cuts_where_any_address_is_a_link(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples link to `/url`, which is no link here: with it as one, the ways of links are cut, too."""
    monkeypatch.setattr(links, "check", lambda href: links.Link(href, ""))
    chance = random.Random(number)
    for text in EXAMPLES[number : number + 4]:
        for _ in range(20):
            check_pieces(cut(text, chance), links=False)


@given(st.lists(PIECES, max_size=40), st.randoms(use_true_random=False))
def test_any_text_in_any_cut(pieces: list[str], chance: random.Random) -> None:
    """2,000 texts with `make test-all`."""
    text = "".join(pieces)
    check_pieces(pieces)
    check_pieces(cut(text, chance))


@given(st.lists(PIECES, max_size=12), st.lists(PIECES, max_size=12))
def test_what_follows_a_closed_block_does_not_change_it(first: list[str], second: list[str]) -> None:
    head = "".join(first).rstrip() + "\n\n# between\n\n"
    before, after = wires(render(head)), wires(render(head + "".join(second)))
    closed = next((at for at, node in enumerate(before) if node[0] == "h4" and node[2] == ["between"]), None)
    if closed is not None and "[" not in "".join(second):  # a late definition makes links of what asks for it
        assert after[: closed + 1] == before[: closed + 1]


@pytest.mark.parametrize(
    ("text", "words", "absent"),
    [
        ("it costs $5 today and $10 tomorrow", "it costs $5 today and $10 tomorrow", "math"),
        ("$ x$ and $x $ and $x$2", "$ x$ and $x $ and $x$2", "math"),
        ("`$x$` and \\$x$", "$x$ and $x$", "math"),
        ("~~gone~~ and ~no~ a ~ b", "gone and ~no~ a ~ b", "math"),
        ("[^1] and a note[^2].\n\n[^1]: the first", "[^1] and a note[^2].", "a"),
        ("<b>bold</b> &lt;i&gt; <!-- x -->", "<b>bold</b> <i> <!-- x -->", "b"),
    ],
)  # fmt: skip
def test_what_looks_like_markup_and_is_none(text: str, words: str, absent: str) -> None:
    nodes = render(text)
    said = "\n".join(node.text() for node in nodes)
    assert said.startswith(words)
    assert not any(inner.tag == absent for node in nodes for inner in node.walk())
    check_pieces([*text])


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("$x^2$", ["math"]),
        ("$$x^2$$", ["math"]),
        ("\\(x\\) \\[y\\]", ["math", "math"]),
        ("- [ ] a\n- [x] b", ["ul", "input", "input"]),
        ("~~a~~", ["del"]),
        ("see https://a.example/b.", ["a"]),
        ("<https://a.example>", ["a"]),
        ("|a|\n|-|\n|b|", ["table"]),
        ("> - 1. x", ["blockquote", "ul", "ol"]),
    ],
)
def test_extensions_mean_what_they_say(text: str, tags: list[str]) -> None:
    found: list[Any] = [inner.tag for node in render(text) for inner in node.walk() if inner.tag in tags]
    assert found == tags
    check_pieces([*text])
