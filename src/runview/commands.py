"""The commands that write files: `runview render` draws a recording, `runview record` makes one."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from runview.chunks.json_text import decode
from runview.chunks.wire import is_note, is_wire
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.errors import MastraError
from runview.run.log import ChunkLog
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from runview.sources.body import Body
from runview.sources.framing import Format
from runview.sources.items import Items
from runview.sources.recorded import read_timed, record, timed
from runview.sources.url import from_url
from runview.view.exports import as_html, as_markdown, as_text

__all__ = ["Unreadable", "record_to", "render"]

_FORMS: Final = {".html": as_html, ".htm": as_html, ".md": as_markdown, ".markdown": as_markdown, ".txt": as_text}
_BLOCK: Final = 65_536


class Unreadable(Exception):
    """What could not be read or written, and why, in one line."""


def render(recording: str, out: str, look: Look, format: Format = "auto") -> None:
    """Draws a recording (`-`: standard input) into a file whose ending says in which form."""
    draw = _FORMS.get(Path(out).suffix.lower())
    if draw is None:
        raise Unreadable(f"{out}: the ending tells the form: .html, .md or .txt")
    run, log = new_run(), ChunkLog()
    last = _read(recording, format, run, log)
    finish(run, last)
    text = draw(RunDrawing(run, look), last)
    try:
        with Path(out).open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise Unreadable(f"{out}: {error.strerror or error}") from error


def _read(recording: str, format: Format, run: RunState, log: ChunkLog) -> float:
    """Reads a recording into a run; gives the time of its last chunk."""
    items = Items()
    last = 0.0

    def take(wires: Any) -> None:
        for wire in wires:
            chunk = log.append(wire, last) if is_wire(wire) and not is_note(wire) else wire
            reduce(run, chunk, last)

    try:
        for at, value in read_timed(sys.stdin.buffer.read() if recording == "-" else recording, format):
            last = max(last, at or 0.0)
            take(items.take(value))
    except OSError as error:
        raise Unreadable(f"{recording}: {error.strerror or error}") from error
    take(items.end())
    return last


def record_to(source: str, out: str, *, json: str | None = None, headers: Mapping[str, str] | None = None) -> str:
    """Writes down what an address (or `-`, standard input) streams, while it comes; gives a sentence that says what came.

    What came before an error or an interrupt is in the file.
    """
    if source == "-":
        given: object = _standard_input()
    else:
        try:
            given = from_url(source, json=None if json is None else _body(json), headers=headers)
        except (TypeError, ValueError) as error:
            raise Unreadable(_line(error)) from error
    counted = [0, 0]
    try:
        asyncio.run(_write_down(given, out, counted))
    except KeyboardInterrupt:
        return f"{_said(counted)} until it was interrupted, in {out}"
    except MastraError as error:
        raise Unreadable(_line(error)) from error
    except OSError as error:
        raise Unreadable(f"{out}: {error.strerror or error}") from error
    except Exception as error:
        raise Unreadable(f"the stream broke off after {_said(counted)}: {type(error).__name__}: {_line(error)}") from error
    if not counted[0]:
        raise Unreadable(f"{'standard input' if source == '-' else source} gave no chunk")
    return f"{_said(counted)} in {out}"


async def _write_down(source: object, out: str, counted: list[int]) -> None:
    recorder = record(source, out)
    try:
        async for item in recorder:
            counted[is_note(item)] += 1
    finally:
        await recorder.aclose()


def _said(counted: list[int]) -> str:
    chunks, notes = counted
    said = f"{chunks} chunk{'s' if chunks != 1 else ''}"
    return f"{said} and {notes} remark{'s' if notes != 1 else ''} on the stream" if notes else said


def _standard_input() -> Iterator[Any]:
    """What stands on standard input, as soon as it is there; a recording of ours without its times."""
    body, file = Body(), sys.stdin.fileno()
    while piece := os.read(file, _BLOCK):
        yield from (item for _, item in timed(body.feed(piece)))
    yield from (item for _, item in timed(body.end()))


def _body(json: str) -> Any:
    """JSON, or `@FILE` that holds it."""
    if not json.startswith("@"):
        try:
            return decode(json)
        except ValueError as error:
            raise ValueError(f"--json is no JSON: {error}") from None
    try:
        return decode(Path(json[1:]).read_bytes())
    except OSError as error:
        raise ValueError(f"{json[1:]}: {error.strerror or error}") from None
    except ValueError as error:
        raise ValueError(f"{json[1:]} is no JSON: {error}") from None


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())
