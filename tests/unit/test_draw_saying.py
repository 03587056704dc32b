"""What a view says to readers who hear it."""

from __future__ import annotations

from typing import Any

import pytest

from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.run.reduce import finish, new_run, reduce


def chunk(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": "r", "from": "AGENT", "payload": payload}


CALL = chunk("tool-call", toolCallId="c", toolName="search_web", args={})


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        ([chunk("start")], None),
        ([chunk("reasoning-delta", id="r", text="Hm")], "Thinking"),
        ([CALL], "Running search_web"),
        ([CALL, chunk("tool-result", toolCallId="c", toolName="search_web", result=1)], "search_web done"),
        ([CALL, chunk("tool-error", toolCallId="c", toolName="search_web", error="no")], "!search_web failed"),
        ([CALL, chunk("tool-call-approval", toolCallId="c", toolName="search_web", args={})], "!Needs you: search_web"),
        ([chunk("text-delta", id="t", text="A")], "Answer started"),
    ],
)
def test_what_it_does_just_now(chunks: list[dict[str, Any]], said: str | None) -> None:
    run = new_run()
    for each in chunks:
        reduce(run, each, 1.0)
    assert RunDrawing(run).tree(2.0).attrs.get("say") == said


@pytest.mark.parametrize(
    ("last", "stopped", "said"),
    [
        (chunk("finish", stepResult={"reason": "stop"}), False, "!Finished in 12 seconds"),
        (chunk("error", error={"message": "no"}), False, "!Failed"),
        (chunk("tripwire", reason="no"), False, "!Blocked"),
        (chunk("text-delta", id="t", text="A"), False, "!Ended early"),
        (chunk("text-delta", id="t", text="A"), True, "!Stopped"),
    ],
)
def test_how_it_ended(last: dict[str, Any], stopped: bool, said: str) -> None:
    run = new_run()
    reduce(run, chunk("start"), 1.0)
    reduce(run, last, 2.0)
    finish(run, 13.0, stopped=stopped)
    assert RunDrawing(run).tree(13.0).attrs["say"] == said


def test_it_speaks_the_language_of_the_view() -> None:
    run = new_run()
    reduce(run, CALL, 1.0)
    assert RunDrawing(run, Look(labels={"Running": "Ejecutando"})).tree(2.0).attrs["say"] == "Ejecutando search_web"
