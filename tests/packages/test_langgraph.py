"""Runs of LangChain's models and LangGraph's graphs, in every mode and version of their streams."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain.agents.structured_output import ToolStrategy
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_stream_writer
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from runview import ModelOutput, stream_view
from tests.packages.stopping import stops_cleanly
from tests.sdks import differences

pytestmark = pytest.mark.filterwarnings("ignore:The v3 streaming protocol")

ASKED: Any = {"messages": [{"role": "user", "content": "hi"}]}
THREAD: Any = {"configurable": {"thread_id": "1"}}
CALLS = [
    {"toolCallId": "a", "toolName": "weather", "args": {"city": "Paris"}},
    {"toolCallId": "b", "toolName": "weather", "args": {"city": "Rome"}},
]
TOOLS = {
    "status": "success",
    "finishReason": "stop",
    "text": "Let me look.Sunny in both.",
    "toolCalls": CALLS,
    "toolResults": [{"toolCallId": "a", "result": "sunny in Paris"}, {"toolCallId": "b", "result": "sunny in Rome"}],
    "usage": {"inputTokens": 40, "outputTokens": 60, "totalTokens": 100},
    "steps": [{"toolCalls": ["a", "b"], "finishReason": "tool-calls"}, {"toolCalls": [], "finishReason": "stop"}],
}


class Says(BaseChatModel):
    """A model that says what it is told to, in these pieces: a list for each turn."""

    turns: list[Any]
    delay: float = 0.0

    @property
    def _llm_type(self) -> str:
        return "says"

    def bind_tools(self, tools: Any, **_: Any) -> Says:  # type: ignore[override]
        return self

    def _pieces(self, messages: list[Any]) -> Iterator[ChatGenerationChunk]:
        said = sum(isinstance(message, AIMessage) for message in messages)
        for piece in self.turns[min(said, len(self.turns) - 1)]:
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece) if isinstance(piece, str) else piece)

    def _stream(self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any) -> Iterator[ChatGenerationChunk]:
        for piece in self._pieces(messages):
            if run_manager:
                run_manager.on_llm_new_token(piece.text, chunk=piece)
            yield piece

    async def _astream(self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any) -> AsyncIterator[Any]:
        for piece in self._pieces(messages):
            await asyncio.sleep(self.delay)
            if run_manager:
                await run_manager.on_llm_new_token(piece.text, chunk=piece)
            yield piece

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
        first, *rest = self._pieces(messages)
        whole: Any = first.message
        for piece in rest:
            whole = whole + piece.message
        kept = {name: getattr(whole, name) for name in ("content", "tool_calls", "usage_metadata", "response_metadata")}
        return ChatResult(generations=[ChatGeneration(message=AIMessage(**kept))])


def call(index: int, args: str, id_: str | None = None, name: str | None = None) -> AIMessageChunk:
    piece: Any = {"index": index, "id": id_, "name": name, "args": args, "type": "tool_call_chunk"}
    return AIMessageChunk(content="", tool_call_chunks=[piece])


def end(reason: str) -> AIMessageChunk:
    usage: Any = {"input_tokens": 20, "output_tokens": 30, "total_tokens": 50}
    return AIMessageChunk(content="", response_metadata={"finish_reason": reason}, usage_metadata=usage)


def model(**more: Any) -> Says:
    look = [
        "Let me ",
        "look.",
        call(0, '{"city":', "a", "weather"),
        call(1, '{"city":"Rome"}', "b", "weather"),
        call(0, '"Paris"}'),
    ]
    return Says(turns=[[*look, end("tool_calls")], ["Sunny ", "in both.", end("stop")]], **more)


@tool
def weather(city: str) -> str:
    """Weather of a city."""
    return f"sunny in {city}"


def agent(**more: Any) -> Any:
    return create_agent(model(), [weather], **more)


async def inspected(source: Any, *args: Any) -> dict[str, Any]:
    output = stream_view(source, *args).output if args else ModelOutput(source)
    await output.get_full_output()
    return output.inspect()


MODES: list[Any] = [
    *("messages", "updates", "values", "tasks", "debug"),
    *(["messages", "updates"], ["values", "messages", "custom"], ["updates", "values"], ["tasks", "messages", "checkpoints"]),
]


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("subgraphs", [False, True], ids=["", "subgraphs"])
async def test_every_mode_of_a_graph_tells_the_same(mode: Any, version: str, subgraphs: bool):
    got = await inspected(agent().astream(ASKED, stream_mode=mode, version=version, subgraphs=subgraphs))
    assert differences(got, TOOLS) == []


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_events(version: Any):
    assert differences(await inspected(agent().astream_events(ASKED, version=version)), TOOLS) == []


async def test_a_blocking_stream():
    assert differences(await inspected(agent().stream(ASKED, stream_mode=["messages", "updates"])), TOOLS) == []


async def test_agents_and_models_with_a_question():
    assert differences(await inspected(agent(), "hi"), TOOLS) == []
    asked = await inspected(model(), "hi")
    assert (
        differences(asked, {"status": "success", "finishReason": "tool-calls", "text": "Let me look.", "toolCalls": CALLS}) == []
    )
    fake = GenericFakeChatModel(messages=iter([AIMessage(content="one two three")]))
    assert (await inspected(fake.astream("hi")))["text"] == "one two three"


async def test_a_sub_agent_in_a_tool_is_a_run_of_its_own():
    child = create_agent(Says(turns=[["child ", "says.", end("stop")]]), [])

    @tool
    async def ask(question: str) -> str:
        """Ask the child."""
        return (await child.ainvoke({"messages": [{"role": "user", "content": question}]}))["messages"][-1].text

    asking = [call(0, '{"question":"who"}', "p", "ask"), end("tool_calls")]
    parent: Any = create_agent(Says(turns=[asking, ["done", end("stop")]]), [ask])
    for stream in (
        parent.astream(ASKED, stream_mode=["messages", "updates"], subgraphs=True),
        parent.astream_events(ASKED, version="v2"),
        parent.astream_events(ASKED, version="v3"),
    ):
        got = await inspected(stream)
        assert (got["status"], got["text"], got["usage"]["totalTokens"]) == ("success", "done", 100)
        assert differences(got["nested"], [{"under": "p", "text": "child says.", "status": "success"}]) == []
        assert got["toolResults"][0]["result"] == "child says."
        assert got["chunks"]["notes"] == []


async def test_agents_that_are_nodes_speak_one_after_the_other():
    graph = StateGraph(MessagesState)
    graph.add_node("one", create_agent(Says(turns=[["first ", "speaks. ", end("stop")]]), []))
    graph.add_node("two", create_agent(Says(turns=[[], ["second ", "speaks", end("stop")]]), []))
    graph.add_edge(START, "one")
    graph.add_edge("one", "two")
    for subgraphs in (False, True):
        got = await inspected(graph.compile().astream(ASKED, stream_mode=["messages", "updates"], subgraphs=subgraphs))
        assert (got["text"], len(got["steps"])) == ("first speaks. second speaks", 2)


async def test_models_that_speak_at_once_are_not_mixed():
    class State(TypedDict):
        log: Annotated[list[str], operator.add]

    def node(name: str) -> Any:
        async def speak(state: State) -> State:
            said = await Says(turns=[[f"{name}1 ", f"{name}2 ", f"{name}3 ", end("stop")]], delay=0.01).ainvoke("x")
            return {"log": [said.text]}

        return speak

    graph = StateGraph(State)
    for name in ("a", "b"):
        graph.add_node(name, node(name))
        graph.add_edge(START, name)
    compiled: Any = graph.compile()
    for stream in (compiled.astream({"log": []}, stream_mode="messages"), compiled.astream_events({"log": []}, version="v2")):
        got = await inspected(stream)
        assert got["text"] in ("a1 a2 a3 b1 b2 b3 ", "b1 b2 b3 a1 a2 a3 ")
        assert [len(step["text"]) for step in got["steps"]] == [9, 9]


@pytest.mark.parametrize(
    "mode", [["messages", "updates", "values"], ["messages", "updates"], "updates", "values", "tasks"], ids=str
)
async def test_calls_that_wait_for_a_person(mode: Any):
    asks: Any = create_agent(
        model(), [weather], middleware=[HumanInTheLoopMiddleware(interrupt_on={"weather": True})], checkpointer=InMemorySaver()
    )
    view = stream_view(asks.astream(ASKED, THREAD, stream_mode=mode))
    await view
    got = view.output.inspect()
    assert (got["status"], got["finishReason"]) == ("suspended", "suspended")
    with pytest.raises(TypeError, match=r"Command\(resume=…\)"):
        view.approve("a")
    assert got["chunks"]["byType"]["tool-call-approval"] == 2
    assert differences(got["toolCalls"], CALLS) == []
    assert got["usage"]["totalTokens"] == 50
    answer: Any = {"decisions": [{"type": "approve"}, {"type": "reject", "message": "no"}]}
    resumed = await inspected(asks.astream(Command(resume=answer), THREAD, stream_mode=mode))
    assert (resumed["status"], resumed["text"]) == ("success", "Sunny in both.")
    assert [result["toolCallId"] for result in resumed["toolResults"]] == ["a"]
    assert [error["toolCallId"] for error in resumed["toolErrors"]] == ["b"]


async def test_a_question_in_a_tool_is_asked_once():
    @tool
    def ask(what: str) -> str:
        """Ask."""
        return interrupt({"question": what})

    asks: Any = create_agent(
        Says(turns=[[call(0, '{"what":"ok?"}', "q", "ask"), end("tool_calls")], ["fine"]]), [ask], checkpointer=InMemorySaver()
    )
    got = await inspected(asks.astream(ASKED, THREAD, stream_mode=["messages", "updates", "values"]))
    assert got["status"] == "suspended"
    assert got["chunks"]["byType"]["tool-call-suspended"] == 1
    assert got["suspendPayload"]["suspendPayload"] == {"question": "ok?"}
    assert got["suspendPayload"]["toolCallId"] == "q"


@pytest.mark.parametrize("mode", ["messages", "updates", "values"])
async def test_what_a_thread_said_before_is_not_said_again(mode: str):
    remembers = agent(checkpointer=InMemorySaver())
    assert differences(await inspected(remembers.astream(ASKED, THREAD, stream_mode=mode)), TOOLS) == []
    again = await inspected(remembers.astream(ASKED, THREAD, stream_mode=mode))
    assert (again["text"], again["usage"]["totalTokens"], len(again["steps"])) == ("Sunny in both.", 50, 1)


async def test_a_tool_that_raises_ends_the_run():
    @tool("weather")
    def no_weather(city: str) -> str:
        """Weather of a city."""
        raise ValueError("no data")

    fails: Any = create_agent(model(), [no_weather])
    for stream in (
        fails.astream(ASKED, stream_mode=["messages", "updates"]),
        fails.astream_events(ASKED, version="v2"),
        fails.astream_events(ASKED, version="v3"),
    ):
        got = await inspected(stream)
        assert (got["status"], got["error"]["message"], got["text"]) == ("failed", "no data", "Let me look.")
        assert got["toolErrors"] == []
        assert differences(got["toolCalls"], CALLS) == []


async def test_a_structured_answer_is_the_object():
    class Person(BaseModel):
        name: str

    answers: Any = create_agent(
        Says(turns=[[call(0, '{"name":"Bob"}', "o", "Person"), end("tool_calls")]]), [], response_format=ToolStrategy(Person)
    )
    for mode in ("updates", "values", ["messages", "updates"]):
        assert (await inspected(answers.astream(ASKED, stream_mode=mode)))["object"] == {"name": "Bob"}


async def test_custom_data_stands_beside_the_text():
    class State(TypedDict):
        log: list[str]

    async def node(state: State) -> State:
        get_stream_writer()({"progress": 1})
        return {"log": ["done"]}

    graph = StateGraph(State)
    graph.add_node("work", node)
    graph.add_edge(START, "work")
    got = await inspected(graph.compile().astream({"log": []}, stream_mode="custom"))
    assert got["data"] == [{"type": "data-custom", "data": {"progress": 1}}]


async def test_stopping_leaves_nothing():
    slow = Says(turns=[["so far", "never"]], delay=0.3)
    for stream in (slow.astream("hi"), create_agent(slow, []).astream(ASKED, stream_mode="messages")):
        await stops_cleanly(stream)


async def test_two_at_once_do_not_mix():
    both = await asyncio.gather(inspected(agent(), "hi"), inspected(agent().astream_events(ASKED, version="v2")))
    assert [differences(each, TOOLS) for each in both] == [[], []]
