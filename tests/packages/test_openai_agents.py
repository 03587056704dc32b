"""Runs of the openai-agents package: the result object, its events, and an agent with a question."""

from __future__ import annotations

from typing import Any

import openai
import pytest
from agents import (
    Agent,
    GuardrailFunctionOutput,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    input_guardrail,
    output_guardrail,
    set_tracing_disabled,
)
from pydantic import BaseModel

from runview import ModelOutput, stream_view
from tests.packages.replaying import Body, body, events, replaying
from tests.packages.stopping import stops_cleanly
from tests.sdks import differences, expected

set_tracing_disabled(True)


class Person(BaseModel):
    name: str
    age: int


@function_tool
def weather(city: str) -> str:
    """Weather of a city."""
    if city == "Rome":
        raise ValueError("no data")
    return f"sunny in {city}"


@function_tool(needs_approval=True)
def delete(f: str) -> str:
    """Delete a file."""
    return f"{f} gone"


@input_guardrail(name="no politics", run_in_parallel=False)
async def refuses(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(output_info={"why": "test"}, tripwire_triggered=True)


@output_guardrail
async def refuses_output(context: Any, agent: Any, given: Any) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(output_info={"why": "test"}, tripwire_triggered=True)


def turns(name: str) -> list[Body]:
    """A body for each response of a recording."""
    found: list[list[Any]] = []
    for event in events(name):
        if event["type"] == "raw_response_event":
            if event["data"]["type"] == "response.created":
                found.append([])
            found[-1].append(event["data"])
    return [body(turn) for turn in found]


def agent(url: str, **more: Any) -> Agent:
    client = openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0)
    return Agent(name="main", model=OpenAIResponsesModel(model="m", openai_client=client), **more)


@pytest.mark.parametrize("how", ["the result", "its events", "an agent with a question"])
async def test_a_run_with_tools(how: str):
    with replaying(*turns("agents_tools")) as server:
        asked = agent(server.url, tools=[weather])
        source: Any = (asked, "hi")
        if how == "the result":
            source = (Runner.run_streamed(asked, "hi"),)
        elif how == "its events":
            source = (Runner.run_streamed(asked, "hi").stream_events(),)
        view = stream_view(*source)
        await view
    assert differences(view.output.inspect(), expected("agents_tools")) == []
    assert "main" in view._transcript()


@pytest.mark.parametrize("how", ["the result", "its events"])
@pytest.mark.parametrize("name", ["agents_object", "agents_approval"])
async def test_what_only_the_result_knows(how: str, name: str):
    kind = Person if name == "agents_object" else None
    with replaying(*turns(name)) as server:
        result = Runner.run_streamed(agent(server.url, tools=[delete], output_type=kind), "hi")
        output = ModelOutput(result if how == "the result" else result.stream_events())
        await output.get_full_output()
    want = expected(name)
    want.pop("status", None)
    assert differences(output.inspect(), {**want, **want["_with_result"]}) == []


async def test_a_guardrail_is_a_tripwire():
    with replaying(*turns("agents_object")) as server:
        output = ModelOutput(Runner.run_streamed(agent(server.url, input_guardrails=[refuses]), "hi"))
        full = await output.get_full_output()
    assert (full.status, full.error, full.finish_reason) == ("tripwire", None, "tripwire")
    assert full.tripwire == {"reason": "no politics", "metadata": {"why": "test"}}
    with replaying(*turns("agents_object")) as server:
        output = ModelOutput(Runner.run_streamed(agent(server.url, output_guardrails=[refuses_output]), "hi"))
        full = await output.get_full_output()
    assert (full.status, full.text) == ("tripwire", '{"name":"Bob","age":42}')


async def test_a_handoff_is_a_call_with_its_result_and_a_step():
    call = {"id": "fc", "type": "function_call", "call_id": "call_h", "name": "transfer_to_spanish", "arguments": "{}"}
    response = {
        "id": "r", "object": "response", "created_at": 1, "model": "m", "output": [call], "parallel_tool_calls": True,
        "tool_choice": "auto", "tools": [], "status": "completed",
    }  # fmt: skip
    first = [
        {"type": "response.created", "sequence_number": 0, "response": {**response, "output": [], "status": "in_progress"}},
        {"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": {**call, "arguments": ""}},
        {"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": {**call, "status": "completed"}},
        {"type": "response.completed", "sequence_number": 3, "response": response},
    ]
    with replaying(body(first), turns("agents_tools")[1]) as server:
        spanish = agent(server.url)
        spanish.name = "spanish"
        output = ModelOutput(agent(server.url, handoffs=[spanish]), "hi")
        full = await output.get_full_output()
    assert (full.status, full.text, len(full.steps)) == ("success", "Sunny in Paris.", 2)
    assert [call.payload.tool_name for call in full.tool_calls] == ["transfer_to_spanish"]
    assert full.tool_results[0].payload.result == '{"assistant": "spanish"}'


async def test_too_many_turns_fail_and_keep_what_was_said():
    with replaying(*turns("agents_tools")) as server:
        output = ModelOutput(Runner.run_streamed(agent(server.url, tools=[weather]), "hi", max_turns=1))
        full = await output.get_full_output()
    assert (full.status, full.text) == ("failed", "Let me look.")
    assert "Max turns" in full.error["message"]


async def test_an_agent_without_a_question_says_what_is_missing():
    output = ModelOutput(agent("http://127.0.0.1:9"))
    full = await output.get_full_output()
    assert full.error["message"].startswith("an agent needs a question: stream_view(agent")


async def test_stop():
    with replaying([*turns("agents_tools")[0][:5], b""]) as server:
        await stops_cleanly(Runner.run_streamed(agent(server.url), "hi"))
        assert server.left.wait(2)


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_run_that_waits_goes_on_with_the_answer(allowed: bool):
    with replaying(*turns("agents_approval")[:1], turns("agents_tools")[1]) as server:
        view = stream_view(agent(server.url, tools=[delete]), "hi")
        assert (await view).status == "suspended"
        assert [call.call_id for call in view._driver.questions] == ["call_d"]
        if allowed:
            view.approve()
        else:
            view.deny(reason="not this one")
        full = await view
    assert (full.status, full.text) == ("success", "Sunny in Paris.")
    assert len(full.tool_calls) == 1
    assert full.tool_results[0].payload.result == ("x gone" if allowed else "not this one")


async def test_a_run_that_somebody_started_says_how_it_goes_on():
    with replaying(*turns("agents_approval")[:1]) as server:
        view = stream_view(Runner.run_streamed(agent(server.url, tools=[delete]), "hi"))
        assert (await view).status == "suspended"
        with pytest.raises(TypeError, match=r"state = result\.to_state\(\)"):
            view.approve()
        assert view._driver.questions == []


async def test_calls_that_wait_together_are_answered_one_by_one():
    calls = [
        {"id": f"fc{at}", "type": "function_call", "call_id": f"call_{at}", "name": "delete", "arguments": f'{{"f":"{at}"}}'}
        for at in (1, 2)
    ]
    response = {
        "id": "r", "object": "response", "created_at": 1, "model": "m", "output": calls, "parallel_tool_calls": True,
        "tool_choice": "auto", "tools": [], "status": "completed",
    }  # fmt: skip
    said: list[Any] = [{"type": "response.created", "response": {**response, "output": [], "status": "in_progress"}}]
    for at, each in enumerate(calls):
        said.append({"type": "response.output_item.added", "output_index": at, "item": {**each, "arguments": ""}})
        said.append({"type": "response.output_item.done", "output_index": at, "item": {**each, "status": "completed"}})
    said.append({"type": "response.completed", "response": response})
    numbered = [{**event, "sequence_number": at} for at, event in enumerate(said)]
    with replaying(body(numbered), turns("agents_tools")[1]) as server:
        view = stream_view(agent(server.url, tools=[delete]), "hi")
        assert (await view).status == "suspended"
        view.approve("call_1")
        assert (await view).status == "suspended"
        assert [call.call_id for call in view._driver.questions] == ["call_2"]
        view.approve()
        full = await view
    assert (full.status, full.text) == ("success", "Sunny in Paris.")
    assert sorted(result.payload.result for result in full.tool_results) == ["1 gone", "2 gone"]
