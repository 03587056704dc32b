"""Markdown's blocks, read a line at a time: the tree of quotes, lists, paragraphs, tables and code that a text is so far.

This is the two-step algorithm of the CommonMark specification (appendix, "A parsing strategy"): a line first continues the
blocks that are open (`continuing.py`), then may start new ones, and what is left of it goes to the last. So a line costs the
same however long the text before it is, and a text gives the same blocks however it was cut on its way here. Raw HTML is
text; tables and `$$` blocks are added. The text inside the blocks is `inline.py`'s.

`Reader.mark` and `Reader.back` let a caller read a line that is not yet whole, look at the blocks, and undo it.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from runview.draw.block import Block, Kind, cells
from runview.draw.continuing import goes_on
from runview.draw.cursor import Cursor
from runview.draw.definitions import References, definitions
from runview.draw.marks import BULLET, DELIMITERS, FENCE, HEAD, NUMBER, RULE, SPECIAL, UNDERLINE

__all__ = ["Mark", "Reader"]

MAX_DEPTH: Final = 24
"""Quotes and list items inside one another; deeper ones are text."""
MAX_COLUMNS: Final = 100

Mark: TypeAlias = tuple[list[tuple[Any, ...]], Block, int, int]

_HOLDERS: Final = frozenset({"doc", "quote", "item"})
_TAKES_LINES: Final = frozenset({"para", "fence", "indented", "table", "math"})
_USED: Final = Block("gone", 0, None)
"""Stands for a block that took all of its line."""


class Reader:
    """The blocks of a text that comes line by line."""

    def __init__(self, references: References) -> None:
        self.doc = Block("doc", 0, None)
        self.tip = self.doc
        """The innermost open block."""
        self.references = references
        self.number = 0
        """How many lines have been read."""
        self._at = Cursor("")
        self._depth = 0
        self._old_tip = self._matched = self.doc

    def read(self, line: str) -> None:
        """Reads one line, which comes without its line end."""
        at = self._at = Cursor(line)
        self._old_tip = self.tip
        block = self.doc
        while block.kids and block.kids[-1].open:
            kid = block.kids[-1]
            at.look()
            on = goes_on(kid, at)
            if on is None:
                self._end_at(kid)
                self._close(kid)
                self.number += 1
                return
            if not on:
                break
            if kid.kind == "quote":  # its lines are never blank, for they have their `>`
                self._end_at(kid)
            block = kid
        self._matched = block
        block = self._start(block)
        at.look()
        if block is _USED:
            block = self.tip
        elif self._is_lazy():
            block = self.tip
            block.lines.append(at.text())
        else:
            self._close_unmatched()
            block = self._take(block)
        if not at.blank or block.kind == "fence":
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
            states.append(
                (
                    block,
                    block.kind,
                    len(block.kids),
                    block.lines,
                    len(block.lines),
                    block.end,
                    block.level,
                    block.mark,
                    block.closed,
                )
            )
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

    # Blocks come and go

    def _add(self, kind: Kind, start: int | None = None) -> Block:
        while self.tip.kind != "list" if kind == "item" else self.tip.kind not in _HOLDERS:
            self._close(self.tip)
        block = Block(kind, self.number if start is None else start, self.tip)
        self.tip.kids.append(block)
        self.tip = block
        self._depth += kind in ("quote", "item")
        self._end_at(block)
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
        """Closes the blocks that do not go on in this line."""
        while self._old_tip is not self._matched:
            parent = self._old_tip.parent or self.doc
            if self._old_tip.open:
                self._close(self._old_tip)
            self._old_tip = parent

    def _is_lazy(self) -> bool:
        """Whether the line goes on with a paragraph, though not with the quote or item that the paragraph is in."""
        tip = self.tip
        return self._old_tip is not self._matched and not self._at.blank and tip.kind == "para" and tip is self._old_tip

    def _take(self, block: Block) -> Block:
        """Gives what is left of the line to `block`, or to a paragraph in it; the block that got it."""
        at = self._at
        if block.kind not in _TAKES_LINES:
            if at.blank:
                return block
            block = self._add("para")
        if block.kind == "table":
            block.lines.append(at.text().rstrip(" \t"))
        elif block.kind != "para":
            block.lines.append(at.rest())
        elif not at.blank:
            block.lines.append(at.text())
        return block

    def _end_at(self, block: Block) -> None:
        """The line belongs to `block`, and to what that is in."""
        above: Block | None = block
        while above is not None:
            above.end = self.number
            above = above.parent

    def _whole(self, block: Block) -> Block:
        """The line was all of the block."""
        self._end_at(block)
        self._close(block)
        return _USED

    def _used(self, block: Block) -> Block:
        """The line was the first of the block, and none of its text."""
        self._end_at(block)
        self._old_tip = self._matched = block
        return _USED

    # What a line starts

    def _start(self, block: Block) -> Block:
        """Starts the blocks that the line begins with, one in the other; the last of them, or `_USED` if no text is left."""
        at = self._at
        while block.kind == "para" or block.kind not in _TAKES_LINES:
            at.look()
            if at.blank:
                break
            if at.indent >= 4:
                started = self._indented()
            elif SPECIAL.match(at.line, at.next) is None:
                break
            else:
                started = self._marked(block)
            if started is None:
                break
            block = started
            if block is _USED:
                break
        return block

    def _marked(self, block: Block) -> Block | None:
        started = self._quote() or self._heading() or self._fence() or self._math()
        if started is None and block.kind == "para" and self._old_tip is block:
            started = self._table(block) or self._underline(block)
        return started or self._rule() or self._item(block)

    def _quote(self) -> Block | None:
        at = self._at
        if at.line[at.next] != ">" or self._depth >= MAX_DEPTH:
            return None
        at.skip_marker()
        self._close_unmatched()
        return self._add("quote")

    def _heading(self) -> Block | None:
        match = HEAD.match(self._at.line, self._at.next)
        if match is None:
            return None
        self._close_unmatched()
        block = self._add("head")
        block.level = len(match[0])
        text = self._at.line[match.end() :].strip(" \t")
        bare = text.rstrip("#")
        if not bare or bare[-1] in " \t":
            text = bare.rstrip(" \t")
        block.lines.append(text)
        return self._whole(block)

    def _fence(self) -> Block | None:
        match = FENCE.match(self._at.line, self._at.next)
        if match is None:
            return None
        self._close_unmatched()
        block = self._add("fence")
        block.level, block.indent = len(match[0]), self._at.indent
        block.mark = match[0][0] + self._at.line[match.end() :].strip()
        return self._used(block)

    def _math(self) -> Block | None:
        text = self._at.text().rstrip()
        opener = text[:2]
        if opener not in ("$$", "\\["):
            return None
        closer, text = "$$" if opener == "$$" else "\\]", text[2:]
        if text and (len(text) < 3 or text.find(closer) != len(text) - 2):
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
        at = self._at
        if "|" not in above.lines[-1] or DELIMITERS.match(at.line, at.next) is None:
            return None
        columns = cells(at.text())
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
        """The line makes the paragraph above a heading, unless that is all link definitions."""
        match = UNDERLINE.match(self._at.line, self._at.next)
        if match is None:
            return None
        lines = definitions(above.lines, self.references) if above.lines[0].startswith("[") else above.lines
        if not lines:
            return None
        above.kind, above.lines = "head", lines[:]
        above.level = 1 if match[0][0] == "=" else 2
        return self._whole(above)

    def _rule(self) -> Block | None:
        if RULE.match(self._at.line, self._at.next) is None:
            return None
        self._close_unmatched()
        return self._whole(self._add("rule"))

    def _item(self, block: Block) -> Block | None:
        at = self._at
        match = BULLET.match(at.line, at.next) or NUMBER.match(at.line, at.next)
        if match is None or self._depth >= MAX_DEPTH:
            return None
        number = int(match[1]) if match.re is NUMBER else -1
        if block.kind == "para" and (number not in (-1, 1) or not at.line[match.end() :].strip(" \t")):
            return None  # a paragraph is only interrupted by a list that begins at one, and by no empty item
        outer, width = at.indent, len(match[0])
        at.skip_white()
        at.skip(width)
        column, offset, half = at.column, at.offset, at.half_tab
        while at.column - column < 5 and at.at_white():
            at.skip(1)
        spaces = at.column - column
        if not 1 <= spaces < 5 or at.offset >= len(at.line):
            at.column, at.offset, at.half_tab = column, offset, half
            if at.at_white():
                at.skip(1)
            spaces = 1
        self._close_unmatched()
        mark = match[0] if number < 0 else match[2]
        if self.tip.kind != "list" or self.tip.mark != mark:
            made = self._add("list")
            made.mark, made.level = mark, number
        item = self._add("item")
        item.indent = outer + width + spaces
        return item

    def _indented(self) -> Block | None:
        if self.tip.kind == "para":
            return None
        self._at.skip(4)
        self._close_unmatched()
        return self._add("indented")
