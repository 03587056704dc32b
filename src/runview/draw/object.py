"""The structured output: key and value on lines of their own, while it is written and after."""

from __future__ import annotations

from typing import Any

from runview.draw.exact import mapping
from runview.draw.pen import Pen
from runview.draw.plain import Fields, Items, Plain, plain
from runview.draw.row import CARET, Rest, row
from runview.draw.secrets import mask_message
from runview.draw.text import with_caret
from runview.draw.tree import Child, Node, h
from runview.draw.values import result, scalar, tree
from runview.draw.words import number, one_line
from runview.run.state import ABSENT, ObjectPart

__all__ = ["obj"]

_STATES: dict[str, tuple[Rest, str, str]] = {
    "writing": ("running", "writing", "was being written"),
    "complete": ("done", "complete", "complete"),
    "invalid": ("failed", "complete, not valid", "complete, not valid"),
    "unfinished": ("failed", "unfinished", "unfinished"),
}


def obj(pen: Pen, part: ObjectPart, caret: bool) -> Node:
    """The object's row, open from the start: it is the answer."""
    words = pen.words
    state = "unfinished" if part.state == "writing" and (pen.over or part.stopped) else part.state
    rest, word, was = _STATES[state]
    writing = state == "writing"
    value = _shown(pen, part, writing)
    body: list[Child] = []
    peek = None
    if value is not ABSENT:
        form, cut = plain(value, pen.limit, words=pen.words)
        if isinstance(form, Fields):
            body = [_fields(pen, form, writing, caret)] if form.items else []
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
        if cut:
            body.append(h("p", "rv-label", words("showing a part"), " · ", h("code", "", "view.output.object"), key="cut"))
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
    if known is None or fresh is None or depth > 8:
        return new
    return {**known, **{key: _merged(known.get(key, ABSENT), value, depth + 1) for key, value in fresh.items()}}


def _fields(pen: Pen, form: Fields, writing: bool, caret: bool) -> Node:
    last = len(form.items) - 1
    rows = [
        h(
            "tr",
            "",
            h("th", "", h("bdi", "", name)),
            h("td", "", *(with_caret([_cell(pen, item, writing)]) if caret and i == last else [_cell(pen, item, writing)])),
            key=str(i),
        )
        for i, (name, item) in enumerate(form.items)
    ]
    return h("table", "rv-fields rv-kvt", h("tbody", "", *rows), key="fields")


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
    return h("details", "rv-node", count, tree(pen, item))
