"""What the page does with operations, in Python: for tests that compare an updated tree with a whole one."""

from __future__ import annotations

import json
from typing import Any

Wire = Any
"""A node as it travels, which these functions change in place."""


def copied(wire: Wire) -> Wire:
    """A copy, made by JSON as on the way to the page."""
    return json.loads(json.dumps(wire))


def unpacked(packed: Any) -> Wire:
    """The node that travels as `packed`."""
    if packed == 0:
        return ["span", {"class": "rv-caret", "aria-hidden": "true", "live": True, "key": "caret"}, []]
    if isinstance(packed, str):
        return packed
    name, *rest = packed
    attrs = dict(rest.pop(0)) if rest and isinstance(rest[0], dict) else {}
    name, *key = name.split("#", 1)
    name, *cls = name.split(".", 1)
    attrs |= {"class": f"rv-{cls[0]}"} if cls else {}
    attrs |= {"key": key[0]} if key else {}
    return [name, attrs, [unpacked(kid) for kid in rest]]


def heard(root: Wire, ops: list[Any]) -> Wire:
    """The tree after operations as they travel."""
    return applied(root, [_unpacked_op(op) for op in ops])


def shown(packed: Any) -> Wire:
    """A whole tree as it travels."""
    return unpacked(copied(packed))


def _unpacked_op(op: list[Any]) -> list[Any]:
    match op:
        case ["insert", path, index, nodes]:
            return ["insert", path, index, [unpacked(node) for node in nodes]]
        case ["replace", path, node]:
            return ["replace", path, unpacked(node)]
        case _:
            return op


def applied(root: Wire, ops: list[Any]) -> Wire:
    """The tree after the operations."""
    for op in copied(ops):
        _apply(root, op)
    return root


def _apply(root: Wire, op: list[Any]) -> None:
    match op:
        case ["append", path, text]:
            parent = _at(root, path[:-1])
            parent[2][path[-1]] += text
        case ["splice", path, at, cut, text]:
            parent = _at(root, path[:-1])
            units = parent[2][path[-1]].encode("utf-16-le", "surrogatepass")
            spliced = units[: at * 2] + text.encode("utf-16-le", "surrogatepass") + units[(at + cut) * 2 :]
            parent[2][path[-1]] = spliced.decode("utf-16-le", "surrogatepass")
        case ["insert", path, index, nodes]:
            assert index <= len(_at(root, path)[2])
            _at(root, path)[2][index:index] = nodes
        case ["remove", path, index, count]:
            assert index + count <= len(_at(root, path)[2])
            del _at(root, path)[2][index : index + count]
        case ["replace", path, node]:
            assert not _holds_details(_at(root, path)), "a details is the reader's"
            _at(root, path[:-1])[2][path[-1]] = node
        case ["set", path, name, None]:
            del _at(root, path)[1][name]
        case ["set", path, name, value]:
            _at(root, path)[1][name] = value
        case _:
            raise AssertionError(f"not an operation: {op}")


def _at(root: Wire, path: list[int]) -> Wire:
    for index in path:
        root = root[2][index]
    return root


def _holds_details(node: Wire) -> bool:
    return not isinstance(node, str) and (node[0] == "details" or any(_holds_details(kid) for kid in node[2]))
