"""What went wrong, in words: an error in the stream, the message of a failed call, the end by abort.

Stacks are neither sent nor saved: they tell a reader of the file about the machine it was made on. The Python value keeps them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runview.draw.characters import show
from runview.draw.pen import Pen
from runview.draw.row import label, row
from runview.draw.tree import Node, h
from runview.draw.values import fields
from runview.draw.words import one_line
from runview.run.state import AbortPart, ErrorPart

__all__ = ["abort", "error", "error_body", "message_of"]

_SHOWN = {"name": "type", "code": "code", "statusCode": "status", "status": "status", "domain": "domain", "category": "category"}


def message_of(error: Mapping[str, Any] | None) -> str:
    """The message of an error as it may stand in a row."""
    said = error.get("message") if error else None
    return one_line(said, 500) if type(said) is str else ""


def error_body(pen: Pen, error: Mapping[str, Any], where: str) -> list[Node]:
    """Type, code and cause of an error, and where its stack is to be had."""
    shown: dict[str, object] = {}
    for name, word in _SHOWN.items():
        value = error.get(name)
        if type(value) in (str, int) and value != "Error":
            shown.setdefault(pen.words(word), value)
    cause, depth = error.get("cause"), 0
    while isinstance(cause, dict) and depth < 4:
        said = message_of(cause)
        kind = cause.get("name")
        if said and said != message_of(error):
            shown[pen.words("cause") if not depth else f"{pen.words('cause')} {depth + 1}"] = (
                f"{kind}: {said}" if type(kind) is str and kind != "Error" else said
            )
            depth += 1
        cause = cause.get("cause")
    if type(cause) is str and cause:
        shown[pen.words("cause")] = one_line(cause, 500)
    out = fields(pen, shown)[0]
    whole = error.get("message")
    if type(whole) is str and ("\n" in whole.strip() or len(whole) > 160):
        out.append(h("pre", "rv-pre", _long(pen, whole), key="whole"))
    stack = error.get("stack")
    if type(stack) is str and stack:
        lines = stack[:100_000].count("\n") + 1
        out.append(label(f"{pen.words('stack')} · {pen.words.count(lines, 'line')} · ", h("code", "", where), key="stack"))
    return out


def _long(pen: Pen, text: str) -> str:
    return show(text[: pen.limit]) + ("…" if len(text) > pen.limit else "")


def error(pen: Pen, part: ErrorPart) -> Node:
    """An error chunk, at its place."""
    name = part.error.get("name")
    title = one_line(name, 80) if type(name) is str and name else pen.words("Error")
    return row(
        pen, part, part.key, "failed", title, cls="rv-err", word=pen.words("failed"), message=message_of(part.error),
        body=error_body(pen, part.error, "view.output.error"), opened=True,
    )  # fmt: skip


def abort(pen: Pen, part: AbortPart) -> Node | None:
    """Who stopped the run and why, if the stream says so; the status line has the word."""
    if not part.reason:
        return None
    return row(pen, part, part.key, "stopped", pen.words("Stopped"), noun=one_line(part.reason, 300))
