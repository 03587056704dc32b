"""Faults that were reported of other readers of such streams, each as a few events and the right values."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from runview import stream_view
from tests.unit.test_run_cases import check

ELSEWHERE = {"adapter:mastra-http", "adapter:pydantic-ai", "adapter:langgraph", "adapter:vercel-ui"}
"""Levels with tests of their own."""
CASES = Path(__file__).parent.parent / "fixtures" / "cases"
STOPS = {"stop", "end_turn"}


def load() -> list[Any]:
    cases = [json.loads(path.read_text("utf-8")) for path in sorted(CASES.glob("*.json"))]
    return [
        pytest.param(case, id=case["id"])
        for case in cases
        if case["level"].startswith("adapter:") and case["level"] not in ELSEWHERE
    ]


async def stream(given: dict[str, Any]) -> AsyncIterator[Any]:
    if given["format"] == "sse-bytes":
        for piece in given["chunks_b64"]:
            yield base64.b64decode(piece)
    for event in given.get("events", ()):
        if isinstance(event, dict) and "$raise" in event:
            raise ConnectionError(event["$raise"]["message"])
        yield event


@pytest.mark.parametrize("case", load())
async def test_cases(case: dict[str, Any]) -> None:
    expect = dict(case["expect"])
    view = stream_view(stream(case["input"]))
    full = await view
    driver: Any = view._driver
    checked = check(driver.run, expect)
    if "finish_reason_any_of" in expect:
        assert full.finish_reason in STOPS & set(expect["finish_reason_any_of"])
        checked += 1
    if "usage_any_of" in expect:
        assert any(each.items() <= full.usage.items() for each in expect["usage_any_of"])
    if "notes_min" in expect:
        assert len(driver.run.notes) >= expect["notes_min"]
        checked += 1
    if "text_if_resolved" in expect:
        assert full.text == expect["text_if_resolved"]
    shown = view._repr_mimebundle_()
    for form in shown.values():
        assert all(words in form for words in expect.get("rendered_contains", ()))
        assert not any(words in form for words in expect.get("rendered_not_contains", ()))
    assert checked
