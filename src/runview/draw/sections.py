"""The blocks of a long text in sections, so that neither the kernel nor the page has to walk over all of them at each change.

A browser lays out a block by asking each of its children, and finding the difference of two trees looks at each child too. So a
text stands in as few children as there can be without ever moving one: the first 32 are blocks, the next 32 sections of 32
blocks, the next 32 sections of 32 sections. Most texts never get to their first section.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from runview.draw.tree import Node

__all__ = ["Sections"]

SIZE: Final = 32


class Sections:
    """Blocks that are only ever added. A section that is full is the same node from then on."""

    __slots__ = ("_open", "_top")

    def __init__(self, blocks: Iterable[Node] = ()) -> None:
        self._top: list[Node] = []
        self._open: list[list[Node]] = []
        """What the sections hold that are not full, the outermost first; all of them are inside one another."""
        for block in blocks:
            self.append(block)

    def append(self, block: Node) -> None:
        while len(self._open) < len(self._top) // SIZE:
            self._open.append([])
        self._holder.append(block)
        while self._open and len(self._open[-1]) == SIZE:
            self._fold()

    def nodes(self, tail: Iterable[Node] = ()) -> list[Node]:
        """The children of the text, with blocks after them that are not added."""
        copy = Sections()
        copy._top = self._top[:]
        copy._open = [kids[:] for kids in self._open]
        for block in tail:
            copy.append(block)
        while copy._open:
            copy._fold()
        return copy._top

    @property
    def _holder(self) -> list[Node]:
        return self._open[-1] if self._open else self._top

    def _fold(self) -> None:
        """Makes a section of the innermost list."""
        kids = self._open.pop()
        if kids:
            holder = self._holder
            holder.append(Node("div", {"class": "rv-part", "key": f"s{len(holder)}"}, [*kids]))
