"""Blocks drawn as nodes of the tree. What can't change any more is drawn once and kept with its block."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from runview.draw import code, maths
from runview.draw.block import Block, cells
from runview.draw.characters import settled, show
from runview.draw.definitions import Known, References, definitions
from runview.draw.inline import build, lex
from runview.draw.stretches import Written
from runview.draw.tree import Child, Node, h

__all__ = ["Brush", "draw", "keep"]

LONG_CELL: Final = 2000
"""A cell longer than this is drawn without markup while it is being written."""
MAX_FILLED: Final = 2000
"""How many missing cells a table is given."""

_TASK: Final = re.compile(r"\[([ xX])\][ \t]+(?=\S)")
_HALF_DEFINITION: Final = re.compile(r"\[(?:[^\[\]\\]|\\.){1,999}\]:\s*\S*\s*(?:[\"'(][^\n]*)?\Z", re.DOTALL)


@dataclass(slots=True)
class Brush:
    """What drawing a block needs to know besides the block."""

    known: Known
    half: int = -1
    """Number of the line that is not whole, if one was read."""
    source: str | None = None
    """The text of a block that is final."""
    young: dict[int, Written] = field(default_factory=dict[int, Written])
    """By line: the drawings of texts whose block is not settled, since their first line is not whole."""

    def written(self, block: Block) -> Written:
        written: Written | None = block.written
        if written is None:
            written = block.written = self.young.setdefault(block.start, Written())
        return written

    def open(self, block: Block) -> bool:
        """Whether more may come in this block, or in the line that it ends with."""
        return block.open or block.end == self.half


def draw(block: Block, brush: Brush) -> Node | None:
    """A block's node; None for what is not seen, as link definitions."""
    drawn: Node | None = block.drawn
    if drawn is not None and not brush.open(block):
        return drawn
    node = _DRAW[block.kind](block, brush)
    if not block.open:
        block.drawn = node
    return node


def keep(block: Block, brush: Brush) -> None:
    """Draws, in all blocks that are open, what will not change. Only called when every line that was read is whole."""
    while True:
        if block.kind == "list":
            for at in range(len(block.kept), len(block.kids) - 1):
                block.kept.append(_item(block, at, brush))
        elif block.kind in ("quote", "item"):
            for kid in block.kids[len(block.kept) : -1]:
                block.kept.append(draw(kid, brush))
        elif block.kind == "table":
            _keep_rows(block, brush)
        elif block.kind in ("fence", "indented", "math"):
            _keep_lines(block)
        if not (block.kids and block.kids[-1].open):
            return
        block = block.kids[-1]


def _dir(block: Block) -> str | None:
    """Each block of the text itself finds its own direction; what is inside it follows."""
    return "auto" if block.parent is None or block.parent.kind == "doc" else None


def _kids(block: Block, brush: Brush) -> list[Node | None]:
    return block.kept + [draw(kid, brush) for kid in block.kids[len(block.kept) :]]


def _paragraph(block: Block, brush: Brush) -> Node | None:
    lines = block.lines
    half = brush.open(block)
    if half and lines[0].startswith("["):
        lines = definitions(lines, References())
        if not lines:
            return None
    text = "\n".join(lines).rstrip(" \t")
    if half and text.startswith("[") and _HALF_DEFINITION.match(text):
        return None
    task = (
        _TASK.match(text) if block.parent is not None and block.parent.kind == "item" and block.parent.kids[0] is block else None
    )
    kids: list[Child] = []
    if task is not None:
        kids += [h("input", "", type="checkbox", disabled=True, checked=task[1] != " "), " "]
        text = text[task.end() :]
    kids += brush.written(block).draw(text, brush.known, half=half)
    return Node("p", _attrs("rv-para", block), kids) if kids else None


def _attrs(cls: str, block: Block) -> dict[str, object]:
    return {"class": cls, "dir": "auto"} if _dir(block) else {"class": cls}


def _heading(block: Block, brush: Brush) -> Node:
    level = min(3 + block.level, 6)
    text = "\n".join(block.lines).strip(" \t")
    kids = brush.written(block).draw(text, brush.known, half=block.end == brush.half)
    return Node(f"h{level}", _attrs(f"rv-h{level}", block), kids)


def _quote(block: Block, brush: Brush) -> Node:
    return Node("blockquote", _attrs("rv-quote", block), [node for node in _kids(block, brush) if node is not None])


def _list(block: Block, brush: Brush) -> Node:
    items = block.kept + [_item(block, at, brush) for at in range(len(block.kept), len(block.kids))]
    attrs = _attrs("rv-list", block)
    if block.level < 0:
        return Node("ul", attrs, items)
    if block.level != 1:
        attrs["start"] = block.level
    return Node("ol", attrs, items)


def _item(block: Block, at: int, brush: Brush) -> Node:
    """An item. It alone says whether it is loose: a blank line somewhere else in the list does not move it."""
    item = block.kids[at]
    loose = block.gap(at) or (at + 1 < len(block.kids) and block.gap(at + 1))
    loose = loose or any(item.gap(number) for number in range(1, len(item.kids)))
    kids: list[Child] = []
    for kid, node in zip(item.kids, _kids(item, brush), strict=True):
        if node is None:
            continue
        if kid.kind == "para" and not loose:
            if kids:
                kids.append("\n")
            kids += node.kids
        else:
            kids.append(node)
    return Node("li", {}, kids)


def _fence(block: Block, brush: Brush) -> Node:
    kept, count = block.written or ("", 0)
    lines = block.lines[count:]
    if block.kind == "indented" and not block.open:
        while lines and not lines[-1].strip():
            lines = lines[:-1]
    text = kept + "".join(show(line) + "\n" for line in lines[:-1])
    if lines:
        last = lines[-1]
        text += show(settled(last) if brush.open(block) else last)
    else:
        text = text.removesuffix("\n")
    kids: list[Child] = [text] if text else []
    if block.kind == "fence" and not block.open:
        kids = code.highlight(text, block.mark[1:])
    return h("div", "rv-block", h("pre", "rv-code", Node("code", {"class": "rv-cc"}, kids)), dir="ltr", copy=True)


def _keep_lines(block: Block) -> None:
    kept, count = block.written or ("", 0)
    lines = block.lines[count:-1]
    if block.kind == "indented":  # blank lines at its end will not be part of it
        while lines and not block.lines[count + len(lines)].strip():
            lines.pop()
    if lines:
        block.written = (kept + "".join(show(line) + "\n" for line in lines), count + len(lines))


def _math(block: Block, brush: Brush) -> Node | None:
    if block.closed:
        node = maths.formula("\n".join(block.lines), block=True)
        return Node("div", node.attrs, node.kids)
    if brush.open(block):
        kept, count = block.written or ("", 0)
        tex = kept + show(settled("\n".join(block.lines[count:])))
        return Node("div", {"class": "rv-math"}, [h("code", "", tex)]) if tex else None
    opener = "$$" if block.mark == "$$" else "\\["
    return Node("p", _attrs("rv-para", block), build(lex("\n".join([opener, *block.lines]).rstrip(), brush.known)))


def _table(block: Block, brush: Brush) -> Node:
    columns = block.mark
    head = _row(block.lines[0], columns, "th", brush, half=False, filled=0)
    rows: list[Child] = [*block.kept[0]] if block.kept else []
    filled: int = block.kept[1] if block.kept else 0
    last = len(block.lines) - 1
    for number in range(len(rows) + 1, len(block.lines)):
        growing = number == last and block.end == brush.half
        rows.append(_row(block.lines[number], columns, "td", brush, half=growing, filled=filled))
        filled += len(columns)
    body = [Node("tbody", {}, rows)] if rows else []
    table = Node("table", _attrs("rv-table", block), [h("thead", "", head), *body])
    source = brush.source if _dir(block) and not brush.open(block) else None
    return h("div", "rv-block", h("div", "rv-scroll", table), copy=source or True)


def _keep_rows(block: Block, brush: Brush) -> None:
    if not block.kept:
        block.kept = [[], 0]
    rows: list[Node] = block.kept[0]
    for line in block.lines[len(rows) + 1 :]:
        rows.append(_row(line, block.mark, "td", brush, half=False, filled=block.kept[1]))
        block.kept[1] += len(block.mark)


def _row(line: str, columns: str, tag: str, brush: Brush, *, half: bool, filled: int) -> Node:
    texts = cells(line)[: len(columns)]
    out: list[Child] = []
    for number, column in enumerate(columns):
        if number >= len(texts):
            if filled > MAX_FILLED * 10:
                break
            out.append(_cell(tag, column, []))
            continue
        text = texts[number]
        growing = half and number == len(texts) - 1
        if growing and len(text) > LONG_CELL:
            kids: list[Child] = [show(settled(text))]
        else:
            kids = Written().draw(text, brush.known, half=growing) if text else []
        out.append(_cell(tag, column, kids))
    return Node("tr", {}, out)


def _cell(tag: str, column: str, kids: list[Child]) -> Node:
    return Node(tag, {"class": "rv-num"} if column == "r" else {"class": "rv-mid"} if column == "c" else {}, kids)


def _rule(block: Block, brush: Brush) -> Node:
    return h("hr", "rv-hr")


def _nothing(block: Block, brush: Brush) -> None:
    return None


_DRAW: Final = {
    "doc": _nothing,
    "gone": _nothing,
    "quote": _quote,
    "list": _list,
    "item": _nothing,
    "para": _paragraph,
    "head": _heading,
    "fence": _fence,
    "indented": _fence,
    "rule": _rule,
    "table": _table,
    "math": _math,
}
