"""Data frames and arrays, known by the classes that are already loaded; nothing is imported for them."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

__all__ = ["Frame", "frame"]

_COLUMNS = 12


class Frame(NamedTuple):
    """The first rows and columns of something flat, as Python values."""

    columns: list[object]
    rows: list[list[object]]
    total: int
    width: int


def frame(value: Any, bases: tuple[type, ...], most: int = 20) -> Frame | None:
    """The first rows (`most` of them) of a pandas or polars frame or series, or of a numpy array; None for anything else."""
    for module, name, read in _READERS:
        loaded = sys.modules.get(module)
        if loaded is not None and getattr(loaded, name, None) in bases:
            found: Frame | None = read(value, most)
            return found
    return None


def _pandas(value: Any, most: int) -> Frame:
    total, width = value.shape
    head = value.iloc[:most, :_COLUMNS]
    return Frame(list(head.columns), head.astype(object).values.tolist(), total, width)


def _series(value: Any, most: int) -> Frame:
    head = value[:most] if not hasattr(value, "iloc") else value.iloc[:most]
    return Frame([value.name or "value"], [[cell] for cell in head.to_list()], len(value), 1)


def _polars(value: Any, most: int) -> Frame:
    head = value.head(most)
    return Frame(list(head.columns[:_COLUMNS]), [list(row[:_COLUMNS]) for row in head.rows()], value.height, value.width)


def _array(value: Any, most: int) -> Frame | None:
    if value.ndim == 0:
        return Frame(["value"], [[value.item()]], 1, 1)
    if value.ndim == 1:
        return Frame([str(value.dtype)], [[cell] for cell in value[:most].tolist()], value.shape[0], 1)
    if value.ndim == 2:
        rows, width = value.shape
        return Frame(list(range(min(width, _COLUMNS))), value[:most, :_COLUMNS].tolist(), rows, width)
    return Frame(["shape", "dtype"], [["×".join(map(str, value.shape)), str(value.dtype)]], 1, 2)


_READERS: tuple[tuple[str, str, Any], ...] = (
    ("pandas", "DataFrame", _pandas),
    ("pandas", "Series", _series),
    ("polars", "DataFrame", _polars),
    ("polars", "Series", _series),
    ("numpy", "ndarray", _array),
)
