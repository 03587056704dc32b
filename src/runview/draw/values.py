"""What a value looks like: fields for arguments, a table for records, a tree for what is nested, a block for long text.

Works on the bounded plain form of `plain.py` and so on a few thousand nodes at most, whatever came.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import islice

from runview.draw.exact import listing, mapping
from runview.draw.images import Picture
from runview.draw.pen import Pen
from runview.draw.plain import Fields, Items, Mark, Plain, Table, Text, plain
from runview.draw.row import bdi, label, sep
from runview.draw.tree import Child, Node, h
from runview.draw.words import number, one_line, size
from runview.run.state import FilePart

__all__ = ["arguments", "bears", "fields", "literal", "peek", "picture", "records", "result", "scalar", "tree"]

_COLUMNS = 12
_OPEN = 8
"""A nested mapping of so many keys stands open."""
_PLACE = "view.output.tool_results[{}]"


def literal(value: Plain) -> str | None:
    """A scalar as JSON would write it (strings without quotes, unless empty); None for what is not a scalar."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mark):
        return value.words
    if isinstance(value, Text):
        return (value.shown + "…" if value.cut else value.shown) or '""'
    return (
        "[]" if isinstance(value, Items) and not value.total else "{}" if isinstance(value, Fields) and not value.total else None
    )


def scalar(value: Plain) -> Node | None:
    """A scalar in its colour, as in JSON; None for what is not a scalar."""
    text = literal(value)
    if text is None:
        return None
    if isinstance(value, Text):
        return bdi("rv-str", f'"{text}"' if text != '""' else text)
    if isinstance(value, bool) or value is None:
        return h("span", "rv-k", text)
    return h("span", "rv-n" if isinstance(value, int | float) else "rv-meta", text)


def fields(pen: Pen, value: object, key: str = "fields") -> tuple[list[Node], bool]:
    """Arguments (or any mapping) as a table of names and values, and whether something was left out.

    `key` names the table, where it is not the only one among its siblings.
    """
    form, cut = plain(value, pen.limit, pen.nodes, pen.words)
    if not isinstance(form, Fields):
        form = Fields([(pen.words("input"), form)], 1)
    if not form.items:
        return [], cut
    rows = [
        h("tr", "", h("th", "", bdi("", name)), h("td", "", _cell(pen, item)), key=str(i))
        for i, (name, item) in enumerate(form.items)
    ]
    if form.total > len(rows):
        rows.append(h("tr", "", h("th", "", "…"), h("td", "", _more(pen, form.total - len(rows))), key="more"))
    return [h("table", "rv-fields", h("tbody", "", *rows), key=key)], cut


def arguments(pen: Pen, value: object) -> list[Node]:
    """Arguments as fields. In the page the reader may ask for more of them."""
    nodes, cut = fields(pen, value)
    more = pen.more(text=not _nested(value)) if cut or pen.short else None
    return [*nodes, h("p", "rv-label", more, live=True, key="clip")] if more is not None else nodes


def _nested(value: object) -> bool:
    given = mapping(value)
    return given is None or len(given) > 50 or any(type(item) is not str for item in islice(given.values(), 50))


def _cell(pen: Pen, value: Plain) -> Child:
    if isinstance(value, Text) and ("\n" in value.shown or value.cut):
        return h("pre", "rv-pre rv-inpre", value.shown + ("…" if value.cut else ""))
    text = literal(value)
    if text is not None:
        return bdi("rv-val", text)
    if isinstance(value, Items) and len(value.items) == value.total <= 12:
        words = [literal(item) for item in value.items]
        if sum(len(word or "") for word in words) < 120 and all(word is not None for word in words):
            return bdi("rv-val", ", ".join(word or "" for word in words))
    return picture(pen, value, "") if isinstance(value, Picture) else tree(pen, value)


def tree(pen: Pen, value: Plain, depth: int = 0) -> Node:
    """Nested values: keys on one edge, what is inside in folds."""
    entries: list[tuple[str, Plain]] = []
    total = 1
    if isinstance(value, Fields):
        entries, total = value.items, value.total
    elif isinstance(value, Items):
        entries += [(str(i), item) for i, item in enumerate(value.items[: pen.most])]
        total = value.total
    else:
        entries.append(("", value))
    lines = [_line(pen, str(i), name, item, depth) for i, (name, item) in enumerate(entries)]
    if total > len(entries):
        pen.short = True
        lines.append(h("li", "rv-kv", h("span", "rv-key", "…"), " ", _more(pen, total - len(entries)), key="more"))
    return h("ul", "rv-tree", *lines)


def _line(pen: Pen, key: str, name: str, value: Plain, depth: int) -> Node:
    title = bdi("rv-key", name) if name else None
    space = " " if name else None
    shown = scalar(value)
    if shown is not None:
        return h("li", "rv-kv", title, space, shown, key=key)
    if isinstance(value, Picture | Table):
        return h("li", "rv-kv", title, space, h("span", "rv-meta", say_size(pen, value) or ""), key=key)
    opened = isinstance(value, Fields) and value.total <= _OPEN and depth < 2
    about = h("span", "rv-meta", f"[{number(value.total)}]" if isinstance(value, Items) else say_size(pen, value))
    head = h("summary", "", title, space, about)
    below = records(pen, value) or tree(pen, value, depth + 1)
    inside = h("details", "rv-node", head, below, auto="open" if opened else None, key="d")
    return h("li", "", inside, key=key)


def _more(pen: Pen, left: int) -> Node:
    return h("span", "rv-meta", f"{number(left)} {pen.words('more')}")


def result(pen: Pen, value: object, name: str, place: int | None = None) -> list[Node]:
    """What came back, under a label that says what it is. `place` is its index in `output.tool_results`."""
    form, cut = plain(_unwrapped(value), pen.limit, pen.nodes, pen.words, rows=pen.rows)
    text = literal(form)
    if isinstance(form, Picture):
        return [label(f"{name} · {say_size(pen, form)}", key="r-"), picture(pen, form, name)]
    if isinstance(form, Text) and text != '""' and ("\n" in form.shown or len(form.shown) > 80):
        shown = [label(f"{name} · {pen.words('text')}", key="r-"), h("pre", "rv-pre", form.shown, key="r")]
        return shown + _clipped(pen, form.octets if form.cut else None, cut, place)
    if text is not None:
        return [label(name, key="r-"), h("p", "rv-one", bdi("rv-val", text), key="r"), *_clipped(pen, None, cut, place)]
    table = _records(form, pen.rows)
    if table is not None:
        rows = f"{pen.words('first')} {number(len(table.rows))} {pen.words('of')} " if len(table.rows) < table.total else ""
        head = label(f"{name} · {rows}{pen.words.count(table.total, 'row')}", key="r-")
        return [
            head,
            h("div", "rv-scroll", _table(table), key="r"),
            *_clipped(pen, None, bool(rows) or cut, place, told=bool(rows) and place is None),
        ]
    what = form.name if isinstance(form, Fields) and form.name else "JSON"
    return [label(f"{name} · {what}", key="r-"), h("div", "rv-one", tree(pen, form), key="r"), *_clipped(pen, None, cut, place)]


def _clipped(pen: Pen, octets: int | None, cut: bool, place: int | None, *, told: bool = False) -> list[Node]:
    """How much is shown of what is cut, where the whole is, and the button for more. `told`: that it is cut is said already."""
    more = pen.more(text=octets is not None) if cut or pen.short else None
    if not cut or told:
        return [h("p", "rv-label", more, live=True, key="clip")] if more is not None else []
    where: list[Child] = [sep(" · "), h("code", "", _PLACE.format(place))] if place is not None else []
    said = pen.words("showing a part")
    if octets is not None:
        said = f"{pen.words('showing')} {size(pen.limit)} {pen.words('of')} {size(octets)}"
    return [label(said, *where, more, key="clip")]


def picture(pen: Pen, form: Picture, alt: str, of: FilePart | None = None) -> Node:
    """A checked image. If it is too large for this form: its size in words, and in the file a small picture if one can be made.

    `of` is the file that it is, which has all of its bytes.
    """
    alt = alt or pen.words("image")
    if bears(pen, form.size):
        return h("img", "rv-img", src=form.url, alt=alt, key="r")
    content = of.data if of is not None else None
    small = None
    if pen.form == "saved":
        key = of or blake2b(form.data).digest()
        small = pen.memory.thumbnails.of(key, form, content.whole if content is not None else lambda: form.data)
    if small is None:
        return label(f"{say_size(pen, form)} · {pen.words('too large to be shown here')}", key="r")
    image = h("img", "rv-img", src=small.url, alt=alt)
    return h("div", "rv-thumb", image, label(f"{say_size(pen, form)} · {pen.words('shown small')}"), key="r")


def bears(pen: Pen, octets: int) -> bool:
    """Whether this form takes a picture of so many bytes."""
    return pen.whole or octets <= (1_000_000 if pen.live else 200_000)


def records(pen: Pen, form: Plain) -> Node | None:
    """A list of flat records inside another value: a table. None for anything else."""
    table = _records(form, pen.rows) if isinstance(form, Items) else None
    if table is None:
        return None
    left = table.total - len(table.rows)
    pen.short = pen.short or left > 0
    return h("div", "rv-scroll", _table(table), label(_more(pen, left)) if left else None)


def _records(form: Plain, most: int) -> Table | None:
    """A list of flat records as a table. What is shown of it decides: the last of very many may have been cut in its middle."""
    if isinstance(form, Table):
        return form
    if not isinstance(form, Items) or not form.items:
        return None
    columns: dict[str, None] = {}
    for item in form.items[:most]:
        if not isinstance(item, Fields) or not item.items or any(literal(cell) is None for _, cell in item.items):
            return None
        columns.update(dict.fromkeys(name for name, _ in item.items))
    if len(columns) > _COLUMNS:
        return None
    rows: list[list[Plain]] = []
    for item in form.items[:most]:
        cells = dict(item.items) if isinstance(item, Fields) else {}
        rows.append([cells.get(name, Mark("—")) for name in columns])
    return Table(list(columns), rows, form.total, len(columns))


def _table(table: Table) -> Node:
    kinds = ["rv-num" if _figures(table, i) else "" for i in range(len(table.columns))]
    head = [h("th", kind, bdi("", name)) for kind, name in zip(kinds, table.columns, strict=True)]
    rows = [
        h("tr", "", *(h("td", kind, bdi("", _flat(cell))) for kind, cell in zip(kinds, row, strict=False))) for row in table.rows
    ]
    return h("table", "rv-table", h("thead", "", h("tr", "", *head)), h("tbody", "", *rows))


def _figures(table: Table, column: int) -> bool:
    cells = [row[column] for row in table.rows if column < len(row)]
    return any(isinstance(cell, int | float) for cell in cells) and all(
        cell is None or isinstance(cell, int | float | Mark) for cell in cells
    )


def _flat(cell: Plain) -> str:
    text = literal(cell)
    return "…" if text is None else text if len(text) <= 200 else text[:199] + "…"


def _unwrapped(value: object) -> object:
    """The text in a result of the Model Context Protocol, `{content: [{type: "text", text}]}`; any other value as it is."""
    given = mapping(value)
    if given is None or not given.keys() <= {"content", "isError", "_meta", "structuredContent"}:
        return value
    content = listing(given.get("content")) or []
    only = mapping(content[0]) if len(content) == 1 else None
    if only is None:
        return value
    if only.get("type") == "text" and type(only.get("text")) is str:
        return only["text"]
    return only if only.get("type") == "image" else value


def say_size(pen: Pen, form: Plain) -> str | None:
    """How much there is of something that is not a scalar."""
    words = pen.words
    if isinstance(form, Picture):
        return f"{form.kind} · {form.width} × {form.height} · {size(form.size)}"
    if isinstance(form, Table):
        return f"{words.count(form.total, 'row')} × {number(form.width)}"
    if isinstance(form, Fields):
        return words.count(form.total, "key")
    return words.count(form.total, "item") if isinstance(form, Items) else None


def peek(pen: Pen, value: object) -> str:
    """What came back, in a few words."""
    form, _ = plain(_unwrapped(value), 2_000, 200, pen.words)
    words = pen.words
    if isinstance(form, Text):
        line = form.shown.lstrip().partition("\n")[0]
        if form.octets > 1_000:
            return f"{words('text')} · {size(form.octets)}"
        rest = form.cut or "\n" in form.shown.strip()
        return (one_line(line, 60) + ("…" if rest and len(line) < 60 else "")) or '""'
    if (text := literal(form)) is not None:
        return text
    if isinstance(form, Picture):
        return words("image")
    if isinstance(form, Items):
        figures = all(isinstance(item, int | float) and not isinstance(item, bool) for item in form.items)
        return words.count(form.total, "number" if figures and form.items else "result")
    if isinstance(form, Fields):
        return _of_fields(pen, form)
    return say_size(pen, form) or ""


def _of_fields(pen: Pen, form: Fields) -> str:
    found = dict(form.items)
    unit, amount = found.get("unit"), found.get("value")
    if isinstance(unit, Text) and isinstance(amount, int | float) and form.total <= 4:
        return f"{literal(amount)}\u00a0{one_line(unit.shown, 20)}"
    if form.total == 1 and len(form.items) == 1:
        name, only = form.items[0]
        text = literal(only)
        if text is not None:
            return one_line(f"{name} {text}", 60)
        if isinstance(only, Items) and name.replace("_", "").isalpha() and len(name) <= 20:
            return f"{number(only.total)} {name}"
    return say_size(pen, form) or ""
