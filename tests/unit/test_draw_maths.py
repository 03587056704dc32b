"""Formulas: attributes of MathML are kept where they change the meaning or the size of brackets, in values of ours only."""

from __future__ import annotations

import re
from typing import Any

import pytest

from runview.draw.maths import formula
from runview.draw.tree import MATH_ATTRIBUTES, Node


def elements(tex: str, tag: str, *, block: bool = False) -> list[dict[str, Any]]:
    return [node.attrs for node in formula(tex, block=block).walk() if node.tag == tag]


def words(tex: str, *, block: bool = False) -> list[tuple[str, dict[str, Any]]]:
    return [(node.text(), node.attrs) for node in formula(tex, block=block).walk() if node.tag == "mo"]


def test_brackets_of_the_writer_stretch_and_those_of_a_call_do_not() -> None:
    assert words(r"\left(\frac{a}{b}\right)") == [
        ("(", {"stretchy": "true", "form": "prefix"}),
        (")", {"stretchy": "true", "form": "postfix"}),
    ]
    assert words("f(x)") == [("(", {"stretchy": "false"}), (")", {"stretchy": "false"})]
    assert all(attrs.get("stretchy") != "false" for _, attrs in words(r"\begin{pmatrix}1 & 0\end{pmatrix}"))
    assert all(attrs["minsize"] == attrs["maxsize"] == "1.2em" for _, attrs in words(r"\big(x\big)"))


def test_a_binomial_is_no_fraction() -> None:
    assert elements(r"\binom{n}{k}", "mfrac") == [{"linethickness": "0"}]


def test_a_formula_by_itself_has_its_limits_above_and_below() -> None:
    assert elements(r"\sum_{i=1}^n i", "munderover", block=True)
    assert not elements(r"\sum_{i=1}^n i", "munderover")


def test_spaces_keep_their_width() -> None:
    assert elements(r"a \quad b \! c", "mspace") == [{"width": "1em"}, {"width": "-0.167em"}]


def test_columns_have_their_sides() -> None:
    assert elements(r"\begin{cases} 1 & x \end{cases}", "mtd") == [{"class": "rv-left"}, {"class": "rv-left"}]


@pytest.mark.parametrize(
    "tex",
    [
        r"\hspace{9999em} x", r"\hspace{3cm} x", r"\kern{100em} x", r"\rule{9em}{9em}", r"\color{red} x", r"\fbox{x} \boxed{y}",
        r"\mathrm{d}x \mathbb{R} \operatorname{f}(x) \substack{a \\ b} \xrightarrow{n} \overset{a}{b} \big\| x \Bigg|",
        r"\begin{array}{l|c} a & b \\ \hline c & d \end{array} \begin{align} a &= b \end{align} \tfrac12 \cancel x",
    ],
)  # fmt: skip
def test_no_other_attribute_and_no_other_value_comes_through(tex: str) -> None:
    for block in (False, True):
        drawn = formula(tex, block=block)
        for node in drawn.walk():
            if node.tag in ("span", "code", "math"):
                continue
            assert set(node.attrs) <= MATH_ATTRIBUTES | {"class"}
            for name, value in node.attrs.items():
                assert re.fullmatch(
                    r"true|false|prefix|postfix|infix|normal|[-+]?\d{0,2}(\.\d+)?(em)?|rv-left|rv-right", value
                ), name
        assert isinstance(drawn, Node)


def test_a_long_formula_is_drawn_and_a_deep_one_is_not() -> None:
    assert elements(" + ".join(f"a_{{{n}}} x^{n % 10}" for n in range(60)), "msub")
    for deep in ("^_" * 400, "x^{" * 61 + "}" * 61, "(" * 90):
        assert [node.tag for node in formula(deep).walk()] == ["span", "code"]


@pytest.mark.parametrize(
    "command",
    "href url style class cssId require def let newcommand renewcommand htmlClass htmlData data unicode color".split(),
)
def test_commands_that_reach_out_of_a_formula_are_shown_as_they_came(command: str) -> None:
    tex = f"x + \\{command}{{y}}{{z}}"
    for block in (False, True):
        node = formula(tex, block=block)
        assert "tex" not in node.attrs, "what is marked as a formula, MathJax may draw"
        assert [kid.tag for kid in node.kids if isinstance(kid, Node)] == ["code"]
        assert node.text() == tex
