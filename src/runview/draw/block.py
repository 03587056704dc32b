"""One block of a Markdown text: a quote, a list, an item, a paragraph, a heading, code, a table, a formula, a line across."""

from __future__ import annotations

import re
from typing import Any, Final, Literal, TypeAlias

__all__ = ["Block", "Kind", "cells"]

Kind: TypeAlias = Literal["doc", "quote", "list", "item", "para", "head", "fence", "indented", "rule", "table", "math", "gone"]

_CELL: Final = re.compile(r"(?:[^\\|]|\\.|\\\Z)*", re.DOTALL)


class Block:
    """One block. What its fields hold depends on its kind; "gone" is a paragraph that was nothing but link definitions."""

    __slots__ = (
        *("closed", "drawn", "end", "indent", "kept", "kids", "kind", "level", "lines", "mark", "open", "parent", "start"),
        "written",
    )

    def __init__(self, kind: Kind, start: int, parent: Block | None) -> None:
        self.kind: Kind = kind
        self.parent = parent
        self.start = start
        """Number of its first line."""
        self.end = start
        """Number of its last line that is not blank; blank lines of code count."""
        self.open = True
        self.kids: list[Block] = []
        self.lines: list[str] = []
        """Its text. Of a table: the head row, then the others."""
        self.level = 0
        """Of a heading 1 to 6, of a numbered list its first number (-1: bullets), of a fence its length."""
        self.mark = ""
        """Of a list its bullet or what follows the number, of a fence its character and info string, of a formula what ends it,
        of a table a letter for each column: l, c or r."""
        self.indent = 0
        """Of an item the column of its text, of a fence its own."""
        self.closed = False
        """Whether a fence or formula has met its end, rather than that of the text."""
        self.kept: list[Any] = []
        """Drawings of those of its kids or rows that won't change any more."""
        self.written: Any = None
        """What the drawing keeps of a text that grows."""
        self.drawn: Any = None
        """The drawing of a closed block."""

    def gap(self, at: int) -> bool:
        """Whether a blank line stands before the kid number `at`."""
        return at > 0 and self.kids[at].start > self.kids[at - 1].end + 1


def cells(row: str) -> list[str]:
    """The cells of a table's row: split at each bar that has no backslash before it."""
    row = row.strip(" \t")
    out = [part.replace("\\|", "|") for part in _split(row)] if "\\|" in row else row.split("|")
    if out and not out[0].strip(" \t"):
        out.pop(0)
    if out and not out[-1].strip(" \t"):
        out.pop()
    return [cell.strip(" \t") for cell in out]


def _split(row: str) -> list[str]:
    out: list[str] = []
    at = 0
    while True:
        match = _CELL.match(row, at)
        end = match.end() if match else len(row)
        out.append(row[at:end])
        if end >= len(row):
            return out
        at = end + 1
