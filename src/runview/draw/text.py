"""The answer: a text part as blocks of Markdown, with a caret where it is being written."""

from __future__ import annotations

from typing import Any

from runview.draw.characters import paired, show
from runview.draw.markdown import Growing
from runview.draw.pen import Pen
from runview.draw.row import CARET, label, sep
from runview.draw.tree import Child, Node, h
from runview.draw.words import size
from runview.run.state import ReasoningPart, TextPart

__all__ = ["Source", "blocks", "text", "with_caret"]

_MOST = 1_000_000
"""Characters of one text that are shown."""
_INSIDE = frozenset("details div ul ol li blockquote p h4 h5 h6 pre table tbody tr td th dl dd dt".split())


class Source:
    """The growing Markdown of one part: fed with what is new since the last time."""

    __slots__ = ("_fed", "_growing", "_open", "_room")

    def __init__(self) -> None:
        self._growing = Growing()
        self._fed = 0
        self._room = _MOST
        self._open = True

    def nodes(self, part: TextPart | ReasoningPart) -> list[Node]:
        """The blocks by now; what is final is the same node from call to call."""
        if self._open:
            text = _beginning(part.pieces, self._room, self._fed)
            self._fed = len(part.pieces)
            if text:
                self._growing.feed(text)
                self._room -= len(text)
            if not part.open:
                self._growing.close()
                self._open = False
        return self._growing.nodes()

    @property
    def full(self) -> bool:
        return not self._room


def blocks(pen: Pen, part: TextPart | ReasoningPart) -> list[Child]:
    """The part's text as it is shown in the form that is drawn: blocks, or its source for the transcript."""
    if pen.form == "text":
        whole = _beginning(part.pieces, _MOST)
        nodes: list[Child] = [h("pre", "rv-source", show(paired(whole)))]
        cut = len(whole) >= _MOST
    else:
        source = pen.memory.sources.get(part)
        if source is None:
            source = pen.memory.sources[part] = Source()
        nodes = [*source.nodes(part)]
        cut = source.full
    if cut:
        nodes.append(label(f"{pen.words('showing')} {size(_MOST)}", sep(" · "), h("code", "", "view.output.text"), key="clip"))
    return nodes


def _beginning(pieces: list[str], most: int, start: int = 0) -> str:
    """The pieces from one on as one text of so many characters at most. Of a text of 100 MB no second copy is made."""
    out: list[str] = []
    for at in range(start, len(pieces)):
        if most <= 0:
            break
        out.append(pieces[at][:most])
        most -= len(out[-1])
    return "".join(out)


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
