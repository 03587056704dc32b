"""Any Python value → a bounded plain form that is safe to look at.

Values come out of a stream, so they are hostile: this module goes by exact built-in types, reads through the methods of the
built-in base classes, never calls a `__repr__`, `__str__`, `__class__` or property of the value's own, follows no cycle, and
stops when its budget of characters, nodes or depth is used up. Whatever can't be shown becomes a marked stand-in. It never
raises.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from runview.draw.characters import show
from runview.draw.frames import frame
from runview.draw.images import Picture, drawn_image, picture_of
from runview.draw.known import bases_of, class_attribute, fields_of, said, type_name
from runview.draw.secret_json import mask_text
from runview.draw.secrets import HIDDEN, is_credential
from runview.draw.words import Words, number, size
from runview.run.state import ABSENT

__all__ = ["Entry", "Fields", "Items", "Mark", "Plain", "Table", "Text", "growing", "plain"]


class Text(NamedTuple):
    """A string, its characters made visible, cut at the limit."""

    shown: str
    cut: int
    """How many characters were left out."""
    octets: int
    """About how long the whole is in UTF-8."""


class Mark(NamedTuple):
    """Words of ours that stand for something: `hidden`, `<generator>`, `3 more`."""

    words: str


class Items(NamedTuple):
    """A list; `total` counts what is not shown too."""

    items: list[Plain]
    total: int


class Fields(NamedTuple):
    """A mapping, or an object with fields."""

    items: list[tuple[str, Plain]]
    total: int
    name: str | None = None
    """The class of the object."""


class Table(NamedTuple):
    """A data frame or a matrix."""

    columns: list[str]
    rows: list[list[Plain]]
    total: int
    width: int


Plain: TypeAlias = "bool | int | float | Text | Mark | Items | Fields | Table | Picture | None"

_DEPTH = 60
_OVERHEAD = 16
"""What an entry costs besides its characters, so that many small ones are bounded too."""
_dict: Any = dict
_tuple: Any = tuple


_ENGLISH = Words({})


def plain(
    value: object, limit: int = 20_000, nodes: int = 2_000, words: Words = _ENGLISH, *, lists: bool = True, rows: int = 20
) -> tuple[Plain, bool]:
    """The plain form, of at most about `limit` characters, and whether something was left out. Without `lists` only their lengths
    are told. Of data frames, `rows` are shown.
    """
    bounds = _Bounds(limit, nodes, words, lists, rows=rows)
    try:
        out = bounds.take(value, 0, whole=True)
    except Exception:  # whatever a hostile value managed to do, a run goes on
        return Mark(f"<{type_name(value)}>"), False
    return out, bounds.cut


@dataclass(slots=True)
class Entry:
    """One field of a mapping that grows."""

    key: object
    value: object
    name: str
    form: Plain
    cut: bool
    characters: int
    """What it cost, as `nodes`."""
    nodes: int
    drawn: Any = None
    """What the drawing keeps of it."""


def growing(
    value: dict[Any, Any], known: list[Entry], limit: int = 20_000, nodes: int = 2_000, words: Words = _ENGLISH
) -> tuple[list[Entry], bool]:
    """The fields of a mapping that grows, of lists only their lengths, and whether something was left out.

    `known`: what this gave before. A field that still has the very same value is the same entry again, so that a flush costs what
    is new.
    """
    bounds = _Bounds(limit, nodes, words, lists=False, inside=(id(value),))
    out: list[Entry] = []
    for at, (key, item) in enumerate(value.items()):
        if bounds.spent:
            bounds.cut = True
            break
        entry = known[at] if at < len(known) else None
        if entry is not None and entry.key is key and entry.value is item:
            bounds.left -= entry.characters
            bounds.nodes -= entry.nodes
        else:
            before = bounds.left, bounds.nodes
            cut, bounds.cut = bounds.cut, False
            try:
                name, form = bounds.field(key, item, 0)
            except Exception:  # as in `plain`
                name, form = "?", Mark(f"<{type_name(item)}>")
            entry = Entry(key, item, name, form, bounds.cut, before[0] - bounds.left, before[1] - bounds.nodes)
            bounds.cut = cut
        bounds.cut = bounds.cut or entry.cut
        out.append(entry)
    return out, bounds.cut


@dataclass(slots=True)
class _Bounds:
    left: int
    nodes: int
    words: Words
    lists: bool = True
    cut: bool = False
    inside: tuple[int, ...] = ()
    rows: int = 20

    def take(self, value: object, depth: int, *, whole: bool = False) -> Plain:
        self.nodes -= 1
        kind = type(value)
        if kind is str:
            return picture_of(value) or self.text(value, whole)  # type: ignore[arg-type]
        if value is None or kind is bool:
            self.left -= _OVERHEAD
            return value  # type: ignore[return-value]
        if kind is int or kind is float:
            return self.figure(value)  # type: ignore[arg-type]
        if value is ABSENT:
            return Mark("—")
        bases = bases_of(kind)
        if dict in bases or list in bases or kind in (tuple, set, frozenset, deque) or tuple in bases:
            return self.inner(value, bases, depth)
        try:
            return self.other(value, kind, bases, depth, whole)
        except Exception:  # a hostile leaf does not take its neighbours away
            return Mark(f"<{type_name(value)}>")

    def text(self, value: str, whole: bool) -> Text:
        room = max(0, self.left) if whole else min(max(self.left // 2, 200), max(self.left, 0))
        length = len(value)
        shown = value if length <= room else value[:room]
        self.left -= len(shown) + _OVERHEAD
        self.cut = self.cut or length > room
        octets = length if value.isascii() else _octets(value)
        return Text(mask_text(show(shown)), length - len(shown), octets)

    def figure(self, value: int | float) -> Plain:  # noqa: PYI041 : a whole number has no `isfinite`
        self.left -= _OVERHEAD
        if isinstance(value, float):
            return (
                value if math.isfinite(value) else Mark("NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity")
            )
        if value.bit_length() > 3_000:
            about = number(int(value.bit_length() * 0.30103))
            return Mark(f"{self.words('a whole number of about')} {about} {self.words('digits')}")
        return value

    def inner(self, value: Any, bases: tuple[type, ...], depth: int) -> Plain:
        me = id(value)
        if me in self.inside:
            return Mark(self.words("itself again"))
        if depth >= _DEPTH:
            self.cut = True
            return Mark("…")
        self.inside = (*self.inside, me)
        try:
            if dict in bases:
                picture = picture_of(value) if _dict.__len__(value) <= 8 else None
                return picture or self.fields(_dict.items(value), _dict.__len__(value), depth)
            if tuple in bases and type(names := class_attribute(bases, "_fields")) is tuple:
                pairs = zip(map(str, _tuple(names)), _tuple.__iter__(value), strict=False)
                return self.fields(pairs, _tuple.__len__(value), depth, type_name(value))
            base: Any = next(base for base in (list, tuple, set, frozenset, deque) if base in bases)
            return self.items(base.__iter__(value), base.__len__(value), depth)
        finally:
            self.inside = self.inside[:-1]

    def items(self, values: Iterable[object], total: int, depth: int) -> Items:
        if not self.lists:
            return Items([], total)
        out: list[Plain] = []
        for value in values:
            if self.spent:
                self.cut = True
                break
            out.append(self.take(value, depth + 1))
        return Items(out, total)

    def fields(self, pairs: Iterable[tuple[object, object]], total: int, depth: int, name: str | None = None) -> Fields:
        out: list[tuple[str, Plain]] = []
        for key, value in pairs:
            if self.spent:
                self.cut = True
                break
            out.append(self.field(key, value, depth))
        return Fields(out, total, name)

    @property
    def spent(self) -> bool:
        return self.left <= 0 or self.nodes <= 0

    def field(self, key: object, value: object, depth: int) -> tuple[str, Plain]:
        word = show(key[:200]) if type(key) is str else self.key(key)
        self.left -= len(word)
        hide = value is not None and type(value) is not bool and is_credential(word)
        if hide:
            self.left -= _OVERHEAD
        return word, Mark(self.words(HIDDEN)) if hide else self.take(value, depth + 1)

    def key(self, key: object) -> str:
        form = _Bounds(200, 4, self.words).take(key, _DEPTH - 1)
        if isinstance(form, Text):
            return form.shown
        if form is None or isinstance(form, bool | int | float):
            return str(form)
        return form.words if isinstance(form, Mark) else f"<{type_name(key)}>"

    def other(self, value: Any, kind: type, bases: tuple[type, ...], depth: int, whole: bool) -> Plain:
        self.left -= _OVERHEAD
        if (data := _octets_of(value, kind)) is not None:
            return picture_of(data) or Mark(f"{size(_length(value))} {self.words('of bytes')}")
        if (image := drawn_image(value, bases)) is not None:
            return image
        if isinstance(words := said(value, bases), str):
            return Mark(show(words[:500])) if not whole else Text(show(words[: self.left]), 0, len(words))
        if words is not None:
            return self.take(words, depth + 1)
        if type_name(value) in ("SecretStr", "SecretBytes", "Secret"):
            return Mark(self.words(HIDDEN))
        if (table := frame(value, bases, self.rows)) is not None:
            names = [self.key(name)[:80] for name in table.columns]
            hide = [is_credential(name) for name in names]
            rows = [
                [Mark(self.words(HIDDEN)) if hid else self.take(cell, depth + 1) for hid, cell in zip(hide, cells, strict=False)]
                for cells in table.rows
            ]
            return Table(names, rows, table.total, table.width)
        if (own := fields_of(value, bases)) is not None and depth < _DEPTH:
            if id(value) in self.inside:
                return Mark(self.words("itself again"))
            self.inside = (*self.inside, id(value))
            try:
                return self.fields(own, len(own), depth, type_name(value))
            finally:
                self.inside = self.inside[:-1]
        return Mark(f"<{type_name(value)}>")


def _octets(text: str) -> int:
    """Length in UTF-8; of a very long text, from a sample."""
    if len(text) <= 100_000:
        return len(text.encode("utf-8", "surrogatepass"))
    return int(len(text[:10_000].encode("utf-8", "surrogatepass")) / 10_000 * len(text))


def _octets_of(value: Any, kind: type) -> bytes | None:
    """At most 2 MB of a bytes value, or None for something else."""
    if kind in (bytes, bytearray):
        return bytes(value[:2_000_000])
    return bytes(value[:2_000_000]) if kind is memoryview and value.contiguous and value.ndim == 1 else None


def _length(value: Any) -> int:
    return int(value.nbytes) if type(value) is memoryview else len(value)
