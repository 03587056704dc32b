"""A run as a Markdown document: the answer as the Markdown that it came as, the work around it as a list.

Rows are items; under them stands what they open to: rows again, or the lines of the transcript in a fence. Every word of the
stream outside the answer is escaped or fenced, so that it is not taken for Markdown.
"""

from __future__ import annotations

import re

from runview.draw.text_form import line_of, lines_of
from runview.draw.tree import Child, Node, unwrapped

__all__ = ["markdown"]

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&!$])")
_BEGIN = re.compile(r"^(\d*)([.)+=-])(?=\s|$|[=-])")
_TICKS = re.compile(r"`+")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def markdown(tree: Node) -> str:
    """The document of a drawing that was made by `RunDrawing.text`."""
    out = [f"# {_escaped(str(tree.attrs.get('aria-label', '')))}", ""]
    for kid in tree.kids:
        _part(kid, "", out)
    return "\n".join(out).strip("\n") + "\n"


def _part(node: Child, indent: str, out: list[str]) -> None:
    if isinstance(node, str):
        return
    if (inside := unwrapped(node.opened())) is not None:
        for kid in inside:
            _part(kid, indent, out)
    elif _is(node, "rv-text"):
        _text(node, indent, out)
    elif _is(node, "rv-row"):
        _row(node.opened(), indent, out)
    elif _is(node, "rv-status"):
        _apart(f"**{_escaped(line_of(node))}**", indent, out)
    elif _is(node, "rv-sources"):
        _apart("", indent, out)
        out.extend(indent + _escaped(line) for line in lines_of(node))
        out.append("")
    elif line := line_of(node):
        _apart(_escaped(line), indent, out)


def _row(row: Node, indent: str, out: list[str]) -> None:
    if out and out[-1] and not out[-1].lstrip().startswith(("- ", "```")):
        out.append("")
    head, *rest = row.kids
    out.append(f"{indent}- {_escaped(line_of(head))}")
    plain: list[str] = []
    for kid in rest:
        inside = kid.opened().kids if isinstance(kid, Node) and _is(kid, "rv-body") else [kid]
        for one in inside:
            wraps = isinstance(one, Node) and unwrapped(one.opened()) is not None
            if wraps or _is(one, "rv-text") or (_is(one, "rv-row") and not _is(one, "rv-sub")):
                _fenced(plain, f"{indent}  ", out)
                _part(one, f"{indent}  ", out)
            else:
                plain += lines_of(one)
    _fenced(plain, f"{indent}  ", out)


def _fenced(lines: list[str], indent: str, out: list[str]) -> None:
    """What a row holds, as it stands; the fence is longer than any in it."""
    if not lines:
        return
    longest = max((len(ticks) for line in lines for ticks in _TICKS.findall(line)), default=0)
    fence = "`" * max(3, longest + 1)
    out += [f"{indent}{fence}text", *((indent + line).rstrip() for line in lines), f"{indent}{fence}"]
    lines.clear()


def _text(node: Node, indent: str, out: list[str]) -> None:
    """Text as it came, its last fence closed, so that what follows does not fall into it."""
    for kid in node.opened().kids:
        if not isinstance(kid, Node) or kid.tag != "pre":
            if line := line_of(kid):
                _apart(_escaped(line), indent, out)
            continue
        lines = kid.text().strip("\n").split("\n")
        open_fence = ""
        for line in lines:
            fence = _FENCE.match(line)
            if fence is None:
                continue
            if not open_fence:
                open_fence = fence[1]
            elif fence[1].startswith(open_fence) and not line.strip().strip(open_fence[0]):
                open_fence = ""
        _apart("\n".join(indent + line if line else "" for line in [*lines, *([open_fence] if open_fence else [])]), "", out)


def _apart(text: str, indent: str, out: list[str]) -> None:
    """A block with an empty line before and after it."""
    if out and out[-1]:
        out.append("")
    if text:
        out += [indent + text, ""]


def _is(node: Child, name: str) -> bool:
    return isinstance(node, Node) and name in str(node.opened().attrs.get("class", "")).split()


def _escaped(line: str) -> str:
    return _BEGIN.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", line))
