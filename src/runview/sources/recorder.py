"""Writes a source down while it is read. A run that waits for an answer goes on in the same file."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from runview.chunks.json_text import encode
from runview.chunks.wire import is_note, is_wire, note
from runview.sources.continuing import Relay, Way, knows, way_of
from runview.sources.opening import open_source

__all__ = ["Recorder"]


class Recorder(Relay, AsyncIterator[Any]):
    """Passes on what a source gives, and goes on as it does: see `continuing.py`."""

    def __init__(self, source: object, path: Path, args: tuple[Any, ...], before: Recorder | None = None) -> None:
        self._path = path
        self._before = before
        self._begun = time.monotonic()
        self._opening = open_source(source, args)
        self._items = self._read()

    async def __anext__(self) -> Any:
        return await anext(self._items)

    async def aclose(self) -> None:
        """Closes the source and the file."""
        await self._items.aclose()

    def approve(self, run_id: str, tool_call_id: str) -> Recorder | None:
        """What the source does when the call is allowed, written to the same file."""
        return self._answered("approve", run_id, tool_call_id)

    def decline(self, run_id: str, tool_call_id: str, reason: str | None) -> Recorder | None:
        """What it does when the call is refused."""
        return self._answered("decline", run_id, tool_call_id, reason)

    def resume(self, run_id: str, data: object, what: str | None) -> Recorder | None:
        """What it does with the data that it waited for."""
        return self._answered("resume", run_id, data, what)

    def relays(self, way: Way) -> bool:
        """Whether what is recorded knows the way."""
        return knows(self._continuing(), way)

    def _answered(self, way: Way, *more: Any) -> Recorder | None:
        method = way_of(self._continuing(), way)
        if method is None:
            raise TypeError(f"The source that is recorded can't go on after an answer: it has no method {way}().")
        given = method(*more)
        return None if given is None else Recorder(given, self._path, (), self)

    def _continuing(self) -> list[object]:
        before = self._before._continuing() if self._before is not None else []  # noqa: SLF001 (one of us)
        return before + self._opening.continuing

    async def _read(self) -> AsyncGenerator[Any, None]:
        if self._before is None:
            self._begun = time.monotonic()
        else:
            self._begun = self._before._begun  # noqa: SLF001 (one of us)
        with self._path.open("w" if self._before is None else "a", encoding="utf-8", newline="\n") as file:
            async with self._opening as items:
                async for item in items:
                    if is_wire(item) and not is_note(item) and not file.closed:
                        try:
                            file.write(encode({"t": round(time.monotonic() - self._begun, 4), "chunk": item}) + "\n")
                            file.flush()  # whatever happens to the kernel, the line is there
                        except OSError as error:
                            with suppress(OSError):
                                file.close()
                            yield note(f"The recording ends here: {error}")
                    yield item
