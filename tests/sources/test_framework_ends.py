"""How runs of frameworks end where no recording shows it: answers cut in a call, agents inside tools, steps taken back."""

from __future__ import annotations

from typing import Any

import pytest

from runview import ModelOutput


async def inspected(events: list[Any], error: Exception | None = None) -> dict[str, Any]:
    async def stream():
        for event in events:
            yield event
        if error is not None:
            raise error

    output = ModelOutput(stream())
    await output.get_full_output()
    return output.inspect()


def said(**told: Any) -> dict[str, Any]:
    """An event of Bedrock, as strands passes it on."""
    return {"event": told}


def use(name: str, id_: str, args: str) -> list[dict[str, Any]]:
    return [
        said(contentBlockStart={"start": {"toolUse": {"name": name, "toolUseId": id_}}}),
        said(contentBlockDelta={"delta": {"toolUse": {"input": args}}}),
        said(contentBlockStop={}),
    ]


HELLO = [
    {"init_event_loop": True},
    said(messageStart={"role": "assistant"}),
    said(contentBlockDelta={"delta": {"text": "Hi"}}),
    said(contentBlockStop={}),
]
USAGE = said(metadata={"usage": {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}})


def response(args: str, reason: str) -> dict[str, Any]:
    """A whole response of pydantic-ai."""
    part = {"part_kind": "tool-call", "tool_name": "t", "tool_call_id": "c", "args": args}
    return {"kind": "response", "parts": [part], "finish_reason": reason, "usage": {"input_tokens": 1, "output_tokens": 1}}


def chunk(args: str, **metadata: Any) -> dict[str, Any]:
    fragment = {"name": "t", "id": "c", "args": args, "index": 0}
    return {
        "type": "AIMessageChunk",
        "id": "r",
        "content": "",
        "tool_call_chunks": [fragment] if args else [],
        "response_metadata": metadata,
    }


CUT: dict[str, list[Any]] = {
    "strands": [*HELLO, *use("t", "c", '{"x":'), said(messageStop={"stopReason": "max_tokens"}), USAGE],
    "langchain": [chunk('{"x":'), chunk("", finish_reason="length")],
    "pydantic-ai": [response('{"x":', "length")],
}


@pytest.mark.parametrize("name", CUT)
async def test_a_call_that_the_length_cut_is_no_call(name: str):
    """It is shown with what there is of its arguments; nothing is made up for the rest."""
    got = await inspected(CUT[name])
    assert (got["status"], got["finishReason"], got["toolCalls"]) == ("success", "length", [])
    assert got["chunks"]["byType"]["tool-call-delta"] == 1
    assert "tool-call-input-streaming-end" not in got["chunks"]["byType"]


async def test_the_exception_after_a_forced_stop_is_the_same_error():
    got = await inspected([*HELLO, {"force_stop": True, "force_stop_reason": "boom"}], RuntimeError("boom"))
    assert (got["status"], got["text"], got["error"]["message"]) == ("failed", "Hi", "boom")
    assert got["chunks"]["byType"]["error"] == 1


async def test_a_strands_tool_that_asks_waits_once():
    waits = {"toolUseId": "a", "name": "w", "input": {"x": 1}}
    asked = [{"id": "i", "name": "ok?"}]
    stop = [said(messageStop={"stopReason": "tool_use"}), USAGE]
    interrupt = {"tool_interrupt_event": {"tool_use": waits, "interrupts": asked}}
    result = {"result": {"stop_reason": "interrupt", "interrupts": asked}}
    got = await inspected([*HELLO, *use("w", "a", '{"x":1}'), *stop, interrupt, result])
    assert (got["status"], got["suspendPayload"]["toolCallId"], got["usage"]["totalTokens"]) == ("suspended", "a", 3)


async def test_an_agent_as_a_tool_of_strands_is_a_run_of_its_own():
    inner = [{"tool_stream_event": {"tool_use": {"toolUseId": "a", "name": "w"}, "data": event}} for event in HELLO]
    answer = {"toolResult": {"toolUseId": "a", "status": "success", "content": [{"json": {"sky": "blue"}}]}}
    stop = [said(messageStop={"stopReason": "tool_use"}), USAGE]
    events = [*HELLO, *use("w", "a", "{}"), *stop, *inner, {"message": {"role": "user", "content": [answer]}}, *HELLO]
    got = await inspected([*events, said(messageStop={"stopReason": "end_turn"}), {"result": {"stop_reason": "end_turn"}}])
    assert (got["status"], got["text"], got["toolResults"][0]["result"]) == ("success", "HiHi", {"sky": "blue"})
    assert [(each["under"], each["text"]) for each in got["nested"]] == [("a", "Hi")]


@pytest.mark.parametrize(("total", "given"), [(35, 10), (53, 28)])
async def test_input_of_bedrock_includes_what_was_cached_when_the_total_does(total: int, given: int):
    usage = {"inputTokens": 10, "outputTokens": 25, "totalTokens": total, "cacheReadInputTokens": 15, "cacheWriteInputTokens": 3}
    got = await inspected([*HELLO, said(messageStop={"stopReason": "end_turn"}), said(metadata={"usage": usage})])
    assert (got["usage"]["inputTokens"], got["usage"]["cachedInputTokens"]) == (given, 15)


async def test_a_step_of_the_ai_sdk_that_is_taken_back_leaves_no_text():
    begin = {"type": "start-step"}
    texts = [{"type": "text-delta", "id": "0", "delta": delta} for delta in ("bad", "good")]
    end = [{"type": "finish-step"}, {"type": "finish", "finishReason": "stop"}]
    got = await inspected([begin, texts[0], {"type": "reset-step"}, texts[1], *end])
    assert (got["status"], got["text"]) == ("success", "good")


async def test_a_final_answer_of_smolagents_that_is_no_text_is_the_object():
    step = {
        "__class__": "smolagents.memory.ActionStep",
        "observations": "seen",
        "token_usage": {"input_tokens": 1, "output_tokens": 1},
    }
    call = {"__class__": "smolagents.memory.ToolCall", "name": "python_interpreter", "arguments": "f(1)", "id": "1"}
    got = await inspected([call, step, {"__class__": "smolagents.memory.FinalAnswerStep", "output": {"a": 1}}])
    assert (got["status"], got["object"], got["toolResults"][0]["result"]) == ("success", {"a": 1}, "seen")
    assert (await inspected([call, step]))["status"] == "incomplete"
