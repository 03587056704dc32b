"""When two JSON values are the same value."""

from __future__ import annotations

from typing import Any

from runview.run.kinds import is_dict, is_list

__all__ = ["same"]


def same(a: Any, b: Any) -> bool:
    """Deep equality as in JSON: `1` is `1.0` but `True` is not `1`."""
    if is_dict(a) and is_dict(b):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if is_list(a) and is_list(b):
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) is bool or type(b) is bool:
        return a is b
    return bool(a == b)
