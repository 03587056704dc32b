"""Calls that follow each other with nothing between them, as one row: `3 tools  search_web ×2 · fetch_page`.

In compact density every call of a tool stands in a group from its beginning. A group of one is `lone`: it looks like its call,
and the file and the transcript hold only the call. So the second call joins the first where it stands: no node of it is made
anew, and what the reader has opened, selected or focused in it stays. A group closes when it is formed; the page leaves it as
it is while the reader is at it (`js/src/behaviour/toggles.ts`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from runview.draw.exact import figure, listing
from runview.draw.order import is_late
from runview.draw.pen import Pen
from runview.draw.row import Rest, row
from runview.draw.tool import WORDS, message_of_call, settled
from runview.draw.tree import Child, Node
from runview.draw.words import one_line
from runview.run.state import Part, ToolPart

__all__ = ["Drawn", "grouped", "kept"]

Drawn = tuple[Part | None, Node]
"""A row and the part that it shows."""

_NAMES = 6
"""Names of tools that a row tells."""
_LATE: tuple[Rest, ...] = (
    "needs",
    "running",
    "writing",
    "queued",
    "background",
    "failed",
    "denied",
    "cancelled",
    "stopped",
    "nothing",
)
"""What a group is, by the first of these that one of its calls is; else it is done."""


def grouped(pen: Pen, drawn: Sequence[Drawn], prefix: str, later: Mapping[Part, int]) -> list[Node]:
    """The rows with their calls in groups. `later` has for each part the number of the chunk with which the next row began."""
    out: list[Node] = []
    calls: list[tuple[ToolPart, Node]] = []

    def close() -> None:
        if calls:
            out.append(_group(pen, calls, prefix, later.get(calls[-1][0])))
            calls.clear()

    for part, node in drawn:
        if not isinstance(part, ToolPart):
            close()
            out.append(node)
            continue
        if _is_alone(part):
            close()
        calls.append((part, node))
        if _is_alone(part):
            close()
    close()
    return out


def _is_alone(part: ToolPart) -> bool:
    """Whether a call never shares its row: runs and background tasks have a row each."""
    name = part.name or ""
    return part.role != "tool" or bool(part.nested) or part.task is not None or name.startswith(("agent-", "workflow-"))


def _group(pen: Pen, calls: list[tuple[ToolPart, Node]], prefix: str, later: int | None) -> Node:
    parts, nodes = [part for part, _ in calls], [node for _, node in calls]
    key = f"{prefix}g{parts[0].key}"
    return kept(pen, parts[0], nodes, lambda: _lone(nodes, key) if len(nodes) == 1 else _row(pen, parts, nodes, key, later))


def kept(pen: Pen, first: Part, nodes: list[Node], make: Callable[[], Node]) -> Node:
    """What stands around `nodes`, the same as in the last live drawing if they are."""
    known = pen.memory.groups.get(first) if pen.live else None
    if known is not None and len(known[0]) == len(nodes) and all(a is b for a, b in zip(known[0], nodes, strict=True)):
        return known[1]
    node = make()
    if pen.live:
        pen.memory.groups[first] = (nodes, node)
    return node


def _lone(nodes: Sequence[Child], key: str) -> Node:
    body = Node("blockquote", {"class": "rv-body rv-nest", "role": "group", "key": "body"}, [*nodes])
    head = Node("summary", {"class": "rv-head", "key": "head"}, [])
    return Node("details", {"class": "rv-group", "key": key, "auto": "open", "lone": True}, [head, body])


def _row(pen: Pen, parts: Sequence[ToolPart], nodes: Sequence[Node], key: str, later: int | None) -> Node:
    words = pen.words
    states = [WORDS[settled(pen, part.state)] for part in parts]
    rests: set[Rest] = {rest for rest, _, _ in states}
    rest = _together_is(rests)
    busy = rest in ("running", "writing", "queued", "background")
    failed = [part for part in parts if part.state == "failed"]
    early = [part for part in failed if not is_late(part, later)]
    said: list[str] = []
    if rest not in ("done", "failed"):
        _, now, was = next(state for state in states if state[0] == rest)
        said.append(words(now if pen.live else was))
    if failed:
        said.append(f"{len(failed)} {words('failed')}")
    state: Rest = "was" if busy and not pen.live else rest
    return row(
        pen, None, key, state, words.count(len(parts), "tool"), cls="rv-group is-turning" if busy and pen.live else "rv-group",
        noun=_names(pen, parts), peek=_came(pen, parts), word=", ".join(said) or words("done"), silent=rest == "done",
        time=_time(pen, parts), message=_message(early or failed), aside=not early, body=nodes, nest=True, opened=rest == "needs",
    )  # fmt: skip


def _together_is(rests: Collection[Rest]) -> Rest:
    for late in _LATE:
        if late in rests:
            return late
    return "done"


def _names(pen: Pen, parts: Iterable[ToolPart]) -> str:
    """`search_web ×2 · fetch_page`, in the order in which they were first called."""
    counts: dict[str, int] = {}
    for part in parts:
        name = part.title or part.name
        name = one_line(name, 40) if name else pen.words("a tool")
        counts[name] = counts.get(name, 0) + 1
    names = [name if count == 1 else f"{name} ×{count}" for name, count in counts.items()]
    return " · ".join(names if len(names) <= _NAMES else [*names[:_NAMES], "…"])


def _message(failed: Sequence[ToolPart]) -> str | None:
    """What the last of the failed calls says, so that it is seen while the group is closed."""
    if not failed:
        return None
    said = message_of_call(failed[-1], "failed")
    return f"{one_line(failed[-1].title or failed[-1].name or '', 40)}: {said}" if said else None


def _came(pen: Pen, parts: Iterable[ToolPart]) -> str | None:
    """How many results the calls gave together, or how many numbers."""
    found, lists, figures = 0, 0, 0
    for part in parts:
        if part.state == "done" and (items := listing(part.result)) is not None:
            found, lists = found + len(items), lists + 1
        elif part.state == "done" and figure(part.result) is not None:
            figures += 1
    return pen.words.count(found, "result") if lists else pen.words.count(figures, "number") if figures else None


def _time(pen: Pen, parts: Sequence[ToolPart]) -> str | Node | None:
    """How long calls were at work, those at the same time counted once; a running clock while one of them is."""
    spans = sorted(
        (part.started, part.started + took) for part in parts if part.started is not None and (took := pen.took(part)) is not None
    )
    at_work = [part.started for part in parts if part.state in ("running", "background") and part.started is not None]
    if at_work and not pen.over:
        since = min(at_work)
        return pen.clock(since - _together((begun, min(ended, since)) for begun, ended in spans if begun < since), "rv-d", "d")
    return pen.words.seconds(_together(spans)) if spans else None


def _together(spans: Iterable[tuple[float, float]]) -> float:
    """The length of all spans, overlaps counted once; they come in the order of their beginnings."""
    total, reached = 0.0, float("-inf")
    for begun, ended in spans:
        total += max(0.0, ended - max(begun, reached))
        reached = max(reached, ended)
    return total
