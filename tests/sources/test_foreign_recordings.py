"""Streams recorded from real SDKs give the right values, as dicts and as objects, without their SDK."""

from __future__ import annotations

import pytest

from runview.standalone import ModelOutput
from tests.sdks import NAMES, Recording, differences, expected, recorded


async def inspected(recording: Recording) -> dict[str, object]:
    output = ModelOutput(list_of(recording))
    await output.get_full_output()
    return output.inspect()


async def list_of(recording: Recording):
    for event in recording:
        yield event


@pytest.mark.parametrize("name", NAMES)
async def test_events_as_dicts(name: str):
    assert differences(await inspected(recorded(name)), expected(name)) == []


@pytest.mark.parametrize("name", NAMES)
async def test_events_as_objects(name: str):
    assert differences(await inspected(recorded(name).of_objects()), expected(name)) == []
