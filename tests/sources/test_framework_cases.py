"""Faults that were reported of other readers of such streams: a few events and the right values, the whole way to the page.

Results are listed in the order of their calls, where a case has them as they arrived.
"""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest

from tests.cases import assert_fits, load
from tests.unit.test_cases_whole import Played

LEVELS = ("adapter:pydantic-ai", "adapter:langgraph", "adapter:vercel-ui")
CASES = [case for level in LEVELS for case in load(level)]


def items(given: dict[str, Any]) -> list[Any]:
    """The events, or the bytes of each read."""
    return given["events"] if given["format"] == "events" else [base64.b64decode(piece) for piece in given["chunks_b64"]]


@pytest.mark.parametrize("case", CASES)
async def test_cases(case: dict[str, Any]) -> None:
    expect = case["expect"]
    played = Played({**case, "input": items(case["input"])})
    async with asyncio.timeout(2):
        full = await played.output.get_full_output()
    played.page.update()
    found = played.facts()
    for name in found.keys() & expect.keys():
        assert_fits(found[name], expect[name], name)
    for words in expect.get("rendered_contains", []):
        assert all(words in shown for shown in played.rendered())
    values = {name: getattr(full, name) for name in ("text", "usage", "status", "error")}
    assert_fits(values, {name: expect[name] for name in values.keys() & expect.keys()}, "output")
    assert full.text == expect.get("text_if_resolved", full.text)
    order = [call.payload.tool_call_id for call in full.tool_calls]
    if "tool_calls" in expect:
        assert_fits(payloads(full.tool_calls), expect["tool_calls"], "calls")
    if "tool_results" in expect:
        wanted = sorted(expect["tool_results"], key=lambda result: order.index(result["toolCallId"]))
        assert_fits(payloads(full.tool_results), wanted, "results")
    assert len(played.output.inspect()["chunks"]["notes"]) >= expect.get("notes_min", 0)
    assert played.source.closed


def payloads(chunks: Any) -> list[dict[str, Any]]:
    return [chunk.to_dict()["payload"] for chunk in chunks]


def test_all_cases_are_here():
    assert len(CASES) == 9
