"""The AI SDK's older data stream, as chunks."""

from __future__ import annotations

import pytest

from runview import MastraClient, ModelOutput
from runview.sources.data_stream import DataStream
from tests.sources.http_fixtures import cut, read
from tests.sources.loopback import loopback, ok

BODY = (
    'f:{"messageId":"m1"}\n'
    'g:"Hm."\n'
    'j:{"signature":"s"}\n'
    '0:"Let me "\n'
    '0:"see \u2028ñ. "\n'
    '9:{"toolCallId":"c1","toolName":"weather","args":{"city":"Bath"}}\n'
    'a:{"toolCallId":"c1","result":{"celsius":7}}\n'
    'e:{"finishReason":"tool-calls","usage":{"promptTokens":10,"completionTokens":5},"isContinued":false}\n'
    'f:{"messageId":"m2"}\n'
    '8:[{"seen":true}]\n'
    '2:["half"]\n'
    '0:"It is 7 °C."\n'
    'h:{"sourceType":"url","id":"s1","url":"https://met.example/","title":"Met"}\n'
    'e:{"finishReason":"stop","usage":{"promptTokens":20,"completionTokens":null},"isContinued":false}\n'
    'd:{"finishReason":"stop","usage":{"promptTokens":30,"completionTokens":null}}\n'
).encode()


def legacy(body: bytes) -> bytes:
    return ok(body, "text/plain; charset=utf-8")


async def test_a_legacy_agent():
    async with loopback(legacy(BODY)) as server:
        output = ModelOutput(MastraClient(server.url).agent("old").stream_legacy("hi", thread_id="t"))
        full = await output
        calls, results = await output.tool_calls, await output.tool_results
    assert (server.asked[0].path, server.asked[0].body) == (
        "/api/agents/old/stream-legacy",
        {"messages": [{"role": "user", "content": "hi"}], "threadId": "t"},
    )
    assert output.status == "success"
    assert full.text == "Let me see \u2028ñ. It is 7 °C."
    assert full.reasoning_text == "Hm."
    assert calls[0].payload.args == {"city": "Bath"}
    assert results[0].payload.tool_name == "weather"
    assert results[0].payload.result == {"celsius": 7}
    assert full.usage == {"inputTokens": 30, "outputTokens": 5, "totalTokens": 15}
    assert [step.finish_reason for step in full.steps] == ["tool-calls", "stop"]
    assert output.inspect()["data"] == [{"type": "data-legacy", "data": "half"}]
    assert len(full.sources) == 1
    assert output.inspect()["chunks"].get("notes", []) == []


async def test_a_legacy_answer_in_any_pieces():
    async with loopback(legacy(BODY)) as server:
        expected = await read(MastraClient(server.url).agent("old").stream_legacy("hi"))
    for seed in range(4):
        async with loopback(*cut(legacy(BODY), seed)) as server:
            assert await read(MastraClient(server.url).agent("old").stream_legacy("hi")) == expected


def chunks_of(text: str) -> list[tuple[str, object]]:
    stream = DataStream()
    return [(chunk["type"], chunk.get("payload")) for chunk in (*stream.feed(text.encode()), *stream.end())]


@pytest.mark.parametrize(
    ("line", "chunk"),
    [
        ('3:"broken"', ("error", {"error": "broken"})),
        ('k:{"data":"AA==","mimeType":"image/png"}', ("file", {"data": "AA==", "mimeType": "image/png"})),
        ('i:{"data":"x"}', ("redacted-reasoning", {"id": "redacted-1", "data": "x"})),
        ('b:{"toolCallId":"c","toolName":"t"}', ("tool-call-input-streaming-start", {"toolCallId": "c", "toolName": "t"})),
        ('c:{"toolCallId":"c","argsTextDelta":"{"}', ("tool-call-delta", {"toolCallId": "c", "argsTextDelta": "{"})),
        ("z:1", ("runview-note", {"message": "line 1 begins with an unknown code: z"})),
        ("0", ("runview-note", {"message": "line 1 is not JSON (Expecting value at character 1): 0"})),
        ('d:"odd"', ("finish", {"stepResult": {"reason": None}, "output": {"usage": {}}})),
    ],
)
def test_lines(line: str, chunk: tuple[str, object]):
    assert chunks_of(line) == [chunk]
    assert chunks_of(f"\r\n{line.replace('line 1', 'line 2')}\r\n")[0][0] == chunk[0]


def test_text_ends_with_the_stream():
    assert [kind for kind, _ in chunks_of('0:"a"\ng:"b"\n0:"c"')] == [
        "text-start", "text-delta", "text-end", "reasoning-start", "reasoning-delta", "reasoning-end",
        "text-start", "text-delta", "text-end",
    ]  # fmt: skip
