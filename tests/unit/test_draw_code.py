"""Code in colour: every character stays, and odd text costs no more than any other."""

from __future__ import annotations

import pytest

from runview.draw.code import MAX_CHARACTERS, highlight
from runview.draw.languages import named
from runview.draw.markdown import render
from runview.draw.tree import wire
from tests.timing import linear

NAMES = ("python", "javascript", "json", "bash", "sql", "html", "css", "java", "c", "go", "rust", "yaml")


def marked(text: str, info: str) -> str:
    return "".join(
        kid if isinstance(kid, str) else f"⟨{kid.attrs['class'].removeprefix('rv-')} {kid.text()}⟩"
        for kid in highlight(text, info)
    )


@pytest.mark.parametrize(
    ("info", "text", "shown"),
    [
        ("python", "def f(x):  # why", "⟨k def⟩ ⟨f f⟩(x):  ⟨c # why⟩"),
        ("py", '"""a\nb""" + rb\'c\'', '⟨str """a\n⟩⟨str b"""⟩ + ⟨str rb\'c\'⟩'),
        ("python3", "@cache\nclass A: n = 0x1F + 1_000.5e3j", "⟨k @cache⟩\n⟨k class⟩ ⟨f A⟩: n = ⟨n 0x1F⟩ + ⟨n 1_000.5e3j⟩"),
        ("ts", "const x = `a\n${b}` // c", "⟨k const⟩ x = ⟨str `a\n⟩⟨str ${b}`⟩ ⟨c // c⟩"),
        ("js", "/* a\nb */ function f() { return null }", "⟨c /* a\n⟩⟨c b */⟩ ⟨k function⟩ ⟨f f⟩() { ⟨k return⟩ ⟨k null⟩ }"),
        ("json", '{"a": 1, "b": [true, "x"]}', '{⟨f "a"⟩: ⟨n 1⟩, ⟨f "b"⟩: [⟨k true⟩, ⟨str "x"⟩]}'),
        ("bash", 'echo "$a" # b\nx#y', '⟨k echo⟩ ⟨str "$a"⟩ ⟨c # b⟩\nx#y'),
        ("sql", "Select a FROM t -- b", "⟨k Select⟩ a ⟨k FROM⟩ t ⟨c -- b⟩"),
        ("html", '<a href="x">it\'s</a> <!-- b\nc -->', '⟨k <a⟩ ⟨f href⟩=⟨str "x"⟩⟨k >⟩it\'s⟨k </a>⟩ ⟨c <!-- b\n⟩⟨c c -->⟩'),
        ("css", ".a:hover { color: #fff; width: 10px }", ".a:hover { ⟨f color⟩: ⟨k #fff⟩; ⟨f width⟩: ⟨n 10px⟩ }"),
        ("java", "public class A { // b", "⟨k public⟩ ⟨k class⟩ ⟨f A⟩ { ⟨c // b⟩"),
        ("c++", "#include <a>\nstruct B { int c = 'd'; };", "⟨k #include⟩ <a>\n⟨k struct⟩ ⟨f B⟩ { ⟨k int⟩ c = ⟨str 'd'⟩; };"),
        ("go", "func f() { x := `a` }", "⟨k func⟩ ⟨f f⟩() { x := ⟨str `a`⟩ }"),
        ("rust", "fn f<'a>() { let c = 'x'; }", "⟨k fn⟩ ⟨f f⟩<'a>() { ⟨k let⟩ c = ⟨str 'x'⟩; }"),
        ("yaml", "a: 1\nb: [x]  # c\nu: http://x", "⟨f a⟩: ⟨n 1⟩\n⟨f b⟩: [x]  ⟨c # c⟩\n⟨f u⟩: http://x"),
        ("text", "def f(): pass", "def f(): pass"),
        ("", "", ""),
    ],
)
def test_colours(info: str, text: str, shown: str) -> None:
    assert marked(text, info) == shown


@pytest.mark.parametrize(
    ("info", "name"),
    [
        ("python", "python"),
        ("Python {1,3}", "python"),
        ("c++", "c"),
        ("jsx title=x", "javascript"),
        ("python onclick=x", "python"),
        ('"><script>', None),
        ("brainfuck", None),
        ("pythonx", None),
        ("", None),
    ],
)
def test_only_known_languages_have_a_name(info: str, name: str | None) -> None:
    assert named(info) == name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "unit",
    [
        '"',
        "'",
        "`",
        "/*",
        "*/",
        '"""',
        "#",
        "//",
        "--",
        "\\",
        '\\"',
        "a",
        "1",
        "1.",
        "@",
        "${",
        "a:",
        "<",
        "<a",
        "<!--",
        "&a",
        "\n",
        "=\"'",
        'r"',
        "#[",
        "'a",
        "é",
        "-",
        "a ",
        "\t",
    ],
)
def test_odd_text_stays_whole_and_takes_linear_time(name: str, unit: str) -> None:
    text = (unit * MAX_CHARACTERS)[:MAX_CHARACTERS]
    linear(lambda code: highlight(code, name), text[: MAX_CHARACTERS // 10], text, most=0.05)
    kids = highlight(text, name)
    assert "".join(kid if isinstance(kid, str) else kid.text() for kid in kids) == text
    assert len(kids) <= 2 * 4000 + 1


def test_long_code_is_plain() -> None:
    text = "x = 1\n" * 4000
    assert highlight(text, "python") == [text]


def test_a_code_block() -> None:
    assert wire(render("```python title\nx\n\n```")[0]) == [
        "div",
        {"class": "rv-block", "dir": "ltr", "copy": True, "key": "b0"},
        [["pre", {"class": "rv-code"}, [["code", {"class": "rv-cc"}, ["x\n"]]]]],
    ]
    assert render("    a\n\n    b\n\n\ntext")[0].text() == "a\n\nb"
    assert render("~~~\n- no list\n# no heading")[0].text() == "- no list\n# no heading"
