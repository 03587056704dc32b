"""What an output shows of itself as the last line of a cell."""

from __future__ import annotations

import asyncio
import re

import pydantic

from runview import ModelOutput, RunOutput, WorkflowOutput
from runview.driver import Driver


def chunk(type_: str, **payload) -> dict:
    return {"type": type_, "runId": "r", "from": "AGENT", "payload": payload}


def text(words: str) -> list[dict]:
    return [chunk("text-start", id="t"), chunk("text-delta", id="t", text=words), chunk("text-end", id="t")]


FINISH = chunk("finish", stepResult={"reason": "stop"}, output={"usage": {}})
STEP = chunk(
    "step-finish",
    stepResult={"reason": "stop"},
    output={"usage": {"inputTokens": 1200, "outputTokens": 45, "totalTokens": 1245, "reasoningTokens": 7}},
)


async def shown(items, schema=None) -> list[str]:
    """The lines, with the time that the run took left out."""
    output = ModelOutput(items, schema=schema)
    await output.get_full_output()
    return re.sub(r" · \d+\.\d s", "", repr(output)).split("\n")


class City(pydantic.BaseModel):
    name: str
    people: int


async def test_a_run_that_succeeded():
    call = chunk("tool-call", toolCallId="c", toolName="weather", args={"city": "Bristol"})
    result = chunk("tool-result", toolCallId="c", toolName="weather", result={"temp": 12})
    lines = await shown([chunk("start"), *text("It is\n12 degrees."), call, result, STEP, FINISH])
    assert lines == [
        "ModelOutput: agent · success · finish reason stop",
        "  text        It is 12 degrees.",
        "  tool_calls  weather(city='Bristol') → {'temp': 12}",
        "  usage       1,200 in · 45 out · 1,245 total · reasoningTokens 7",
    ]


async def test_a_run_with_an_object():
    lines = await shown([*text('{"name": "Bristol", "people": 472465}'), FINISH], schema=City)
    assert "  object  City(name='Bristol', people=472465)" in lines
    lines = await shown([*text('{"name": "Bristol", "people": "many"}'), FINISH], schema=City)
    assert any(line.startswith("  object  not valid: ") and "people" in line for line in lines)


async def test_a_run_that_failed_shows_the_error_first_and_what_there_is():
    lines = await shown([*text("Half"), chunk("error", error={"message": "overloaded", "name": "APIError"})])
    assert lines[0] == "ModelOutput: agent · failed"
    assert lines[1:3] == ["  error  APIError: overloaded", "  text   Half"]


async def test_calls_that_did_not_end_well():
    lines = await shown(
        [
            chunk("tool-call", toolCallId="a", toolName="f", args={}),
            chunk("tool-error", toolCallId="a", toolName="f", error={"message": "no such city"}),
            chunk("tool-call", toolCallId="b", toolName="g", args={"n": 0}),
            FINISH,
        ]
    )
    assert lines[1:3] == ["  tool_calls  f() failed: no such city", "              g(n=0) no result"]


async def test_long_values_are_cut_and_many_calls_counted():
    calls = [chunk("tool-call", toolCallId=str(n), toolName="f", args={"text": "y" * 500}) for n in range(12)]
    lines = await shown([*text("word " * 1_000), *calls, FINISH])
    assert lines[1].endswith("…  (5,000 characters)")
    assert lines[-1].strip() == "and 4 more"
    assert max(map(len, lines)) < 130
    assert len(lines) == 11


async def test_a_run_that_goes_on_says_so():
    async def endless():
        for item in text("So far"):
            yield item
        await asyncio.Event().wait()

    output = ModelOutput(endless())
    assert repr(output) == "ModelOutput: running, values so far"
    while not output.partial.text:
        await asyncio.sleep(0)
    lines = repr(output).split("\n")
    assert lines[0].startswith("ModelOutput: agent · running, values so far · 0.")
    assert lines[1] == "  text  So far"
    output.stop()
    assert repr(output).startswith("ModelOutput: agent · stopping")
    await output
    assert repr(output).startswith("ModelOutput: agent · canceled · finish reason aborted")


async def test_a_run_that_rests_and_one_that_was_blocked():
    call = chunk("tool-call", toolCallId="c", toolName="pay", args={"sum": 5})
    lines = await shown([call, chunk("tool-call-approval", toolCallId="c", toolName="pay", args={"sum": 5})])
    assert lines[0] == "ModelOutput: agent · suspended"
    assert lines[1] == "  tool_calls       pay(sum=5) needs you"
    assert lines[2].startswith("  suspend_payload  {")
    lines = await shown([chunk("tripwire", reason="not allowed")])
    assert lines[:2] == ["ModelOutput: agent · tripwire", "  tripwire  not allowed"]


async def test_a_workflow():
    def told(type_: str, **payload) -> dict:
        return {"type": type_, "runId": "w", "from": "WORKFLOW", "payload": payload}

    output = WorkflowOutput(
        [
            told("workflow-start", workflowId="wf"),
            told("workflow-step-start", id="one", status="running", payload={}),
            told("workflow-step-result", id="one", status="success", output={"n": 1}),
            told("workflow-step-start", id="two", status="running", payload={}),
            told("workflow-step-result", id="two", status="failed", error={"message": "no such city"}),
            told("workflow-finish", workflowStatus="failed", output={"usage": {}}, metadata={}),
        ]
    )
    await output
    lines = repr(output).split("\n")
    assert lines[0].startswith("WorkflowOutput: workflow · failed")
    assert "  steps  one success → {'n': 1}" in lines
    assert "         two failed: no such city" in lines


async def test_odd_values_do_not_break_it():
    class Hostile:
        def __repr__(self) -> str:
            raise ValueError("not today")

    huge = {"rows": [{"n": n, "text": "x" * 10_000} for n in range(1_000)]}
    call = chunk("tool-call", toolCallId="c", toolName="f\x1b[31m\u202e", args={"x": Hostile(), "y": huge, "z": "\u202e"})
    output = RunOutput(Driver([*text("a\x00b\ud800\u202ec"), call, FINISH]))
    await output
    shown_as = repr(output)
    assert shown_as.replace("\n", "").isprintable()
    shown_as.encode()


async def test_everything_at_once_reads_the_same_way():
    call = chunk("tool-call", toolCallId="c", toolName="weather", args={"city": "Bristol"})
    full = await ModelOutput([*text("word " * 1_000), call, STEP, FINISH])
    lines = repr(full).split("\n")
    assert lines[0] == "FullOutput: agent · success"
    assert lines[1:3] == ["  run_id         r", "  finish_reason  stop"]
    assert lines[3].startswith("  text           word word")
    assert lines[4].startswith("  tool_calls     1: [")
    assert not any("files" in line or "object" in line for line in lines)
    assert max(map(len, lines)) < 130
