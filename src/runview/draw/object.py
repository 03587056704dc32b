"""The structured output: key and value on lines of their own, while it is written and after."""

from __future__ import annotations

from typing import Any

from runview.draw.exact import mapping
from runview.draw.json_form import json_text
from runview.draw.pen import Pen
from runview.draw.plain import Entry, Fields, Items, Plain, growing, plain
from runview.draw.row import CARET, Rest, fold, row, sep
from runview.draw.secrets import mask_message
from runview.draw.text import with_caret
from runview.draw.tree import Child, Node, h
from runview.draw.values import records, result, scalar, tree
from runview.draw.words import number, one_line
from runview.run.state import ABSENT, ObjectPart

__all__ = ["obj"]

_STATES: dict[str, tuple[Rest, str, str]] = {
    "writing": ("running", "writing", "was being written"),
    "complete": ("done", "complete", "complete"),
    "invalid": ("failed", "complete, not valid", "complete, not valid"),
    "unfinished": ("failed", "unfinished", "unfinished"),
}


_OPEN = 8
"""A table of so many rows stands open."""


def obj(pen: Pen, part: ObjectPart, caret: bool) -> Node:
    """The object's row, open from the start: it is the answer."""
    words = pen.words
    state = "unfinished" if part.state == "writing" and (pen.over or part.stopped) else part.state
    rest, word, was = _STATES[state]
    writing = state == "writing"
    value = _shown(pen, part, writing)
    pen = pen if writing else pen.reaching(part, "object")
    body: list[Child] = []
    peek = None
    cut = False
    if writing and (fields := mapping(value)) is not None:
        entries, cut = growing(fields, pen.memory.entries.get(part, []) if pen.live else [], pen.limit, words=pen.words)
        if pen.live:
            pen.memory.entries[part] = entries
        body = [_table(_growing(pen, entries, caret))] if entries else []
    elif value is not ABSENT:
        form, cut = plain(value, pen.limit, pen.nodes, pen.words, lists=not writing)
        if isinstance(form, Fields):
            rows = [_row(pen, i, name, item) for i, (name, item) in enumerate(form.items)]
            body = [_table(rows)] if rows else []
            peek = words.count(form.total, "field") if state == "complete" else None
        elif writing and isinstance(form, Items):
            body = [
                h(
                    "p",
                    "rv-one",
                    h("span", "rv-meta", f"{number(form.total)} {words('so far')}"),
                    CARET if caret else None,
                    key="r",
                )
            ]
        else:
            body = [*result(pen, value, words("Value"))]
            peek = words.count(form.total, "item") if isinstance(form, Items) else None
        if pen.full and not writing:
            text = json_text(form)
            body.append(fold(pen, "json", "JSON", None, [h("div", "rv-block", h("pre", "rv-pre", text), copy=True)]))
    if cut:
        where = h("code", "", "view.output.object")
        body.append(h("p", "rv-label", words("showing a part"), sep(" · "), where, pen.more(text=False), key="cut"))
    return row(
        pen, part, part.key, rest if pen.live or not writing else "was", words("Object"), cls="rv-obj",
        noun=one_line(part.name, 80) if part.name else None, peek=peek, word=words(word if pen.live else was),
        message=one_line(mask_message(part.error[:2_000]), 500) if part.error else None, body=body, opened=True,
    )  # fmt: skip


def _shown(pen: Pen, part: ObjectPart, writing: bool) -> Any:
    """The value to show: while it is written, a key once shown stays even if a later partial leaves it out."""
    if not writing:
        return part.value
    known = pen.memory.objects.get(part, ABSENT)
    value = _merged(known, part.value, 0)
    if pen.live:
        pen.memory.objects[part] = value
    return value


def _merged(old: Any, new: Any, depth: int) -> Any:
    if new is ABSENT:
        return old
    known, fresh = mapping(old), mapping(new)
    if known is None or fresh is None or known is fresh or depth > 8:
        return new
    inner: dict[Any, Any] = {}
    for key, value in fresh.items():
        if type(value) is dict and (before := known.get(key)) is not value:
            merged = _merged(before, value, depth + 1)
            if merged is not value:
                inner[key] = merged
    return {**known, **fresh, **inner} if inner or known.keys() - fresh.keys() else new


def _growing(pen: Pen, entries: list[Entry], caret: bool) -> list[Node]:
    """The rows of what is being written. Those that have not changed are the same nodes again; the last one has the caret."""
    last = len(entries) - 1
    for i, entry in enumerate(entries):
        if entry.drawn is None and i < last:
            entry.drawn = _row(pen, i, entry.name, entry.form, writing=True)
    rows: list[Node] = [entry.drawn for entry in entries[:-1]]
    return [*rows, *(_row(pen, last, entry.name, entry.form, writing=True, caret=caret) for entry in entries[-1:])]


def _table(rows: list[Node]) -> Node:
    return h("table", "rv-fields rv-kvt", Node("tbody", {}, [*rows]), key="fields")


def _row(pen: Pen, i: int, name: str, form: Plain, *, writing: bool = False, caret: bool = False) -> Node:
    cell: list[Child] = [_cell(pen, form, writing)]
    return h("tr", "", h("th", "", h("bdi", "", name)), h("td", "", *(with_caret(cell) if caret else cell)), key=str(i))


def _cell(pen: Pen, item: Plain, writing: bool) -> Node:
    shown = scalar(item)
    if shown is not None:
        return shown
    if isinstance(item, Items):
        if writing:
            return h("span", "rv-meta", f"{number(item.total)} {pen.words('so far')}")
        return _list(pen, item)
    return tree(pen, item)


def _list(pen: Pen, item: Items) -> Node:
    count = h("summary", "", h("span", "rv-meta", f"[{number(item.total)}]"))
    table = records(pen, item)
    opened = "open" if table is not None and item.total <= _OPEN else None
    return h("details", "rv-node", count, table or tree(pen, item), auto=opened)
