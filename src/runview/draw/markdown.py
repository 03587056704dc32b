"""A growing Markdown text, drawn as nodes.

`Growing` is fed with pieces as they come. `blocks.py` reads whole lines; a block that can't change any more is drawn once and
from then on stands as a `Sealed` that keeps only its source. What is open is drawn again each time (`paint.py`), and the line
that is not whole yet is read, drawn and taken back (`half.py` says how it looks). So what a piece costs does not depend on
the text before it, and the end is the same however the text was cut.
"""

from __future__ import annotations

from runview.draw.block import Block
from runview.draw.blocks import Reader
from runview.draw.characters import paired
from runview.draw.definitions import Known, References
from runview.draw.half import holds
from runview.draw.paint import Brush, draw, keep
from runview.draw.sections import Sections
from runview.draw.stretches import Written
from runview.draw.tree import Node, Sealed

__all__ = ["Growing", "render"]


class _Final:
    """A block that is final, and how to draw it again."""

    __slots__ = ("_references", "count", "key", "missed", "node", "sealed", "source")

    sealed: Sealed
    """What stands for it in the tree."""

    def __init__(self, key: str, source: str, known: Known, references: References) -> None:
        self.key = key
        self.source = source
        self.count = known.count
        """How many link definitions were known when it was drawn."""
        self.missed = known.missed
        """Labels that it asked for in vain: a definition may still come."""
        self.node: Node | None = None
        """Its drawing, until it has been compared with what stood there before."""
        self._references = references

    def __call__(self) -> Node:
        if self.node is not None:
            return self.node
        reader = Reader(References())
        for line in self.source.split("\n"):
            reader.read(line)
        reader.finish()
        brush = Brush(Known(self._references, self.count, set()), source=self.source)
        nodes = [node for block in reader.doc.kids if (node := draw(block, brush)) is not None]
        nodes[0].attrs["key"] = self.key
        return nodes[0]


class Growing:
    """The drawing of one text that grows until it is closed."""

    def __init__(self) -> None:
        self._references = References()
        self._reader = Reader(self._references)
        self._raw: list[str] = []
        self._first = 0
        self._pieces: list[str] = []
        self._held = ""
        self._closed = False
        self._taken: list[tuple[Block, str, set[str]]] = []
        self._finals: list[_Final] = []
        self._sections = Sections()
        self._warm: tuple[list[_Final], list[_Final]] = ([], [])
        self._tail: list[Node] | None = None
        self._missed: set[str] = set()
        self._young: dict[int, Written] = {}
        self._counted = 0
        """Elements of the final blocks."""

    def feed(self, text: str) -> None:
        """Adds a piece, cut anywhere (inside a line end or a pair of surrogates too). Raises `ValueError` after `close`."""
        if self._closed:
            raise ValueError("the text has been closed")
        if not text:
            return
        self._tail = None
        if self._held:
            text = self._held + text
            self._held = ""
        if text[-1] == "\r" or "\ud800" <= text[-1] <= "\udbff":
            self._held = text[-1]
            text = text[:-1]
        text = paired(text)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        if "\n" not in text:
            self._pieces.append(text)
            return
        lines = ("".join(self._pieces) + text).split("\n")
        self._pieces = [lines.pop()]
        for line in lines:
            self._line(line)

    def close(self) -> None:
        """The text has ended: what is open is closed, and link definitions that came late are applied where they count."""
        if self._closed:
            return
        rest = "".join(self._pieces) + self._held.replace("\r", "")
        self._pieces, self._held = [], ""
        if rest:
            self._line(rest)
        self._reader.finish()
        self._take()
        self._draw_taken()
        self._closed, self._tail = True, []
        late = [final for final in self._finals if any(label in self._references for label in final.missed)]
        for final in late:
            final.count, final.node = len(self._references), None
            final.sealed = self._sealed(final, final())
        if late:
            self._sections = Sections(final.sealed for final in self._finals)

    def nodes(self) -> list[Node]:
        """The blocks so far, keyed `b0`, `b1`, …, those of a long text in sections (`sections.py`).

        Blocks that are final are `Sealed`, each the same object from call to call.
        """
        for final in self._warm[0]:
            final.node = None
        self._warm = (self._warm[1], [])
        self._draw_taken()
        if self._tail is None:
            self._tail = self._open()
        return self._sections.nodes(self._tail)

    @property
    def elements(self) -> int:
        """How many elements there are by now, as last drawn by `nodes`."""
        return self._counted + sum(node.count() for node in self._tail or ())

    def source(self, key: str) -> str | None:
        """The Markdown of a final block."""
        at = int(key[1:])
        return self._finals[at].source if at < len(self._finals) else None

    def _line(self, line: str) -> None:
        self._raw.append(line)
        self._reader.read(line)
        self._take()

    def _take(self) -> None:
        """Takes the blocks that are closed out of the reader's hands."""
        blocks = self._reader.doc.kids
        while blocks and not blocks[0].open:
            block = blocks.pop(0)
            if block.kind != "gone":
                source = "\n".join(self._raw[block.start - self._first : block.end + 1 - self._first])
                self._taken.append((block, source, self._missed))
                self._missed = set()
            self._young.pop(block.start, None)
        start = blocks[0].start if blocks else self._reader.number
        if start > self._first:
            del self._raw[: start - self._first]
            self._first = start

    def _draw_taken(self) -> None:
        for block, source, missed in self._taken:
            known = Known(self._references, len(self._references), missed)
            node = draw(block, Brush(known, source=source, young=self._young))
            if node is None:
                continue
            final = _Final(f"b{len(self._finals)}", source, known, self._references)
            node.attrs["key"] = final.key
            self._counted += node.count()
            self._finals.append(final)
            final.sealed = self._sealed(final, node)
            self._sections.append(final.sealed)
        self._taken.clear()

    def _sealed(self, final: _Final, node: Node) -> Sealed:
        """What stands for a final block. Its drawing is at hand for this flush and the next, then only its source."""
        final.node = node
        self._warm[1].append(final)
        return Sealed(node, final)

    def _open(self) -> list[Node]:
        """Draws what is open, with the line that is not whole."""
        reader = self._reader
        brush = Brush(Known(self._references, len(self._references), self._missed), young=self._young)
        keep(reader.doc, brush)
        line = "".join(self._pieces)
        if len(self._pieces) > 1:
            self._pieces = [line]
        if not line.strip() or holds(line, reader.tip):
            return self._drawn(brush)
        mark = reader.mark()
        brush.half = reader.number
        reader.read(line)
        try:
            return self._drawn(brush)
        finally:
            reader.back(mark)

    def _drawn(self, brush: Brush) -> list[Node]:
        out: list[Node] = []
        for block in self._reader.doc.kids:
            node = draw(block, brush)
            if node is not None:
                node.attrs["key"] = f"b{len(self._finals) + len(out)}"
                out.append(node)
        return out


def render(text: str) -> list[Node]:
    """The blocks of a whole text."""
    growing = Growing()
    growing.feed(text)
    growing.close()
    return growing.nodes()
