"""What every drawing function is handed: who looks, when, for which form, and what was drawn before."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from runview.draw.thumbnails import Thumbnails
from runview.draw.tree import Node, h
from runview.draw.words import Words
from runview.run.state import Part, RunState

if TYPE_CHECKING:
    from runview.draw.look import Look
    from runview.draw.plain import Entry
    from runview.draw.text import Source

__all__ = ["Memory", "Pen"]

FURTHEST = 3
"""How often more of a value can be asked for: what is drawn of it stays below 20,000 elements."""
FURTHEST_TEXT = 16
"""The same for a text: 980 kB are shown in the end."""
TEXTS = 10_000_000
"""Octets of all texts and thoughts of a view that are shown."""
ELEMENTS = 16_000
"""Elements that these may become: with the rows, a page has to bear some 20,000."""
Form = Literal["live", "saved", "text"]


Piece: TypeAlias = tuple[Part, str]
"""Part of a part, by name."""


class Memory:
    """What one view remembers from flush to flush, by part. Parts are never taken out of a run, so nothing grows without end."""

    __slots__ = (
        "drawn",
        "elements",
        "entries",
        "folds",
        "groups",
        "objects",
        "offers",
        "peeks",
        "pieces",
        "reaches",
        "refs",
        "room",
        "sources",
        "thumbnails",
        "weights",
    )

    def __init__(self) -> None:
        self.drawn: dict[Part, tuple[object, Node | None]] = {}
        """The last live drawing of a part and what it was made from."""
        self.pieces: dict[Piece, tuple[object, object, list[Node]]] = {}
        """Pieces of a part that seldom change (its arguments, its result), what they were made from, and how far they reach."""
        self.reaches: dict[Piece, int] = {}
        """How often the reader has asked for more of a piece."""
        self.offers: dict[str, Piece] = {}
        """The buttons that ask for more, and what of."""
        self.sources: dict[Part, Source] = {}
        """The growing Markdown of a text."""
        self.groups: dict[Part, tuple[list[Node], Node]] = {}
        """What stands around several rows, by the part of the first, and the rows it was made from."""
        self.folds: set[Part] = set()
        """Rows that have been drawn as `details` and stay so."""
        self.peeks: dict[Part, tuple[float, str]] = {}
        """When a thought's peek was last changed, and to what."""
        self.objects: dict[Part, Any] = {}
        """What has been shown of an object that is being written; a key once shown stays."""
        self.entries: dict[Part, list[Entry]] = {}
        """Its fields, as they were drawn last."""
        self.refs: dict[Piece, str] = {}
        """Ids of our own for what buttons are about."""
        self.thumbnails = Thumbnails()
        """What stands in the file for pictures that are too large for it."""
        self.room = TEXTS
        """Octets of text that may still be shown."""
        self.elements = ELEMENTS
        """Elements that texts may still become."""
        self.weights: dict[Part, int] = {}
        """Bytes of the files that the page has."""

    def carries(self, part: Part, weight: int, most_of_one: int, most_of_all: int) -> bool:
        """Whether a file travels to the page: one that does is counted, and stays."""
        if part not in self.weights:
            if weight > most_of_one or weight + sum(self.weights.values()) > most_of_all:
                return False
            self.weights[part] = weight
        return True


@dataclass(slots=True, kw_only=True)
class Pen:
    """One drawing of a run: its words, its moment, its form, and what the view remembers."""

    look: Look
    words: Words
    now: float
    """Seconds since the epoch."""
    form: Form
    """`live` for the page, `saved` for the file, `text` for the transcript, where texts stay Markdown."""
    memory: Memory
    depth: int = 0
    """How many runs this one is nested in."""
    ended: float | None = None
    """When the run ended, for what ended with it."""
    over: bool = False
    """The run that is drawn, or one around it, has ended: nothing in it may look as if it were at work."""
    ways: Collection[str] | None = None
    """How the run's source can go on after an answer, by the names of its methods; None where nobody could answer."""
    asked_above: bool = False
    """The call in whose row this run is drawn waits for the reader itself."""
    asks: bool = False
    """There is a kernel that can be asked for more."""
    of: Piece | None = None
    """The piece that is drawn, if the reader may ask for more of it."""
    reach: int = 0
    """How often the reader has asked for more of it."""
    short: bool = False
    """Something of the piece was left out. The only thing that drawing tells the pen."""
    lanes: tuple[float, float] | None = None
    """When the outermost run began and ended, once it has: what the lanes of full density are a part of."""

    whole: bool = False
    """Pictures of any size are drawn, as in a file of its own."""

    @property
    def live(self) -> bool:
        return self.form == "live"

    @property
    def full(self) -> bool:
        return self.look.density == "full"

    @property
    def limit(self) -> int:
        """Characters of one value that are shown."""
        return 20_000 + 60_000 * self.reach if self.form == "live" else 4_000

    @property
    def most(self) -> int:
        """Entries of one list that are shown."""
        return (50, 200, 800, 3_200)[min(self.reach, FURTHEST)] if self.form == "live" else 20

    @property
    def rows(self) -> int:
        """Rows of one table that are shown."""
        return (20, 60, 180, 540)[min(self.reach, FURTHEST)]

    @property
    def nodes(self) -> int:
        """Values in one value that are shown."""
        return 2_000 + 600 * min(self.reach, FURTHEST)

    def deeper(self, run: RunState) -> Pen:
        """The pen for a run inside this one."""
        return replace(self, depth=self.depth + 1, over=self.over or run.is_done, ended=run.ended or self.ended)

    def took(self, part: Part) -> float | None:
        """How long a part took that is over, by its own end or with its run."""
        ended = part.ended if part.ended is not None else self.ended if self.over else None
        return None if part.started is None or ended is None else max(0.0, ended - part.started)

    def ref(self, part: Part, name: str = "") -> str:
        """What buttons call this part. Ids of the stream may mean several things, and are not ours to trust."""
        return self.memory.refs.setdefault((part, name), f"p{len(self.memory.refs)}")

    def lane(self, part: Part) -> tuple[int, int] | None:
        """Where in the run a part began and how long it took, in thousandths of the run; None while the run goes on."""
        took = self.took(part)
        if self.lanes is None or part.started is None or took is None:
            return None
        begun, ended = self.lanes
        whole = max(ended - begun, 0.001)
        at = round(1000 * min(1.0, max(0.0, (part.started - begun) / whole)))
        return at, max(0, min(1000 - at, round(1000 * took / whole)))

    def piece(self, part: Part, name: str, value: object, make: Callable[[Pen], list[Node]]) -> list[Node]:
        """Part of a part that is drawn again only when `value` is another object (or, for numbers and tuples, another value), or
        the reader wants more of it.
        """
        if not self.live:
            return make(self)
        memory, of = self.memory, (part, name)
        known = memory.pieces.get(of)
        reach = memory.reaches.get(of, 0)
        if known is not None and _same(known[0], value) and known[1] in (None, (reach, self.asks)):
            return known[2]
        pen = self.reaching(part, name)
        nodes = make(pen)
        memory.pieces[of] = (value, (reach, self.asks) if pen.short else None, nodes)
        return nodes

    def reaching(self, part: Part, name: str) -> Pen:
        """The pen for a piece of which the reader may ask for more."""
        return replace(self, of=(part, name), reach=self.memory.reaches.get((part, name), 0), short=False) if self.live else self

    def more(self, *, text: bool) -> Node | None:
        """The button that shows more of what is cut, where there is a kernel to ask, and a page that can bear more."""
        self.short = True
        if not self.asks or self.of is None or self.reach >= (FURTHEST_TEXT if text else FURTHEST):
            return None
        ref = f"{self.ref(*self.of)}.{self.reach}"
        self.memory.offers[ref] = self.of
        return h("button", "rv-btn", self.words("Show more"), act="more", ref=ref, live=True, key="more")

    def clock(self, since: float | None, cls: str = "", key: str | None = None) -> Node | None:
        """A running clock: the page counts by itself, the file says how long it had been."""
        if since is None:
            return None
        if self.live:
            return h("span", cls, since=round(since, 3), key=key)
        return h("span", cls, self.words.clock(self.now - since), key=key)


def _same(old: object, new: object) -> bool:
    return old is new or (type(new) in (int, str, tuple) and old == new)
