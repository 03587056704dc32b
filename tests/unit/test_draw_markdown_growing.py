"""However a text is cut, it ends as the same blocks; what is final stays; and what a piece costs does not grow."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.draw.markdown import Growing, render
from runview.draw.tree import Node, Sealed, diff, h, wire

EXAMPLES: list[str] = [
    example["markdown"] for example in json.loads((Path(__file__).parent.parent / "fixtures/commonmark.json").read_text())
]
MIXED = """# Title with **bold**

A paragraph with *emphasis*, `code`, [a link](https://docs.example/a_b) and [one by name][ref],
over two lines\x20\x20
with a hard break. Costs $5 and $7, but $x^2$ is maths.

1. one
2. two
   - nested *item*
   - [x] done

     loose

| left | right | mid |
|:-----|------:|:---:|
| a \\| b | 1 | **c** |
| d |

> quoted
lazy
> - item

```python
def f(x):
    return "ä"  # why

```
~~~
open
~~~

$$
\\frac{a}{b}
$$

Setext
------

![alt](https://pics.example/a.png) ![](data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)

[ref]: https://late.example/ "title"

    indented

    code
***
日本語の**強調**と👨\u200d👩\u200d👧、\r\nCRLF\rCR <b>html</b> \\(a+b\\)
"""
PIECES = st.sampled_from(
    [
        "a",
        "word ",
        "\n",
        "\n\n",
        "\r\n",
        "- ",
        "1. ",
        "> ",
        "```",
        "`",
        "**",
        "*",
        "_",
        "~~",
        "#",
        "# ",
        "|",
        "|-|\n",
        "a | b\n--|--\n",
        "[",
        "]",
        "(https://x.example)",
        "![",
        "[r]: https://r.example\n",
        "[r]",
        "$",
        "$$",
        "\\",
        "\\(",
        "\\)",
        "<",
        ">",
        "&amp;",
        "    ",
        "\t",
        "=",
        "-",
        "---\n",
        "https://y.example/z ",
        "é",
        "�",
        "�",
        "\x1b[1m",
        "\u202e",
        "\u200d",
        "[ ] ",
        "  \n",
        "```py\nx=1\n```\n",
    ]
)


def grown(pieces: list[str]) -> list[Any]:
    """The final blocks of a text that came in pieces, drawn after each of them as a page would have it."""
    growing = Growing()
    page = h("div")
    for piece in pieces:
        growing.feed(piece)
        now = h("div", "", *growing.nodes())
        diff(page, now)
        page = now
    growing.close()
    return [wire(node) for node in growing.nodes()]


def cut(text: str, chance: random.Random) -> list[str]:
    places = sorted(chance.sample(range(1, len(text)), min(len(text) - 1, chance.randint(1, 12)))) if len(text) > 1 else []
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def whole(text: str) -> list[Any]:
    return [wire(node) for node in render(text)]


@given(st.lists(PIECES, max_size=30), st.randoms(use_true_random=False))
def test_any_cut_of_anything(pieces: list[str], chance: random.Random) -> None:
    text = "".join(pieces)
    assert grown(pieces) == whole(text) == grown(cut(text, chance)) == grown([*text])


@pytest.mark.parametrize("number", range(0, 652, 20))
def test_any_cut_of_the_examples(number: int) -> None:
    chance = random.Random(number)
    for text in EXAMPLES[number : number + 20]:
        wanted = whole(text)
        for _ in range(5):
            assert grown(cut(text, chance)) == wanted


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_any_cut_of_a_mixed_text(size: int) -> None:
    assert grown([MIXED[at : at + size] for at in range(0, len(MIXED), size)]) == whole(MIXED)


def test_final_blocks_are_sealed_and_stay_the_same_objects() -> None:
    growing = Growing()
    growing.feed("one\n\ntwo\n\nthr")
    first = growing.nodes()
    growing.feed("ee *x*")
    second = growing.nodes()
    assert [node.key for node in second] == ["b0", "b1", "b2"]
    assert isinstance(first[0], Sealed)
    assert first[0] is second[0]
    assert first[1] is second[1]
    assert not isinstance(second[2], Sealed)
    assert diff(h("div", "", *first), h("div", "", *second)) == [
        ["insert", [2], 1, [["em", {}, ["x"]]]],
        ["append", [2, 0], "ee "],
    ]
    growing.nodes()
    assert wire(second[0]) == ["p", {"class": "rv-para", "dir": "auto", "key": "b0"}, ["one"]]


def test_a_block_that_becomes_final_says_so_once() -> None:
    growing = Growing()
    growing.feed("```python\nx = 1\n")
    page = h("div", "", *growing.nodes())
    growing.feed("```\n")
    now = h("div", "", *growing.nodes())
    assert diff(page, now) == [
        ["insert", [0, 0, 0], 1, [["span", {"class": "rv-n"}, ["1"]]]],
        ["splice", [0, 0, 0, 0], 4, 1, ""],
    ]
    assert diff(now, h("div", "", *growing.nodes())) == []


def test_a_growing_fence_only_appends() -> None:
    growing = Growing()
    growing.feed("```python\nx")
    page = h("div", "", *growing.nodes())
    ops: list[Any] = []
    for piece in ["de", "f f():", "\n", "    pass", "\n", "\n", "y", "\n", "``"]:
        growing.feed(piece)
        now = h("div", "", *growing.nodes())
        ops += diff(page, now)
        page = now
    assert {op[0] for op in ops} == {"append"}
    assert page.text() == "xdef f():\n    pass\n\ny"


def test_late_definition_is_applied_at_the_end() -> None:
    growing = Growing()
    growing.feed("see [docs] and [1]\n\nplain\n\n")
    before = growing.nodes()
    assert before[0].text() == "see [docs] and [1]"
    growing.feed("[docs]: https://docs.example/\n\nlast")
    assert growing.nodes()[0] is before[0]
    growing.close()
    after = growing.nodes()
    link = ["a", {"href": "https://docs.example/"}, ["docs"]]
    cite = ["span", {"class": "rv-cite"}, ["[1]"]]
    assert wire(after[0])[2] == ["see ", link, ["span", {"class": "rv-host"}, [" (docs.example)"]], " and ", cite]
    assert after[1] is before[1]
    assert diff(h("div", "", *before), h("div", "", *after)) != []
    growing.nodes()
    growing.nodes()
    assert wire(after[0])[2][1][1] == {"href": "https://docs.example/"}


def test_feeding_a_closed_text_is_refused() -> None:
    growing = Growing()
    growing.close()
    growing.close()
    with pytest.raises(ValueError, match="closed"):
        growing.feed("x")
    assert growing.nodes() == []


def test_source_of_a_final_block() -> None:
    growing = Growing()
    growing.feed("# one\ntwo\nlines\n\n- a\n\n- b\n\n\nlast\n")
    growing.nodes()
    assert [growing.source(f"b{number}") for number in range(4)] == ["# one", "two\nlines", "- a\n\n- b", None]


def _cost(text: str, every: int) -> tuple[int, int]:
    """How many characters the inline parser is given in the first and in the last tenth of a text that comes by fours."""
    from runview.draw import stretches

    read = 0
    lex, drawn = stretches.lex, stretches.plain

    def counted(source: str, *rest: Any, **more: Any) -> Any:
        nonlocal read
        read += len(source)
        return lex(source, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "lex", counted)
        patch.setattr(stretches, "plain", lambda source: False)
        growing = Growing()
        marks: list[int] = []
        for number, at in enumerate(range(0, len(text), 4)):
            growing.feed(text[at : at + 4])
            if number % every == 0:
                growing.nodes()
            if number % (len(text) // 40) == 0:
                marks.append(read)
    assert drawn is stretches.plain
    return marks[1] - marks[0], marks[-1] - marks[-2]


LINE = "the tidal range is **large** at `height()` and [so on](https://a.example/b) it goes on "


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("", LINE),
        ("", LINE + "\n"),
        ("*never closed ", LINE + "\n"),
        ("", "- " + LINE + "\n"),
        ("", "- " + LINE + "\n\n"),
        ("- top\n", "  - " + LINE + "\n"),
        ("> a\n", "> " + LINE + "\n"),
        ("| a | b |\n|---|---|\n", "| " + LINE + " | 1 |\n"),
        ("```python\n", LINE + "\n"),
        ("", LINE + "\n\n"),
    ],
    ids=["line", "paragraph", "open", "list", "loose", "nested", "quote", "table", "fence", "blocks"],
)
def test_the_last_tenth_costs_what_the_first_did(head: str, unit: str) -> None:
    first, last = _cost(head + unit * (60_000 // len(unit)), 8)
    assert last <= 1.5 * first + 2000


def test_memory_of_final_blocks_is_their_source() -> None:
    growing = Growing()
    growing.feed("word *emphasis*\n\n" * 60)
    growing.nodes()
    growing.nodes()
    *nodes, section = growing.nodes()
    nodes += [kid for kid in section.kids if isinstance(kid, Node)]
    assert all(isinstance(node, Sealed) and not node.kids for node in nodes)
    assert all(final.node is None for final in growing._finals), "a final block has given its drawing away"
    assert [node.text() for node in nodes] == ["word emphasis"] * 60
    assert all(isinstance(node.opened(), Node) for node in nodes)
