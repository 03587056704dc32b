"""Operations and trees as they travel to a page: the same nodes in half the characters.

A node on its way is `[name, attributes, kid, kid, …]`. Its name is the tag with the class and the key behind it, `td.num#b3` for
`<td class="rv-num">` of that key; attributes are left out when there are none besides. The caret, which moves with almost every
message, is `0`. `js/src/packed.ts` unpacks them, and is tested with the same pairs.
"""

from __future__ import annotations

from typing import Any, Final

from runview.draw.row import CARET
from runview.draw.tree import Op, wire

__all__ = ["pack", "packed_ops"]

_PREFIX: Final = "rv-"
_CARET: Final = wire(CARET)


def packed_ops(ops: list[Op]) -> list[Op]:
    """The operations with the nodes in them packed."""
    return [_PACK[op[0]](op) if op[0] in _PACK else op for op in ops]


def pack(node: Any) -> Any:
    """A node as `tree.wire` gives it, packed."""
    if type(node) is str:
        return node
    tag, attrs, kids = node
    if attrs and attrs == _CARET[1]:
        return 0
    name, left = tag, attrs
    cls, key = attrs.get("class"), attrs.get("key")
    if type(cls) is str and cls.startswith(_PREFIX) and "#" not in cls:
        name += f".{cls.removeprefix(_PREFIX)}"
        left = {other: value for other, value in left.items() if other != "class"}
    if type(key) is str:
        name += f"#{key}"
        left = {other: value for other, value in left.items() if other != "key"}
    return [name, left, *map(pack, kids)] if left else [name, *map(pack, kids)]


def _insert(op: Op) -> Op:
    return [*op[:3], [pack(node) for node in op[3]]]


def _replace(op: Op) -> Op:
    return [*op[:2], pack(op[2])]


_PACK: Final = {"insert": _insert, "replace": _replace}
