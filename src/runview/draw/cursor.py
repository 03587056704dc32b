"""A place in a line of Markdown, counted in columns, for a tab is as wide as it needs to be."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["Cursor"]

_WHITE: Final = re.compile("[ \t]*")


class Cursor:
    """Where the reading of a line has come to, and what stands there."""

    __slots__ = ("blank", "column", "half_tab", "indent", "line", "next", "next_column", "offset")

    def __init__(self, line: str) -> None:
        self.line = line
        self.offset = 0
        self.column = 0
        self.half_tab = False
        """Whether a tab was used up in part: what is left of it counts as blanks."""
        self.look()

    def look(self) -> None:
        """Finds the next character that is not white space."""
        line, start, column = self.line, self.offset, self.column
        at = _WHITE.match(line, start).end()  # type: ignore[union-attr]
        if "\t" in line[start:at]:
            for character in line[start:at]:
                column += 1 if character == " " else 4 - column % 4
        else:
            column += at - start
        self.blank = at == len(line)
        self.next, self.next_column = at, column
        self.indent = column - self.column

    def skip(self, count: int) -> None:
        """Moves on by `count` columns."""
        line = self.line
        while count > 0 and self.offset < len(line):
            if line[self.offset] == "\t":
                wide = 4 - self.column % 4
                self.half_tab = wide > count
                step = min(wide, count)
                self.column += step
                self.offset += not self.half_tab
                count -= step
            else:
                self.half_tab = False
                self.offset += 1
                self.column += 1
                count -= 1

    def skip_white(self) -> None:
        """Moves on to the next character that is not white space."""
        self.offset, self.column, self.half_tab = self.next, self.next_column, False

    def skip_marker(self) -> None:
        """Moves on behind a marker of one character and one blank that may follow it."""
        self.skip_white()
        self.skip(1)
        if self.at_white():
            self.skip(1)

    def at_white(self) -> bool:
        return self.offset < len(self.line) and self.line[self.offset] in " \t"

    def text(self) -> str:
        """What is left of the line, without the white space before it."""
        return self.line[self.next :]

    def rest(self) -> str:
        """What is left of the line."""
        if self.half_tab:
            return " " * (4 - self.column % 4) + self.line[self.offset + 1 :]
        return self.line[self.offset :]
