"""Steps of a workflow that were at work at the same time: beside one rail, and each says so in words.

Every step stands in such a rail from its beginning. A rail of one is `lone` and looks like its step, so that the second step
joins the first where it stands: no node of it is made anew, and nothing of it moves, since the rail lies in the gutter and the
words end the row's title.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from runview.draw.groups import Drawn, kept
from runview.draw.pen import Pen
from runview.draw.tree import Node, h
from runview.run.state import Part, WorkflowStepPart

__all__ = ["in_parallel", "railed"]


def in_parallel(siblings: Iterable[Part]) -> set[Part]:
    """Which of the rows that follow each other are steps with another one at work at the same time."""
    out: set[Part] = set()
    for one, other in pairwise(siblings):
        if isinstance(one, WorkflowStepPart) and isinstance(other, WorkflowStepPart) and other.beside:
            out |= {one, other}
    return out


def railed(pen: Pen, drawn: Sequence[Drawn], prefix: str) -> list[Drawn]:
    """The rows, with those of workflow steps under rails."""
    out: list[Drawn] = []
    rail: list[tuple[WorkflowStepPart, Node]] = []

    def close() -> None:
        if rail:
            first, nodes = rail[0][0], [node for _, node in rail]
            out.append((None, kept(pen, first, nodes, lambda: _rail(nodes, f"{prefix}p{first.key}"))))
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


def _rail(nodes: list[Node], key: str) -> Node:
    together = len(nodes) > 1
    return h(
        "div", "rv-parl" if together else "",
        h("blockquote", "rv-par", *nodes, role="group", key="rail"),
        key=key, lone=not together,
    )  # fmt: skip
