"""The differences of two `inspect` objects, by the rules under which a run counts as read correctly.

Notes are not compared, nor the order of keys, nor 1 against 1.0. In the structure of the object itself an absent key equals
null and emptiness; inside a value of the user (arguments, results, data, …) every key counts. A lone surrogate equals U+FFFD.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

__all__ = ["differences"]

ALWAYS = frozenset(
    "kind status text toolCalls toolResults toolErrors usage steps textStream objectStream elementStream chunks".split()
)
"""Top-level keys that always stand."""

STRICT = frozenset("args result object output data".split())
"""Keys under which null is a value, and not the same as absent."""

VALUES = STRICT | frozenset("suspendPayload resumeSchema metadata goal sources warnings objectStream elementStream error".split())
"""Keys that hold values of the user."""

ABSENT: Any = object()

Difference = tuple[str, Any, Any]


def differences(got: Any, wanted: Any) -> list[Difference]:
    """`(path, got, wanted)` for each place where the two differ."""
    return list(_compare(got, wanted, "$", inside=False, strict=True))


def _compare(got: Any, wanted: Any, path: str, *, inside: bool, strict: bool) -> Iterator[Difference]:
    if not strict and _empty(got) and _empty(wanted):
        return
    if isinstance(got, dict) and isinstance(wanted, dict):
        yield from _compare_dicts(got, wanted, path, inside=inside)
    elif isinstance(got, list) and isinstance(wanted, list):
        if len(got) != len(wanted):
            yield f"{path}.length", len(got), len(wanted)
        for at, (one, other) in enumerate(zip(got, wanted, strict=False)):
            yield from _compare(one, other, f"{path}[{at}]", inside=inside, strict=True)
    elif not _equal(got, wanted):
        yield path, got, wanted


def _compare_dicts(got: dict[str, Any], wanted: dict[str, Any], path: str, *, inside: bool) -> Iterator[Difference]:
    for key in [*wanted, *(key for key in got if key not in wanted)]:
        here = f"{path}.{key}"
        if here == "$.chunks.notes":
            continue
        always = key in ALWAYS or key == "object" if path == "$" else key in STRICT
        yield from _compare(
            got.get(key, ABSENT), wanted.get(key, ABSENT), here, inside=inside or key in VALUES, strict=inside or always
        )


def _empty(value: Any) -> bool:
    return value is ABSENT or value is None or value in ([], {})


def _equal(got: Any, wanted: Any) -> bool:
    if isinstance(got, str) and isinstance(wanted, str):
        return _text(got) == _text(wanted)
    if _number(got) and _number(wanted):
        return got == wanted or (math.isnan(got) and math.isnan(wanted))
    return type(got) is type(wanted) and got == wanted


def _text(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
