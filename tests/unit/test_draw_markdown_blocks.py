"""The nodes that each kind of block is drawn as."""

from __future__ import annotations

from typing import Any

import pytest

from runview.draw.markdown import Growing, render
from runview.draw.tree import diff, h, wire


def drawn(text: str) -> list[Any]:
    out = [wire(node) for node in render(text)]
    for number, node in enumerate(out):
        assert node[1].pop("key") == f"b{number}"
    return out


PARA = {"class": "rv-para", "dir": "auto"}


def test_paragraphs_and_headings() -> None:
    assert drawn("a  \nb\n\n# one\n## two\n### three\n###### six\n***\n> q") == [
        ["p", PARA, ["a", ["br", {}, []], "b"]],
        ["h4", {"class": "rv-h4", "dir": "auto"}, ["one"]],
        ["h5", {"class": "rv-h5", "dir": "auto"}, ["two"]],
        ["h6", {"class": "rv-h6", "dir": "auto"}, ["three"]],
        ["h6", {"class": "rv-h6", "dir": "auto"}, ["six"]],
        ["hr", {"class": "rv-hr"}, []],
        ["blockquote", {"class": "rv-quote", "dir": "auto"}, [["p", {"class": "rv-para"}, ["q"]]]],
    ]


def test_each_item_is_loose_by_itself() -> None:
    assert drawn("3. a\n4. b\n\n5. c\n   - d\n6. e") == [
        [
            "ol",
            {"class": "rv-list", "dir": "auto", "start": 3},
            [
                ["li", {}, ["a"]],
                ["li", {}, [["p", {"class": "rv-para"}, ["b"]]]],
                ["li", {}, [["p", {"class": "rv-para"}, ["c"]], ["ul", {"class": "rv-list"}, [["li", {}, ["d"]]]]]],
                ["li", {}, ["e"]],
            ],
        ]
    ]


def test_a_finished_item_is_not_touched_by_those_that_follow() -> None:
    growing = Growing()
    growing.feed("- a\n- b\n- c")
    page = h("div", "", *growing.nodes())
    growing.feed("\n\n- d")
    now = h("div", "", *growing.nodes())
    assert {tuple(op[1][:2]) for op in diff(page, now)} == {(0, 2), (0,)}


def test_tasks() -> None:
    box = {"type": "checkbox", "disabled": True}
    assert drawn("- [x] done\n- [ ] *open*\n- [x]\n- [y] z")[0][2] == [
        ["li", {}, [["input", {**box, "checked": True}, []], " ", "done"]],
        ["li", {}, [["input", box, []], " ", ["em", {}, ["open"]]]],
        ["li", {}, ["[x]"]],
        ["li", {}, ["[y] z"]],
    ]


def test_tables() -> None:
    text = "text\n| a | b | c |\n|:-:|--:|---|\n| 1 \\| 2 | **3** | `|` |\n| 4 |\nafter\n\n> x"
    para, block, quote = drawn(text)
    assert para == ["p", PARA, ["text"]]
    assert quote[0] == "blockquote"
    assert block[:2] == ["div", {"class": "rv-block", "copy": text.removeprefix("text\n").removesuffix("\n\n> x")}]
    assert block[2] == [
        [
            "div",
            {"class": "rv-scroll"},
            [
                [
                    "table",
                    {"class": "rv-table", "dir": "auto"},
                    [
                        [
                            "thead",
                            {},
                            [
                                [
                                    "tr",
                                    {},
                                    [["th", {"class": "rv-mid"}, ["a"]], ["th", {"class": "rv-num"}, ["b"]], ["th", {}, ["c"]]],
                                ]
                            ],
                        ],
                        [
                            "tbody",
                            {},
                            [
                                [
                                    "tr",
                                    {},
                                    [
                                        ["td", {"class": "rv-mid"}, ["1 | 2"]],
                                        ["td", {"class": "rv-num"}, [["strong", {}, ["3"]]]],
                                        ["td", {}, ["`"]],
                                    ],
                                ],
                                ["tr", {}, [["td", {"class": "rv-mid"}, ["4"]], ["td", {"class": "rv-num"}, []], ["td", {}, []]]],
                                [
                                    "tr",
                                    {},
                                    [["td", {"class": "rv-mid"}, ["after"]], ["td", {"class": "rv-num"}, []], ["td", {}, []]],
                                ],
                            ],
                        ],
                    ],
                ]
            ],
        ]
    ]


@pytest.mark.parametrize("text", ["a | b\n---", "| a | b |\n|---|\nx", "a\n|-", "a | b\n--|--|--"])
def test_no_tables(text: str) -> None:
    assert all(node[0] in ("p", "h5") for node in drawn(text))


MATH = [["math", {}, [["mrow", {}, [["msup", {}, [["mi", {}, ["x"]], ["mn", {}, ["2"]]]]]]]]]
BLOCK = [["math", {"display": "block"}, MATH[0][2]]]


@pytest.mark.parametrize("text", ["$x^2$", "\\(x^2\\)", "\\( x^2 \\)"])
def test_maths_in_a_line(text: str) -> None:
    assert drawn(f"so {text}, yes") == [["p", PARA, ["so ", ["span", {"class": "rv-imath", "tex": "x^2"}, MATH], ", yes"]]]


@pytest.mark.parametrize("text", ["$$\nx^2\n$$", "$$x^2$$", "\\[\nx^2\n\\]", "\\[x^2\\]", "$$\nx^2 $$"])
def test_maths_that_stands_by_itself(text: str) -> None:
    assert drawn(f"so\n{text}\nyes") == [
        ["p", PARA, ["so"]],
        ["div", {"class": "rv-math", "tex": "x^2"}, BLOCK],
        ["p", PARA, ["yes"]],
    ]


def test_display_maths_within_a_line() -> None:
    assert drawn("so $$x^2$$ yes")[0][2][1] == ["span", {"class": "rv-math", "tex": "x^2"}, BLOCK]


@pytest.mark.parametrize(
    "text",
    [
        "costs $5 and $7, $750 total",
        "Env $HOME or $/kg.",
        "$HOME/$USER",
        "a $ b$ c",
        "$x $ y",
        "from $5-$7",
        "US$5 and A$6",
        "$$$",
        "\\$x$",
        "`$x$`",
        "1$x$",
    ],
)
def test_dollars_that_are_no_maths(text: str) -> None:
    assert "rv-imath" not in str(drawn(text))
    assert "math" not in str(drawn(text))


@pytest.mark.parametrize(
    "tex",
    [
        "\\href{javascript:1}{x}",
        "\\frac{",
        "\\unknowncommand{x}_{",
        "{" * 100 + "}" * 100,
        "\\def\\x{1}",
        "\\begin{matrix}",
        "x" * 2001,
    ],
)
def test_maths_that_cannot_be_drawn_is_shown_as_tex(tex: str) -> None:
    node = drawn(f"$$\n{tex}\n$$")[0]
    assert node[1]["class"] == "rv-math"
    assert "tex" in node[1] or node[2] == [["code", {}, [tex]]]
    assert "href" not in str(node[2]).replace("\\\\href", "")


def test_maths_never_closed_is_text() -> None:
    assert drawn("$$\nx = 1\n\nafter") == [["p", PARA, ["$$\nx = 1"]], ["p", PARA, ["after"]]]
