"""The reported faults in `fixtures/cases`: each a small input with the right values. How to load one, and what its words mean."""

from __future__ import annotations

import base64
import codecs
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

__all__ = ["ERRORS", "Opaque", "assert_fits", "load", "pieces_of", "python_value"]

FOLDER = Path(__file__).parent / "fixtures" / "cases"
ERRORS: dict[str, type[Exception]] = {error.__name__: error for error in (ConnectionError, RuntimeError, TimeoutError)}


class Opaque:
    """An object of which nothing is known."""


def load(level: str) -> list[Any]:
    """The cases of a level, as parameters of a test."""
    cases = [json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    return [pytest.param(case, id=str(case["id"])) for case in cases if case["level"] == level]


def python_value(value: Any) -> Any:
    """Values that JSON cannot hold are written in the cases as `{"$type": …}`."""
    if isinstance(value, list):
        return [python_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    makers: dict[str, Any] = {
        "datetime": lambda: datetime.fromisoformat(value["iso"]),
        "float": lambda: float(value["repr"]),
        "bytes": lambda: base64.b64decode(value["b64"]),
        "set": lambda: set(value["items"]),
        "opaque": Opaque,
        "exception": lambda: ERRORS[value["cls"]](value["message"]),
        "intkeys": lambda: dict(value["items"]),
    }
    if "$type" in value:
        return makers[value["$type"]]()
    return {name: python_value(item) for name, item in value.items()}


def pieces_of(case: dict[str, Any]) -> list[str]:
    """The pieces in which a text of JSON comes; bytes wait until a character is whole."""
    given = case["input"]
    if "pieces_b64" not in given:
        return list(given["pieces"])
    decoder = codecs.getincrementaldecoder("utf-8")()
    return [decoder.decode(base64.b64decode(piece)) for piece in given["pieces_b64"]]


def assert_fits(got: Any, wanted: Any, path: str) -> None:
    """Dicts are asked for a part of them, lists for all of them in order."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for name, item in wanted.items():
            assert name in got, f"{path}.{name} is missing"
            assert_fits(got[name], item, f"{path}.{name}")
    elif isinstance(wanted, list) and isinstance(got, list):
        assert len(got) == len(wanted), path
        for at, item in enumerate(wanted):
            assert_fits(got[at], item, f"{path}[{at}]")
    else:
        assert got == wanted, path
