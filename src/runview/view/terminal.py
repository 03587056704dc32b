"""A run where there is no page: its transcript, printed as it grows.

Text is written as it comes. A row is written when it is final, since what has been printed can't be changed; what is still open
at the end of the run follows then, with the word for how it ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from runview.draw.characters import paired, settled, show
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.draw.tree import Node
from runview.driver import Driver
from runview.run.state import Part, TextPart

__all__ = ["Printer"]


class Printer:
    """Writes one run. Call it whenever something has changed; `end()` writes what is left."""

    def __init__(self, driver: Driver, look: Look, write: Callable[[str], object]) -> None:
        self._run = driver.run
        self._drawing = RunDrawing(driver.run, look)
        self._write = write
        self._printed: set[str] = set()
        self._writing: TextPart | None = None
        self._pieces = 0
        self._rest = ""
        """The end of the text so far whose meaning is open: half of a pair, of an emoji, of an escape sequence."""
        self._first = 0
        """Parts before this one have been printed."""

    def __call__(self) -> None:
        """Writes what has become final, and the text that has come since the last call."""
        parts = self._run.parts
        ready: list[Part] = []
        for part in parts[self._first :]:
            if part.key in self._printed or part is self._writing:
                continue
            if isinstance(part, TextPart) and not part.is_object:
                if self._writing is None and part.open:
                    self._rows(ready)
                    ready.clear()
                    self._begin(part)
                elif not part.open:
                    ready.append(part)
            elif not part.open:
                ready.append(part)
        if self._writing is not None:
            self._text(self._writing)
        self._rows(ready)
        while self._first < len(parts) and parts[self._first].key in self._printed:
            self._first += 1

    def end(self) -> None:
        """Writes the rest: rows that never became final, the status line and the footer."""
        self()
        if self._writing is not None:
            self._end_text()
        tree = self._drawing.text(time.time())
        left = [kid for kid in tree.kids if isinstance(kid, Node) and kid.key not in self._printed]
        for kid in sorted(left, key=lambda node: node.key == "status"):
            self._write(_lines(kid))

    def _begin(self, part: TextPart) -> None:
        self._writing, self._pieces = part, 0
        self._printed.add(part.key)
        self._write("\n")

    def _text(self, part: TextPart) -> None:
        fresh = part.pieces[self._pieces :]
        self._pieces = len(part.pieces)
        if fresh:
            text = paired(self._rest + "".join(fresh))
            whole = settled(text)
            self._rest = text[len(whole) :]
            self._write(show(whole))
        if not part.open:
            self._end_text()

    def _end_text(self) -> None:
        self._writing = None
        self._write(show(self._rest) + "\n\n")
        self._rest = ""

    def _rows(self, parts: list[Part]) -> None:
        if not parts:
            return
        if self._writing is not None:
            self._write("\n")
        by_key = {kid.key: kid for kid in self._drawing.text(time.time()).kids if isinstance(kid, Node)}
        for part in parts:
            self._printed.add(part.key)
            if (node := by_key.get(part.key)) is not None:
                self._write(_lines(node))


def _lines(node: Node) -> str:
    return written(Node("section", {}, [node]))
