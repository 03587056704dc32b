"""How runs of AG-UI end, and the messages of those that only tell them at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from runview.chunks.wire import Wire
from runview.sources.foreign.fields import field, first, items, plain, text, type_of
from runview.sources.foreign.usage import usage_of
from runview.sources.foreign.writer import Writer

__all__ = ["Outcome", "finished_told", "question_of", "snapshot_told"]


class Outcome(NamedTuple):
    """What a run's last event tells."""

    interrupts: list[Any]
    canceled: bool
    result: Any
    usage: Wire | None


def finished_told(event: object) -> Outcome:
    """Of `RUN_FINISHED`, in the form of the protocol's first version or in the earlier one, where the outcome is a word."""
    outcome = field(event, "outcome")
    kind = outcome if isinstance(outcome, str) else type_of(outcome)
    interrupts: list[Any] = []
    if kind == "interrupt":
        alone = field(event, "interrupt")
        interrupts = items(outcome, "interrupts") or ([alone] if alone is not None else [{}])
    usage: Wire = {}
    for each in items(event, "usage"):
        for name, count in usage_of(each).items():
            usage[name] = usage.get(name, 0) + count
    return Outcome(interrupts, kind in ("cancelled", "canceled"), plain(field(event, "result")), usage or None)


def question_of(interrupt: object, write: Writer) -> tuple[str, str, Any, Any, Any]:
    """Id, name and arguments of the call that waits, what it waits for (None: leave to be made), and the form of an answer."""
    id_ = first(interrupt, "toolCallId", "tool_call_id")
    call = write.calls.get(id_) if isinstance(id_, str) else None
    schema = plain(first(interrupt, "responseSchema", "response_schema"))
    if call is not None and text(interrupt, "reason") in (None, "tool_call", "tool-call", "approval", "human_approval"):
        return call.id, call.name, call.args if call.args is not None else {}, None, schema
    told = plain(interrupt)
    if call is not None:
        return call.id, call.name, None, told, schema
    return text(interrupt, "id") or write.made_id("interrupt"), "", None, told, schema


def snapshot_told(messages: list[Any]) -> Iterator[Wire]:
    """What was said after the last word of a person, as the events that would have told it."""
    people = [at for at, each in enumerate(messages) if text(each, "role") == "user"]
    for message in messages[people[-1] + 1 if people else 0 :]:
        match text(message, "role"):
            case "assistant":
                content = text(message, "content")
                if content:
                    yield {"type": "TEXT_MESSAGE_CHUNK", "messageId": text(message, "id"), "delta": content}
                for call in items(message, "toolCalls") or items(message, "tool_calls"):
                    function = field(call, "function")
                    yield {
                        "type": "TOOL_CALL_CHUNK",
                        "toolCallId": text(call, "id"),
                        "toolCallName": text(function, "name"),
                        "delta": text(function, "arguments"),
                    }
            case "tool":
                yield {
                    "type": "TOOL_CALL_RESULT",
                    "toolCallId": first(message, "toolCallId", "tool_call_id"),
                    "content": field(message, "content"),
                }
            case _:
                pass
