"""In how many shapes LangChain and LangGraph give the same things: all of them as one `Item`.

A graph's stream gives bare data for one mode, tuples for several modes and with subgraphs, and dicts in its second version;
`astream_events` gives dicts of its second and of its third version. A model's stream gives messages.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, cast

from runview.sources.foreign.fields import each_of, keys_of, text
from runview.sources.foreign.frames import variable
from runview.sources.foreign.reader import Layers

__all__ = ["Item", "has_messages", "is_message", "item_of", "mode_of"]

_MODES: Final = frozenset({"messages", "updates", "values", "custom", "tasks", "debug", "checkpoints"})
_MESSAGES: Final = frozenset(
    {
        *("AIMessageChunk", "ai", "AIMessage", "human", "HumanMessage", "HumanMessageChunk", "system", "SystemMessage"),
        *("tool", "ToolMessage", "ToolMessageChunk", "function", "chat", "remove", "developer"),
    }
)


class Item(NamedTuple):
    """One thing that a stream gave."""

    mode: str
    """A mode of a graph's stream; `event` or `protocol`, of `astream_events`; "" for bare data that could be of any mode."""
    namespace: tuple[str, ...]
    """Of the subgraph that it comes from."""
    data: Any


def is_message(value: object) -> bool:
    """Whether it is a message, as an object or as its dict."""
    if text(value, "type") not in _MESSAGES:
        return False
    told = keys_of(value)
    return "content" in told and "ns" not in told if told else hasattr(value, "content")


def has_messages(value: object) -> bool:
    """Whether it is a state, or an update of one, with messages in it."""
    return any(map(is_message, each_of(keys_of(value).get("messages"))))


def item_of(event: object) -> Item | None:
    """What an event certainly is; None when it could be anything."""
    if is_message(event):
        return Item("messages", (), (event, None))
    if isinstance(event, (tuple, list)):
        return _of_parts(each_of(cast("object", event)))
    told = keys_of(event)
    type_, mode, data = text(told, "type"), text(told, "mode"), told.get("data")
    if type_ == "event" and text(told, "method") is not None and keys_of(told.get("params")):
        return Item("protocol", _namespace(keys_of(told["params"]).get("namespace")), told)
    if type_ in _MODES and "ns" in told and "data" in told:
        return Item(type_, _namespace(told["ns"]), data)
    if mode in _MODES and "data" in told:
        return Item(mode, _namespace(told.get("ns")), data)
    if (text(told, "event") or "").startswith("on_") and "run_id" in told:
        return Item("event", (), told)
    if has_messages(told):
        return Item("values", (), told)
    if "__interrupt__" in told or any(map(has_messages, told.values())):
        return Item("updates", (), told)
    return None


def _of_parts(parts: list[Any]) -> Item | None:
    """What a tuple is: a message with its metadata, or data with its mode, its namespace, or both."""
    if len(parts) == 2 and isinstance(parts[0], str) and parts[0] in _MODES:
        return Item(parts[0], (), parts[1])
    if len(parts) == 2 and is_message(parts[0]):
        return Item("messages", (), parts)
    if len(parts) not in (2, 3) or type(parts[0]) not in (tuple, list) or not all(type(each) is str for each in parts[0]):
        return None
    namespace = _namespace(parts[0])
    if len(parts) == 3:
        return Item(parts[1], namespace, parts[2]) if isinstance(parts[1], str) and parts[1] in _MODES else None
    inner = item_of(parts[1])
    return Item(inner.mode if inner else "", namespace, inner.data if inner else parts[1])


def mode_of(layers: Layers) -> str:
    """The one mode that a graph's stream was asked for; "" where that is not to be known."""
    modes = each_of(variable(layers, "stream_mode"))
    return modes[0] if len(modes) == 1 and modes[0] in _MODES else ""


def _namespace(value: object) -> tuple[str, ...]:
    return tuple(map(str, each_of(value)))
