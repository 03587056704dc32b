"""Streams of pydantic-ai's objects that are none themselves: of the result of `run_stream`, and of a run that `iter` gave."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

__all__ = ["nodes", "responses", "whole"]


async def responses(result: Any) -> AsyncIterator[Any]:
    """What was said before the answer was found, the answer as it grows, and what the run gave."""
    if type(result).__name__.endswith("Sync"):
        raise TypeError("a result of run_stream_sync can only be read where it was made; give agent.run_stream_events(…) instead")
    for message in result.new_messages():
        yield message
    async for response in result.stream_response(debounce_by=None):
        yield response
    yield {"event_kind": "agent_run_result", "result": result.result}


async def nodes(run: Any) -> AsyncIterator[Any]:
    """The events of every node of a run, and its result."""
    async for node in run:
        if hasattr(node, "stream"):
            async with node.stream(run.ctx) as events:
                async for event in events:
                    yield event
    yield {"event_kind": "agent_run_result", "result": run.result}


def whole(result: Any) -> object:
    """Refuses what `run` gives: its name begins like that of a run that streams."""
    raise TypeError("a whole answer has no stream any more; give agent.run_stream_events(…) instead of agent.run(…)")
