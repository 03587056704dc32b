"""Recordings of the streams of agent frameworks: their events as dicts and as objects, and how they ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.sdks import raised

__all__ = ["NAMES", "Recording", "expected", "objects_of", "paced", "recorded", "untupled"]

FIXTURES = Path(__file__).parent / "fixtures" / "frameworks"
NAMES = sorted(path.name.removesuffix(".expected.json") for path in FIXTURES.glob("*.expected.json"))


class Recording:
    """A stream that gives its events, and raises at its end what the framework raised."""

    def __init__(self, events: list[Any], error: Exception | None = None) -> None:
        self.events = events
        self.error = error

    def __iter__(self) -> Iterator[Any]:
        yield from self.events
        if self.error is not None:
            raise self.error


def recorded(name: str, *, objects: bool = False) -> Recording:
    path = FIXTURES / name
    if path.suffix == ".sse":
        return Recording([path.read_bytes()])
    lines = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
    given = [(line["class"], untupled(line["event"])) for line in lines if "event" in line]
    end = next((line["end"] for line in lines if "end" in line), {"ok": True})
    events = [objects_of(event, kind) if objects else event for kind, event in given]
    return Recording(events, None if end["ok"] else raised(end))


async def paced(name: str, gate: asyncio.Event, *, objects: bool = False) -> AsyncIterator[Any]:
    """The events of a recording, the last of them once the gate is open; of an answer its bytes in halves."""
    given = recorded(name, objects=objects).events
    if name.endswith(".sse"):
        given = [given[0][: len(given[0]) // 2], given[0][len(given[0]) // 2 :]]
    for event in given[:-1]:
        yield event
    await gate.wait()
    yield given[-1]


def expected(name: str) -> dict[str, Any]:
    return json.loads((FIXTURES / f"{name}.expected.json").read_text("utf-8"))


def untupled(value: Any) -> Any:
    """Tuples and bytes, which JSON has not."""
    if isinstance(value, list):
        return [untupled(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"__tuple__"}:
        return tuple(untupled(each) for each in value["__tuple__"])
    if value.keys() == {"__bytes__"}:
        return bytes(value["__bytes__"])
    return {name: untupled(each) for name, each in value.items()}


def objects_of(value: Any, kind: str = "builtins.dict") -> Any:
    """Objects of the recorded classes, as far as names tell; what was a dict or a tuple stays one."""
    if isinstance(value, (list, tuple)):
        return type(value)(objects_of(each) for each in value)
    if not isinstance(value, dict):
        return value
    module, _, name = str(value.get("__class__", kind)).rpartition(".")
    fields = {field: objects_of(each) for field, each in value.items() if field != "__class__"}
    if module == "builtins":
        return fields
    made = SimpleNamespace if module == "__main__" else type(name, (SimpleNamespace,), {"__module__": module})
    return made(**fields)
