"""Faults that were reported of other clients of such servers, each as a small answer and the right values.

Where a case leaves a choice, the rules of this project decide: half a surrogate pair that stays alone is kept in the values and
replaced only where text leaves for UTF-8.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from runview import MastraClient, stream_view
from tests.sources.loopback import loopback, ok

CASES = Path(__file__).parent.parent / "fixtures" / "cases"


def load() -> list[Any]:
    cases = [json.loads(path.read_text("utf-8")) for path in sorted(CASES.glob("*.json"))]
    return [pytest.param(case, id=case["id"]) for case in cases if case["level"] == "adapter:mastra-http"]


def utf8(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@pytest.mark.parametrize("case", load())
async def test_cases(case: dict[str, Any]) -> None:
    expect = case["expect"]
    reads = [base64.b64decode(piece) for piece in case["input"]["chunks_b64"]]
    async with loopback(ok(b""), *reads) as server:
        view = stream_view(MastraClient(server.url).agent("a").stream("hi"))
        full = await view
    assert full.status == expect["status"]
    assert utf8(full.text) in expect.get("text_any_of", [expect.get("text")])
    assert full.error is None
    shown = view._repr_mimebundle_()
    for form in shown.values():
        assert form.encode()
        assert not any(lacking in form for lacking in expect.get("rendered_not_contains", []))
        assert expect.get("text", "") in form


def test_all_cases_are_here():
    assert len(load()) == 3
