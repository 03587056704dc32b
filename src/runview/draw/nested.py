"""A run inside a run: the same rows again, under the rail of what it hangs from."""

from __future__ import annotations

from runview.draw.footer import footer
from runview.draw.pen import Pen
from runview.draw.steps import warnings
from runview.draw.tree import Node, h
from runview.run.state import RunState, TextPart

__all__ = ["runs", "text_of"]

_DEEPEST = 20


def runs(pen: Pen, run: RunState, prefix: str) -> list[Node]:
    """The rows of a nested run; `prefix` keeps their keys apart from those of their siblings."""
    from runview.draw.parts import rows  # the rows of a run hold runs, which hold rows

    if pen.depth >= _DEEPEST:
        return [h("p", "rv-label", pen.words("nested too deeply to be shown"), key=f"{prefix}deep")]
    inner = pen.deeper(run)
    out = rows(inner, run, prefix)
    for node in (warnings(inner, run), footer(inner, run) if pen.full else None):
        if node is not None:
            out.append(Node(node.tag, {**node.attrs, "key": f"{prefix}{node.key}"}, node.kids))
    return out


def text_of(run: RunState) -> str:
    """The text of a nested run."""
    return "".join(part.text for part in run.parts if isinstance(part, TextPart) and not part.rejected)
