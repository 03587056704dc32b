"""What went wrong, in words: an error in the stream, the message of a failed call, the end by abort.

Stacks are neither sent nor saved: they tell a reader of the file about the machine it was made on. The Python value keeps them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runview.draw.characters import show
from runview.draw.exact import mapping, word
from runview.draw.pen import Pen
from runview.draw.row import label, row, sep
from runview.draw.secrets import mask_message
from runview.draw.tree import Node, h
from runview.draw.values import fields
from runview.draw.words import one_line, size
from runview.run.state import AbortPart, ErrorPart, Part

__all__ = ["abort", "error", "error_body", "message_of"]

_SHOWN = {"name": "type", "code": "code", "statusCode": "status", "status": "status", "domain": "domain", "category": "category"}


def message_of(error: Mapping[str, Any] | None) -> str:
    """The message of an error as it may stand in a row."""
    said = word(error.get("message")) if error else None
    return one_line(mask_message(said[:2_000]), 500) if said else ""


def error_body(pen: Pen, part: Part, error: Mapping[str, Any], where: str) -> list[Node]:
    """Type, code and cause of a part's error, and where its stack is to be had."""
    shown: dict[str, object] = {}
    for name, title in _SHOWN.items():
        value = error.get(name)
        if type(value) in (str, int) and value != "Error":
            shown.setdefault(pen.words(title), value)
    causes = _causes(error)
    for nth, said in enumerate(causes, 1):
        shown[pen.words("cause") if nth == 1 else f"{pen.words('cause')} {nth}"] = said
    out = fields(pen, shown, "error")[0]
    whole = word(error.get("message"))
    if whole and ("\n" in whole.strip() or len(whole) > 160):
        out += pen.piece(part, "error", whole, lambda pen: _whole(pen, whole, where))
    stack = word(error.get("stack"))
    if stack:
        lines = stack[:100_000].count("\n") + 1
        said = f"{pen.words('stack')} · {pen.words.count(lines, 'line')}"
        out.append(label(said, sep(" · "), h("code", "", where), key="stack"))
    return out


def _causes(error: Mapping[str, Any]) -> list[str]:
    out: list[str] = []
    cause: object = error.get("cause")
    for _ in range(8):
        one = mapping(cause)
        if one is None:
            break
        said, kind = message_of(one), word(one.get("name"))
        if said and said != message_of(error):
            out.append(f"{one_line(kind, 80)}: {said}" if kind and kind != "Error" else said)
        cause = one.get("cause")
    if (last := word(cause)) is not None:
        out.append(one_line(mask_message(last[:2_000]), 500))
    return out[:4]


def _whole(pen: Pen, text: str, where: str) -> list[Node]:
    """A long message, as far as values are shown."""
    shown = h("pre", "rv-pre", show(mask_message(text[: pen.limit])), key="whole")
    if len(text) <= pen.limit:
        return [shown]
    octets = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    said = f"{pen.words('showing')} {size(pen.limit)} {pen.words('of')} {size(octets)}"
    return [shown, label(said, sep(" · "), h("code", "", where), pen.more(text=True), key="clip")]


def error(pen: Pen, part: ErrorPart) -> Node:
    """An error chunk, at its place."""
    name = word(part.error.get("name"))
    title = one_line(name, 80) if name else pen.words("Error")
    return row(
        pen, part, part.key, "failed", title, cls="rv-err", word=pen.words("failed"), message=message_of(part.error),
        body=error_body(pen, part, part.error, "view.output.error"), opened=True,
    )  # fmt: skip


def abort(pen: Pen, part: AbortPart) -> Node | None:
    """Who stopped the run and why, if the stream says so; the status line has the word."""
    if not part.reason:
        return None
    return row(pen, part, part.key, "stopped", pen.words("Stopped"), noun=one_line(part.reason, 300))
