"""Steps of a workflow that were at work at the same time: under one rail, and a word that says so.

Every step stands in such a rail from its beginning. A rail of one is `lone` and looks like its step, so that the second step
joins the first where it stands and no node of it is made anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from runview.draw.groups import Drawn, kept
from runview.draw.pen import Pen
from runview.draw.row import label
from runview.draw.tree import Node, h
from runview.run.state import WorkflowStepPart

__all__ = ["railed"]


def railed(pen: Pen, drawn: Sequence[Drawn], prefix: str) -> list[Drawn]:
    """The rows, with those of workflow steps under rails."""
    out: list[Drawn] = []
    rail: list[tuple[WorkflowStepPart, Node]] = []

    def close() -> None:
        if rail:
            first, nodes = rail[0][0], [node for _, node in rail]
            out.append((None, kept(pen, first, nodes, lambda: _rail(pen, nodes, f"{prefix}p{first.key}"))))
            rail.clear()

    for part, node in drawn:
        if not isinstance(part, WorkflowStepPart):
            close()
            out.append((part, node))
            continue
        if not part.beside:
            close()
        rail.append((part, node))
    close()
    return out


def _rail(pen: Pen, nodes: list[Node], key: str) -> Node:
    together = len(nodes) > 1
    return h(
        "div", "rv-parl" if together else "",
        label(pen.words("in parallel"), key="together") if together else None,
        h("blockquote", "rv-par", *nodes, role="group", key="rail"),
        key=key, lone=not together,
    )  # fmt: skip
