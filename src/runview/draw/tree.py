"""The tree: what a run looks like, as plain nodes from an allow-list, and the difference of two such trees.

The drawing makes one tree of a run. `html.py` writes it out for the saved file; the page builds it with `createElement`
from its own copy of the allow-list (`js/src/contract.ts`, checked against this file by a test). What changes between two
flushes travels as operations on that tree, so live and saved cannot disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeAlias

__all__ = [
    "ATTRIBUTES", "HINTS", "MATH_ATTRIBUTES", "MATH_TAGS", "TAGS", "Child", "Node", "Op", "Sealed", "diff", "h", "unwrapped",
    "wire",
]  # fmt: skip

TAGS = frozenset(
    "section div p span strong em del sup sub b i bdi br hr h4 h5 h6 ul ol li dl dt dd blockquote pre code a img "
    "table thead tbody tr th td details summary button input progress".split()
)
"""Elements of HTML that a drawing may use. `input` is only ever the disabled check box of a task list."""

MATH_TAGS = frozenset(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover "
    "munderover mmultiscripts mprescripts mtable mtr mtd".split()
)
"""Elements of MathML, made only by our own conversion of TeX."""

ATTRIBUTES = frozenset(
    "class href alt src start value max role dir lang type checked disabled colspan rowspan display "
    "aria-label aria-hidden aria-busy aria-live aria-current".split()
)
"""Attributes that are written into the page and the file."""

MATH_ATTRIBUTES = frozenset(
    "stretchy form minsize maxsize largeop movablelimits linethickness accent accentunder width displaystyle scriptlevel "
    "mathvariant".split()
)
"""Attributes of MathML's elements alone, with values of a fixed form (`maths.py`). Only the page has them: the file keeps TeX."""

HINTS = frozenset("key auto live since act ref copy tex height say lone at long save name deep".split())
"""Attributes that speak to the page script and to `html.py`, and never become attributes of an element.

`key` names a child among its siblings, `auto="open"` opens a `details` that the reader has not touched, `deep` makes it a row
that is read by itself, `lone` makes an element look like what is in its last child, which alone is written (`unwrapped`),
`live` marks a node that is not saved (caret, controls), `since` (seconds since the epoch) makes the page write the time that
has passed, `act` names what a button asks for and `ref` (an id of our own) what it is about, `copy` says that a block can be
copied, `tex` is what a formula was made from. On the root, `height` (CSS pixels) makes the view scroll in a box of its own, and
`say` is what is said to readers who hear the view. `at` and `long` are where on the run's lane a part began and how long it
took, in thousandths of the run; `save` is a file in base64, and `name` what it is called when the reader saves it.
"""

STRIDE: Final = 64
"""Children, or characters, that are compared at once."""

Child: TypeAlias = "Node | str"
Op: TypeAlias = list[Any]
"""One operation as it travels. A path is the list of child indexes from the root.

| operation | meaning |
|---|---|
| `["append", path, text]` | text is added to the end of the text at `path` |
| `["splice", path, at, cut, text]` | of the text at `path`, `cut` UTF-16 units from `at` on become `text` |
| `["insert", path, index, [node, …]]` | children are added to the element at `path` before its child `index` |
| `["remove", path, index, count]` | children go |
| `["replace", path, node]` | the child at `path` becomes another; never a `details` nor an ancestor of one |
| `["set", path, name, value or None]` | an attribute or hint is set or taken away |
"""


class Node:
    """One element: a tag, its attributes (with hints) and its children. Never changed once it has been drawn."""

    __slots__ = ("attrs", "kids", "tag")

    def __init__(self, tag: str, attrs: dict[str, Any], kids: list[Child]) -> None:
        if tag not in TAGS and tag not in MATH_TAGS:
            raise ValueError(f"<{tag}> is not an element that a drawing may use; add it to TAGS and to js/src/contract.ts")
        self.tag = tag
        self.attrs = attrs
        self.kids = kids

    @property
    def key(self) -> str | None:
        """What names this node among its siblings, or None."""
        return self.attrs.get("key")

    def __repr__(self) -> str:
        return f"Node({self.tag!r}, {self.attrs!r}, {self.kids!r})"

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Node) and wire(self) == wire(other))

    __hash__ = object.__hash__

    def walk(self) -> Iterator[Node]:
        """This node and all below it, in document order."""
        yield self
        for kid in self.opened().kids:
            if isinstance(kid, Node):
                yield from kid.walk()

    def count(self) -> int:
        """How many elements this node and all below it are."""
        many = 0
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            many += 1
            pending += [kid for kid in node.opened().kids if isinstance(kid, Node)]
        return many

    def text(self) -> str:
        """All text below this node."""
        return "".join(kid if isinstance(kid, str) else kid.text() for kid in self.opened().kids)

    def opened(self) -> Node:
        """The node with its children; a sealed one draws them again."""
        return self


class Sealed(Node):
    """A node that will not change any more. It keeps no children: it is drawn again when a whole tree is asked for.

    Only open blocks keep a tree, so the memory of a long answer stays near its text. The same sealed node from flush to flush
    costs nothing; the first time that it stands where an open one stood, it is drawn once more to be compared.
    """

    __slots__ = ("__weakref__", "_again")

    def __init__(self, node: Node, again: Callable[[], Node]) -> None:
        super().__init__(node.tag, {"key": node.key} if node.key is not None else {}, [])
        self._again = again

    def opened(self) -> Node:
        return self._again()


def h(tag: str, cls: str = "", *kids: Child | None, **attrs: Any) -> Node:
    """A node, briefly: `h("p", "rv-para", "text", dir="auto", aria_label="…")`. `None` children and attributes are left out.

    Raises `ValueError` for an element or attribute outside the allow-list.
    """
    out: dict[str, Any] = {"class": cls} if cls else {}
    for name, value in attrs.items():
        name = name.replace("_", "-")
        if name not in ATTRIBUTES and name not in HINTS:
            raise ValueError(f"{name!r} is not an attribute that a drawing may use; add it to ATTRIBUTES and js/src/contract.ts")
        if value is not None and value is not False:
            out[name] = value
    return Node(tag, out, [kid for kid in kids if kid])


def wire(node: Child) -> Any:
    """A node as JSON: text is a string, an element `[tag, attributes, [children]]`."""
    if isinstance(node, str):
        return node
    node = node.opened()
    return [node.tag, node.attrs, [wire(kid) for kid in node.kids]]


def unwrapped(node: Node) -> list[Child] | None:
    """What is written of a `lone` node, the children of its last child; None for any other node."""
    body = node.kids[-1] if node.attrs.get("lone") and node.kids else None
    return body.kids if isinstance(body, Node) else None


def diff(old: Node, new: Node) -> list[Op]:
    """The operations that turn `old` into `new`. Both must have the same tag and key."""
    ops: list[Op] = []
    _nodes(old, new, [], ops)
    return ops


def _nodes(old: Node, new: Node, path: list[int], ops: list[Op]) -> None:
    if old is new:
        return
    old, new = old.opened(), new.opened()
    if old.attrs != new.attrs:
        ops.extend(["set", path, name, None] for name in old.attrs if name not in new.attrs)
        ops.extend(["set", path, name, value] for name, value in new.attrs.items() if old.attrs.get(name) != value)
    if old.kids is not new.kids:
        _children(old.kids, new.kids, path, ops)


def _children(old: list[Child], new: list[Child], path: list[int], ops: list[Op]) -> None:
    most = min(len(old), len(new))
    # A long answer is many blocks that have not changed: they are passed over a stride at a time, by the identity of each.
    known = 0
    while known + STRIDE <= most and old[known : known + STRIDE] == new[known : known + STRIDE]:
        known += STRIDE
    head = known
    while head < most and (old[head] is new[head] or _same(old[head], new[head])):
        head += 1
    tail = 0
    while tail < most - head and (old[-1 - tail] is new[-1 - tail] or _same(old[-1 - tail], new[-1 - tail])):
        tail += 1
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    kept = _kept(old_middle, new_middle)
    at = head  # where we are among the children as they stand in the page by now
    pairs: list[tuple[Child, Child, int]] = [(old[i], new[i], i) for i in range(known, head) if old[i] is not new[i]]
    gone = fresh = 0
    for i, j in [*kept, (len(old_middle), len(new_middle))]:
        swap = min(i - gone, j - fresh)
        if swap and all(_replaceable(kid) for kid in old_middle[gone : gone + swap]):
            for kid in new_middle[fresh : fresh + swap]:
                ops.append(["replace", [*path, at], wire(kid)])
                at += 1
            gone, fresh = gone + swap, fresh + swap
        if i > gone:
            ops.append(["remove", path, at, i - gone])
        if j > fresh:
            ops.append(["insert", path, at, [wire(kid) for kid in new_middle[fresh:j]]])
            at += j - fresh
        if i < len(old_middle):
            pairs.append((old_middle[i], new_middle[j], at))
            at += 1
        gone, fresh = i + 1, j + 1
    first = len(new) - tail
    pairs += [(old[len(old) - tail + i], new[first + i], first + i) for i in range(tail)]
    for a, b, index in pairs:
        if a is b:
            continue
        if isinstance(a, str) and isinstance(b, str):
            _texts(a, b, [*path, index], ops)
        elif isinstance(a, Node) and isinstance(b, Node):
            _nodes(a, b, [*path, index], ops)


def _kept(old: list[Child], new: list[Child]) -> list[tuple[int, int]]:
    """Which keyed children of `old` stand again in `new`, in an order that both have."""
    at = {kid.key: j for j, kid in enumerate(new) if isinstance(kid, Node) and kid.key is not None}
    out: list[tuple[int, int]] = []
    for i, kid in enumerate(old):
        if isinstance(kid, Node) and kid.key is not None:
            j = at.get(kid.key)
            if j is not None and _same(kid, new[j]) and (not out or j > out[-1][1]):
                out.append((i, j))
    return out


def _same(a: Child, b: Child) -> bool:
    """Whether `a` can become `b` in place."""
    if a is b:
        return True
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str)
    return a.tag == b.tag and a.key == b.key


def _replaceable(kid: Child) -> bool:
    """A `details` is the reader's: what holds one is taken away or added, never swapped."""
    return isinstance(kid, str) or not any(node.tag == "details" for node in kid.walk())


def _texts(old: str, new: str, path: list[int], ops: list[Op]) -> None:
    if old == new:
        return
    if new.startswith(old):
        ops.append(["append", path, new[len(old) :]])
        return
    most = min(len(old), len(new))
    head = 0  # most often a long text has grown before its last characters
    while head + STRIDE <= most and old[head : head + STRIDE] == new[head : head + STRIDE]:
        head += STRIDE
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    cut = old[head : len(old) - tail]
    ops.append(["splice", path, _units(old[:head]), _units(cut), new[head : len(new) - tail]])


def _units(text: str) -> int:
    """Length in UTF-16 units, which is how the page counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
