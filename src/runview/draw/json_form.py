"""A value as JSON text, as far as it is shown: what is left out, hidden or no JSON stands there in words."""

from __future__ import annotations

import json

from runview.draw.images import Picture
from runview.draw.plain import Fields, Items, Mark, Plain, Table, Text

__all__ = ["json_text"]


def json_text(form: Plain) -> str:
    """Indented JSON of a bounded form."""
    return json.dumps(_data(form), indent=2, ensure_ascii=False)


def _data(form: Plain) -> object:
    match form:
        case Text():
            return form.shown + ("…" if form.cut else "")
        case Mark():
            return form.words
        case Items():
            return [*map(_data, form.items), *(["…"] if form.total > len(form.items) else [])]
        case Fields():
            more = {"…": form.total - len(form.items)} if form.total > len(form.items) else {}
            return {**{name: _data(value) for name, value in form.items}, **more}
        case Table():
            return [{name: _data(cell) for name, cell in zip(form.columns, row, strict=False)} for row in form.rows]
        case Picture():
            return f"{form.kind} {form.width} × {form.height}"
        case _:
            return form
