"""Odd input: the conversion never raises, and what is left out or filled in is decided here."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview import ModelOutput, to_ai_sdk_messages, to_ai_sdk_stream
from runview.chunks.wire import KNOWN_TYPES
from runview.convert.converter import Converter
from runview.convert.messages import Folder
from runview.convert.parts import Options
from tests.runs import chunk, event, finish_chunk, step_finish

VERSIONS = ("v5", "v6", "v7")
TYPES = [
    *sorted(KNOWN_TYPES),
    *("data-x", "routing-agent-start", "routing-agent-end", "routing-agent-text-delta", "agent-execution-start"),
    *("agent-execution-event-text-delta", "agent-execution-end", "workflow-execution-event-workflow-start"),
    *("tool-execution-start", "tool-execution-end", "network-execution-event-step-finish", "network-object", "unheard-of"),
]
NAMES = [
    "id",
    "text",
    "toolCallId",
    "toolName",
    "args",
    "output",
    "payload",
    "stepResult",
    "usage",
    "metadata",
    "messageId",
    "data",
]
NAMES += [
    "runId",
    "from",
    "type",
    "status",
    "inputData",
    "error",
    "mimeType",
    "response",
    "object",
    "providerMetadata",
    "dynamic",
]
SMALL = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["c1", "r", "AGENT", *TYPES])
)
VALUES = st.recursive(
    SMALL, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5), max_leaves=12
)
CHUNKS = VALUES | st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "payload": VALUES,
        "runId": VALUES,
        "from": st.sampled_from(["AGENT", "WORKFLOW", "NETWORK"]) | VALUES,
        "data": VALUES,
    },
)
NESTED = CHUNKS | CHUNKS.map(lambda inner: chunk("tool-output", toolCallId="c1", toolName="agent-a", output=inner))


def converted(*chunks: Any, **options: Any) -> list[Any]:
    converter = Converter(Options(**options))
    return [*(part for item in chunks for part in converter.feed(item)), *converter.end()]


@given(st.lists(NESTED, max_size=8), st.sampled_from(VERSIONS))
def test_any_value_gives_parts_and_messages(chunks: list[Any], version: Any) -> None:
    parts = converted(*chunks, version=version, reasoning=True, sources=True, subagents=True)
    folder = Folder(version)
    for part in parts:
        assert isinstance(part["type"], str)
        folder.feed(part)
    json.dumps([parts, folder.messages()])


def test_a_users_part_without_data_has_its_other_fields_as_data() -> None:
    parts = converted({"type": "data-tool-progress", "status": "pending", "id": "p"}, chunk("start"))
    assert parts[0] == {"type": "data-tool-progress", "data": {"status": "pending"}, "id": "p"}


def test_a_finish_without_a_reason_is_a_finish() -> None:
    assert converted(chunk("finish")) == [{"type": "finish"}]
    assert converted(chunk("finish"), version="v6") == [{"type": "finish", "finishReason": "other"}]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        ("down", "down"),
        (None, "null"),
        (
            {"message": "bad", "requestBodyValues": {"key": 1}, "cause": {"prompt": "p", "code": 2.0}},
            '{"message":"bad","cause":{"code":2}}',
        ),
        ({"b": 1, "2": 0, "10": 0, "1": 0}, '{"1":0,"2":0,"10":0,"b":1}'),
        (ValueError("no"), "ValueError: no"),
    ],
)
def test_the_text_of_an_error_says_nothing_of_the_request(error: Any, text: str) -> None:
    assert converted(chunk("error", error=error)) == [{"type": "error", "errorText": text}]


def test_an_error_nested_without_end_has_a_text() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"a": deep}
    assert converted(chunk("error", error=deep)) == [{"type": "error", "errorText": "[object Object]"}]


def test_bytes_become_a_data_url() -> None:
    part = converted(chunk("file", data=b"\x01\x02", mimeType="image/png"))[0]
    assert part["url"] == "data:image/png;base64,AQI="


def test_a_text_must_not_name_an_item_whose_reasoning_is_not_sent() -> None:
    delta = chunk("text-delta", id="t", text="a", providerMetadata={"openai": {"itemId": "i", "x": 1}})
    assert converted(delta)[0]["providerMetadata"] == {"openai": {"x": 1}}
    assert converted(delta, reasoning=True)[0]["providerMetadata"] == {"openai": {"itemId": "i", "x": 1}}


def test_a_tools_author_decides_what_is_shown() -> None:
    call = chunk("tool-call", toolCallId="c", toolName="t", args={"secret": 1})
    call["metadata"] = {"mastra": {"toolPayloadTransform": {"display": {"input-available": {"transformed": {"shown": 1}}}}}}
    assert converted(call)[0]["input"] == {"shown": 1}


def test_the_message_has_the_id_of_its_first_step_and_the_parts_between_wait() -> None:
    chunks = [chunk("start", messageId="a"), {"type": "data-x", "data": 1}, chunk("step-start", messageId="b")]
    assert converted(*chunks) == [{"type": "start", "messageId": "b"}, {"type": "data-x", "data": 1}, {"type": "start-step"}]


def test_a_second_start_before_the_first_step_takes_the_place_of_the_first() -> None:
    chunks = [chunk("start", messageId="a"), {"type": "data-x", "data": 1}, chunk("start", messageId="b")]
    assert converted(*chunks) == [{"type": "start", "messageId": "b"}, {"type": "data-x", "data": 1}]


def test_agents_within_agents_are_placed() -> None:
    inner = {"type": "text-delta", "runId": "in", "from": "AGENT", "payload": {"text": "a"}}
    passed_on = chunk("tool-output", toolCallId="c2", toolName="agent-b", output=inner)
    parts = converted(chunk("tool-output", toolCallId="c1", toolName="agent-a", output=passed_on), subagents=True)
    assert [(part["type"], part["id"], part["data"]["text"], part["depth"], part["parentAgentId"]) for part in parts] == [
        ("data-tool-agent", "in", "a", 2, "a")
    ]


def test_a_workflow_is_told_between_a_start_and_a_finish() -> None:
    data = {"type": "data-x", "from": "WORKFLOW", "data": 1}
    written = event("workflow-step-output", output=chunk("text-delta", id="t", text="a"))
    parts = converted(data, event("workflow-start", workflowId="w"), written)
    assert [part["type"] for part in parts] == ["start", "data-x", "data-workflow", "text-delta", "finish"]


async def test_a_source_that_breaks_is_an_error_part_and_the_end() -> None:
    async def broken() -> Any:
        yield chunk("start", messageId="m")
        raise ValueError("gone")

    wanted = [{"type": "start", "messageId": "m"}, {"type": "error", "errorText": "ValueError: gone"}]
    assert [part async for part in to_ai_sdk_stream(broken())] == wanted
    assert [part async for part in to_ai_sdk_stream(ModelOutput(broken()))] == wanted


async def test_an_output_is_read_from_its_beginning() -> None:
    output = ModelOutput([chunk("text-start", id="t"), chunk("text-delta", id="t", text="Hi"), step_finish(), finish_chunk()])
    await output.text
    for _ in range(2):
        parts = [part async for part in to_ai_sdk_stream(output)]
        assert [part["type"] for part in parts] == ["text-start", "text-delta", "finish-step", "finish"]


def test_what_cannot_be_read_is_told_at_once() -> None:
    with pytest.raises(TypeError, match="did the call return its stream"):
        to_ai_sdk_stream(None)
    with pytest.raises(ValueError, match="one of v5, v6, v7"):
        to_ai_sdk_stream([], version="v4")  # type: ignore[arg-type]


async def test_messages_are_a_list_or_grow() -> None:
    chunks = [
        chunk("start", messageId="m"),
        chunk("text-delta", id="t", text="\ud83d"),
        chunk("text-delta", id="t", text="\ude00"),
    ]
    (message,) = await to_ai_sdk_messages(chunks)
    assert message == {"id": "m", "role": "assistant", "parts": [{"type": "text", "text": "\U0001f600", "state": "streaming"}]}
    states = [state async for state in to_ai_sdk_messages(chunks)]
    assert [len(state["parts"]) for state in states] == [0, 1, 1]
    assert states[-1] == message


async def test_a_continued_run_goes_on_with_its_message() -> None:
    call = chunk("tool-call", toolCallId="c", toolName="w", args={})
    (before,) = await to_ai_sdk_messages([chunk("start", messageId="m"), call])
    (after,) = await to_ai_sdk_messages([chunk("tool-result", toolCallId="c", result=1)], message=before)
    assert (before["parts"][0]["state"], after["parts"][0]["state"]) == ("input-available", "output-available")
    assert await to_ai_sdk_messages([chunk("tool-result", toolCallId="c", result=1)]) == []


async def test_approvals_are_states_from_the_sixth_version_on() -> None:
    chunks = [
        chunk("tool-call", toolCallId="c", toolName="w", args={}),
        chunk("tool-call-approval", toolCallId="c", toolName="w"),
    ]
    (message,) = await to_ai_sdk_messages(chunks, version="v6")
    assert message["parts"][0]["approval"] == {"id": "r::c"}
    (message,) = await to_ai_sdk_messages([*chunks, chunk("tool-output-denied", toolCallId="c")], version="v7")
    assert message["parts"][0]["state"] == "output-denied"
    (message,) = await to_ai_sdk_messages(chunks)
    assert message["parts"][0]["state"] == "input-available"
