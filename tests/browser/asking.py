"""Agents for the browser tests that wait for somebody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from tests.browser.agents import Chunk, chunk, finish, opening, words

FILES = {"c1": ("delete_file", {"path": "old/tides.csv", "reason": "replaced by tides-2026.csv, which has the same columns"}),
         "c2": ("rename_file", {"from": "tides-2026.csv", "to": "tides.csv"})}  # fmt: skip


class Tidies:
    """Asks for leave to touch `count` files, one after the other in the stream, and tells what it has been answered.

    With `open_for` its stream stays open that long after it has asked.
    """

    def __init__(self, count: int = 1, open_for: float = 0.0, pause: float = 0.02) -> None:
        self.left = dict(list(FILES.items())[:count])
        self.open_for = open_for
        self.pause = pause
        self.answers: list[str] = []

    async def __aiter__(self) -> AsyncIterator[Chunk]:
        for each in opening():
            yield each
        for id_, (name, args) in self.left.items():
            yield chunk("tool-call", toolCallId=id_, toolName=name, args=args)
            yield chunk("tool-call-approval", toolCallId=id_, toolName=name, args=args)
        await asyncio.sleep(self.open_for)

    def approve(self, run_id: str, call_id: str) -> Any:
        self.answers.append(f"allowed {call_id}")
        return self.then(chunk("tool-result", toolCallId=call_id, toolName=self.left.pop(call_id)[0], result="done with it"))

    def decline(self, run_id: str, call_id: str, reason: str | None) -> Any:
        self.answers.append(f"denied {call_id}")
        self.left.pop(call_id)
        return self.then(chunk("tool-output-denied", toolCallId=call_id))

    async def then(self, first: Chunk) -> AsyncIterator[Chunk]:
        await asyncio.sleep(self.pause)
        yield first
        if self.left:
            return
        async for each in words("All answered.", self.pause):
            yield each
        for each in finish():
            yield each


class Fails(Tidies):
    """Can't pass on what it is answered, at first."""

    def approve(self, run_id: str, call_id: str) -> Any:
        if not self.answers:
            self.answers.append("failed")
            raise ConnectionError("the server is away")
        return super().approve(run_id, call_id)


class Unmoved:
    """Asks, and has no way to go on."""

    async def __aiter__(self) -> AsyncIterator[Chunk]:
        async for each in Tidies().__aiter__():
            yield each


class Wants:
    """Is suspended until it is told a depth."""

    async def __aiter__(self) -> AsyncIterator[Chunk]:
        for each in opening():
            yield each
        schema = json.dumps({"type": "object", "properties": {"depth": {"type": "number"}, "unit": {"type": "string"}}})
        yield chunk("tool-call", toolCallId="c1", toolName="sound", args={"place": "Avonmouth"})
        yield chunk(
            "tool-call-suspended", toolCallId="c1", toolName="sound", suspendPayload={"need": "a depth"}, resumeSchema=schema
        )

    async def resume(self, run_id: str, data: Any, what: str | None) -> Any:
        return [chunk("tool-result", toolCallId=what, toolName="sound", result=data), *finish()]


class Delegates:
    """A sub-agent of it asks; the question goes through its own call."""

    async def __aiter__(self) -> AsyncIterator[Chunk]:
        for each in opening():
            yield each
        yield chunk("tool-call", toolCallId="c1", toolName="agent-harbour", args={"prompt": "Tidy up."})
        asked = {"toolName": "delete_file", "args": FILES["c1"][1]}
        inside = [chunk(kind, toolCallId="i1", **asked) for kind in ("tool-call", "tool-call-approval")]
        for inner in (chunk("start", id="harbour"), *inside):
            yield chunk("tool-output", toolCallId="c1", toolName="agent-harbour", output={**inner, "runId": "run-2"})
        yield chunk("tool-call-approval", toolCallId="c1", **asked)

    async def approve(self, run_id: str, call_id: str) -> Any:
        return [chunk("tool-result", toolCallId=call_id, toolName="agent-harbour", result={"text": "tidied"}), *finish()]


class Digs:
    """Gives back much more than is shown, and goes on for a while."""

    async def __aiter__(self) -> AsyncIterator[Chunk]:
        for each in opening():
            yield each
        yield chunk("tool-call", toolCallId="c1", toolName="dig", args={"depth": 3})
        result = "".join(f"line {number}\n" for number in range(300_000))
        yield chunk("tool-result", toolCallId="c1", toolName="dig", result=result)
        async for each in words(" ".join(f"w{number}" for number in range(160)), 0.05):
            yield each
        for each in finish():
            yield each
