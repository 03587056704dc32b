"""Code in colour: comments, strings, numbers, keywords and the names that are defined.

A scanner of our own that goes through each line once and remembers between lines only which comment or string is open. The
lexers of others take quadratic time on odd text and can't be stopped. Code is coloured when its block is closed, not before.
"""

from __future__ import annotations

import re
from typing import Final

from runview.draw.languages import Language, language, named
from runview.draw.tree import Child, Node

__all__ = ["highlight"]

MAX_CHARACTERS: Final = 20_000
MAX_SPANS: Final = 4000

_TEXT: Final = re.compile(r"(?P<comment><!--)|(?P<tag></?[A-Za-z][\w:.-]*>?)|(?P<n>&\#?\w{1,30};)")
_INSIDE: Final = re.compile(r"(?P<end>/?>)|(?P<str>\"[^\"]*\"?|'[^']*'?)|(?P<f>[^\s=<>\"'/]+)")


class _Painter:
    """The children so far: plain text, and spans of one class each."""

    def __init__(self) -> None:
        self.kids: list[Child] = []
        self.plain: list[str] = []
        self.room = MAX_SPANS

    def add(self, text: str, cls: str | None = None) -> None:
        if not text:
            return
        if cls is None or self.room <= 0:
            self.plain.append(text)
            return
        self.room -= 1
        self.flush()
        self.kids.append(Node("span", {"class": f"rv-{cls}"}, [text]))

    def flush(self) -> list[Child]:
        if self.plain:
            self.kids.append("".join(self.plain))
            self.plain.clear()
        return self.kids


def highlight(text: str, info: str) -> list[Child]:
    """The children of a code block: `text` as it is, or split where its language (the first word of `info`) has a colour."""
    name = named(info) if len(text) <= MAX_CHARACTERS else None
    if name is None:
        return [text] if text else []
    painter = _Painter()
    if name == "html":
        _markup(text, painter)
    else:
        _code(text, language(name), painter)
    return painter.flush()


def _code(text: str, lang: Language, painter: _Painter) -> None:
    closer, cls = "", ""
    for line in text.splitlines(keepends=True):
        at = 0
        if closer:
            at = _end(line, 0, closer)
            painter.add(line[: at or None], cls)
            if not at:
                continue
            closer = ""
        defined = False  # whether the last word is one that is followed by the name that it defines
        while at < len(line):
            match = lang.pattern.search(line, at)
            if match is None:
                break
            start, end = match.span()
            between = line[at:start]
            painter.add(between)
            kind = match.lastgroup
            if kind == "span":
                closer, cls = lang.closers[match["opener"]]
                end = _end(line, end, closer)
                painter.add(line[start : end or None], cls)
                if not end:
                    break
                closer = ""
            elif kind == "word":
                word = match[0]
                known = (word.lower() if lang.caseless else word) in lang.words
                is_name = (defined and not between.strip()) or (lang.keys and _is_key(line, end))
                painter.add(word, "f" if is_name else "k" if known else None)
                defined = word in lang.defining
            else:
                key = kind == "str" and lang.keys and _is_key(line, end)
                painter.add(match[0], "f" if key else "k" if kind == "extra" else kind)
            at = end
        else:
            continue
        if not closer:
            painter.add(line[at:])


def _end(line: str, at: int, closer: str) -> int:
    """Where the comment or string that is open ends in the line, or 0. A closer after a backslash is none, but in comments."""
    while True:
        found = line.find(closer, at)
        if found < 0:
            return 0
        back = found
        while closer != "*/" and back > at and line[back - 1] == "\\":
            back -= 1
        if (found - back) % 2 == 0:
            return found + len(closer)
        at = found + 1


def _is_key(line: str, at: int) -> bool:
    """Whether a colon follows that makes what stood before it a key: not that of `a:hover`, nor that of an address."""
    after = line[at : at + 3].lstrip(" ")
    return after.startswith(":") and (len(after) == 1 or after[1] in ' \n"[{#-0123456789')


def _markup(text: str, painter: _Painter) -> None:
    """HTML and XML: tags, attributes, entities, comments."""
    closer, inside = "", False
    for line in text.splitlines(keepends=True):
        at = 0
        if closer:
            found = line.find(closer)
            at = found + len(closer) if found >= 0 else len(line)
            painter.add(line[:at], "c")
            closer = "" if found >= 0 else closer
        while match := (_INSIDE if inside else _TEXT).search(line, at):
            start, end = match.span()
            painter.add(line[at:start])
            kind = match.lastgroup or ""
            if kind == "comment":
                found = line.find("-->", end)
                end = found + 3 if found >= 0 else len(line)
                closer = "" if found >= 0 else "-->"
                kind = "c"
            elif kind in ("tag", "end"):
                inside = not match[0].endswith(">")
                kind = "k"
            painter.add(line[start:end], kind)
            at = end
        painter.add(line[at:])
