"""What a stream may not do with characters, and what it may."""

from __future__ import annotations

import pytest

from runview.draw.characters import paired, settled, show
from tests.timing import linear


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nof two lines", "plain\ttext\nof two lines"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("level \u202eresu\u202c end", "level ⟨U+202E⟩resu⟨U+202C⟩ end"),
        ("zero\u200bwidth \ufeff\u2060", "zero⟨U+200B⟩width ⟨U+FEFF⟩⟨U+2060⟩"),
        ("tag \U000e0041\U000e0042", "tag ⟨U+E0041⟩⟨U+E0042⟩"),
        ("lines\u2028and\u2029paragraphs", "lines\nand\nparagraphs"),
        ("\0\x08\x85", "\ufffd\ufffd\ufffd"),
        ("lone \ud800 and \udfff", "lone \ufffd and \ufffd"),
        ("\ud83d\ude00", "😀"),
        ("\x1b[31mred\x1b[0m \x1b[2J\x1b[1;1H$", "red $"),
        ("\x1b]8;;https://evil.example\x07words\x1b]8;;\x07", "words"),
        ("\x1b]0;title\x1b\\x", "x"),
        ("\x9b31mred", "red"),
        ("shy\xadphen", "shyphen"),
        ("blank\u3164name\u115f", "blank⟨U+3164⟩name⟨U+115F⟩"),
    ],
)
def test_shown(text: str, shown: str) -> None:
    assert show(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧 family",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f Scotland",
        "🇳🇴 and ❤\ufe0f and 1\ufe0f\u20e3",
        "👩🏽\u200d🔬",
        "❤\ufe0f\u200d🔥",
        "می\u200cخواهم",
        "क्\u200dष",
        "مرحبا بالعالم, שלום",
        "naïve, 日本語, é",
        "葛\U000e0100",
    ],
)
def test_honest_text_stays(text: str) -> None:
    assert show(text) == text


def test_joiner_between_latin_letters_is_shown() -> None:
    assert show("pay\u200dpal") == "pay⟨U+200D⟩pal"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("red \x1b[3", "red "),
        ("x\x1b", "x"),
        ("x\x1b]8;;http", "x"),
        ("👨\u200d", "👨"),
        ("a\ud83d", "a"),
        ("plain", "plain"),
        ("é", "é"),
    ],
)
def test_settled(text: str, kept: str) -> None:
    assert settled(text) == kept


def test_pairs() -> None:
    assert paired("\ud83d\ude00 \ud83d") == "😀 \ud83d"


@pytest.mark.parametrize(
    "unit",
    ["\x1b", "\x1b[", "\x1b]", "\x1b[0;", "\u200d", "\U0001f3f4\U000e0061", "\ud83d", "👨\u200d", "\x1b]\n", "ا\u200c", "\r"],
)
def test_linear(unit: str) -> None:
    count = 20_000 // len(unit)
    linear(lambda text: (show(text), settled(text)), unit * count, unit * (10 * count))
