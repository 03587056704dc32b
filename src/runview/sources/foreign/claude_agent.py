"""Messages of the Claude agent SDK: Anthropic's events, if partial messages were asked for, whole messages, and a result.

A whole message repeats the block that was just streamed, but one that was not streamed comes only there. What a sub-agent says
has the call that started it as its parent, and is a run inside that call. Messages repeat their usage. The result's
total is not taken as the run's own usage, but handed over as the provider's metadata, with the cost.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.anthropic import AnthropicReader
from runview.sources.foreign.fields import field, is_a, is_list, items, number, plain, text, type_of
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of

__all__ = ["CLAUDE_AGENT", "ClaudeAgentReader"]

_TOTALS: Final = ("usage", "model_usage", "total_cost_usd", "num_turns", "duration_ms", "duration_api_ms")
"""What a result tells of the whole query."""


def _kind(message: object) -> str:
    """What a message is, by its fields: its classes have no mark of their own."""
    if type_of(field(message, "event")) and text(message, "session_id") is not None:
        return "stream"
    if text(message, "subtype") is not None:
        return "result" if number(message, "num_turns") is not None else "system"
    content = field(message, "content")
    if not is_list(content) and not isinstance(content, str):
        return ""
    if text(message, "model") is not None:
        return "assistant"
    return "user"


def _recognises(event: object) -> bool:
    if is_a(event, "claude_agent_sdk."):
        return True
    match _kind(event):
        case "stream":
            return text(event, "uuid") is not None
        case "system":
            return field(event, "data") is not None
        case "result":
            return type(field(event, "is_error")) is bool
        case "assistant" | "user":
            return text(event, "role") is None and _has(event, "parent_tool_use_id") and not type_of(event)
        case _:
            return False


def _has(event: object, name: str) -> bool:
    return name in event if isinstance(event, dict) else hasattr(event, name)


class ClaudeAgentReader:
    """Reads one query."""

    def __init__(self, layers: Layers = (), under: str | None = None) -> None:
        self._events = AnthropicReader(usage=False)
        self._write = self._events.write
        self._streamed: list[str] = []
        """Texts and thoughts that were streamed, and have not come whole yet."""
        self._piece: list[str] = []
        self._blocks = 0
        self._under = under
        self._inside: dict[str, ClaudeAgentReader] = {}
        """The readers of sub-agents, by their call."""

    def read(self, event: object) -> Iterable[Wire]:
        parent = text(event, "parent_tool_use_id")
        if parent and parent != self._under:
            inner = self._inside.setdefault(parent, ClaudeAgentReader(under=parent))
            for wire in inner.read(event):
                self._write.emit(chunks.tool_output(parent, {**wire, "runId": parent}))
            return self._write.take()
        match _kind(event):
            case "stream":
                self._event(field(event, "event"))
            case "assistant":
                self._assistant(event)
            case "user":
                self._user(event)
            case "result":
                self._result(event)
            case "system" if text(event, "subtype") == "init":
                self._write.start()
            case _:
                self._write.start()
                self._write.emit(chunks.raw(plain(event)))
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        return ()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        return ()

    def _event(self, event: object) -> None:
        self._events.event(event)
        delta = field(event, "delta")
        self._piece.append(text(delta, "text") or text(delta, "thinking") or "")
        if type_of(event) == "content_block_stop":
            self._streamed.append("".join(self._piece))
        if type_of(event) in ("content_block_start", "content_block_stop"):
            self._piece.clear()

    def _assistant(self, message: object) -> None:
        for block in items(message, "content"):
            said = text(block, "thinking") or text(block, "text")
            if said is not None:
                if said in self._streamed:
                    self._streamed.remove(said)
                    continue
                self._whole("thinking" if text(block, "thinking") is not None else "text", said)
            elif (id_ := text(block, "id")) is not None and id_ not in self._write.calls:
                provider = is_a(block, "claude_agent_sdk.types.Server") or type_of(block) == "server_tool_use"
                self._write.call(id_, text(block, "name") or "", plain(field(block, "input")), provider=provider)
            elif (id_ := text(block, "tool_use_id")) is not None:
                self._events.settle(id_, field(block, "content"), failed=field(block, "is_error") is True)

    def _whole(self, kind: str, said: str) -> None:
        self._blocks += 1
        key = ("whole", self._blocks)
        if kind == "thinking":
            self._write.reasoning(said, key)
            self._write.reasoning_end(key)
        else:
            self._write.text(said, key)
            self._write.text_end(key)

    def _user(self, message: object) -> None:
        results = [block for block in items(message, "content") if text(block, "tool_use_id") is not None]
        if results:
            self._end_step()
        for block in results:
            self._events.settle(
                text(block, "tool_use_id") or "", field(block, "content"), failed=field(block, "is_error") is True
            )

    def _end_step(self, raw: str | None = None) -> None:
        if self._write.in_step:
            reason = "tool-calls" if self._write.open_calls() else reason_of(raw)
            self._write.finish_step(reason, raw=raw)
        self._streamed.clear()

    def _result(self, message: object) -> None:
        raw = text(message, "stop_reason")
        self._end_step(raw)
        for denied in items(message, "permission_denials"):
            self._write.denied(text(denied, "tool_use_id") or "", name=text(denied, "tool_name"))
        answer = field(message, "structured_output")
        if answer is not None and isinstance(answer := plain(answer), (dict, list)):
            self._write.emit(chunks.object_result(answer))
        reason = reason_of(raw)
        if field(message, "is_error") is True:
            told: list[Any] = [text(message, "result"), *items(message, "errors"), text(message, "subtype")]
            self._write.error(next((words for words in told if isinstance(words, str) and words), "The query failed."))
            reason = "error"
        totals = {name: plain(value) for name in _TOTALS if (value := field(message, name)) is not None}
        self._write.finish(reason, raw=raw, providerMetadata={"claude-agent-sdk": totals})


CLAUDE_AGENT = Family(
    "claude-agent", _recognises, ClaudeAgentReader, streams=("claude_agent_sdk.",), aliases=("claude-agent-sdk", "claude-code")
)
