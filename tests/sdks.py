"""Recordings of real SDKs' streams: their events as dicts and as objects, their end, and a comparison with what is expected."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

__all__ = ["NAMES", "Recording", "differences", "expected", "namespaces", "recorded"]

FIXTURES = Path(__file__).parent / "fixtures" / "sdks"
NAMES = sorted(path.name.removesuffix(".expected.json") for path in FIXTURES.glob("*.expected.json"))


class Recording:
    """A stream that gives its events, and raises at its end what the SDK raised."""

    def __init__(self, events: list[Any], end: dict[str, Any], notes: list[Any]) -> None:
        self.events = events
        self.notes = notes
        self.error = None if end.get("ok", True) else raised(end)

    def __iter__(self) -> Iterator[Any]:
        yield from self.events
        if self.error is not None:
            raise self.error

    def of_objects(self) -> Recording:
        """The same with objects in place of dicts."""
        other = Recording([namespaces(event) for event in self.events], {}, self.notes)
        other.error = self.error
        return other


def recorded(name: str) -> Recording:
    lines = [json.loads(line) for line in (FIXTURES / f"{name}.jsonl").read_text("utf-8").splitlines()]
    events = [line["event"] for line in lines if "event" in line]
    end = next((line["end"] for line in lines if "end" in line), {})
    return Recording(events, end, [line["note"] for line in lines if "note" in line])


def expected(name: str) -> dict[str, Any]:
    return json.loads((FIXTURES / f"{name}.expected.json").read_text("utf-8"))


def raised(end: dict[str, Any]) -> Exception:
    """An exception of the recorded class, as far as names tell."""
    kind: type[BaseException] = Exception
    for full in reversed(end.get("error_mro", [end["error_class"]])):
        module, _, name = full.rpartition(".")
        if module != "builtins":
            kind = type(name, (kind,), {"__module__": module})
    return kind(end["error"])


def namespaces(value: Any) -> Any:
    """Objects with attributes in place of dicts, as a model's are."""
    if isinstance(value, dict):
        return SimpleNamespace(**{name: namespaces(each) for name, each in value.items()})
    return [namespaces(each) for each in value] if isinstance(value, list) else value


def differences(got: Any, want: Any, path: str = "$") -> list[str]:
    """What of `want` is not so in `got`. Keys that `want` leaves out don't count; lists count whole.

    `$in`: any of these; `$re`: matches, in the text or its JSON; `$contains`: these elements in this order; `$any`: is there;
    `$absent`: these paths are not. Keys with an underscore are comments.
    """
    if isinstance(want, dict):
        return _differences_of_dict(got, want, path)
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return [f"{path}: {got!r} is not as long as {want!r}"]
        return [each for at, pair in enumerate(zip(got, want, strict=True)) for each in differences(*pair, f"{path}[{at}]")]
    same = got is want if isinstance(got, bool) or isinstance(want, bool) else got == want
    return [] if same else [f"{path}: {got!r}, expected {want!r}"]


def _differences_of_dict(got: Any, want: dict[str, Any], path: str) -> list[str]:
    match want:
        case {"$any": _}:
            return [] if got is not None else [f"{path}: missing"]
        case {"$in": [*choices]}:
            return [] if any(not differences(got, choice) for choice in choices) else [f"{path}: {got!r} is none of {choices!r}"]
        case {"$re": str(pattern)}:
            said = got if isinstance(got, str) else json.dumps(got, ensure_ascii=False)
            return [] if got is not None and re.search(pattern, said) else [f"{path}: {said!r} does not match {pattern}"]
        case {"$contains": [*elements]}:
            rest = iter(got if isinstance(got, list) else ())
            missing = [element for element in elements if all(differences(each, element) for each in rest)]
            return [f"{path}: no element like {missing[0]!r} in {got!r}"] if missing else []
    if not isinstance(got, dict):
        return [f"{path}: {got!r} where an object was expected"]
    found: list[str] = []
    for name, value in want.items():
        if name == "$absent":
            found += [f"{path}.{each}: expected no value" for each in value if _at(got, each) is not None]
        elif name.startswith("_"):
            continue
        elif name not in got:
            found.append(f"{path}.{name}: missing, expected {value!r}")
        else:
            found += differences(got[name], value, f"{path}.{name}")
    return found


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value
