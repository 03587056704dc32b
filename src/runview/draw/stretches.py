"""A long text drawn piece by piece, so that what is added to it costs the same at its end as at its beginning.

A text is cut into stretches at white space where nothing is open: no emphasis, link, code or formula that begins before the
cut can end behind it. Whether a place is fit depends only on the text before it and the two characters after, so a text is
cut in the same places however it came, and its stretches can be drawn one by one. A text in which something stays open is
cut by force after 4 kB: markup that reaches further is not found, which also bounds what hostile text can cost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from runview.draw.characters import settled, show
from runview.draw.half import trimmed
from runview.draw.inline import MAX_DOLLAR, MAX_TEX, build, lex, plain
from runview.draw.tree import Child

if TYPE_CHECKING:
    from markdown_it.token import Token

    from runview.draw.definitions import Known

__all__ = ["Written"]

STEPS: Final = (1000, 2000, 4000)
"""How long a stretch is at least; the next one is tried where the one before could not be cut."""
OFTEN: Final = 2000
"""Up to this length an open stretch is drawn anew each time; a longer one when it has grown by an eighth."""

_PLACE: Final = re.compile(r"(?<=[^\s\\])[ \n](?=\S)")
_BRACKETS: Final = re.compile(r"\[[^\[\]]*\](?![(\[:])")
_OPEN: Final = re.compile(r"[`\[]|[*~]+(?!\s)|(?<![^\W_])_+(?!\s)")
_MARKERS: Final = re.compile(r"[*_~]+|\[")
_DATA: Final = ";base64,"
_DATA_END: Final = re.compile(r"[^A-Za-z0-9+/=]")


class Written:
    """One text and the drawing of its stretches so far."""

    __slots__ = ("cut", "head", "kids", "step", "tail", "tail_kids")

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.cut = 0
        self.head = ""
        self.step = 0
        self.kids: list[Child] = []
        self.tail = ""
        self.tail_kids: list[Child] = []

    def draw(self, text: str, known: Known, *, half: bool = False) -> list[Child]:
        """The children for `text`, which is what it was at the last call and more. `half`: more may come."""
        if not text.startswith(self.head):
            self._begin()
        self._advance(text, known)
        tail = text[self.cut :]
        if not half:
            return _joined(self.kids, _drawn(tail, known))
        if len(tail) > OFTEN and self.tail and tail.startswith(self.tail) and len(tail) - len(self.tail) < len(self.tail) // 8:
            if tail.rfind(_DATA) > tail.rfind(")"):  # the data of a picture, which is seen when it is whole
                return _joined(self.kids, self.tail_kids)
            return _joined(self.kids, _joined(self.tail_kids, [show(tail[len(self.tail) :])]))
        self.tail = tail
        self.tail_kids = [show(settled(tail))] if _dense(tail) else build(lex(trimmed(tail), known, half=True), half=True)
        return _joined(self.kids, self.tail_kids)

    def _advance(self, text: str, known: Known) -> None:
        while len(text) - self.cut > STEPS[0]:
            at = self._place(text)
            if at is None:
                return
            source = text[self.cut : at]
            if plain(source) or _dense(source):
                self._keep([show(source)], text, at)
                continue
            last = self.step == len(STEPS) - 1
            if not last and _unbalanced(source):
                self.step += 1
                continue
            tokens = lex(source, known)
            if not last and _leaves_open(source, tokens):
                self.step += 1
                continue
            self._keep(build(tokens), text, at)

    def _keep(self, kids: list[Child], text: str, at: int) -> None:
        """A stretch is done: it ends at `at`."""
        self.kids = _joined(self.kids, kids)
        self.cut, self.step, self.tail = at, 0, ""
        self.head = text[: at + 2]

    def _place(self, text: str) -> int | None:
        """Where the next cut may be, or None while that is not known."""
        want = self.cut + STEPS[self.step]
        most = self.cut + STEPS[-1]
        match = _PLACE.search(text, want, most + 1000)
        if match is not None and match.start() <= most:
            return match.start()
        if len(text) < most + 1000:
            return None
        self.step = len(STEPS) - 1
        if match is not None:
            return match.start()
        # No white space at all: a very long word, or the data of a picture, which is only whole in one piece.
        if text.rfind(_DATA, self.cut, most) > text.rfind(")", self.cut, most):
            end = _DATA_END.search(text, most)
            return end.end() if end is not None and end.end() + 2 <= len(text) else None
        return most


def _drawn(text: str, known: Known) -> list[Child]:
    if plain(text) or _dense(text):
        return [show(text)] if text else []
    return build(lex(text, known))


def _dense(source: str) -> bool:
    """Whether a stretch is made of markers more than of words, as no text is that wants to be read: it is shown as it came."""
    return len(source) >= STEPS[0] and 11 * len(_MARKERS.findall(source)) > 2 * len(source)


def _joined(first: list[Child], second: list[Child]) -> list[Child]:
    """One list of children, with the texts that meet in the middle made one."""
    if not first or not second:
        return first or second
    left, right = first[-1], second[0]
    if isinstance(left, str) and isinstance(right, str):
        return [*first[:-1], left + right, *second[1:]]
    return first + second


def _unbalanced(source: str) -> bool:
    """Whether a count says already that something is most likely open, so that the text need not be lexed to find out."""
    count = source.count
    return bool(count("`") % 2 or count("*") % 2 or count("~~") % 2 or count("[") != count("]") or count("](") > count(")"))


def _leaves_open(source: str, tokens: list[Token]) -> bool:
    """Whether something in the text could be closed by what follows it."""
    if "$" in source[-MAX_DOLLAR:] or source.rfind("\\(") > max(source.rfind("\\)"), len(source) - MAX_TEX):
        return True
    if source.rfind("\\[") > max(source.rfind("\\]"), len(source) - MAX_TEX):
        return True
    return any(token.type == "text" and _OPEN.search(_BRACKETS.sub("", token.content)) for token in tokens)
