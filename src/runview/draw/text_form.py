"""The transcript: a run as plain text, which git compares, terminals print and language models read.

Indentation is nesting, one line is one row, every state is a word, and the answer stays the Markdown that it came as.
"""

from __future__ import annotations

from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.tree import Child, Node, unwrapped
from runview.run.state import RunState

__all__ = ["line_of", "lines_of", "transcript", "written"]

_STEP = "  "
_WIDEST = 40


def transcript(run: RunState, look: Look | None = None, now: float = 0.0) -> str:
    """The transcript of a run as it stands at `now`, with a line feed at its end."""
    return written(RunDrawing(run, look).text(now))


def written(tree: Node) -> str:
    """The transcript of a drawing."""
    lines: list[str] = []
    _block(tree, 0, lines)
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    return text + "\n" if text else ""


def lines_of(node: Child) -> list[str]:
    """The lines of a part of a drawing."""
    lines: list[str] = []
    _block(node, 0, lines)
    return lines


def line_of(node: Child) -> str:
    """What stands in one line, with single spaces."""
    return " ".join(_words(node).split())


def _words(node: Child) -> str:
    if isinstance(node, str):
        return node
    if node.attrs.get("live"):
        return ""
    if node.tag == "img":
        return f"[{node.attrs.get('alt') or 'image'}]"
    if node.tag == "br":
        return " "
    return "".join(_words(kid) for kid in node.opened().kids)


def _put(text: str, depth: int, lines: list[str]) -> None:
    lines.extend(_STEP * depth + line for line in text.split("\n"))


def _block(node: Child, depth: int, lines: list[str]) -> None:
    if isinstance(node, str):
        if node.strip():
            _put(" ".join(node.split()), depth, lines)
        return
    if node.attrs.get("live"):
        return
    node = node.opened()
    if (inside := unwrapped(node)) is not None:
        for kid in inside:
            _block(kid, depth, lines)
        return
    cls = str(node.attrs.get("class", "")).split()
    match node.tag:
        case "details":
            _details(node, depth, lines)
        case "pre":
            _put(node.text().rstrip("\n"), depth, lines)
        case "blockquote" if "rv-par" in cls:
            for kid in node.kids:
                _block(kid, depth + 1, lines)
        case "table":
            _table(node, depth, lines, head="rv-fields" not in cls)
        case "ol":
            for number, kid in enumerate(node.kids, 1):
                _put(f"{number}. {line_of(kid)}", depth, lines)
        case "p" | "summary" | "img" | "h4" | "h5" | "h6":
            if line := line_of(node):
                _put(line, depth, lines)
        case "div" if "rv-head" in cls or "rv-ask" in cls or ("rv-one" in cls and not _holds_blocks(node)):
            if line := line_of(node):
                _put(line, depth, lines)
        case "div" if "rv-text" in cls:
            if depth == 0:
                lines.append("")
            for kid in node.kids:
                _block(kid, depth, lines)
            if depth == 0:
                lines.append("")
        case "li" if not _holds_blocks(node):
            _put(line_of(node), depth, lines)
        case _:
            for kid in node.kids:
                _block(kid, depth, lines)


def _details(node: Node, depth: int, lines: list[str]) -> None:
    for kid in node.kids:
        if isinstance(kid, Node) and kid.tag == "summary":
            _put(line_of(kid), depth, lines)
        else:
            _block(kid, depth + 1, lines)


def _holds_blocks(node: Node) -> bool:
    return any(isinstance(kid, Node) and kid.tag in ("details", "ul", "ol", "table", "pre", "div") for kid in node.opened().kids)


def _table(node: Node, depth: int, lines: list[str], *, head: bool) -> None:
    rows: list[list[Child]] = [list(row.opened().kids) for row in node.walk() if row.tag == "tr"]
    cells = [[("\n" if _is_block(cell) else "") + line_of(cell) for cell in row] for row in rows]
    widths = [
        min(_WIDEST, max(len(row[i]) for row in cells if i < len(row)))
        for i in range(max((len(row) for row in cells), default=0) if head else 1)
    ]
    for row, shown in zip(rows, cells, strict=True):
        block = next((cell for cell, text in zip(row, shown, strict=True) if text.startswith("\n")), None)
        flat = [text for text in shown if not text.startswith("\n")]
        line = "  ".join(text.ljust(widths[i]) if i < len(widths) else text for i, text in enumerate(flat))
        _put(line.rstrip(), depth, lines)
        if isinstance(block, Node):
            for kid in block.opened().kids:
                _block(kid, depth + 1, lines)


def _is_block(cell: Child) -> bool:
    return isinstance(cell, Node) and _holds_blocks(cell)
