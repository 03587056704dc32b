"""What a character looks like: nothing that came in a stream may hide, turn round or steer the text it stands in.

Escape sequences of terminals are taken out. Controls of direction, characters without width and tag characters are shown by
number, ⟨U+202E⟩, unless they do their honest work: joiners inside emoji and between letters of scripts that need them, the
tags of a flag. All other control characters and lone surrogates become U+FFFD.
"""

from __future__ import annotations

import re

__all__ = ["paired", "settled", "show"]

_ODD = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Every character that may need a look. A text without one is shown as it is."""

_STRING = "(?:\x1b[\\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}"
_CONTROL = "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,16}"
_ESCAPE = re.compile(f"{_CONTROL}[@-~]?|{_STRING}(?:\x07|\x1b\\\\|\x9c)?|\x1b[ -/]{{0,16}}[0-Z\\\\^-~]?")
_HALF_ESCAPE = re.compile(f"(?:{_CONTROL}|{_STRING}\x1b?|\x1b[ -/]{{0,16}})$")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001fbff"
)
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,8}\U000e007f"
_JOINED = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1000-\u109f\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufefc"
"""Scripts whose spelling uses joiners: Arabic and its neighbours, the scripts of India, Tibetan, Burmese, Khmer, Mongolian."""
_HONEST = (
    _FLAG
    + f"|(?<=[{_PICTURE}\ufe0f\u20e3])\u200d(?=[{_PICTURE}])"  # joined emoji
    + f"|(?<=[{_PICTURE}0-9#*])[\ufe0e\ufe0f]"  # drawn as text, or as a picture
    + f"|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])"
    + "|(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # variants of an ideograph
    + "|(?<=[\u1820-\u18aa])[\u180b-\u180f]"
)
_EACH = re.compile(f"({_HONEST})|({_ODD.pattern})")
_HALF_JOINED = re.compile(f"(?:[{_JOINED}{_PICTURE}\ufe0f\u20e3][\u200c\u200d]|\U0001f3f4[\U000e0020-\U000e007e]{{0,8}})$")


def show(text: str) -> str:
    """The text as it may be shown. Tabs and line feeds stay; a carriage return becomes a line feed."""
    if text.isascii() and text.isprintable():
        return text
    if _ODD.search(text) is None:
        return text
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _EACH.sub(_shown, _ESCAPE.sub("", paired(text)))


def settled(text: str) -> str:
    """A growing text without what its last characters leave open: half of an escape sequence, of a joined emoji, of a pair."""
    if text.isascii() and "\x1b" not in text[-5000:]:
        return text
    end = text[-5000:]
    kept = _HALF_ESCAPE.sub("", end)
    joined = _HALF_JOINED.search(kept)
    if joined is not None:
        kept = kept[: joined.start() + 1]
    if kept and "\ud800" <= kept[-1] <= "\udbff":
        kept = kept[:-1]
    return text if kept is end else text[: len(text) - len(end)] + kept


def paired(text: str) -> str:
    """The text with each pair of surrogates made the one character that it stands for."""
    if text.isascii() or _SURROGATE.search(text) is None:
        return text
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)


def _shown(match: re.Match[str]) -> str:
    if match[1] is not None:
        return match[1]
    code = ord(match[2])
    if code < 0xA0 or 0xD800 <= code < 0xE000:
        return "\ufffd"
    if code == 0xAD:
        return ""  # a place where a word may be broken says nothing to a reader
    if code in (0x2028, 0x2029):
        return "\n"
    return f"⟨U+{code:04X}⟩"
