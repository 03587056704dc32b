"""A long text drawn piece by piece, so that what is added to it costs the same at its end as at its beginning.

A text is cut into stretches at white space where nothing is open: no emphasis, link, code or formula that begins before the
cut can end behind it. Whether a place is fit depends only on the text before it and the two characters after, so a text is
cut in the same places however it came, and its stretches can be drawn one by one. A text in which something stays open is
cut by force after 16 kB: markup that reaches further is not found, which also bounds what hostile text can cost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from .characters import show
from .half import trimmed
from .inline import MAX_DOLLAR, MAX_TEX, build, lex
from .tree import Child

if TYPE_CHECKING:
    from markdown_it.token import Token

    from .definitions import Known

__all__ = ["Written"]

STEPS: Final = (1000, 2000, 4000, 8000, 16_000)
"""How long a stretch is at least; the next one is tried where the one before could not be cut."""
OFTEN: Final = 2000
"""Up to this length an open stretch is drawn anew each time; a longer one when it has grown by an eighth."""

_PLACE: Final = re.compile(r"(?<=[^\s\\])[ \n](?=\S)")
_BRACKETS: Final = re.compile(r"\[[^\[\]]*\](?![(\[:])")
_OPEN: Final = re.compile(r"[`\[]|[*~]+(?!\s)|(?<![^\W_])_+(?!\s)")
_DATA_END: Final = re.compile(r"[^A-Za-z0-9+/=]")


class Written:
    """One text and the drawing of its stretches so far."""

    __slots__ = ("cut", "head", "kids", "step", "tail", "tail_kids")

    def __init__(self) -> None:
        self.cut = 0
        self.head = ""
        self.step = 0
        self.kids: list[Child] = []
        self.tail = ""
        self.tail_kids: list[Child] = []

    def draw(self, text: str, known: Known, *, half: bool = False) -> list[Child]:
        """The children for `text`, which is what it was at the last call and more. `half`: more may come."""
        if not text.startswith(self.head):
            self.__init__()
        self._advance(text, known)
        tail = text[self.cut :]
        if not half:
            return _joined(self.kids, build(lex(tail, known)))
        if len(tail) > OFTEN and self.tail and tail.startswith(self.tail) and len(tail) - len(self.tail) < len(self.tail) // 8:
            return _joined(self.kids, _joined(self.tail_kids, [show(tail[len(self.tail) :])]))
        self.tail = tail
        self.tail_kids = build(lex(trimmed(tail), known, half=True), half=True)
        return _joined(self.kids, self.tail_kids)

    def _advance(self, text: str, known: Known) -> None:
        while len(text) - self.cut > STEPS[0]:
            at = self._place(text)
            if at is None:
                return
            source = text[self.cut : at]
            tokens = lex(source, known)
            if self.step < len(STEPS) - 1 and _leaves_open(source, tokens):
                self.step += 1
                continue
            self.kids = _joined(self.kids, build(tokens))
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
        if text.rfind(";base64,", self.cut, most) > text.rfind(")", self.cut, most):
            end = _DATA_END.search(text, most)
            return end.end() if end is not None and end.end() + 2 <= len(text) else None
        return most


def _joined(first: list[Child], second: list[Child]) -> list[Child]:
    """One list of children, with the texts that meet in the middle made one."""
    if not first or not second:
        return first or second
    left, right = first[-1], second[0]
    if isinstance(left, str) and isinstance(right, str):
        return [*first[:-1], left + right, *second[1:]]
    return first + second


def _leaves_open(source: str, tokens: list[Token]) -> bool:
    """Whether something in the text could be closed by what follows it."""
    if "$" in source[-MAX_DOLLAR:] or source.rfind("\\(") > max(source.rfind("\\)"), len(source) - MAX_TEX):
        return True
    if source.rfind("\\[") > max(source.rfind("\\]"), len(source) - MAX_TEX):
        return True
    return any(token.type == "text" and _OPEN.search(_BRACKETS.sub("", token.content)) for token in tokens)
