"""Recordings: a run as a file, one chunk a line, to be shown again.

A line is a chunk, or `{"t": 0.12, "chunk": {…}}` with the seconds since the beginning, which is what `record` writes. Raw answers
of servers (events, records) are read too. A line that is malformed becomes a note with its number; the rest is kept.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, Final, TypeAlias

from runview.chunks.wire import Wire, is_note
from runview.sources.framing import Format, Frames
from runview.sources.opening import check_source
from runview.sources.recorder import Recorder

__all__ = ["Replay", "read_recording", "read_timed", "record", "replay", "timed"]

_Path: TypeAlias = str | PathLike[str]

_BLOCK: Final = 65_536
"""Bytes read at once."""


def replay(path: _Path, *, speed: float = 1.0, interval: float = 0.0) -> Replay:
    """A recording as a source: `stream_view(replay("run.jsonl"))`. It can be shown any number of times.

    Args:
        path: The recording.
        speed: How much faster than it was; `math.inf` gives everything at once.
        interval: Seconds between chunks of a recording that has no times; divided by `speed` too.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: `speed` is not above 0, or `interval` is below 0.
    """
    return Replay(Path(path), speed, interval)


class Replay:
    """A recording that plays. Iterating it plays it from the beginning."""

    def __init__(self, path: Path, speed: float, interval: float) -> None:
        if not path.is_file():
            raise FileNotFoundError(f"there is no recording at {path}")
        if not speed > 0:
            raise ValueError(f"speed is how many times faster, above 0, not {speed!r}")
        if not 0 <= interval < math.inf:
            raise ValueError(f"interval is the seconds between chunks, from 0, not {interval!r}")
        self._path = path
        self._speed = speed
        self._interval = interval

    def __repr__(self) -> str:
        return f"replay({str(self._path)!r}, speed={self._speed:g}, interval={self._interval:g})"

    async def __aiter__(self) -> AsyncGenerator[Any, None]:
        begun = asyncio.get_running_loop().time()
        due = 0.0
        for at, item in timed(_values(_blocks(self._path), "auto")):
            if not is_note(item):
                due = due + self._interval if at is None else max(due, at)
            wait = begun + due / self._speed - asyncio.get_running_loop().time()
            if wait > 0:
                await asyncio.sleep(wait)
            yield item


def read_recording(recording: _Path | bytes, format: Format = "auto") -> Iterator[Wire]:
    """The chunks of a recording in wire form, without their times, and notes where it is malformed; `bytes` are its content.

    Reading on raises OSError when the file cannot be read.
    """
    return (item for _, item in read_timed(recording, format))


def read_timed(recording: _Path | bytes, format: Format = "auto") -> Iterator[tuple[float | None, Wire]]:
    """The same with the seconds since the beginning, where the recording tells them."""
    blocks = (recording,) if isinstance(recording, bytes) else _blocks(Path(recording))
    return timed(_values(blocks, format))


def record(source: object, path: _Path, *args: Any) -> Recorder:
    """A source that passes on what `source` gives, and writes it to a file meanwhile, with its times.

    `args` are for a source that is a function. A file that is there already is replaced when reading begins. When it cannot be
    written any more, a note says so, and the run goes on. What follows an answer (`view.approve()`) is written to the same file.

    Raises:
        FileNotFoundError: There is no such directory.
        TypeError: There is nothing to read in the source.
    """
    check_source(source)
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"there is no directory {path.parent} for a recording")
    return Recorder(source, path, args)


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _values(blocks: Iterable[bytes], format: Format) -> Iterator[Wire]:
    frames = Frames(format)
    for block in blocks:
        yield from frames.feed(block)
    yield from frames.end()


def timed(values: Iterable[Wire]) -> Iterator[tuple[float | None, Wire]]:
    """Each chunk with its seconds since the beginning, or None where the recording tells none."""
    for value in values:
        match value:
            case {"t": int() | float() as at, "chunk": {} as chunk, **others} if not others:
                yield (at, chunk) if 0 <= at < math.inf else (None, chunk)
            case _:
                yield None, value
