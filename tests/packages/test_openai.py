"""Streams of the openai package, in every state in which people have them, from a real client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from runview import ModelOutput
from tests.packages.replaying import Body, body, events, replaying
from tests.packages.stopping import stops_cleanly
from tests.sdks import differences, expected

ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


class Person(BaseModel):
    name: str
    age: int


def client(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0)


def async_client(url: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0)


CHAT: dict[str, Callable[[str], Any]] = {
    "create": lambda url: client(url).chat.completions.create(**ASKED, stream=True),
    "create, as a function": lambda url: lambda: client(url).chat.completions.create(**ASKED, stream=True),
    "a coroutine": lambda url: async_client(url).chat.completions.create(**ASKED, stream=True),
    "a manager": lambda url: client(url).chat.completions.stream(**ASKED),
    "an async manager": lambda url: async_client(url).chat.completions.stream(**ASKED),
}
RESPONSES: dict[str, Callable[[str], Any]] = {
    "create": lambda url: client(url).responses.create(model="m", input="hi", stream=True),
    "a coroutine": lambda url: async_client(url).responses.create(model="m", input="hi", stream=True),
    "a manager": lambda url: client(url).responses.stream(model="m", input="hi"),
    "an async manager": lambda url: async_client(url).responses.stream(model="m", input="hi"),
}


async def run(asked: Callable[[str], Any], said: Body, **more: Any) -> ModelOutput:
    with replaying(said) as server:
        output = ModelOutput(asked(server.url), **more)
        await output.get_full_output()
    return output


@pytest.mark.parametrize("how", CHAT)
async def test_chat(how: str):
    output = await run(CHAT[how], body(events("openai_chat_tools_async")))
    assert differences(output.inspect(), expected("openai_chat_tools_async")) == []


@pytest.mark.parametrize("how", RESPONSES)
async def test_responses(how: str):
    output = await run(RESPONSES[how], body(events("openai_responses_full_async")))
    assert differences(output.inspect(), expected("openai_responses_full_async")) == []


@pytest.mark.parametrize("name", ["openai_responses_server_tools", "openai_responses_refusal", "openai_responses_error_event"])
async def test_responses_of_other_kinds(name: str):
    output = await run(RESPONSES["create"], body(events(name)))
    assert differences(output.inspect(), expected(name)) == []


@pytest.mark.parametrize("how", ["a manager", "an async manager"])
async def test_what_the_helpers_parse_is_the_object(how: str):
    make = client if how == "a manager" else async_client
    said = body(events("openai_chat_helper_object"))
    output = await run(lambda url: make(url).chat.completions.stream(**ASKED, response_format=Person), said, schema=Person)
    assert await output.object == Person(name="Bob", age=42)
    said = body(events("openai_responses_helper_object"))
    output = await run(lambda url: make(url).responses.stream(model="m", input="hi", text_format=Person), said)
    assert await output.object == {"name": "Bob", "age": 42}


async def test_an_error_midway_keeps_the_text():
    error = {"error": {"message": "overloaded", "type": "server_error", "code": "overloaded"}}
    said = body([*events("openai_chat_error_mid"), error])
    for how in ("create", "a coroutine"):
        output = await run(CHAT[how], said)
        assert differences(output.inspect(), expected("openai_chat_error_mid")) == []
        assert isinstance(output.failure, openai.APIError)


@pytest.mark.parametrize(("asked", "name"), [(CHAT, "openai_chat_error_mid"), (RESPONSES, "openai_responses_error_event")])
@pytest.mark.parametrize("how", ["create", "a coroutine", "a manager", "an async manager"])
async def test_stop(how: str, asked: dict[str, Callable[[str], Any]], name: str):
    with replaying(body(events(name)[:1], hangs=True)) as server:
        await stops_cleanly(asked[how](server.url))
        assert server.left.wait(2)


async def test_two_at_once_and_one_that_was_read():
    with replaying(body(events("openai_chat_tools_async")), body(events("openai_chat_tools_async"))) as server:
        stream = client(server.url).chat.completions.create(**ASKED, stream=True)
        outputs = [ModelOutput(stream), ModelOutput(CHAT["a coroutine"](server.url))]
        texts = [(await output).text for output in outputs]
        assert texts == ["Let me look."] * 2
        again = ModelOutput(stream)
        assert (await again.get_full_output()).status == "incomplete"
        assert "was it read before" in again.inspect()["chunks"]["notes"][0]
