"""Every family of events that SDKs give, with a stream of each: the one table for tests of what all of them must do.

A family is in the registry of `sources/foreign`; an SDK whose events differ within a family has a row of its own. `ROWS` is by
the name of what gives the stream.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.frameworks import objects_of, untupled
from tests.sdks import namespaces

__all__ = ["DATA_STREAM", "INTERACTION", "ROWS", "Row", "another", "held_at"]

FIXTURES = Path(__file__).parent / "fixtures"

INTERACTION: list[Any] = [
    {"event_type": "interaction.created", "interaction": {"id": "int_1", "status": "in_progress", "model": "m"}},
    {"event_type": "step.start", "index": 0, "step": {"type": "thought"}},
    {
        "event_type": "step.delta",
        "index": 0,
        "delta": {"type": "thought_summary", "content": {"type": "text", "text": "Plan it."}},
    },
    {"event_type": "step.stop", "index": 0},
    {"event_type": "step.start", "index": 1, "step": {"type": "model_output"}},
    {"event_type": "step.delta", "index": 1, "delta": {"type": "text", "text": "Sunny "}},
    {"event_type": "step.delta", "index": 1, "delta": {"type": "text", "text": "today."}},
    {"event_type": "step.stop", "index": 1},
    {"event_type": "step.start", "index": 2, "step": {"type": "function_call", "id": "f1", "name": "weather", "arguments": {}}},
    {"event_type": "step.delta", "index": 2, "delta": {"type": "arguments_delta", "arguments": '{"city":"Paris"}'}},
    {"event_type": "step.stop", "index": 2},
    {
        "event_type": "interaction.completed",
        "interaction": {
            "id": "int_1",
            "status": "requires_action",
            "usage": {"total_input_tokens": 8, "total_output_tokens": 12, "total_tokens": 20},
        },
    },
]
"""Of Google's interactions, which no recording has."""

DATA_STREAM: list[Any] = [
    b'f:{"messageId":"m1"}\n',
    b'g:"Hm."\n',
    b'0:"Let me "\n',
    b'0:"look. "\n',
    b'9:{"toolCallId":"c1","toolName":"weather","args":{"city":"Paris"}}\n',
    b'a:{"toolCallId":"c1","result":"sunny in Paris"}\n',
    b'e:{"finishReason":"tool-calls","usage":{"promptTokens":10,"completionTokens":5},"isContinued":false}\n',
    b'f:{"messageId":"m2"}\n',
    b'0:"Sunny in Paris."\n',
    b'e:{"finishReason":"stop","usage":{"promptTokens":20,"completionTokens":5},"isContinued":false}\n',
    b'd:{"finishReason":"stop","usage":{"promptTokens":30,"completionTokens":10}}\n',
]
"""Lines of version 4 of the AI SDK."""


MASTRA: list[Any] = [
    {"type": "start", "runId": "r", "from": "AGENT", "payload": {}},
    {"type": "step-start", "runId": "r", "from": "AGENT", "payload": {}},
    {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": "Sunny "}},
    {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": "in Paris."}},
    {
        "type": "finish",
        "runId": "r",
        "from": "AGENT",
        "payload": {"stepResult": {"reason": "stop"}, "output": {"usage": {"inputTokens": 1, "outputTokens": 2}}},
    },
]
"""Chunks of the protocol, which need no reader."""

SWAPS = {
    "Paris": "Lyon",
    "Sunny": "Rainy",
    "Bob": "Eve",
    "Hi": "Yo",
    "One": "Two",
    "42": "43",
    "look.": "think.",
    "check.": "think.",
    "Checking. ": "Thinking. ",
    '"age"': '"eta"',
}
"""Words of the streams, and what they are replaced by to have others of the same family."""


class Row(NamedTuple):
    """A stream of one family."""

    family: str
    """Its name in the registry; empty where no reader is needed."""
    events: Callable[[], list[Any]]
    """As dicts, or whatever comes; new ones each time."""
    objects: Callable[[], list[Any]]
    """The same as the SDK's own objects."""


def recorded(family: str, name: str, *, pick: Callable[[Any], Any] | None = None) -> Row:
    """A row of a recording; `pick` takes of each event what another SDK gives, or None."""
    path = next(FIXTURES.glob(f"*/{name}.jsonl"))

    def lines() -> Iterator[tuple[str, Any]]:
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            if "event" in line and (event := pick(line["event"]) if pick else line["event"]) is not None:
                yield line.get("class", "builtins.dict"), untupled(event)

    def objects() -> list[Any]:
        nested = path.parent.name == "sdks" and family != "claude-agent"
        return [namespaces(event) if nested else objects_of(event, kind) for kind, event in lines()]

    return Row(family, lambda: [event for _, event in lines()], objects)


def listed(family: str, events: list[Any]) -> Row:
    return Row(family, lambda: copy.deepcopy(events), lambda: copy.deepcopy(events))


def hugging_face() -> list[Any]:
    """Dicts that have their fields as attributes, too."""

    class ChatCompletionStreamOutput(dict[str, Any]):
        __module__ = "huggingface_hub.inference._generated.types.chat_completion"

        def __getattr__(self, name: str) -> Any:
            return self.get(name)

    def made(value: Any) -> Any:
        if isinstance(value, dict):
            return ChatCompletionStreamOutput({name: made(each) for name, each in value.items()})
        return [made(each) for each in value] if isinstance(value, list) else value

    return [made(event) for event in recorded("", "openai_chat_tools_async").events()]


def server_sent(name: str) -> list[Any]:
    """The answer of a server, in the pieces of its events."""
    return [piece + b"\n\n" for piece in (FIXTURES / "frameworks" / name).read_bytes().split(b"\n\n") if piece]


def of_strands(event: Any) -> Any:
    """What Bedrock gave, before strands passed it on."""
    return event.get("event")


ROWS: dict[str, Row] = {
    "openai": recorded("openai-chat", "openai_chat_tools_async"),
    "openai, helper": recorded("openai-chat", "openai_chat_helper_object"),
    "openai-compatible server": recorded("openai-chat", "openai_chat_compat_reasoning"),
    "litellm": recorded("openai-chat", "litellm_openai"),
    "litellm, async": recorded("openai-chat", "litellm_openai_async"),
    "groq": recorded("openai-chat", "groq_chat"),
    "huggingface_hub": Row("openai-chat", hugging_face, hugging_face),
    "mistralai": recorded("openai-chat", "mistral_chat"),
    "ollama": recorded("ollama", "ollama_chat"),
    "openai responses": recorded("openai-responses", "openai_responses_full_sync"),
    "openai responses, helper": recorded("openai-responses", "openai_responses_helper_object"),
    "openai-agents": recorded("openai-agents", "agents_tools"),
    "openai-agents, chat model": recorded("openai-agents", "agents_tools_chat_model"),
    "anthropic": recorded("anthropic", "anthropic_create_think_tools_async"),
    "anthropic, helper": recorded("anthropic", "anthropic_helper_think_tools"),
    "anthropic, tool runner": recorded("anthropic", "anthropic_tool_runner"),
    "claude-agent-sdk": recorded("claude-agent", "claude_agent_sdk_query"),
    "google-genai": recorded("google", "google_tools"),
    "google-genai, automatic calls": recorded("google", "google_afc_async"),
    "google-genai, interactions": listed("google-interactions", INTERACTION),
    "pydantic-ai": recorded("pydantic-ai", "pydantic_ai_events_tools"),
    "pydantic-ai, iter": recorded("pydantic-ai", "pydantic_ai_iter"),
    "langchain model": recorded("langchain", "langchain_model_openai_responses"),
    "langgraph, messages": recorded("langchain", "langgraph_messages"),
    "langgraph, updates": recorded("langchain", "langgraph_updates"),
    "langgraph, values": recorded("langchain", "langgraph_values"),
    "langgraph, v2": recorded("langchain", "langgraph_multi_v2"),
    "langgraph, subgraphs": recorded("langchain", "langgraph_multi_subgraphs"),
    "langgraph, v3": recorded("langchain", "langgraph_events_v3"),
    "strands": recorded("strands", "strands_tools"),
    "Bedrock": recorded("strands", "strands_tools", pick=of_strands),
    "smolagents": recorded("smolagents", "smol_toolcalling_deltas"),
    "smolagents, code": recorded("smolagents", "smol_code_deltas"),
    "AG-UI": recorded("ag-ui", "pydantic_ai_as_agui"),
    "AI SDK UI, dicts": recorded("ai-sdk-ui", "pydantic_ai_as_vercel"),
    "AI SDK UI, server-sent events": listed("ai-sdk-ui", server_sent("aisdk_approval.sse")),
    "AI SDK 4, lines": listed("", DATA_STREAM),
    "Mastra": listed("", MASTRA),
    "plain generator": listed("", ["Sunny ", "in ", "Paris."]),
}


def another(row: Row, *, objects: bool = False) -> list[Any]:
    """The events of another stream of the family: with some words replaced, and other numbers of tokens."""
    return [_other(event) for event in (row.objects() if objects else row.events())]


def _other(value: Any) -> Any:
    if isinstance(value, str):
        for word, by in SWAPS.items():
            value = value.replace(word, by)
        return value
    if isinstance(value, bytes):
        return _other(value.decode()).encode()
    if isinstance(value, (list, tuple)):
        return type(value)(_other(each) for each in value)
    if isinstance(value, dict):
        return type(value)({name: _counted(name, each) for name, each in value.items()})
    if hasattr(value, "__dict__"):
        for name, each in vars(value).items():
            setattr(value, name, _counted(name, each))
    return value


def _counted(name: str, value: Any) -> Any:
    return value + 7 if ("oken" in name or "eval_count" in name) and type(value) is int else _other(value)


def held_at(name: str) -> int:
    """After how many events of a row it has said something and has not ended: three quarters of them."""
    return max(1, len(ROWS[name].events()) * 3 // 4)
