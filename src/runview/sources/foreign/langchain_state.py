"""States of graphs, their updates and their questions, as far as they tell what no message stream told."""

from __future__ import annotations

from typing import Any, Final

from runview.sources.foreign import chunks
from runview.sources.foreign.fields import each_of, field, first, items, keys_of, plain, text
from runview.sources.foreign.langchain_shapes import is_message
from runview.sources.foreign.langchain_turns import Turns
from runview.sources.foreign.writer import Call, Writer

__all__ = ["State"]

_TOLD: Final = frozenset({"messages", "structured_response", "__interrupt__", "jump_to", "remaining_steps", "llm_input_messages"})
"""Keys of a state that are told in another way, or belong to the machinery."""


class State:
    """Writes what states say, each thing once although every mode repeats it."""

    def __init__(self, turns: Turns, write: Writer) -> None:
        self._turns = turns
        self._write = write
        self._asked: set[str] = set()
        self._begun: set[tuple[str, ...]] = set()
        self._rest: Any = None

    def updates(self, data: object) -> None:
        """What nodes have done: a node's name and its update, or its updates."""
        for node, update in keys_of(data).items():
            if node == "__interrupt__":
                self.interrupts(update)
                continue
            for each in each_of(update):
                self._update(each, node)
                rest = {key: plain(value) for key, value in keys_of(each).items() if key not in _TOLD}
                if rest:
                    self._write.start()
                    self._write.emit(chunks.data(node, rest))

    def values(self, data: object, namespace: tuple[str, ...] = ()) -> None:
        """The whole state. The first one is what the graph was given: what was said in it before is not the run's."""
        messages = each_of(field(data, "messages"))
        if namespace not in self._begun:
            self._begun.add(namespace)
            self._turns.known(_older(messages))
        self._update(data)
        self.interrupts(field(data, "__interrupt__"))
        rest = {key: plain(value) for key, value in keys_of(data).items() if key not in _TOLD}
        if rest and rest != self._rest and not namespace:
            self._write.start()
            self._write.emit(chunks.data("state", rest, "state"))
        self._rest = rest

    def result(self, output: object) -> None:
        """What the whole graph gave."""
        self._update(output)
        self.interrupts(field(output, "__interrupt__"))

    def task(self, data: object) -> None:
        """The beginning or the end of a node's task. `debug` wraps it."""
        if text(data, "type") in ("task", "task_result"):
            data = field(data, "payload")
        self._update(field(data, "result"), text(data, "name"))
        self.interrupts(field(data, "interrupts"))

    def checkpoint(self, data: object) -> None:
        """A saved state: it shows who waits."""
        for task in items(data, "tasks"):
            self.interrupts(field(task, "interrupts"))

    def _update(self, update: object, node: str | None = None) -> None:
        for message in each_of(field(update, "messages")):
            if is_message(message):
                self._turns.message(message, node=node)
        answer = field(update, "structured_response")
        if answer is not None:
            self._write.start()
            self._write.emit(chunks.object_result(plain(answer)))

    # Questions

    def interrupts(self, told: object) -> None:
        """Who waits, and for what: each asked once."""
        for interrupt in each_of(told):
            value = field(interrupt, "value")
            id_ = text(interrupt, "id") or first(interrupt, "interrupt_id") or repr(plain(value))
            if interrupt is None or id_ in self._asked:
                continue
            self._asked.add(str(id_))
            self._turns.write.end_calls()
            requests = _requests(value)
            if requests:
                self._approve(requests)
            else:
                self._suspend(str(id_), plain(value))

    def _approve(self, requests: list[tuple[str, Any]]) -> None:
        """Requests carry no ids: the calls are those of the same name and arguments, else of the same name, in order."""
        free = self._write.open_calls()
        for name, args in requests:
            same = [call for call in free if call.name == name]
            call = next((call for call in same if call.args == args), same[0] if same else None)
            if call is None:
                self._write.approval(self._write.made_id("call"), name, args)
            else:
                free.remove(call)
                self._write.approval(call.id, name, args)

    def _suspend(self, id_: str, value: Any) -> None:
        open_: list[Call] = self._write.open_calls()
        if len(open_) == 1:
            self._write.suspended(open_[0].id, open_[0].name, value)
        else:
            self._write.suspended(id_, "", value)


def _older(messages: list[Any]) -> list[Any]:
    """Of a first state, what was said before the run: up to the last word of a person, or all if the run goes on with calls."""
    if messages and items(messages[-1], "tool_calls"):
        return messages
    people = [at for at, each in enumerate(messages) if text(each, "type") in ("human", "HumanMessage")]
    return messages[: people[-1] + 1] if people else []


def _requests(value: object) -> list[tuple[str, Any]]:
    """The name and arguments of each call that a person is asked about."""
    asked = items(value, "action_requests") or [each for each in each_of(value) if field(each, "action_request") is not None]
    told = [field(each, "action_request") or each for each in asked]
    return [(text(each, "name") or text(each, "action") or "tool", plain(first(each, "args", "arguments"))) for each in told]
