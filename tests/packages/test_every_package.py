"""What the stream of every real client must do: break with its text kept, stop with nothing left, and not mix with another.

The table has each client in each form in which people use it, with a server that says what was recorded. Agents that run on
models of their own package stand in the files of those packages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import ag_ui.core as ag_ui
import agents
import anthropic
import openai
import pytest
from ag_ui.encoder import EventEncoder
from google import genai
from google.genai import types
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from runview import ModelOutput, stream_view
from runview.sources.url import from_url
from tests.families import ROWS, another
from tests.packages.replaying import CUT, Body, body, camel, replaying
from tests.packages.stopping import stops_cleanly

agents.set_tracing_disabled(True)

CHAT: Any = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
MESSAGE: Any = {**CHAT, "max_tokens": 9}
RESPONSE: Any = {"model": "m", "input": "hi"}
GOOGLE: Any = {"model": "m", "contents": "hi"}
KEPT: list[Any] = []
"""Clients that must stay: of google-genai, the stream of one that is collected is closed under it."""


@pytest.fixture(autouse=True)
def _clients() -> Iterator[None]:
    yield
    KEPT.clear()


def oai(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0)


def oai_async(url: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0)


def claude(url: str) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=url, api_key="x", max_retries=0)


def claude_async(url: str) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(base_url=url, api_key="x", max_retries=0)


def gemini(url: str) -> genai.Client:
    KEPT.append(genai.Client(api_key="x", http_options=types.HttpOptions(base_url=url)))
    return KEPT[-1]


def agent(url: str) -> agents.Agent[Any]:
    return agents.Agent(name="main", model=agents.OpenAIResponsesModel(model="m", openai_client=oai_async(url)))


def pydantic_agent(url: str) -> Agent[None, str]:
    return Agent(OpenAIChatModel("m", provider=OpenAIProvider(openai_client=oai_async(url))))


def events(name: str, other: bool) -> list[Any]:
    """The stream of a row, or the other stream of its family; of helpers what their server says."""
    return another(ROWS[name]) if other else ROWS[name].events()


def row(name: str) -> Callable[[bool], Body]:
    return lambda other: body(events(name, other))


def google(other: bool) -> Body:
    left_out = ("sdk_http_response", "automatic_function_calling_history")
    whole = [{key: each[key] for key in each if key not in left_out} for each in events("google-genai", other)]
    return body(map(camel, whole))[:-1]


def last_response(other: bool) -> Body:
    """Of a recorded run of openai-agents, which has the answer."""
    data = [event["data"] for event in events("openai-agents", other) if event["type"] == "raw_response_event"]
    return from_the_last(data, "response.created")


def last_message(other: bool) -> Body:
    """Of the tool runner's, which has the answer."""
    return from_the_last(events("anthropic, tool runner", other), "message_start")


def from_the_last(whole: list[Any], type_: str) -> Body:
    begins = [at for at, event in enumerate(whole) if event["type"] == type_]
    return body(whole[begins[-1] :])


def chat_text(other: bool) -> Body:
    deltas = [{"role": "assistant", "content": ""}, {"content": "Rainy" if other else "Sunny"}, {"content": " in both."}]
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    told = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    return body([*told, {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}])


def ag_ui_said(other: bool) -> Body:
    """As the package's own encoder writes it."""
    run: Any = {"thread_id": "t", "run_id": "r"}
    told = [
        ag_ui.RunStartedEvent(**run),
        ag_ui.TextMessageStartEvent(message_id="m", role="assistant"),
        ag_ui.TextMessageContentEvent(message_id="m", delta="Rainy" if other else "Sunny"),
        ag_ui.TextMessageContentEvent(message_id="m", delta=" in both."),
        ag_ui.TextMessageEndEvent(message_id="m"),
        ag_ui.RunFinishedEvent(**run),
    ]
    return [EventEncoder().encode(event).encode() for event in told]


class Client(NamedTuple):
    """How a package is asked for a stream, and what its server says: one thing, or another."""

    ask: Callable[[str], Any]
    said: Callable[[bool], Body]


ASKED: dict[str, Client] = {
    "openai chat": Client(lambda url: oai(url).chat.completions.create(**CHAT, stream=True), row("openai")),
    "openai chat, async": Client(lambda url: oai_async(url).chat.completions.create(**CHAT, stream=True), row("openai")),
    "openai chat, helper": Client(lambda url: oai(url).chat.completions.stream(**CHAT), row("openai")),
    "openai chat, async helper": Client(lambda url: oai_async(url).chat.completions.stream(**CHAT), row("openai")),
    "responses": Client(lambda url: oai(url).responses.create(**RESPONSE, stream=True), row("openai responses")),
    "responses, async": Client(lambda url: oai_async(url).responses.create(**RESPONSE, stream=True), row("openai responses")),
    "responses, helper": Client(lambda url: oai(url).responses.stream(**RESPONSE), row("openai responses")),
    "responses, async helper": Client(lambda url: oai_async(url).responses.stream(**RESPONSE), row("openai responses")),
    "openai-agents": Client(lambda url: agents.Runner.run_streamed(agent(url), "hi"), last_response),
    "anthropic": Client(lambda url: claude(url).messages.create(**MESSAGE, stream=True), row("anthropic")),
    "anthropic, async": Client(lambda url: claude_async(url).messages.create(**MESSAGE, stream=True), row("anthropic")),
    "anthropic, helper": Client(lambda url: claude(url).messages.stream(**MESSAGE), row("anthropic")),
    "anthropic, async helper": Client(lambda url: claude_async(url).messages.stream(**MESSAGE), row("anthropic")),
    "anthropic, beta": Client(lambda url: claude(url).beta.messages.stream(**MESSAGE), row("anthropic")),
    "anthropic, tool runner": Client(
        lambda url: claude(url).beta.messages.tool_runner(**MESSAGE, tools=[], stream=True), last_message
    ),
    "anthropic, async tool runner": Client(
        lambda url: claude_async(url).beta.messages.tool_runner(**MESSAGE, tools=[], stream=True), last_message
    ),
    "google-genai": Client(lambda url: gemini(url).models.generate_content_stream(**GOOGLE), google),
    "google-genai, async": Client(lambda url: gemini(url).aio.models.generate_content_stream(**GOOGLE), google),
    "google-genai, interactions": Client(
        lambda url: gemini(url).interactions.create(**RESPONSE, stream=True), row("google-genai, interactions")
    ),
    "pydantic-ai": Client(lambda url: pydantic_agent(url).run_stream_events("hi"), chat_text),
    "pydantic-ai, iter": Client(lambda url: pydantic_agent(url).iter("hi"), chat_text),
    "pydantic-ai, run_stream": Client(lambda url: pydantic_agent(url).run_stream("hi"), chat_text),
    "ag-ui, address": Client(lambda url: from_url(url, json={}), ag_ui_said),
}


def part(said: Body, end: bytes) -> Body:
    """Three quarters of an answer."""
    return [*said[: len(said) * 3 // 4], end]


async def text_of(client: Client, other: bool = False) -> str:
    with replaying(client.said(other)) as server:
        return (await ModelOutput(client.ask(server.url)).get_full_output()).text


@pytest.mark.parametrize("name", ASKED)
async def test_a_connection_that_breaks_keeps_the_text(name: str):
    client = ASKED[name]
    whole = await text_of(client)
    with replaying(part(client.said(False), CUT)) as server:
        view = stream_view(client.ask(server.url))
        full = await view
    assert full.status == "failed"
    assert full.text
    assert whole.startswith(full.text)
    message = full.error["message"].split("\n", 1)[0]
    shown = view._repr_mimebundle_()["text/plain"]
    assert full.text.strip() in shown
    assert message
    assert message in shown


@pytest.mark.parametrize("name", ASKED)
async def test_stop_leaves_nothing(name: str):
    client = ASKED[name]
    with replaying(part(client.said(False), b"")) as server:
        output = await stops_cleanly(client.ask(server.url), said=True)
        assert (await text_of(client)).startswith(output.partial.text)
        assert not [note for note in output.inspect()["chunks"]["notes"] if "could not be stopped" in note]
        assert server.left.wait(2)


@pytest.mark.parametrize("name", ASKED)
async def test_two_at_once_do_not_mix(name: str):
    """Both have begun and neither has ended when they go on: each has its own values."""
    client = ASKED[name]
    alone = [await text_of(client), await text_of(client, other=True)]
    assert alone[0] != alone[1]
    with replaying(client.said(False), gated=True) as one, replaying(client.said(True), gated=True) as two:
        outputs = [ModelOutput(client.ask(server.url)) for server in (one, two)]
        await asyncio.gather(*(asyncio.to_thread(server.reached.wait, 5) for server in (one, two)))
        assert not any(output.status in ("success", "failed") for output in outputs)
        one.gate.set()
        two.gate.set()
        fulls = [await output.get_full_output() for output in outputs]
    assert [full.status for full in fulls] == ["success", "success"]
    assert [full.text for full in fulls] == alone
