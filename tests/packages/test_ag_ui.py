"""Events of AG-UI as the package's own objects, and as its encoder writes them."""

from __future__ import annotations

from typing import Any

import ag_ui.core as ag_ui
import pytest
from ag_ui.encoder import EventEncoder

from runview import ModelOutput
from tests.sdks import differences

RUN = {"thread_id": "t", "run_id": "r"}
BEGIN = [
    ag_ui.RunStartedEvent(**RUN),
    ag_ui.ReasoningMessageStartEvent(message_id="m0", role="reasoning"),
    ag_ui.ReasoningMessageContentEvent(message_id="m0", delta="Hm."),
    ag_ui.ReasoningMessageEndEvent(message_id="m0"),
    ag_ui.TextMessageStartEvent(message_id="m1", role="assistant"),
    ag_ui.TextMessageContentEvent(message_id="m1", delta="I will "),
    ag_ui.TextMessageContentEvent(message_id="m1", delta="check."),
    ag_ui.TextMessageEndEvent(message_id="m1"),
    ag_ui.ToolCallStartEvent(tool_call_id="c1", tool_call_name="weather", parent_message_id="m1"),
    ag_ui.ToolCallArgsEvent(tool_call_id="c1", delta='{"city":'),
    ag_ui.ToolCallEndEvent(tool_call_id="c1"),
    ag_ui.ToolCallChunkEvent(tool_call_id="c2", tool_call_name="now", delta="{}"),
    ag_ui.ToolCallArgsEvent(tool_call_id="c1", delta='"Paris"}'),
]
CALLS = [
    {"toolCallId": "c1", "toolName": "weather", "args": {"city": "Paris"}},
    {"toolCallId": "c2", "toolName": "now", "args": {}},
]


async def inspected(events: list[Any], form: str) -> dict[str, Any]:
    encoder = EventEncoder()
    given = events if form == "objects" else [encoder.encode(event).encode() for event in events]
    output = ModelOutput(given)
    await output.get_full_output()
    return output.inspect()


@pytest.fixture(params=["objects", "server-sent events"])
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def test_a_run_of_two_turns(form: str):
    """Arguments may follow the end of a call; what is said after the results of tools is the next turn."""
    events = [
        *BEGIN,
        ag_ui.ToolCallResultEvent(message_id="m2", tool_call_id="c1", content='{"sky":"sunny"}', role="tool"),
        ag_ui.ToolCallResultEvent(message_id="m3", tool_call_id="c2", content="noon", role="tool"),
        ag_ui.TextMessageChunkEvent(message_id="m4", role="assistant", delta="Sunny."),
        ag_ui.RunFinishedEvent(**RUN, usage=[ag_ui.TokenUsage(input_tokens=3, output_tokens=4)]),
    ]
    expected = {
        "status": "success",
        "runId": "r",
        "text": "I will check.Sunny.",
        "reasoningText": "Hm.",
        "toolCalls": CALLS,
        "toolResults": [{"toolCallId": "c1", "result": {"sky": "sunny"}}, {"toolCallId": "c2", "result": "noon"}],
        "usage": {"inputTokens": 3, "outputTokens": 4, "totalTokens": 7},
        "steps": [{"toolCalls": ["c1", "c2"]}, {"text": "Sunny."}],
    }
    assert differences(await inspected(events, form), expected) == []


async def test_a_run_that_is_cut_off_is_incomplete(form: str):
    got = await inspected(BEGIN[:-1], form)
    assert (got["status"], got["text"]) == ("incomplete", "I will check.")
    assert [call["toolCallId"] for call in got["toolCalls"]] == ["c2"]


async def test_a_run_that_waits(form: str):
    outcome = ag_ui.RunFinishedInterruptOutcome(
        type="interrupt", interrupts=[ag_ui.Interrupt(id="i", reason="tool_call", tool_call_id="c1")]
    )
    got = await inspected([*BEGIN, ag_ui.RunFinishedEvent(**RUN, outcome=outcome)], form)
    assert got["status"] == "suspended"
    assert differences(got["suspendPayload"], CALLS[0]) == []
    outcome = ag_ui.RunFinishedInterruptOutcome(
        type="interrupt", interrupts=[ag_ui.Interrupt(id="i", reason="input", message="Who?")]
    )
    got = await inspected([*BEGIN[:8], ag_ui.RunFinishedEvent(**RUN, outcome=outcome)], form)
    assert got["status"] == "suspended"
    assert got["suspendPayload"]["suspendPayload"]["message"] == "Who?"


async def test_a_run_that_was_stopped_or_failed(form: str):
    stopped = ag_ui.RunFinishedEvent(**RUN, outcome=ag_ui.RunFinishedCancelledOutcome(type="cancelled"))
    assert (await inspected([*BEGIN, stopped], form))["status"] == "canceled"
    got = await inspected([*BEGIN, ag_ui.RunErrorEvent(message="boom", code="E1")], form)
    assert (got["status"], got["error"]["message"], got["text"]) == ("failed", "boom", "I will check.")


async def test_a_sub_agent_is_a_run_of_its_own(form: str):
    events = [
        *BEGIN,
        ag_ui.SubagentStartedEvent(subagent_run_id="s", name="child", parent_tool_call_id="c1"),
        ag_ui.TextMessageChunkEvent(message_id="x", role="assistant", delta="inner", subagent_run_id="s"),
        ag_ui.SubagentFinishedEvent(subagent_run_id="s"),
        ag_ui.ToolCallResultEvent(message_id="m2", tool_call_id="c1", content="ok", role="tool"),
        ag_ui.RunFinishedEvent(**RUN),
    ]
    got = await inspected(events, form)
    assert (got["status"], got["text"]) == ("success", "I will check.")
    assert differences(got["nested"], [{"under": "c1", "text": "inner", "status": "success"}]) == []


async def test_messages_that_come_only_as_a_whole(form: str):
    """A snapshot repeats what was streamed, and all that was said before; it counts for a run that streams nothing."""
    asked = ag_ui.UserMessage(id="u", role="user", content="hi")
    old = ag_ui.AssistantMessage(id="a0", role="assistant", content="old")
    said = ag_ui.AssistantMessage(id="m1", role="assistant", content="I will check.")
    snapshot = ag_ui.MessagesSnapshotEvent(messages=[asked, old, asked, said])
    assert (await inspected([BEGIN[0], snapshot, ag_ui.RunFinishedEvent(**RUN)], form))["text"] == "I will check."
    assert (await inspected([*BEGIN, snapshot, ag_ui.RunFinishedEvent(**RUN)], form))["text"] == "I will check."
