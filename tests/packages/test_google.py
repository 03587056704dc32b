"""Streams of the google-genai package, in every state in which people have them, from a real client."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from google import genai
from google.genai import types

from runview import ModelOutput
from tests.families import INTERACTION
from tests.packages.replaying import Body, body, camel, events, replaying
from tests.packages.stopping import stops_cleanly
from tests.sdks import differences, expected

NAMES = ["google_tools", "google_grounded", "google_code_image", "google_object", "google_partial_args", "google_safety"]


@pytest.fixture(autouse=True)
def _clients() -> Iterator[None]:
    """A client's own clean-up may warn, long after its test."""
    yield
    KEPT.clear()


KEPT: list[genai.Client] = []


def client(url: str) -> genai.Client:
    """One that stays: the stream of one that is collected is closed under it."""
    KEPT.append(genai.Client(api_key="x", http_options=types.HttpOptions(base_url=url)))
    return KEPT[-1]


def said(name: str) -> Body:
    return body([_without_headers(camel(event)) for event in events(name)])[:-1]


def _without_headers(event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name not in ("sdkHttpResponse", "automaticFunctionCallingHistory")}


def turns() -> list[Body]:
    whole = [_without_headers(camel(event)) for event in events("google_chat_afc")]
    first = next(at for at, event in enumerate(whole) if event["candidates"][0].get("finishReason")) + 1
    return [body(whole[:first])[:-1], body(whole[first:])[:-1]]


def weather(city: str) -> str:
    """Weather of a city."""
    return f"sunny in {city}"


@pytest.mark.parametrize("name", NAMES)
async def test_generate_content(name: str):
    for how in ("sync", "async"):
        with replaying(said(name)) as server:
            models = client(server.url).models if how == "sync" else client(server.url).aio.models
            output = ModelOutput(models.generate_content_stream(model="m", contents="hi"))
            await output.get_full_output()
        assert differences(output.inspect(), expected(name)) == [], how


async def test_automatic_calls():
    config = types.GenerateContentConfig(tools=[weather])
    with replaying(*turns()) as server:
        stream = client(server.url).aio.models.generate_content_stream(model="m", contents="hi", config=config)
        output = ModelOutput(stream)
        await output.get_full_output()
    assert differences(output.inspect(), expected("google_afc_async")) == []
    with replaying(*turns()) as server:
        chat = client(server.url).chats.create(model="m", config=config)
        output = ModelOutput(chat.send_message_stream, "hi")
        await output.get_full_output()
    assert differences(output.inspect(), expected("google_chat_afc")) == []


async def test_interactions():
    with replaying(body(INTERACTION)) as server:
        output = ModelOutput(client(server.url).interactions.create(model="m", input="hi", stream=True))
        full = await output.get_full_output()
    assert (full.status, full.text, full.reasoning, full.finish_reason) == ("success", "Sunny today.", "Plan it.", "tool-calls")
    assert full.usage == {"inputTokens": 8, "outputTokens": 12, "totalTokens": 20}
    assert [(call.payload.tool_call_id, call.payload.args) for call in full.tool_calls] == [("f1", {"city": "Paris"})]


async def test_an_error_midway_keeps_the_text():
    error = {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
    with replaying([*said("google_object")[:1], *body([error])[:-1]]) as server:
        output = ModelOutput(client(server.url).models.generate_content_stream(model="m", contents="hi"))
        full = await output.get_full_output()
    assert (full.status, full.text) == ("failed", '{"name"')
    assert "overloaded" in full.error["message"]


@pytest.mark.parametrize("how", ["sync", "async", "a chat"])
async def test_stop(how: str):
    """The blocking streams are generators, which can't be closed from elsewhere: what they read from is."""
    with replaying([*said("google_object")[:1], b""]) as server:
        made = client(server.url)
        asked: dict[str, Any] = {"model": "m", "contents": "hi"}
        if how == "a chat":
            output = await stops_cleanly(made.chats.create(model="m").send_message_stream, "hi")
        else:
            models = made.models if how == "sync" else made.aio.models
            output = await stops_cleanly(models.generate_content_stream(**asked))
        assert output.partial.text == '{"name"'
        assert not [note for note in output.inspect()["chunks"]["notes"] if "could not be stopped" in note]
        assert server.left.wait(2)
