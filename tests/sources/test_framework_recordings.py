"""Streams recorded from real agent frameworks give the right values, as dicts and as objects, without the framework."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runview import ModelOutput
from runview.cli import main
from runview.sources.detect import family_of_event, is_chunk
from tests.frameworks import NAMES, Recording, expected, recorded
from tests.sdks import differences


async def inspected(recording: Recording) -> dict[str, Any]:
    async def stream():
        for event in recording:
            yield event

    output = ModelOutput(stream())
    await output.get_full_output()
    return output.inspect()


def is_file(recording: Recording) -> bool:
    """Whether a file could hold it: it did not break, and no event is text alone."""
    return recording.error is None and not any(isinstance(event, str) for event in recording.events)


@pytest.mark.parametrize("objects", [False, True], ids=["dicts", "objects"])
@pytest.mark.parametrize("name", NAMES)
async def test_the_values_are_as_expected(name: str, objects: bool):
    got = await inspected(recorded(name, objects=objects))
    assert differences(got, expected(name)) == []
    assert not [note for note in got["chunks"]["notes"] if "could not be read" in note]


@pytest.mark.parametrize("name", NAMES)
async def test_events_that_come_after_are_of_no_other_family(name: str):
    """Every event that is recognised at all is of the family of the first: a stream that is joined midway is read alike."""
    families = {family.name for event in recorded(name).events if (family := family_of_event(event)) is not None}
    assert len(families) <= 1
    assert not any(type(event) is dict and is_chunk(event) for event in recorded(name).events)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(".sse")])
async def test_a_stream_that_breaks_anywhere_keeps_what_was_said(name: str):
    """Cut anywhere: it has failed, its text is a beginning of the whole text, and no call has invented arguments."""
    recording = recorded(name)
    whole = await inspected(recording)
    known = {call["toolCallId"]: call["args"] for call in whole["toolCalls"]}
    for cut in range(1, len(recording.events), max(1, len(recording.events) // 12)):
        got = await inspected(Recording(recording.events[:cut], ConnectionError("the line is dead")))
        assert got["status"] == "failed"
        assert whole["text"].startswith(got["text"])
        assert all(call["args"] == known[call["toolCallId"]] for call in got["toolCalls"] if call["toolCallId"] in known)


@pytest.mark.parametrize("name", [name for name in NAMES if is_file(recorded(name))])
def test_the_command_reads_a_file_of_them(name: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]):
    """Tuples are lists in JSON."""
    path = tmp_path / "run"
    events = recorded(name).events
    path.write_bytes(events[0] if name.endswith(".sse") else "\n".join(map(json.dumps, events)).encode())
    assert main(["inspect", str(path), "--no-streams"]) == 0
    assert differences(json.loads(capfdbinary.readouterr().out), expected(name)) == []
