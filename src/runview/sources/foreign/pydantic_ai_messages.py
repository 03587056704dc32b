"""Whole messages of pydantic-ai as events: `stream_response` gives the growing response again and again, and histories give all.

A response that follows another is the same one, further on; after a request, which holds the results of tools, comes another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runview.chunks.wire import Wire
from runview.sources.foreign.fields import field, items, text
from runview.sources.foreign.pydantic_ai_parts import json_of, usage_told

__all__ = ["Messages", "is_message"]


def is_message(event: object) -> bool:
    """Whether it is a `ModelResponse` or a `ModelRequest`."""
    return text(event, "kind") in ("response", "request") and isinstance(field(event, "parts"), list)


class Messages:
    """Compares each response with what was told of it."""

    def __init__(self) -> None:
        self._response: object = None
        self._told: dict[int, str] = {}

    def events(self, message: object) -> Iterator[Wire]:
        """What a message adds, as events of its parts."""
        if text(message, "kind") == "request":
            for part in items(message, "parts"):
                if text(part, "part_kind") in ("tool-return", "retry-prompt"):
                    yield {"event_kind": "function_tool_result", "part": part}
            yield from self.end()
            return
        self._response = message
        for index, part in enumerate(items(message, "parts")):
            told, words = self._told.get(index), _words(part)
            if told is None:
                yield {"event_kind": "part_start", "index": index, "part": part}
            elif words != told and words.startswith(told):
                yield from _delta(index, text(part, "part_kind"), words[len(told) :])
            self._told[index] = words

    def end(self) -> Iterator[Wire]:
        """The response that is being told is over."""
        response, self._response = self._response, None
        if response is None:
            return
        for index, part in enumerate(items(response, "parts")):
            yield {"event_kind": "part_end", "index": index, "part": part}
        self._told.clear()
        usage = usage_told(field(response, "usage"))
        yield {"event_kind": "response_end", "finish_reason": text(response, "finish_reason"), "usage": usage}


def _words(part: object) -> str:
    value: Any = field(part, "args") if text(part, "part_kind") in ("tool-call", "builtin-tool-call") else field(part, "content")
    return value if isinstance(value, str) else "" if value is None else json_of(value)


def _delta(index: int, kind: str | None, added: str) -> Iterator[Wire]:
    match kind:
        case "text" | "thinking":
            delta: Wire = {"part_delta_kind": kind, "content_delta": added}
        case "tool-call" | "builtin-tool-call":
            delta = {"part_delta_kind": "tool_call", "args_delta": added}
        case _:
            return
    yield {"event_kind": "part_delta", "index": index, "delta": delta}
