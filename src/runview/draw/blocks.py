"""Markdown's blocks, read a line at a time: the tree of quotes, lists, paragraphs, tables and code that a text is so far.

This is the two-step algorithm of the CommonMark specification (appendix, "A parsing strategy"): a line first continues the
blocks that are open, then may start new ones, and what is left of it goes to the last. So a line costs the same however
long the text before it is, and a text gives the same blocks however it was cut on its way here. Raw HTML is text; tables and
`$$` blocks are added. The text inside the blocks is `inline.py`'s.

`Reader.mark` and `Reader.back` let a caller read a line that is not yet whole, look at the blocks, and undo it.
"""

from __future__ import annotations

import re
from typing import Any, Final, Literal, TypeAlias

from .definitions import References, definitions

__all__ = ["Block", "Kind", "Mark", "Reader", "cells"]

Kind: TypeAlias = Literal["doc", "quote", "list", "item", "para", "head", "fence", "indented", "rule", "table", "math", "gone"]

MAX_DEPTH: Final = 24
"""Quotes and list items inside one another; deeper ones are text."""
MAX_COLUMNS: Final = 100

_HOLDERS: Final = frozenset({"doc", "quote", "item"})
_TAKES_LINES: Final = frozenset({"para", "fence", "indented", "table", "math"})
_SPECIAL: Final = re.compile(r"[#`~*+_=>0-9$\\|:-]")
_RULE: Final = re.compile(r"(?:\*[ \t]*){3,}\Z|(?:_[ \t]*){3,}\Z|(?:-[ \t]*){3,}\Z")
_HEAD: Final = re.compile(r"#{1,6}(?=[ \t]|\Z)")
_UNDERLINE: Final = re.compile(r"(?:=+|-+)[ \t]*\Z")
_FENCE: Final = re.compile(r"`{3,}(?=[^`]*\Z)|~{3,}")
_BULLET: Final = re.compile(r"[*+-](?=[ \t]|\Z)")
_NUMBER: Final = re.compile(r"(\d{1,9})([.)])(?=[ \t]|\Z)", re.ASCII)
_DELIMITERS: Final = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_CELL: Final = re.compile(r"(?:[^\\|]|\\.|\\\Z)*", re.DOTALL)

Mark: TypeAlias = tuple[list[tuple[Any, ...]], "Block", int, int]


class Block:
    """One block. What its fields hold depends on its kind."""

    __slots__ = (
        "closed",
        "drawn",
        "end",
        "indent",
        "kept",
        "kids",
        "kind",
        "level",
        "lines",
        "mark",
        "open",
        "parent",
        "start",
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
        """Of a list its bullet or what follows the number, of a fence its character and info string, of a table the columns."""
        self.indent = 0
        """Of an item the column of its text, of a fence its own."""
        self.closed = False
        """Whether a fence or formula has met its end, rather than that of the text."""
        self.kept: list[Any] = []
        """Drawings of those of its kids or rows that won't change any more."""
        self.written: Any = None
        """What the drawing keeps of a text that grows: see `growing.py`."""
        self.drawn: Any = None
        """The drawing of a closed block."""

    def gap(self, at: int) -> bool:
        """Whether a blank line stands before the kid number `at`."""
        return at > 0 and self.kids[at].start > self.kids[at - 1].end + 1


class Reader:
    """The blocks of a text that comes line by line."""

    def __init__(self, references: References) -> None:
        self.doc = Block("doc", 0, None)
        self.tip = self.doc
        self.references = references
        self.number = 0
        """How many lines have been read."""
        self._depth = 0
        self._line = ""
        self._offset = self._column = 0
        self._next = self._next_column = self._indent = 0
        self._blank = self._half_tab = False
        self._old_tip = self._matched = self.doc

    # What callers use

    def read(self, line: str) -> None:
        """Reads one line, which comes without its line end."""
        self._line = line
        self._offset = self._column = 0
        self._half_tab = False
        self._old_tip = self.tip
        block = self.doc
        while block.kids and block.kids[-1].open:
            kid = block.kids[-1]
            self._look()
            goes_on = self._continues(kid)
            if goes_on is None:  # the line was the end of the block, and nothing else
                self._end_at(kid)
                self.number += 1
                return
            if not goes_on:
                break
            block = kid
        self._matched = block
        block = self._start(block)
        self._look()
        if block is _USED:
            block = self.tip
        elif self._old_tip is not self._matched and not self._blank and self.tip.kind == "para" and self.tip is self._old_tip:
            self.tip.lines.append(self._line[self._next :])  # a lazy line: the paragraph goes on though its quote or item doesn't
            block = self.tip
        else:
            self._close_unmatched()
            if block.kind in _TAKES_LINES:
                self._take(block)
            elif not self._blank:
                block = self._add("para")
                block.lines.append(self._line[self._next :])
        if not self._blank or block.kind == "fence":
            self._end_at(block)
        self.number += 1

    def finish(self) -> None:
        """The text has ended: every block is closed."""
        while self.tip is not self.doc:
            self._close(self.tip)

    def mark(self) -> Mark:
        """The state to come back to. Only what lies between the root and the open end can change, and that is not deep."""
        states: list[tuple[Any, ...]] = []
        block: Block | None = self.tip
        while block is not None:
            b = block
            states.append((b, b.kind, len(b.kids), b.lines, len(b.lines), b.end, b.level, b.mark, b.closed))
            block = block.parent
        return states, self.tip, self.number, len(self.references)

    def back(self, mark: Mark) -> None:
        """Undoes what was read since `mark`."""
        states, self.tip, self.number, references = mark
        for block, kind, kids, lines, count, block.end, block.level, block.mark, block.closed in states:
            block.kind = kind
            block.open = True
            block.drawn = None
            block.lines = lines
            del block.kids[kids:]
            del block.lines[count:]
        self.references.forget(references)
        self._depth = sum(1 for state in states if state[1] in ("quote", "item"))

    # Places in the line

    def _look(self) -> None:
        """Finds the next character that is not white space."""
        line, at, column = self._line, self._offset, self._column
        most = len(line)
        while at < most:
            character = line[at]
            if character == " ":
                column += 1
            elif character == "\t":
                column += 4 - column % 4
            else:
                break
            at += 1
        self._blank = at == most
        self._next, self._next_column = at, column
        self._indent = column - self._column

    def _skip(self, count: int) -> None:
        """Moves on by `count` columns; a tab may be used up in part."""
        line = self._line
        while count > 0 and self._offset < len(line):
            if line[self._offset] == "\t":
                wide = 4 - self._column % 4
                self._half_tab = wide > count
                step = min(wide, count)
                self._column += step
                self._offset += not self._half_tab
                count -= step
            else:
                self._half_tab = False
                self._offset += 1
                self._column += 1
                count -= 1

    def _skip_space(self) -> None:
        self._offset, self._column, self._half_tab = self._next, self._next_column, False

    def _at_space(self) -> bool:
        return self._offset < len(self._line) and self._line[self._offset] in " \t"

    def _rest(self) -> str:
        if self._half_tab:
            return " " * (4 - self._column % 4) + self._line[self._offset + 1 :]
        return self._line[self._offset :]

    # Blocks come and go

    def _add(self, kind: Kind, start: int | None = None) -> Block:
        while self.tip.kind != "list" if kind == "item" else self.tip.kind not in _HOLDERS:
            self._close(self.tip)
        block = Block(kind, self.number if start is None else start, self.tip)
        self.tip.kids.append(block)
        self.tip = block
        self._depth += kind in ("quote", "item")
        return block

    def _close(self, block: Block) -> None:
        """Closes the tip."""
        block.open = False
        self._depth -= block.kind in ("quote", "item")
        if block.kind == "para" and block.lines[0].startswith("["):
            block.lines = definitions(block.lines, self.references)
            if not block.lines:
                block.kind = "gone"
        self.tip = block.parent or self.doc

    def _close_unmatched(self) -> None:
        while self._old_tip is not self._matched:
            parent = self._old_tip.parent or self.doc
            if self._old_tip.open:
                self._close(self._old_tip)
            self._old_tip = parent

    def _end_at(self, block: Block) -> None:
        above: Block | None = block
        while above is not None:
            above.end = self.number
            above = above.parent

    def _take(self, block: Block) -> None:
        """Gives what is left of the line to a block of text."""
        if block.kind == "para":
            if not self._blank:
                block.lines.append(self._line[self._next :])
        elif block.kind == "table":
            block.lines.append(self._line[self._next :].rstrip(" \t"))
        else:
            block.lines.append(self._rest())

    # Does an open block go on?

    def _continues(self, block: Block) -> bool | None:
        kind = block.kind
        if kind == "para":
            return not self._blank
        if kind == "list":
            return True
        if kind == "item":
            if self._blank:
                if not block.kids:
                    return False
                self._skip_space()
                return True
            if self._indent >= block.indent:
                self._skip(block.indent)
                return True
            return False
        if kind == "quote":
            if self._indent < 4 and not self._blank and self._line[self._next] == ">":
                self._skip_space()
                self._skip(1)
                if self._at_space():
                    self._skip(1)
                return True
            return False
        if kind == "fence":
            return self._fence_goes_on(block)
        if kind == "indented":
            if self._indent >= 4:
                self._skip(4)
                return True
            if self._blank:
                self._skip_space()
            return self._blank
        if kind == "math":
            return self._math_goes_on(block)
        if kind == "table":
            return not self._blank and self._indent < 4 and not self._interrupts_table()
        return False

    def _fence_goes_on(self, block: Block) -> bool | None:
        line, at, character = self._line, self._next, block.mark[0]
        if self._indent < 4 and not self._blank and line[at] == character:
            rest = line[at:].rstrip(" \t")
            if len(rest) >= block.level and rest == character * len(rest):
                block.closed = True
                self._close(block)
                return None
        room = block.indent
        while room > 0 and self._at_space():
            self._skip(1)
            room -= 1
        return True

    def _math_goes_on(self, block: Block) -> bool | None:
        if self._blank:
            return False
        rest = self._line[self._next :].rstrip()
        if not rest.endswith(block.mark):
            return True
        if len(rest) > len(block.mark):
            block.lines.append(rest[: -len(block.mark)])
        block.closed = True
        self._close(block)
        return None

    def _interrupts_table(self) -> bool:
        line, at = self._line, self._next
        return (
            line[at] == ">"
            or _SPECIAL.match(line, at) is not None
            and any(rule.match(line, at) for rule in (_HEAD, _FENCE, _RULE, _BULLET, _NUMBER))
        )

    # Does the line start a block?

    def _start(self, block: Block) -> Block:
        """Starts the blocks that the line begins with, one in the other; the last of them, or `_USED` if no text is left."""
        while block.kind == "para" or block.kind not in _TAKES_LINES:
            self._look()
            if self._blank:
                break
            if self._indent < 4:
                if _SPECIAL.match(self._line, self._next) is None:
                    break
                started = (
                    self._quote()
                    or self._heading()
                    or self._fence()
                    or self._math()
                    or (self._table(block) if block.kind == "para" else None)
                    or (self._underline(block) if block.kind == "para" else None)
                    or self._thematic_break()
                    or self._item(block)
                )
            else:
                started = self._indented()
            if started is None:
                break
            block = started
            if block is _USED:
                break
        return block

    def _quote(self) -> Block | None:
        if self._line[self._next] != ">" or self._depth >= MAX_DEPTH:
            return None
        self._skip_space()
        self._skip(1)
        if self._at_space():
            self._skip(1)
        self._close_unmatched()
        return self._add("quote")

    def _heading(self) -> Block | None:
        match = _HEAD.match(self._line, self._next)
        if match is None:
            return None
        self._close_unmatched()
        block = self._add("head")
        block.level = len(match[0])
        text = self._line[match.end() :].strip(" \t")
        bare = text.rstrip("#")
        if not bare or bare[-1] in " \t":
            text = bare.rstrip(" \t")
        block.lines.append(text)
        return self._whole(block)

    def _fence(self) -> Block | None:
        match = _FENCE.match(self._line, self._next)
        if match is None:
            return None
        self._close_unmatched()
        block = self._add("fence")
        block.level, block.indent = len(match[0]), self._indent
        block.mark = match[0][0] + self._line[match.end() :].strip()
        return self._used(block)

    def _math(self) -> Block | None:
        opener = self._line[self._next : self._next + 2]
        if opener not in ("$$", "\\["):
            return None
        closer = "$$" if opener == "$$" else "\\]"
        text = self._line[self._next + 2 :].rstrip()
        if text and (not text.endswith(closer) or text.find(closer) != len(text) - 2 or len(text) < 3):
            return None
        self._close_unmatched()
        block = self._add("math")
        block.mark = closer
        if not text:
            return self._used(block)
        block.lines.append(text[:-2])
        block.closed = True
        return self._whole(block)

    def _table(self, above: Block) -> Block | None:
        """The line is the second of a table, whose first is the last of the paragraph above."""
        if "|" not in above.lines[-1] or _DELIMITERS.match(self._line, self._next) is None or self._old_tip is not above:
            return None
        columns = cells(self._line[self._next :])
        if len(columns) != len(cells(above.lines[-1])) or len(columns) > MAX_COLUMNS:
            return None
        head = above.lines[-1].rstrip(" \t")
        if len(above.lines) == 1:
            above.kind, above.lines = "table", [head]
            block = above
        else:
            above.lines = above.lines[:-1]
            above.end = self.number - 2
            block = self._add("table", self.number - 1)
            block.lines.append(head)
        block.mark = "".join("c" if c[0] == ":" == c[-1] and len(c) > 1 else "r" if c[-1] == ":" else "l" for c in columns)
        return self._used(block)

    def _underline(self, above: Block) -> Block | None:
        match = _UNDERLINE.match(self._line, self._next)
        if match is None or self._old_tip is not above:
            return None
        lines = definitions(above.lines, self.references) if above.lines[0].startswith("[") else above.lines
        if not lines:
            return None
        above.kind, above.lines = "head", lines[:]
        above.level = 1 if match[0][0] == "=" else 2
        return self._whole(above)

    def _thematic_break(self) -> Block | None:
        if _RULE.match(self._line, self._next) is None:
            return None
        self._close_unmatched()
        return self._whole(self._add("rule"))

    def _item(self, block: Block) -> Block | None:
        match = _BULLET.match(self._line, self._next) or _NUMBER.match(self._line, self._next)
        if match is None or self._depth >= MAX_DEPTH:
            return None
        numbered = match.re is _NUMBER
        if block.kind == "para" and (
            (numbered and int(match[1]) != 1) or not self._line[match.end() :].strip(" \t")
        ):  # a paragraph is only interrupted by a list that begins at one, and by no empty item
            return None
        outer = self._indent
        mark, width = match[2] if numbered else match[0], len(match[0])
        self._skip_space()
        self._skip(width)
        column, offset, half = self._column, self._offset, self._half_tab
        while self._column - column < 5 and self._at_space():
            self._skip(1)
        spaces = self._column - column
        if not 1 <= spaces < 5 or self._offset >= len(self._line):
            self._column, self._offset, self._half_tab = column, offset, half
            if self._at_space():
                self._skip(1)
            spaces = 1
        self._close_unmatched()
        if self.tip.kind != "list" or self.tip.mark != mark:
            made = self._add("list")
            made.mark, made.level = mark, int(match[1]) if numbered else -1
        item = self._add("item")
        item.indent = outer + width + spaces
        return item

    def _indented(self) -> Block | None:
        if self.tip.kind == "para":
            return None
        self._skip(4)
        self._close_unmatched()
        return self._add("indented")

    def _whole(self, block: Block) -> Block:
        """The line was all of the block."""
        self._end_at(block)
        self._close(block)
        return _USED

    def _used(self, block: Block) -> Block:
        self._end_at(block)
        self._old_tip = self._matched = block
        return _USED


_USED: Final = Block("gone", 0, None)
"""Stands for a block that took all of its line."""


def cells(row: str) -> list[str]:
    """The cells of a table's row: split at each bar that has no backslash before it."""
    row = row.strip(" \t")
    if "\\|" not in row:
        out = row.split("|")
    else:
        out = [part.replace("\\|", "|") for part in _split(row)]
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
