"""No event of a framework, however odd, is too much for the reader of its family: nothing raises, and nothing is left running."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest

from runview.run.inspect import inspect
from runview.run.reduce import finish, new_run, reduce
from runview.sources.items import Items
from tests.frameworks import NAMES, recorded

ODD: list[Any] = [None, 0, -1, 1.5, "", "x", "{", True, [], [None], {}, {"type": 5}, b"\xff", object()]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a value that can be given another, as its container and key."""
    if isinstance(value, tuple):
        for each in value:
            yield from places(each)
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in list(pairs):
        yield value, key
        yield from places(each)


def spoiled(events: list[Any], chance: random.Random) -> list[Any]:
    """The events with a few odd values, lost events, and some in another order."""
    found = copy.deepcopy(events)
    for event in found:
        if chance.random() < 0.5 and (choices := list(places(event))):
            container, key = chance.choice(choices)
            container[key] = chance.choice(ODD)
    if chance.random() < 0.5:
        del found[chance.randrange(len(found))]
    if chance.random() < 0.3:
        chance.shuffle(found)
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(".sse")])
def test_odd_events(name: str):
    chance = random.Random(name)
    events = recorded(name).events
    for _ in range(12):
        items, run = Items(), new_run()
        for event in spoiled(events, chance):
            for item in items.take(event):
                reduce(run, item, 0.0)
        for item in items.fail(ConnectionError("cut")) if chance.random() < 0.3 else items.end():
            reduce(run, item, 0.0)
        finish(run, 0.0)
        told = inspect(run)
        assert not [note for note in told["chunks"]["notes"] if "could not be read" in note]
