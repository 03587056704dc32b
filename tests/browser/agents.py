"""Agents for the browser tests: async generators of chunks, slow enough to be watched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

Chunk = dict[str, Any]


def chunk(type: str, **payload: Any) -> Chunk:
    return {"type": type, "runId": "run-1", "from": "AGENT", "payload": payload}


def finish(reason: str = "stop") -> list[Chunk]:
    usage = {"inputTokens": 1204, "outputTokens": 88, "totalTokens": 1292}
    result = {"stepResult": {"reason": reason}, "output": {"usage": usage}, "metadata": {}}
    return [chunk("step-finish", **result), chunk("finish", **result)]


def opening() -> list[Chunk]:
    return [chunk("start", id="tide-agent"), chunk("step-start", messageId="m1")]


async def words(text: str, pause: float, kind: str = "text", id: str = "t1") -> AsyncIterator[Chunk]:
    yield chunk(f"{kind}-start", id=id)
    for word in text.split(" "):
        yield chunk(f"{kind}-delta", id=id, text=word + " ")
        await asyncio.sleep(pause)
    yield chunk(f"{kind}-end", id=id)


async def everything(pause: float = 0.05) -> AsyncIterator[Chunk]:
    """Reasoning, a tool call with streamed arguments, a partial object, a goal, and an answer in Markdown."""
    for each in opening():
        yield each
    async for each in words("The gauge at Avonmouth should be the reference for both figures.", pause, "reasoning", "r1"):
        yield each
    yield chunk("tool-call-input-streaming-start", toolCallId="c1", toolName="search_web")
    for piece in ('{"query": ', '"tidal range ', 'Bristol"}'):
        yield chunk("tool-call-delta", toolCallId="c1", toolName="search_web", argsTextDelta=piece)
        await asyncio.sleep(pause)
    yield chunk("tool-call-input-streaming-end", toolCallId="c1")
    yield chunk("tool-call", toolCallId="c1", toolName="search_web", args={"query": "tidal range Bristol"})
    await asyncio.sleep(6 * pause)
    yield chunk("tool-result", toolCallId="c1", toolName="search_web", result=[{"title": f"Tides {n}"} for n in range(5)])
    for partial in ({}, {"station": "Avon"}, {"station": "Avonmouth", "springs": 12}, {"station": "Avonmouth", "springs": 12.2}):
        yield {"type": "object", "runId": "run-1", "from": "AGENT", "object": partial}
        await asyncio.sleep(4 * pause)
    yield {"type": "object-result", "runId": "run-1", "from": "AGENT", "object": {"station": "Avonmouth", "springs": 12.2}}
    answer = (
        "The tidal range at Bristol is **among the largest** in the world.\n\n"
        "| Station | Springs |\n|---|---|\n| Avonmouth | 12.2 |\n\nThat is `12.2` metres."
    )
    async for each in words(answer, pause):
        yield each
    yield chunk(
        "goal", objective="two figures", iteration=1, maxRuns=5, passed=True, status="done", results=[], reason="both are there",
        duration=800, timedOut=False, maxRunsReached=False, suppressFeedback=False,
    )  # fmt: skip
    for each in finish():
        yield each


async def blocked(pause: float = 0.05) -> AsyncIterator[Chunk]:
    """A run that a processor stops."""
    for each in opening():
        yield each
    async for each in words("You can reach her at", pause):
        yield each
    yield chunk("tripwire", reason="e-mail address in the output", processorId="pii-filter")


async def endless(pause: float = 0.05) -> AsyncIterator[Chunk]:
    """A tool that never answers and text that never ends."""
    for each in opening():
        yield each
    yield chunk("tool-call", toolCallId="c1", toolName="search_web", args={"query": "tidal range"})
    yield chunk("text-start", id="t1")
    number = 0
    while True:
        yield chunk("text-delta", id="t1", text=f"word{number} ")
        number += 1
        await asyncio.sleep(pause)


async def counting(count: int, pause: float = 0.05) -> AsyncIterator[Chunk]:
    """`count` numbered words, so that a test can see whether one is missing."""
    for each in opening():
        yield each
    async for each in words(" ".join(f"w{number}" for number in range(count)), pause):
        yield each
    for each in finish():
        yield each


async def lines(count: int, pause: float = 0.05) -> AsyncIterator[Chunk]:
    """`count` paragraphs of a line."""
    for each in opening():
        yield each
    yield chunk("text-start", id="t1")
    for number in range(count):
        yield chunk("text-delta", id="t1", text=f"line {number}\n\n")
        await asyncio.sleep(pause)
    yield chunk("text-end", id="t1")
    for each in finish():
        yield each


async def everything_then_a_rest(pause: float = 0.02, rest: float = 4.0) -> AsyncIterator[Chunk]:
    """All parts, then a while in which nothing comes, then the end."""
    last: list[Chunk] = []
    async for each in everything(pause):
        if each["type"] in ("step-finish", "finish"):
            last.append(each)
        else:
            yield each
    await asyncio.sleep(rest)
    for each in last:
        yield each


async def steps(count: int = 3) -> AsyncIterator[Chunk]:
    """`count` steps, each with a call, and words at the end."""
    for each in opening():
        yield each
    for number in range(1, count + 1):
        if number > 1:
            yield chunk("step-start", messageId="m1")
        yield chunk("tool-call", toolCallId=f"c{number}", toolName=f"tool_{number}", args={"n": number})
        yield chunk("tool-result", toolCallId=f"c{number}", toolName=f"tool_{number}", result=number)
        async for each in words(f"said in step {number}", 0, id=f"t{number}"):
            yield each
        yield chunk("step-finish", stepResult={"reason": "tool-calls"}, output={"usage": {}})
    yield finish()[-1]
