"""Whether a block that is open goes on in the next line: the first half of reading a line (see `blocks.py`)."""

from __future__ import annotations

from runview.draw.block import Block
from runview.draw.cursor import Cursor
from runview.draw.marks import BULLET, FENCE, HEAD, NUMBER, RULE, SPECIAL

__all__ = ["goes_on"]


def goes_on(block: Block, at: Cursor) -> bool | None:
    """Whether `block` goes on in the line, whose part that says so is then used up. None: the line is the end of the block."""
    kind = block.kind
    if kind == "para":
        return not at.blank
    if kind == "list":
        return True
    if kind == "item":
        return _item(block, at)
    if kind == "quote":
        if at.indent >= 4 or at.blank or at.line[at.next] != ">":
            return False
        at.skip_marker()
        return True
    if kind == "fence":
        return _fence(block, at)
    if kind == "indented":
        if at.indent >= 4:
            at.skip(4)
            return True
        if at.blank:
            at.skip_white()
        return at.blank
    if kind == "math":
        return _math(block, at)
    if kind == "table":
        return not at.blank and at.indent < 4 and not _is_other(at)
    return False


def _item(block: Block, at: Cursor) -> bool:
    if at.blank:
        if not block.kids:
            return False
        at.skip_white()
        return True
    if at.indent < block.indent:
        return False
    at.skip(block.indent)
    return True


def _fence(block: Block, at: Cursor) -> bool | None:
    character = block.mark[0]
    if at.indent < 4 and not at.blank and at.line[at.next] == character:
        rest = at.text().rstrip(" \t")
        if len(rest) >= block.level and rest == character * len(rest):
            block.closed = True
            return None
    room = block.indent
    while room > 0 and at.at_white():
        at.skip(1)
        room -= 1
    return True


def _math(block: Block, at: Cursor) -> bool | None:
    if at.blank:
        return False
    rest = at.text().rstrip()
    if not rest.endswith(block.mark):
        return True
    if len(rest) > len(block.mark):
        block.lines.append(rest[: -len(block.mark)])
    block.closed = True
    return None


def _is_other(at: Cursor) -> bool:
    """Whether a line after a table is no row of it, since it starts another block."""
    if SPECIAL.match(at.line, at.next) is None:
        return False
    return at.line[at.next] == ">" or any(mark.match(at.line, at.next) for mark in (HEAD, FENCE, RULE, BULLET, NUMBER))
