"""A run that was recorded is shown again as it was; a recording that is damaged loses only what is damaged."""

from __future__ import annotations

import json
import math
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from runview.chunks.wire import is_note
from runview.sources import recorder
from runview.sources.opening import open_source
from runview.sources.recorded import read_recording, record, replay

A: dict[str, Any] = {"type": "text-delta", "payload": {"id": "t", "text": "é \u2028 \ud83d"}}
B: dict[str, Any] = {"type": "finish", "payload": {}}
LINE_A = '{"type":"text-delta","payload":{"id":"t","text":"é \u2028 \\ud83d"}}'
LINE_B = '{"type":"finish","payload":{}}'
RECORDINGS = sorted((Path(__file__).parent.parent / "fixtures" / "mastra").glob("*.jsonl"))


async def read(source: object) -> list[Any]:
    async with open_source(source) as items:
        return [item async for item in items]


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8", newline="")
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.jsonl"


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE_A}\n{LINE_B}\n",
        f"{LINE_A}\r\n\r\n{LINE_B}",
        f"\ufeff{LINE_A}\n{LINE_B}",
        f'{{"t": 0.001, "chunk": {LINE_A}}}\n{{"chunk": {LINE_B}, "t": 0}}\n',
        f'{{"t":0,"chunk":{LINE_A}}}\n{LINE_B}\n',
        f"data: {LINE_A}\n\ndata: {LINE_B}\n\ndata: [DONE]\n\n",
        f"{LINE_A}\x1e{LINE_B}\x1e",
    ],
)
async def test_recordings_of_every_form(path: Path, text: str):
    written(path, text)
    assert await read(replay(path)) == [A, B]
    assert list(read_recording(path)) == [A, B]
    assert list(read_recording(str(path))) == [A, B]
    assert list(read_recording(text.encode())) == [A, B]


@pytest.mark.parametrize("recording", RECORDINGS[::10], ids=lambda recording: recording.stem)
async def test_recorded_runs_come_back_whole(recording: Path, path: Path):
    chunks = [json.loads(line) for line in recording.read_text("utf-8").split("\n") if line]
    assert list(read_recording(recording)) == chunks
    assert await read(record(replay(recording), path)) == chunks
    assert list(read_recording(path)) == chunks
    assert await read(replay(path, speed=math.inf)) == chunks


def test_a_malformed_line_is_a_note_and_the_rest_is_kept(path: Path):
    written(path, f'{LINE_A}\n{{"type":"text-delta","payl\nnonsense\n[1]\n"text"\n{LINE_B}\n')
    first, cut, nonsense, listed, text, last = read_recording(path)
    assert (first, last) == (A, B)
    assert [item["payload"]["message"] for item in (cut, nonsense, listed, text)] == [
        'line 2 is not JSON (Unterminated string starting at at character 22): {"type":"text-delta","payl',
        "line 3 is not JSON (Expecting value at character 1): nonsense",
        "line 4 is not an object: [1]",
        'line 5 is not an object: "text"',
    ]


async def test_text_in_a_recording_is_no_speech(path: Path):
    items = await read(replay(written(path, f'"hi"\n{LINE_B}\n')))
    assert is_note(items[0])
    assert items[1:] == [B]


def test_a_format_can_be_given():
    assert list(read_recording(b'{"type":\n"finish"}\x1e', "records")) == [{"type": "finish"}]
    assert list(read_recording(f"data: {LINE_B}".encode(), "sse")) == [B]
    assert all(map(is_note, read_recording(f"data: {LINE_B}".encode(), "jsonl")))


def test_empty_recordings(path: Path):
    assert list(read_recording(written(path, ""))) == []
    assert list(read_recording(b"\n\n")) == []


def test_what_cannot_be_replayed_is_said_at_once(path: Path):
    with pytest.raises(FileNotFoundError, match=r"there is no recording at .*run\.jsonl"):
        replay(path)
    with pytest.raises(FileNotFoundError):
        replay(path.parent)
    with pytest.raises(FileNotFoundError):
        next(read_recording(path))
    written(path, LINE_A)
    for speed in (0, -1, math.nan):
        with pytest.raises(ValueError, match="speed is how many times faster"):
            replay(path, speed=speed)
    for interval in (-1, math.inf, math.nan):
        with pytest.raises(ValueError, match="interval is the seconds between chunks"):
            replay(path, interval=interval)


async def moments(source: object) -> list[float]:
    begun = time.monotonic()
    async with open_source(source) as items:
        return [time.monotonic() - begun async for item in items if not is_note(item)]


async def test_the_original_timing(path: Path):
    lines = "".join(json.dumps({"t": t, "chunk": A}) + "\n" for t in (0.0, 0.2, 0.2, 0.1, 0.4))
    written(path, lines)
    for speed in (1.0, 4.0):
        took = await moments(replay(path, speed=speed))
        for moment, due in zip(took, (0.0, 0.2, 0.2, 0.2, 0.4), strict=True):
            assert due / speed - 0.01 <= moment <= due / speed + 0.25
    assert (await moments(replay(path, speed=math.inf)))[-1] < 0.3


async def test_plain_lines_have_an_interval(path: Path):
    written(path, f"{LINE_A}\nnonsense\n{LINE_A}\n{LINE_B}\n")
    took = await moments(replay(path, interval=0.1))
    assert took[-1] >= 0.19
    assert (await moments(replay(path, interval=10, speed=1000)))[-1] < 5
    assert (await moments(replay(path)))[-1] < 0.3


@pytest.mark.parametrize("t", ["1e400", "NaN", "-5"])
async def test_a_time_that_is_none_does_not_hold_the_run(path: Path, t: str):
    written(path, f'{{"t":{t},"chunk":{LINE_A}}}\n{{"t":0.01,"chunk":{LINE_B}}}\n')
    begun = time.monotonic()
    assert await read(replay(path)) == [A, B]
    assert time.monotonic() - begun < 0.5


async def test_wrappers_that_are_something_else_are_items_themselves(path: Path):
    for odd in ({"t": "soon", "chunk": {}}, {"t": 0, "chunk": 5}, {"t": 0, "chunk": {}, "more": 1}):
        chunks = await read(replay(written(path, json.dumps(odd))))
        assert [chunk["data"] for chunk in chunks if chunk["type"] == "data-item"] == [odd]


async def test_a_replay_can_be_shown_again(path: Path):
    again = replay(written(path, f"{LINE_A}\n{LINE_B}\n"))
    assert await read(again) == await read(again) == [A, B]
    assert repr(again) == f"replay({str(path)!r}, speed=1, interval=0)"


async def test_recording_passes_on_and_writes_meanwhile(path: Path):
    async def source() -> AsyncIterator[Any]:
        yield A
        assert [json.loads(line)["chunk"] for line in path.read_text("utf-8").split("\n") if line] == [A]
        yield "plain text"
        yield object()

    path.write_text("an old one, longer than the new one will ever be, so that something would be left of it" * 50)
    items = await read(record(source, path))
    chunks = [item for item in items if isinstance(item, dict)]
    assert len(items) == len(chunks) + 1
    assert [chunk["type"] for chunk in chunks] == ["text-delta", "text-start", "text-delta", "text-end"]
    assert list(read_recording(path)) == chunks  # what is no chunk is not written
    lines = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    assert all(list(line) == ["t", "chunk"] for line in lines)
    assert lines[0]["t"] <= lines[-1]["t"] < 5


async def test_a_function_is_recorded_with_its_arguments(path: Path):
    assert await read(record(lambda *args: [{"type": "data-args", "data": list(args)}], path, 1, 2)) == [
        {"type": "data-args", "data": [1, 2]}
    ]


async def test_a_recorded_failure_is_the_sources_own(path: Path):
    async def source() -> AsyncIterator[Any]:
        yield A
        raise ConnectionError("peer reset")

    with pytest.raises(ConnectionError, match="peer reset"):
        await read(record(source(), path))
    assert list(read_recording(path)) == [A]


def test_what_cannot_be_recorded_is_said_at_once(path: Path):
    with pytest.raises(TypeError, match="got int, but a run is read from"):
        record(5, path)
    with pytest.raises(FileNotFoundError, match=r"there is no directory .*nowhere for a recording"):
        record([A], path.parent / "nowhere" / "run.jsonl")


async def test_a_full_disk_ends_the_recording_and_not_the_run(path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(item: object) -> str:
        raise OSError(28, "No space left on device")

    async def source() -> AsyncIterator[Any]:
        yield A
        monkeypatch.setattr(recorder, "encode", full)
        yield B
        yield A

    items = await read(record(source, path))
    assert [item for item in items if not is_note(item)] == [A, B, A]
    (note,) = filter(is_note, items)
    assert note["payload"]["message"] == "The recording ends here: [Errno 28] No space left on device"
    assert list(read_recording(path)) == [A]


async def test_leaving_a_replay_early_closes_its_file(path: Path):
    written(path, f"{LINE_A}\n{LINE_B}\n")
    async with open_source(replay(path)) as items:
        assert await anext(items) == A
    path.unlink()  # a file that is open could not be, on some systems; an unclosed one is a ResourceWarning here
