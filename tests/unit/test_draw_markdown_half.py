"""What a text that is still being written looks like."""

from __future__ import annotations

import pytest

from runview.draw.markdown import Growing, render
from runview.draw.tree import Child, Node, wire


def bare(kids: list[Child]) -> str:
    """Tags and texts, without attributes, paragraphs at the root as their content."""
    out: list[str] = []
    for kid in kids:
        if isinstance(kid, str):
            out.append(kid)
        elif kid.attrs.get("class") != "rv-host":
            kid = kid.opened()
            inside = bare(kid.kids)
            out.append(f"<{kid.tag}>{inside}</{kid.tag}>" if kid.tag not in ("div", "span") else inside)
    return "".join(out)


def half(text: str) -> str:
    growing = Growing()
    growing.feed(text)
    return "|".join(bare([node]).removeprefix("<p>").removesuffix("</p>") for node in growing.nodes())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # emphasis is closed, and a marker at the end waits
        ("a **bo", "a <strong>bo</strong>"),
        ("a **bold*", "a <strong>bold</strong>"),
        ("a **bold**", "a <strong>bold</strong>"),
        ("a **", "a"),
        ("a *i", "a <em>i</em>"),
        ("mix **_both ", "mix <strong><em>both</em></strong>"),
        ("a ~~gone", "a <del>gone</del>"),
        ("**a** and **b", "<strong>a</strong> and <strong>b</strong>"),
        ("snake_", "snake"),
        ("snake_case_x", "snake_case_x"),
        ("5 * 3", "5 * 3"),
        ("2*3*4", "2<em>3</em>4"),
        ("_a **b_ c", "<em>a **b</em> c"),
        ("\\*no", "*no"),
        ("\\*", ""),
        # code
        ("`ti", "<code>ti</code>"),
        ("``a ` b", "<code>a ` b</code>"),
        ("a `", "a"),
        ("```sql\nselect 1\n```\n\n**not yet", "<pre><code>select 1</code></pre>|<strong>not yet</strong>"),
        # links and images
        ("See [the do", "See the do"),
        ("See [the docs](https://exa", "See the docs"),
        ('See [the docs](https://exa.org "tit', "See the docs"),
        ("See [the docs][re", "See the docs"),
        ("[**bold", "<strong>bold</strong>"),
        ("fact [1", "fact [1"),
        ("fact [1]", "fact [1]"),
        ("a [b] c", "a [b] c"),
        ("`a[1` x", "<code>a[1</code> x"),
        ("x ![al", "x "),
        ("x ![alt](data:image/png;base64,iVBO", "x "),
        ("x <https://exa", "x https://exa"),
        ("x https://exa.org/a", "x https://exa.org/a"),
        ("x https://exa.org/a.", "x https://exa.org/a."),
        ("x https://exa.org/a b", "x <a>https://exa.org/a</a> b"),
        # characters
        ("R&", "R"),
        ("R&am", "R"),
        ("R&D", "R&D"),
        ("red \x1b[3", "red"),
        ("fam \U0001f468\u200d", "fam \U0001f468"),
        # maths
        ("so \\(x^", "so <code>x^</code>"),
        ("so $x", "so $x"),
        ("$$\nx^2\n", "<code>x^2</code>"),
    ],
)
def test_inline(text: str, shown: str) -> None:
    assert half(text).replace("<span>", "").replace("</span>", "") == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("text\n-", "text"),
        ("text\n---", "text"),
        ("text\n==", "text"),
        ("text\n\n#", "text"),
        ("text\n\n## ", "text"),
        ("text\n\n## H", "text|<h5>H</h5>"),
        ("text\n\n1", "text"),
        ("text\n\n1.", "text"),
        ("text\n\n1. a", "text|<ol><li>a</li></ol>"),
        ("- a\n-", "<ul><li>a</li></ul>"),
        ("- a\n- [", "<ul><li>a</li></ul>"),
        ("- a\n- [x]", "<ul><li>a</li></ul>"),
        ("- a\n- [x] b", "<ul><li>a</li><li><input></input> b</li></ul>"),
        ("- a\n  *", "<ul><li>a</li></ul>"),
        ("text\n>", "text"),
        ("text\n\n``", "text"),
        ("text\n\n```py", "text"),
        ("text\n\n```py\n", "text|<pre><code></code></pre>"),
        ("```\na\n``", "<pre><code>a</code></pre>"),
        ("```\na\n```", "<pre><code>a</code></pre>"),
        ("```\na\n```x", "<pre><code>a\n```x</code></pre>"),
        ("| a | b |\n|--", "| a | b |"),
        (
            "| a | b |\n|---|---|\n| 1 |",
            "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td></td></tr></tbody></table>",
        ),
        ("| a |\n|---|\n|", "<table><thead><tr><th>a</th></tr></thead></table>"),
        (
            "| a |\n|---|\n| **b",
            "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><strong>b</strong></td></tr></tbody></table>",
        ),
        ("text\n\n$", "text"),
        ("text\n\n[ref]: https://exa", "text"),
        ("text\n\n[ref]: https://exa.org\n[o", "text|o"),
        ("> quo", "<blockquote><p>quo</p></blockquote>"),
        ("# **He", "<h4><strong>He</strong></h4>"),
        ("   ", ""),
    ],
)
def test_block(text: str, shown: str) -> None:
    assert half(text) == shown


@pytest.mark.parametrize("text", ["请**记住：**明天，以及**『早点』**到。", "これは**「重要」**です", "이것은 **'중요'**합니다"])
def test_bold_between_letters_without_blanks(text: str) -> None:
    assert "**" not in bare([*render(text)])


def test_stars_beside_other_scripts_follow_the_specification() -> None:
    assert bare([*render('a**"b"**c')]) == '<p>a**"b"**c</p>'


def test_an_opener_that_is_far_away_is_not_closed() -> None:
    assert half("*stray " + "word " * 500).startswith("*stray word")


def test_a_large_picture_is_not_seen_until_it_is_whole() -> None:
    growing = Growing()
    growing.feed("x ![alt](data:image/png;base64,")
    for _ in range(50):
        growing.feed("iVBORw0KGgo" * 200)
        assert growing.nodes()[0].text() == "x "
    growing.feed(") y")
    assert growing.nodes()[0].text() == "x alt y"


def test_a_finished_text_is_not_repaired() -> None:
    assert [wire(node)[2] for node in render("a **b")] == [["a **b"]]
    assert isinstance(render("x")[0], Node)
