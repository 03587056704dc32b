"""Streams of the anthropic package, in every state in which people have them, from a real client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anthropic
import pytest

from runview import ModelOutput
from tests.packages.replaying import Body, body, events, replaying
from tests.packages.stopping import stops_cleanly
from tests.sdks import differences, expected

ASKED: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}


def client(url: str) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=url, api_key="x", max_retries=0)


def async_client(url: str) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(base_url=url, api_key="x", max_retries=0)


WAYS: dict[str, Callable[[str], Any]] = {
    "create": lambda url: client(url).messages.create(**ASKED, stream=True),
    "a coroutine": lambda url: async_client(url).messages.create(**ASKED, stream=True),
    "a manager": lambda url: client(url).messages.stream(**ASKED),
    "an async manager": lambda url: async_client(url).messages.stream(**ASKED),
    "beta": lambda url: client(url).beta.messages.stream(**ASKED),
}
NAMES = ["anthropic_helper_think_tools", "anthropic_helper_server_tools", "anthropic_helper_future"]


async def run(asked: Callable[[str], Any], *said: Body, **more: Any) -> ModelOutput:
    with replaying(*said) as server:
        output = ModelOutput(asked(server.url), **more)
        await output.get_full_output()
    return output


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("name", NAMES)
async def test_messages(how: str, name: str):
    output = await run(WAYS[how], body(events(name)))
    assert differences(output.inspect(), expected(name)) == []


def turns() -> list[Body]:
    said = events("anthropic_tool_runner")
    second = next(at for at, event in enumerate(said) if at and event["type"] == "message_start")
    return [body(said[:second]), body(said[second:])]


async def test_the_tool_runner_is_one_run_with_its_results():
    @anthropic.beta_tool
    def weather(city: str) -> str:
        """Weather of a city."""
        return f"sunny in {city}"

    @anthropic.beta_async_tool
    async def weather_async(city: str) -> str:
        """Weather of a city."""
        return f"sunny in {city}"

    weather_async.name = "weather"
    for make, tool in ((client, weather), (async_client, weather_async)):
        output = await run(lambda url: make(url).beta.messages.tool_runner(**ASKED, tools=[tool], stream=True), *turns())  # noqa: B023
        want = expected("anthropic_tool_runner")
        assert differences(output.inspect(), {**want, **want["_with_result"]}) == []


async def test_an_error_midway_keeps_the_text():
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    for how in ("create", "a coroutine", "a manager"):
        output = await run(WAYS[how], body([*events("anthropic_create_error_mid"), error]))
        assert differences(output.inspect(), expected("anthropic_create_error_mid")) == []
        assert isinstance(output.failure, anthropic.APIStatusError)


@pytest.mark.parametrize("how", WAYS)
async def test_stop(how: str):
    with replaying(body(events("anthropic_create_error_mid"), hangs=True)) as server:
        output = await stops_cleanly(WAYS[how](server.url))
        assert output.partial.text == "par"
        assert server.left.wait(2)
