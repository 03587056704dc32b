"""What foreign events become, where recordings don't tell: cuts, filters, doubles, odd servers, and objects that mean no good."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any
from unittest.mock import MagicMock

import pytest

from runview import ModelOutput
from runview.sources.detect import family_of_event
from runview.sources.foreign import FAMILIES
from runview.sources.items import Items

FIRST = {
    "openai-chat": {"object": "chat.completion.chunk", "choices": []},
    "openai-responses": {"type": "response.created", "response": {}},
    "openai-agents": {"type": "agent_updated_stream_event", "new_agent": {"name": "a"}},
    "anthropic": {"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 1}}},
    "google": {"candidates": [{"content": {"parts": []}}]},
    "google-interactions": {"event_type": "interaction.created", "interaction": {"id": "i"}},
    "ollama": {"model": "m", "done": False, "message": {"role": "assistant", "content": ""}},
}


async def told(*events: Any, error: Exception | None = None, source: str | None = None) -> dict[str, Any]:
    async def stream():
        for event in events:
            yield event
        if error is not None:
            raise error

    output = ModelOutput(stream(), source=source)
    await output.get_full_output()
    return output.inspect()


def chat(delta: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta or {}, "finish_reason": finish}], **more}


def call(arguments: str, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": arguments}, **more}]}


# Calls that were cut


@pytest.mark.parametrize("arguments", ['{"a": 1', ""])
async def test_a_call_cut_by_length_is_no_call(arguments: str):
    run = await told(chat(call(arguments, id="c1")), chat(finish="length"))
    assert (run["status"], run["finishReason"], run["toolCalls"]) == ("success", "length", [])


async def test_a_call_that_was_whole_before_the_cut_is_one():
    second = {"tool_calls": [{"index": 1, "id": "c2", "function": {"name": "g", "arguments": '{"b":'}}]}
    run = await told(chat(call('{"a": 1}', id="c1")), chat(second), chat(finish="length"))
    assert [each["toolCallId"] for each in run["toolCalls"]] == ["c1"]


async def test_a_call_that_a_failing_source_left_is_no_call():
    run = await told(chat({"content": "Hm"}), chat(call("{}", id="c1")), error=ConnectionError("gone"))
    assert (run["status"], run["text"], run["toolCalls"]) == ("failed", "Hm", [])


@pytest.mark.parametrize(("reason", "calls"), [("max_tokens", []), ("tool_use", ["t1"])])
async def test_anthropics_block_ends_though_its_json_is_cut(reason: str, calls: list[str]):
    run = await told(
        FIRST["anthropic"],
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t1", "name": "f", "input": {}}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    )
    assert [each["toolCallId"] for each in run["toolCalls"]] == calls
    assert run["usage"] == {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}


async def test_a_function_call_of_an_incomplete_response_is_no_call():
    item = {"id": "fc", "type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"a":', "status": "incomplete"}
    run = await told(
        FIRST["openai-responses"],
        {"type": "response.output_item.added", "output_index": 0, "item": {**item, "arguments": ""}},
        {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": '{"a":'},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.incomplete", "response": {"incomplete_details": {"reason": "max_output_tokens"}}},
    )
    assert (run["status"], run["finishReason"], run["toolCalls"]) == ("success", "length", [])


# Ends


@pytest.mark.parametrize("name", FIRST)
async def test_a_stream_without_its_last_word_is_incomplete(name: str):
    assert (await told(FIRST[name], FIRST[name]))["status"] == "incomplete"


@pytest.mark.parametrize("name", FIRST)
def test_the_first_event_tells_the_family(name: str):
    family = family_of_event(FIRST[name])
    assert family is not None
    assert family.name == name


async def test_a_server_that_says_stop_and_waits_for_tools_means_tools():
    assert (await told(chat(call("{}", id="c1")), chat(finish="stop")))["finishReason"] == "tool-calls"


async def test_refusals_are_text_and_a_filters_work():
    run = await told(chat({"refusal": "No."}), chat(finish="stop"))
    assert (run["status"], run["text"], run["finishReason"]) == ("success", "No.", "content-filter")


async def test_a_refusal_says_why_in_a_warning():
    details = {"stop_reason": "refusal", "stop_details": {"category": "cyber", "explanation": "Not allowed."}}
    run = await told(FIRST["anthropic"], {"type": "message_delta", "delta": details}, {"type": "message_stop"})
    assert (run["status"], run["finishReason"]) == ("success", "content-filter")
    assert run["warnings"] == [{"type": "other", "message": "cyber: Not allowed."}]


async def test_a_prompt_that_google_blocks_is_a_tripwire():
    run = await told({"prompt_feedback": {"block_reason": "SAFETY"}, "usage_metadata": {"prompt_token_count": 8}})
    assert (run["status"], run["tripwire"]["reason"], run["usage"]["inputTokens"]) == ("tripwire", "SAFETY", 8)


async def test_any_exception_named_a_tripwire_is_one():
    class ToolInputGuardrailTripwireTriggered(Exception):
        guardrail_result = None

    run = await told(chat({"content": "Hm"}), error=ToolInputGuardrailTripwireTriggered("no secrets"))
    assert (run["status"], run["tripwire"], run["text"]) == ("tripwire", {"reason": "no secrets"}, "Hm")
    assert "error" not in run


async def test_a_failed_response_has_the_reason_error_and_an_error_event_none():
    failed = {"type": "response.failed", "response": {"status": "failed", "error": {"code": "server_error", "message": "boom"}}}
    run = await told(FIRST["openai-responses"], failed)
    assert (run["status"], run["finishReason"], run["error"]["message"]) == ("failed", "error", "boom")
    run = await told(FIRST["openai-responses"], {"type": "error", "code": "x", "message": "slow down"})
    assert (run["status"], run.get("finishReason"), run["error"]["message"]) == ("failed", None, "slow down")


async def test_a_stream_whose_client_was_thrown_away_says_how_to_keep_it():
    run = await told(chat({"content": "Hm"}), error=RuntimeError("Cannot send a request, as the client has been closed."))
    assert run["status"] == "failed"
    assert "hold the client in a variable" in run["chunks"]["notes"][0]


async def test_an_exception_that_cannot_be_said_is_still_the_end():
    class Unsayable(Exception):
        def __str__(self) -> str:
            raise ValueError("no words")

    run = await told(chat({"content": "Hm"}), error=Unsayable())
    assert (run["status"], run["text"], run["error"]["name"]) == ("failed", "Hm", "Unsayable")


# Doubles and odd servers


async def test_reasoning_that_a_delta_tells_several_times_counts_once():
    same = {"reasoning": "Hm.", "reasoning_content": "Hm.", "reasoning_details": [{"type": "reasoning.text", "text": "Hm."}]}
    run = await told(chat(same), chat({"content": "Yes"}, "stop"))
    assert (run["reasoningText"], run["text"]) == ("Hm.", "Yes")


async def test_only_the_first_choice_is_the_run():
    other = {"object": "chat.completion.chunk", "choices": [{"index": 1, "delta": {"content": "B"}, "finish_reason": "length"}]}
    run = await told(chat({"content": "A"}), other, chat(finish="stop"), other)
    assert (run["text"], run["finishReason"]) == ("A", "stop")
    assert run["chunks"]["notes"] == ["There are several choices; the first one is the run."]


async def test_chunks_of_several_responses_are_several_steps():
    run = await told(
        chat({"content": "A"}, id="one"),
        chat(finish="tool_calls", id="one", usage={"prompt_tokens": 1, "completion_tokens": 2}),
        chat({"content": "B"}, id="two"),
        chat(finish="stop", id="two", usage={"prompt_tokens": 3, "completion_tokens": 4}),
    )
    assert [(step["text"], step["finishReason"]) for step in run["steps"]] == [("A", "tool-calls"), ("B", "stop")]
    assert (run["text"], run["usage"]) == ("AB", {"inputTokens": 4, "outputTokens": 6, "totalTokens": 10})


async def test_calls_without_an_index_and_with_arguments_that_are_no_text():
    first = {"tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": {"a": 1}}}]}
    second = {"tool_calls": [{"id": "c2", "function": {"name": "g", "arguments": '{"b"'}}, {"function": {"arguments": ": 2}"}}]}
    run = await told(chat(first), chat(second), chat(finish="tool_calls"))
    assert [(each["toolName"], each["args"]) for each in run["toolCalls"]] == [("f", {"a": 1}), ("g", {"b": 2})]


async def test_a_page_that_was_found_and_cited_counts_once():
    page = {"url": "https://a.example/", "title": "A"}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "web_search_result", **page}]}
    run = await told(
        FIRST["anthropic"],
        {"type": "content_block_start", "index": 0, "content_block": found},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Yes"}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": page}},
    )
    assert [(each["url"], each["title"]) for each in run["sources"]] == [("https://a.example/", "A")]


async def test_unknown_events_are_raw_and_stop_nothing():
    run = await told(
        FIRST["openai-responses"],
        {"type": "response.some_future.event", "x": 1},
        {"type": "response.output_text.delta", "output_index": 0, "delta": "Yes"},
        {"type": "response.completed", "response": {"status": "completed"}},
    )
    assert (run["status"], run["text"], run["chunks"]["byType"]["raw"]) == ("success", "Yes", 1)


async def test_agents_items_are_read_where_no_response_was_streamed():
    made = {"raw_item": {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}, "type": "tool_call_item"}
    gave = {"raw_item": {"call_id": "c1"}, "type": "tool_call_output_item", "output": 5}
    said = {"raw_item": {"type": "message", "content": [{"type": "output_text", "text": "Hi"}]}, "type": "message_output_item"}
    run = await told(*({"type": "run_item_stream_event", "name": "x", "item": item} for item in (made, gave, said)))
    assert (run["text"], run["toolResults"][0]["result"]) == ("Hi", 5)


async def test_what_a_sub_agent_of_claude_says_stays_under_its_call():
    def event(said: dict[str, Any], parent: str | None = None) -> dict[str, Any]:
        return {"uuid": "u", "session_id": "s", "parent_tool_use_id": parent, "event": said}

    def text(words: str) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": words}}

    task = {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t1", "name": "Task"}}
    result = {"subtype": "success", "num_turns": 1, "is_error": False, "usage": {"input_tokens": 5, "output_tokens": 6}}
    run = await told(
        event({"type": "message_start", "message": {}}),
        event(text("Outer")),
        event(task),
        event({"type": "content_block_stop", "index": 1}),
        event({"type": "message_start", "message": {}}, "t1"),
        event(text("Inner"), "t1"),
        result,
    )
    assert (run["status"], run["text"]) == ("success", "Outer")
    assert "totalTokens" not in (run.get("usage") or {}), "the total is the provider's metadata"
    assert [(each["under"], each["text"]) for each in run["nested"]] == [("t1", "Inner")]


async def test_what_a_query_of_claude_cost_as_a_whole_is_the_providers_metadata():
    usage = {"input_tokens": 5, "output_tokens": 6}
    result = {"subtype": "success", "num_turns": 2, "is_error": False, "usage": usage, "total_cost_usd": 0.01}
    output = ModelOutput([result])
    assert await output.provider_metadata == {"claude-agent-sdk": {"usage": usage, "total_cost_usd": 0.01, "num_turns": 2}}


# Objects that mean no good


class Hostile:
    """Raises whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class Endless:
    """Has every field, as itself."""

    def __getattr__(self, name: str) -> Any:
        return self


ODD: list[Any] = [Hostile(), Endless(), MagicMock(), None, 5, [], {}, {"type": MagicMock()}, {"choices": [MagicMock()]}, object]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_reader_is_total(family: Any):
    for event in ODD:
        assert family.recognises(event) in (True, False, None)
    reader = family.reader(())
    for event in (*ODD, *FIRST.values(), *ODD):
        assert all(isinstance(wire, dict) and isinstance(wire["type"], str) for wire in reader.read(event))
    assert all(isinstance(wire, dict) for part in (reader.fail(RuntimeError()), reader.end()) for wire in part)


@pytest.mark.parametrize("name", FIRST)
async def test_events_whose_fields_are_all_wrong_stop_nothing(name: str):
    wrong: list[Any] = [
        {**FIRST[name], key: value}
        for key in (*FIRST[name], "index", "delta", "usage")
        for value in (None, 5, "x", [], {}, [5], {"a": 5})
    ]
    run = await told(FIRST[name], *wrong, source=name)
    assert not [note for note in run["chunks"]["notes"] if "could not be read" in note]


def test_chunks_of_the_protocol_cost_nothing_more():
    def seconds(items: Iterable[Any]) -> float:
        taken = Items()
        begun = time.perf_counter()
        for item in items:
            taken.take(item)
        return time.perf_counter() - begun

    chunks = [{"type": "text-delta", "from": "AGENT", "payload": {"id": "t", "text": "x"}}] * 50_000
    assert min(seconds(chunks) for _ in range(3)) < 0.25
