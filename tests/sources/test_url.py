"""An address is a source: what it speaks is told by its answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runview import ModelOutput, stream_view
from tests.sources.loopback import loopback

CHAT = [
    {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Hi"}}]},
    {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
]
MASTRA = [
    {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": "Hi"}},
    {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {}}},
]


def head(kind: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n".encode()


def events(values: list[Any]) -> list[bytes]:
    return [head("text/event-stream"), *(f"data: {json.dumps(value)}\n\n".encode() for value in values), b"data: [DONE]\n\n"]


@pytest.mark.parametrize("said", [CHAT, MASTRA])
async def test_events_of_any_family(said: list[Any]):
    async with loopback(*events(said)) as server:
        full = await stream_view(server.url, json={"q": "ö"}, headers={"Authorization": "Bearer x"})
    assert (full.status, full.text, full.finish_reason) == ("success", "Hi", "stop")
    (asked,) = server.asked
    assert (asked.method, asked.body) == ("POST", {"q": "ö"})
    assert asked.headers["authorization"] == "Bearer x"


async def test_without_a_body_it_is_asked_for():
    async with loopback(*events(MASTRA)) as server:
        assert (await ModelOutput(server.url)).text == "Hi"
    assert server.asked[0].method == "GET"


async def test_the_data_stream_of_version_4():
    lines = [head("text/plain; charset=utf-8"), b'0:"H', b'i"\n', b'd:{"finishReason":"stop","usage":{"promptTokens":1}}\n']
    async with loopback(*lines) as server:
        full = await ModelOutput(server.url, json={})
    assert (full.status, full.text) == ("success", "Hi")


async def test_lines_that_a_client_hands_out_are_frames():
    lines = [*(f"data: {json.dumps(value)}" for value in CHAT), "", "data: [DONE]"]
    full = await ModelOutput(lines)
    assert (full.status, full.text) == ("success", "Hi")
    full = await ModelOutput(['0:"H"', '0:"i"', 'd:{"finishReason":"stop"}'])
    assert (full.status, full.text) == ("success", "Hi")


async def test_text_that_looks_like_a_field_is_text():
    full = await ModelOutput(["data: the plural of datum", " is data"])
    assert full.text == "data: the plural of datum is data"


async def test_no_server_is_one_sentence():
    full = await ModelOutput("http://127.0.0.1:9/", json={}).get_full_output()
    assert full.status == "failed"
    assert "no server answers" in full.error["message"]


def test_what_is_sent_needs_an_address():
    with pytest.raises(TypeError, match="json= and headers= are for an address"):
        stream_view([], json={})
    with pytest.raises(TypeError, match="a recording is read by replay"):
        stream_view("run.jsonl")


def test_an_unknown_family_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match=r"source=.gpt. is not known; it is one of mastra, .*openai-chat, .*anthropic"):
        stream_view([], source="gpt")
