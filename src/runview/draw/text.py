"""The answer: a text part as blocks of Markdown, with a caret where it is being written."""

from __future__ import annotations

from typing import Any

from runview.draw.characters import paired, show
from runview.draw.markdown import Growing
from runview.draw.pen import Memory, Pen
from runview.draw.row import CARET, label, sep
from runview.draw.tree import Child, Node, h
from runview.draw.words import size
from runview.run.state import ReasoningPart, TextPart

__all__ = ["Source", "blocks", "text", "with_caret"]

_MOST = 900_000
"""Octets of one text that are shown, so that it travels in one message of a megabyte. What all texts of a view may have is
`Memory.room`, and what they may become `Memory.elements`."""
_PIECE = 256
_LARGEST = 8_192
"""Characters of a long piece that are drawn before its elements are counted: few at first, since ten may become a table."""
_INSIDE = frozenset("details div ul ol li blockquote p h4 h5 h6 pre table tbody tr td th dl dd dt".split())


class Source:
    """The growing Markdown of one part: fed with what is new since the last time."""

    __slots__ = ("_counted", "_fed", "_growing", "_open", "full", "octets")

    def __init__(self) -> None:
        self._growing = Growing()
        self._fed = 0
        self._open = True
        self._counted = 0
        self.octets = 0
        """How much of the text is shown."""
        self.full = False
        """No more of it will be."""

    def nodes(self, part: TextPart | ReasoningPart, memory: Memory) -> list[Node]:
        """The blocks by now; what is final is the same node from call to call."""
        if self._open:
            if self._fed < len(part.pieces) and not self.full:
                room = min(_MOST - self.octets, memory.room)
                text, left = _beginning(part.pieces, self._fed, room)
                self.octets += room - left
                memory.room -= room - left
                self.full = left <= 0
                self._feed(text, memory)
            self._fed = len(part.pieces)
            if not part.open:
                self._growing.close()
                self._open = False
        return self._growing.nodes()

    def _feed(self, text: str, memory: Memory) -> None:
        """Draws the text as far as the view has elements left for it."""
        at, most = 0, _PIECE
        while at < len(text):
            if memory.elements <= 0:
                rest = len(text[at:].encode("utf-8", "surrogatepass"))
                self.octets -= rest
                memory.room += rest
                self.full = True
                return
            piece = text[at : at + most]
            self._growing.feed(piece)
            at += len(piece)
            self._growing.nodes()
            made = self._growing.elements - self._counted
            self._counted += made
            memory.elements -= made
            # What the last piece became is what the next is thought to become, and half of what is left may be used up.
            dense = max(1, made) / len(piece)
            most = max(_PIECE // 4, min(2 * most, _LARGEST, int(memory.elements / (2 * dense))))


def blocks(pen: Pen, part: TextPart | ReasoningPart) -> list[Child]:
    """The part's text as it is shown in the form that is drawn: blocks, or its source for the transcript."""
    source = pen.memory.sources.get(part)
    if pen.form == "text":
        most = source.octets if source is not None and source.full else _MOST
        whole, left = _beginning(part.pieces, 0, most)
        nodes: list[Child] = [h("pre", "rv-source", show(paired(whole)))]
        shown, cut = most, left <= 0
    else:
        if source is None:
            source = pen.memory.sources[part] = Source()
        nodes = [*source.nodes(part, pen.memory)]
        shown, cut = source.octets, source.full
    if cut:
        nodes.append(label(f"{pen.words('showing')} {size(shown)}", sep(" · "), h("code", "", "view.output.text"), key="clip"))
    return nodes


def _beginning(pieces: list[str], start: int, most: int) -> tuple[str, int]:
    """The pieces from one on as one text of so many octets at most, and how many are left: none if something was cut off.

    Of a text of 100 MB no second copy is made.
    """
    out: list[str] = []
    for at in range(start, len(pieces)):
        if most <= 0:
            break
        piece = pieces[at][:most]
        octets = len(piece) if piece.isascii() else len(piece.encode("utf-8", "surrogatepass"))
        if octets > most:
            piece = piece[: most // 4]  # no character has more than four
        if octets > most or len(piece) < len(pieces[at]):
            octets = most
        out.append(piece)
        most -= octets
    return "".join(out), most


def text(pen: Pen, part: TextPart, caret: bool) -> Node | None:
    """A text part; None while there is nothing in it to see, and for the JSON of an object, which is drawn as the object."""
    if part.is_object or not any(piece and not piece.isspace() for piece in part.pieces):
        return None
    nodes = blocks(pen, part)
    if caret and pen.live and not part.rejected:
        nodes = with_caret(nodes)
    if part.rejected:
        # For who reads no styles; the sheet strikes the text out, which takes no room, for something may stand below by now.
        nodes.append(h("p", "rv-silent", pen.words("rejected: not part of the answer"), key="rejected"))
    attrs: dict[str, Any] = {"class": "rv-text is-rejected" if part.rejected else "rv-text", "key": part.key}
    if part.open and pen.live and not pen.over:
        attrs["aria-busy"] = "true"
    return Node("div", attrs, nodes)  # not by `h`, which looks at every child: there may be thousands, of which one is new


def with_caret(nodes: list[Child]) -> list[Child]:
    """The blocks with a caret after their last word. The blocks themselves are not touched."""
    if not nodes or isinstance(nodes[-1], str):
        return [*nodes, CARET]
    last = nodes[-1].opened()
    code = last.tag == "pre" and len(last.kids) == 1 and isinstance(last.kids[0], Node)
    if last.tag not in _INSIDE and not (last.tag == "code" and "rv-cc" in last.attrs.get("class", "")):
        return [*nodes, CARET]
    kids = last.kids
    if code and isinstance(inner := kids[0], Node):
        inside: list[Child] = [Node(inner.tag, inner.attrs, [*inner.kids, CARET])]
    else:
        inside = with_caret(kids)
    return [*nodes[:-1], Node(last.tag, last.attrs, inside)]
