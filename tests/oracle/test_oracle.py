"""The same runs by a real Mastra server, read over HTTP by this project and settled by Mastra itself: the values are the same.

Where they differ, they differ as written in `DIFFERS`: by the protocol's documentation, or because the real thing hangs, loses or
doubles something. Ids and times are not compared.
"""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest

from runview import MastraClient, ModelOutput, RunOutput, StreamError, WorkflowOutput
from runview.driver import Driver

pytestmark = [pytest.mark.oracle, pytest.mark.timeout(300)]

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}}},
    "required": ["name", "age", "tags"],
    "additionalProperties": False,
}
ASKED: dict[str, dict[str, Any]] = {"structured": {"structured_output": {"schema": PERSON}}}
AGENTS = ["plain", "thinker", "tooler", "failing", "blocked", "structured", "wiper", "background", "long"]
DIFFERS: dict[tuple[str, str], Any] = {
    # `text` when a step had tools: all steps, as documented; the real thing has the last step's.
    ("tooler", "text"): "Let me check. 21 degrees.",
    # A blocked run says so; the real thing keeps `running` and calls the reason `other`.
    ("blocked", "status"): "tripwire",
    ("blocked", "finishReason"): "tripwire",
}
"""What is ours on purpose, by agent and value."""


async def real(server: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """What Mastra settles for the same question."""
    async with httpx.AsyncClient(timeout=30) as http:
        answer = await http.post(f"{server}/own/{path}", json=body)
        answer.raise_for_status()
        settled: dict[str, Any] = answer.json()
        return settled


async def both(server: str, agent: str) -> tuple[ModelOutput, dict[str, Any]]:
    options = ASKED.get(agent, {})
    output = ModelOutput(MastraClient(server).agent(agent).stream("hi", **options))
    await output.get_full_output()
    wire = {"structuredOutput": options["structured_output"]} if options else {}
    return output, await real(server, f"agents/{agent}", {"messages": "hi", **wire})


def brief(chunks: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: chunk["payload"][name] for name in names if name in chunk["payload"]} for chunk in chunks]


def without_ids(value: Any) -> Any:
    """Ids that are new in each run, such as a task's in the words of a result."""
    return json.loads(re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID", json.dumps(value)))


@pytest.mark.parametrize("agent", AGENTS)
async def test_values_of_an_agent(agent: str, server: str) -> None:
    output, theirs = await both(server, agent)
    ours = output.inspect()
    wanted = {name: DIFFERS.get((agent, name), theirs.get(name)) for name in ("status", "text", "finishReason", "object")}
    if agent == "failing":  # what was read before the error; its promise for an object rejects, as `await output.object` does
        assert wanted.pop("object") == {"rejected": "peer reset"}
        with pytest.raises(StreamError, match="peer reset"):
            await output.object
    assert {name: ours.get(name) for name in wanted} == wanted
    assert ours.get("reasoningText") == theirs.get("reasoningText")
    assert ours["usage"] == {name: count for name, count in theirs["usage"].items() if isinstance(count, int)}
    assert ours["toolCalls"] == brief(theirs["toolCalls"], "toolCallId", "toolName", "args")
    assert without_ids(ours["toolResults"]) == without_ids(brief(theirs["toolResults"], "toolCallId", "toolName", "result"))
    assert ours.get("sources", []) == [source["payload"] for source in theirs["sources"]]
    assert [step["text"] for step in ours["steps"]] == [step["text"] for step in theirs["steps"]]
    assert (ours.get("error") or {}).get("message") == (theirs.get("error") or {}).get("message")
    assert ours.get("suspendPayload") == theirs.get("suspendPayload")
    assert ours.get("tripwire") == theirs.get("tripwire")


@pytest.mark.parametrize("agent", AGENTS)
async def test_what_an_agent_streams(agent: str, server: str) -> None:
    output, theirs = await both(server, agent)
    ours = output.inspect()
    assert sorted(chunk.type for chunk in [chunk async for chunk in output]) == sorted(theirs["types"])
    assert ours["textStream"] == theirs["streamed"]["text"]
    assert ours["objectStream"] == theirs["streamed"]["objects"]
    assert (ours["chunks"]["unknown"], ours["chunks"]["notes"]) == (0, [])


async def test_an_error_of_a_tool(server: str) -> None:
    """The real thing has no list of them: a call of two is without a result."""
    output, theirs = await both(server, "tooler")
    assert [
        (error.payload.tool_call_id, error.to_dict()["payload"]["error"]["message"]) for error in await output.tool_errors
    ] == [("c2", "no such city")]
    assert [result["payload"]["toolCallId"] for result in theirs["toolResults"]] == ["c1"]


async def test_a_background_task(server: str) -> None:
    output, _ = await both(server, "background")
    (task,) = output.inspect()["tasks"]
    assert (task["toolName"], task["toolCallId"]) == ("research", "c1")
    assert task["status"] in ("started", "running", "completed")


@pytest.mark.parametrize("workflow", ["good", "broken", "asking"])
async def test_values_of_a_workflow(workflow: str, server: str) -> None:
    body = {"inputData": {"n": 1}}
    output = WorkflowOutput(MastraClient(server).workflow(workflow).create_run().stream({"n": 1}))
    result = await output.result
    theirs = await real(server, f"workflows/{workflow}", body)
    assert output.status == theirs["status"] == theirs["result"]["status"]
    assert result.result == theirs["result"].get("result")
    assert (result.error or {}).get("message") == (theirs["result"].get("error") or {}).get("message")
    steps = {id_: step for id_, step in theirs["result"]["steps"].items() if id_ != "input"}
    assert {id_: (step.status, step.output) for id_, step in result.steps.items()} == {
        id_: (step["status"], step.get("output")) for id_, step in steps.items()
    }
    assert await output.usage == theirs["usage"]
    assert output.inspect()["chunks"]["unknown"] == 0


# Runs that wait, and go on: there is nothing of the real thing to compare with but what it then does.


@pytest.mark.parametrize(("answer", "results", "denied"), [("approve", [{"wiped": "/a"}], 0), ("deny", [], 1)])
async def test_a_call_that_waits_for_approval(answer: str, results: list[Any], denied: int, server: str) -> None:
    driver = Driver(MastraClient(server).agent("wiper").stream("hi"))
    output = RunOutput(driver)
    assert (await output.get_full_output()).status == "suspended"
    getattr(driver, answer)()
    full = await output.get_full_output()
    assert (full.status, full.finish_reason, full.text) == ("success", "stop", "Working. Gone.")
    assert [result.payload.result for result in full.tool_results if denied == 0] == results
    assert len(output.inspect().get("denied", [])) == denied


async def test_a_step_that_waits_for_an_answer(server: str) -> None:
    driver = Driver(MastraClient(server).workflow("asking").create_run().stream({"n": 1}))
    output = RunOutput(driver)
    assert (await output.result).status == "suspended"
    assert (await output.result).steps["ask"].suspend_payload == {"question": "sure?"}
    driver.resume({"yes": True}, "ask")
    result = await output.result
    assert (result.status, result.result) == ("success", {"n": 2})
    assert {id_: step.status for id_, step in result.steps.items()} == {"add": "success", "ask": "success"}
