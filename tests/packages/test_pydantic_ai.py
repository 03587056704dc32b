"""Runs of pydantic-ai, by every door that people use, and through its own adapters to the AI SDK and to AG-UI."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from ag_ui.core import RunAgentInput
from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, ModelRetry
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.ui.ag_ui import AGUIEventStream
from pydantic_ai.ui.vercel_ai import VercelAIEventStream
from pydantic_ai.ui.vercel_ai.request_types import SubmitMessage

from runview import ModelOutput, stream_view
from tests.packages.stopping import stops_cleanly
from tests.sdks import differences

TOOLS = {
    "status": "success",
    "text": "I will check.Sunny in Paris and Rome.",
    "reasoningText": "Let me think.",
    "toolCalls": [
        {"toolCallId": "c1", "toolName": "weather", "args": {"city": "Paris"}},
        {"toolCallId": "c2", "toolName": "weather", "args": {"city": "Nowhere"}},
        {"toolCallId": "c3", "toolName": "weather", "args": {"city": "Rome"}},
    ],
    "toolResults": [{"toolCallId": "c1", "result": {"city": "Paris"}}, {"toolCallId": "c3", "result": {"city": "Rome"}}],
    "toolErrors": [{"toolCallId": "c2", "error": {"message": "no such city"}}],
    "steps": [{"toolCalls": ["c1", "c2"]}, {"toolCalls": ["c3"]}, {"toolCalls": []}],
}
OBJECT = {"status": "success", "text": "", "toolCalls": [], "object": {"name": "Bob", "age": 42}}


class Person(BaseModel):
    name: str
    age: int


async def tools(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
    """Two calls whose arguments interleave, one of which is to be made again; then the answer."""
    answers = [part for message in messages for part in message.parts if part.part_kind in ("tool-return", "retry-prompt")]
    if not answers:
        yield {0: DeltaThinkingPart(content="Let me ")}
        yield {0: DeltaThinkingPart(content="think.")}
        yield "I will "
        yield "check."
        yield {1: DeltaToolCall(name="weather", json_args="", tool_call_id="c1")}
        yield {1: DeltaToolCall(json_args='{"city":')}
        yield {2: DeltaToolCall(name="weather", json_args='{"city":"Nowhere"}', tool_call_id="c2")}
        yield {1: DeltaToolCall(json_args='"Paris"}')}
    elif len(answers) == 2:
        yield {0: DeltaToolCall(name="weather", json_args='{"city":"Rome"}', tool_call_id="c3")}
    else:
        for piece in ("Sunny ", "in Paris", " and Rome."):
            yield piece


async def person(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
    yield {0: DeltaToolCall(name=info.output_tools[0].name, json_args='{"name":', tool_call_id="o1")}
    yield {0: DeltaToolCall(json_args='"Bob",')}
    yield {0: DeltaToolCall(json_args='"age":42}')}


async def breaks(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
    yield "par"
    raise RuntimeError("model broke")


async def hangs(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
    yield "so far"
    await asyncio.sleep(3600)


async def deletes(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
    yield {0: DeltaToolCall(name="delete", json_args='{"f":"x"}', tool_call_id="d1")}


def agent(function: Any = tools, **more: Any) -> Agent[None, Any]:
    made: Agent[None, Any] = Agent(FunctionModel(stream_function=function), name="demo", **more)

    @made.tool_plain
    async def weather(city: str) -> dict[str, str]:
        """Weather of a city."""
        if city == "Nowhere":
            raise ModelRetry("no such city")
        return {"city": city, "sky": "sunny"}

    return made


async def inspected(source: Any, *args: Any) -> dict[str, Any]:
    output = stream_view(source, *args).output if args else ModelOutput(source)
    await output.get_full_output()
    return output.inspect()


def no_first_text(expected: dict[str, Any]) -> dict[str, Any]:
    """`run_stream` takes the first text for the answer, so its runs have no text before their calls."""
    return {**expected, "text": "Sunny in Paris and Rome."}


async def without_text(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
    async for piece in tools(messages, info):
        if piece not in ("I will ", "check."):
            yield piece


DOORS: dict[str, tuple[Callable[[], Any], dict[str, Any]]] = {
    "run_stream_events": (lambda: agent().run_stream_events("hi"), TOOLS),
    "iter": (lambda: agent().iter("hi"), TOOLS),
    "run_stream": (lambda: agent(without_text).run_stream("hi"), no_first_text(TOOLS)),
    "object": (lambda: agent(person, output_type=Person).run_stream_events("hi"), OBJECT),
    "object of run_stream": (lambda: agent(person, output_type=Person).run_stream("hi"), OBJECT),
    "object of iter": (lambda: agent(person, output_type=Person).iter("hi"), OBJECT),
}


@pytest.mark.parametrize("door", DOORS)
async def test_every_door(door: str):
    source, expected = DOORS[door]
    got = await inspected(source())
    assert differences(got, expected) == []
    assert got["usage"]["totalTokens"] == got["usage"]["inputTokens"] + got["usage"]["outputTokens"]
    if "object" in expected:
        assert got["objectStream"][-1] == expected["object"]
        assert len(got["objectStream"]) > 1


async def test_an_agent_and_a_question():
    assert differences(await inspected(agent(), "hi"), TOOLS) == []
    assert (await inspected(Agent(TestModel(custom_output_text="hello from the test model")), "hi"))[
        "text"
    ] == "hello from the test model"


@pytest.mark.parametrize("delta", [True, False])
async def test_the_text_alone_whether_it_grows_or_comes_in_pieces(delta: bool):
    async with agent(without_text).run_stream("hi") as result:
        got = await inspected(result.stream_text(delta=delta, debounce_by=None))
    assert got["text"] == "Sunny in Paris and Rome."
    assert got["usage"]["inputTokens"] == 150


async def test_objects_that_grow():
    async with agent(person, output_type=Person).run_stream("hi") as result:
        assert (await inspected(result.stream_output(debounce_by=None)))["object"] == {"name": "Bob", "age": 42}
    async with agent(person, output_type=Person).run_stream("hi") as result:
        assert differences(await inspected(result.stream_response(debounce_by=None)), OBJECT) == []
    async with agent(person, output_type=Person).run_stream("hi") as result:
        assert differences(await inspected(result), OBJECT) == []


async def test_a_handler_of_events_shows_each_stage():
    shown: list[dict[str, Any]] = []

    async def handler(context: Any, events: Any) -> None:
        shown.append(await inspected(events))

    await agent().run("hi", event_stream_handler=handler)
    assert [stage["status"] for stage in shown if stage["chunks"]["total"]] == ["success"] * 5
    assert [call["toolCallId"] for stage in shown for call in stage["toolResults"] + stage["toolErrors"]] == ["c1", "c2", "c3"]
    assert "".join(stage["text"] for stage in shown) == TOOLS["text"]


async def test_a_call_that_waits_for_somebody():
    made: Agent[None, Any] = Agent(FunctionModel(stream_function=deletes), output_type=[str, DeferredToolRequests])

    @made.tool_plain(requires_approval=True)
    def delete(f: str) -> str:
        """Delete a file."""
        return "gone"

    view = stream_view(made, "hi")
    await view
    got = view.output.inspect()
    assert got["status"] == "suspended"
    with pytest.raises(TypeError, match="deferred_tool_results="):
        view.approve()
    assert differences(got["suspendPayload"], {"toolCallId": "d1", "toolName": "delete", "args": {"f": "x"}}) == []
    assert got["usage"]["inputTokens"] == 50


async def test_a_model_that_breaks_keeps_what_it_said():
    got = await inspected(agent(breaks), "hi")
    assert (got["status"], got["text"], got["error"]["message"]) == ("failed", "par", "model broke")


@pytest.mark.parametrize("door", ["run_stream_events", "run_stream", "iter"])
async def test_stopping_leaves_nothing(door: str):
    output = await stops_cleanly(getattr(agent(hangs), door)("hi"))
    assert output.partial.text in ("so far", "")


async def test_two_at_once_do_not_mix():
    both = await asyncio.gather(inspected(agent(), "hi"), inspected(agent(person, output_type=Person), "hi"))
    assert differences(both[0], TOOLS) == []
    assert differences(both[1], OBJECT) == []


@pytest.mark.parametrize("kind", ["ai-sdk", "ag-ui"])
async def test_its_own_adapters_tell_the_same_run(kind: str):
    """The events, and the same run as its adapter tells it: the same text, calls and results."""
    native = await inspected(agent().run_stream_events("hi"))
    told: Any = (
        VercelAIEventStream(SubmitMessage(id="m1", messages=[]), sdk_version=6)
        if kind == "ai-sdk"
        else AGUIEventStream(
            RunAgentInput(thread_id="t", run_id="r", messages=[], state={}, tools=[], context=[], forwarded_props={})
        )
    )
    async with agent().run_stream_events("hi") as events:
        adapted = await inspected(told.transform_stream(events))
    async with agent().run_stream_events("hi") as events:
        encoded = await inspected(told.encode_stream(told.transform_stream(events)))
    for other in (adapted, encoded):
        assert other["status"] == "success"
        assert [other[name] for name in ("text", "reasoningText", "toolCalls")] == [
            native[name] for name in ("text", "reasoningText", "toolCalls")
        ]
        results = [result for result in other["toolResults"] if result["toolCallId"] != "c2"]  # AG-UI marks no errors
        assert results == native["toolResults"]
        assert [step["toolCalls"] for step in other["steps"]] == [step["toolCalls"] for step in native["steps"]]
