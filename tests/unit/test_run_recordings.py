"""Every recorded run gives the values that were settled for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runview.run.inspect import inspect
from runview.run.reduce import apply, finish, new_run
from tests.compare import differences

FIXTURES = Path(__file__).parent.parent / "fixtures" / "mastra"
NAMES = sorted(str(path.relative_to(FIXTURES))[: -len(".expected.json")] for path in FIXTURES.rglob("*.expected.json"))


def chunks_of(name: str) -> list[Any]:
    lines = (FIXTURES / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


@pytest.mark.parametrize("name", NAMES)
def test_recording(name: str) -> None:
    run = new_run()
    for at, chunk in enumerate(chunks_of(name)):
        apply(run, chunk, float(at))
    finish(run, 1e6)
    wanted = json.loads((FIXTURES / f"{name}.expected.json").read_text("utf-8"))
    assert differences(inspect(run), wanted) == []
