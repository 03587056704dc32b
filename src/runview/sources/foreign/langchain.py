"""Reads what LangChain's models and LangGraph's graphs stream, in any of their modes and versions.

Messages as they stream count; whole messages, states and updates count for what was not streamed. A sub-agent inside a tool is a
run of its own under the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import each_of, field, keys_of, plain, text
from runview.sources.foreign.langchain_events import Events
from runview.sources.foreign.langchain_shapes import Item, has_messages, item_of, mode_of
from runview.sources.foreign.langchain_state import State
from runview.sources.foreign.langchain_turns import Turns
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.writer import Writer

__all__ = ["LANGCHAIN"]

_TOOLS: Final = "tools:"
"""How the namespace of a task of the tools' node begins."""


class _Lane:
    """What writes one run: the stream's own, or a sub-agent's."""

    def __init__(self) -> None:
        self.write = Writer()
        self.turns = Turns(self.write)
        self.state = State(self.turns, self.write)
        self.events = Events(self.turns, self.state, self.write)

    def end(self) -> None:
        self.events.end()
        self.turns.end()

    def fail(self) -> None:
        self.turns.fail()


class _LangChain:
    """A reader of one run."""

    def __init__(self, layers: Layers = ()) -> None:
        self._mode = mode_of(layers)
        self._own = _Lane()
        self._lanes: dict[str, tuple[_Lane, str]] = {}
        """Sub-agents by the namespace of their tool's task, with the id of the call."""

    def read(self, event: object) -> Iterable[Wire]:
        item = item_of(event)
        if item is None or item.mode == "":
            item = Item(self._mode or _guessed(event), item.namespace if item else (), item.data if item else event)
        elif self._mode and item.mode in ("updates", "values") and item.mode != self._mode and not isinstance(event, tuple):
            item = Item(self._mode, item.namespace, item.data)
        lane, wrap = self._lane(_path(item))
        self._read(lane, item)
        own = self._own.write.take()
        return own if wrap is None else [*own, *(self._wrapped(wrap, each) for each in lane.write.take())]

    def end(self) -> Iterable[Wire]:
        return [*self._ends(_Lane.end)]

    def fail(self, error: BaseException) -> Iterable[Wire]:
        return [*self._ends(_Lane.fail)]

    def _read(self, lane: _Lane, item: Item) -> None:
        data = item.data
        match item.mode:
            case "messages":
                message, metadata = (*each_of(data), None, None)[:2]
                lane.turns.message(message, _namespace_of(metadata), text(metadata, "langgraph_node"))
            case "updates":
                lane.state.updates(data)
            case "values":
                lane.state.values(data, item.namespace)
            case "tasks" | "debug":
                lane.state.task(data)
            case "checkpoints":
                lane.state.checkpoint(data)
            case "event":
                lane.events.event(data)
            case "protocol":
                lane.events.protocol(data)
            case _:
                lane.write.start()
                lane.write.emit(chunks.data("custom", plain(data)))

    # Sub-agents

    def _lane(self, path: tuple[str, ...]) -> tuple[_Lane, str | None]:
        """Who writes what comes from there; with the call under which it stands, unless it is the run itself."""
        inside = next((at for at, each in enumerate(path[:-1]) if each.startswith(_TOOLS)), None)
        if inside is None:
            return self._own, None
        key = "|".join(path[: inside + 1])
        if key not in self._lanes:
            taken = {call for _, call in self._lanes.values()}
            self._own.write.end_calls()
            call = next((call.id for call in self._own.write.open_calls() if call.id not in taken), None)
            if call is None:
                return self._own, None
            self._lanes[key] = (_Lane(), call)
        lane, call = self._lanes[key]
        return lane, key

    def _wrapped(self, key: str, told: Wire) -> Wire:
        call = self._lanes[key][1]
        return chunks.tool_output(call, {**told, "runId": key}, self._own.write.calls[call].name)

    def _ends(self, end: Callable[[_Lane], None]) -> Iterable[Wire]:
        for key, (lane, _) in self._lanes.items():
            end(lane)
            yield from (self._wrapped(key, each) for each in lane.write.take())
        end(self._own)
        yield from self._own.write.take()


def _path(item: Item) -> tuple[str, ...]:
    """Where it comes from: the tasks one inside the other, the last being where it was said."""
    metadata: Any = None
    match item.mode:
        case "messages":
            metadata = (*each_of(item.data), None, None)[1]
        case "event":
            metadata = field(item.data, "metadata")
        case "protocol":
            metadata = (*each_of(field(field(item.data, "params"), "data")), None, None)[1]
        case _:
            pass
    told = _namespace_of(metadata)
    return tuple(told.split("|")) if told else (*item.namespace, "")


def _namespace_of(metadata: object) -> str:
    return text(metadata, "langgraph_checkpoint_ns") or text(metadata, "checkpoint_ns") or ""


def _guessed(event: object) -> str:
    """The mode of bare data: a node's name with its update is an update."""
    told = keys_of(event)
    return "updates" if told and all(has_messages(value) or value is None for value in told.values()) else "custom"


def _recognises(event: object) -> bool:
    item = item_of(event)
    return item is not None and (item.mode != "" or isinstance(event, tuple))


LANGCHAIN: Final = Family(
    "langchain",
    _recognises,
    _LangChain,
    streams=("langgraph.", "langchain_core."),
    aliases=("langgraph", "langchain-core"),
    goes_on=(
        "A run of LangGraph goes on as another of its thread: show graph.astream(Command(resume=…), config) with the same config,"
        " and for calls of an agent resume={'decisions': [{'type': 'approve'}]}, one for each."
    ),
)
