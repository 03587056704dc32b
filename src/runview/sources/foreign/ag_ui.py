"""Reads AG-UI's events: server-sent events, dicts, or the objects of `ag_ui.core`.

The protocol knows runs and messages, but no turns of a model: one begins here when something is said after the result of a tool.
More of a call's arguments may follow its end, so a call is whole at its end only if its arguments are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.ag_ui_ends import finished_told, question_of, snapshot_told
from runview.sources.foreign.fields import field, items, parsed, plain, text, type_of
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.writer import Writer

__all__ = ["AG_UI"]

_FAMILIES: Final = (
    *("RUN_", "STEP_", "TEXT_MESSAGE_", "THINKING_", "REASONING_", "TOOL_CALL_", "STATE_", "MESSAGES_", "ACTIVITY_", "SUBAGENT_"),
    *("RAW", "CUSTOM", "META_EVENT"),
)
_QUIET: Final = frozenset(
    """
    STEP_FINISHED REASONING_START REASONING_END REASONING_MESSAGE_START THINKING_START THINKING_END THINKING_TEXT_MESSAGE_START
    """.split()
)


def told(event: object, name: str) -> str | None:
    """A text, in the wire's spelling or in Python's."""
    return text(event, name) or text(event, "".join(f"_{each.lower()}" if each.isupper() else each for each in name))


def _recognises(event: object) -> bool:
    return type_of(event).isupper() and type_of(event).startswith(_FAMILIES)


class _AgUi:
    """A reader of one run, and of the sub-agents in it."""

    def __init__(self, _: Layers = ()) -> None:
        self._write = Writer()
        self._agents: dict[str, tuple[_AgUi, str | None]] = {}
        self._people: set[str | None] = set()
        self._latest: dict[str, str | None] = {}
        self._quiet: set[str] = set()
        self._said = False
        self._snapshot: list[Any] = []
        self._handlers: dict[str, Callable[[object], None]] = {
            "RUN_STARTED": self._run_started,
            "RUN_FINISHED": self._run_finished,
            "RUN_ERROR": self._run_error,
            "STEP_STARTED": lambda event: self._data("step", {"name": told(event, "stepName")}),
            "TEXT_MESSAGE_START": self._text_start,
            "TEXT_MESSAGE_CONTENT": self._text,
            "TEXT_MESSAGE_CHUNK": self._text,
            "TEXT_MESSAGE_END": lambda event: self._write.text_end(self._message(event, "text")),
            "REASONING_MESSAGE_CONTENT": self._reasoning,
            "REASONING_MESSAGE_CHUNK": self._reasoning,
            "REASONING_MESSAGE_END": self._reasoning_end,
            "REASONING_ENCRYPTED_VALUE": self._encrypted,
            "THINKING_TEXT_MESSAGE_CONTENT": self._reasoning,
            "THINKING_TEXT_MESSAGE_END": self._reasoning_end,
            "TOOL_CALL_START": self._call,
            "TOOL_CALL_CHUNK": self._call,
            "TOOL_CALL_ARGS": self._call,
            "TOOL_CALL_END": self._call_end,
            "TOOL_CALL_RESULT": self._result,
            "STATE_SNAPSHOT": lambda event: self._data("state", plain(field(event, "snapshot")), "state"),
            "STATE_DELTA": lambda event: self._data("state-delta", plain(field(event, "delta"))),
            "MESSAGES_SNAPSHOT": self._messages,
            "ACTIVITY_SNAPSHOT": lambda event: self._data("activity", plain(field(event, "content")), told(event, "messageId")),
            "ACTIVITY_DELTA": lambda event: self._data("activity-delta", plain(field(event, "patch"))),
            "CUSTOM": lambda event: self._data(text(event, "name") or "custom", plain(field(event, "value"))),
            "SUBAGENT_STARTED": self._agent_started,
            "SUBAGENT_FINISHED": self._agent_ended,
            "SUBAGENT_ERROR": self._agent_ended,
        }

    def read(self, event: object) -> Iterable[Wire]:
        type_, agent = type_of(event), told(event, "subagentRunId")
        if agent is not None and agent in self._agents and not type_.startswith("SUBAGENT_"):
            return self._nested(agent, self._agents[agent][0].read(event))
        handler = self._handlers.get(type_)
        if handler is not None:
            handler(event)
        elif type_ not in _QUIET:
            self._write.emit(chunks.raw(plain(event)))
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        """A run that ended without its last event was cut off: nothing closes it."""
        if not self._write.finished:
            self._write.end_calls(cut=True)
        return self._write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        self._write.end_calls(cut=True)
        return self._write.take()

    # The run

    def _run_started(self, event: object) -> None:
        if self._write.finished:
            self._write.started = self._write.finished = False
        if not self._write.started:
            self._write.started = True
            run = told(event, "runId")
            self._write.emit({**chunks.start(), **({"runId": run} if run else {})})

    def _run_finished(self, event: object) -> None:
        outcome = finished_told(event)
        if not self._said:
            self._told_snapshot()
        self._write.end_calls()
        for interrupt in outcome.interrupts:
            id_, name, args, payload, schema = question_of(interrupt, self._write)
            if payload is None:
                self._write.approval(id_, name, args, resumeSchema=schema)
            else:
                self._write.suspended(id_, name, payload, resumeSchema=schema)
        if outcome.canceled:
            self._write.close_texts()
            self._write.finished = True
            self._write.emit(chunks.abort())
            return
        if outcome.result is not None:
            self._data("result", outcome.result)
        if self._write.in_step:
            self._write.finish_step(usage=outcome.usage if self._write.waiting else None)
        self._write.finish(usage=outcome.usage)

    def _run_error(self, event: object) -> None:
        code = text(event, "code")
        self._write.error({"message": text(event, "message") or "The run failed.", **({"code": code} if code else {})})

    def _turn(self) -> None:
        """Something is said: after the results of tools it is the next turn of the model."""
        self._said = True
        if self._write.in_step and any(call.step == self._write.steps and call.settled for call in self._write.calls.values()):
            self._write.end_calls()
            self._write.new_step()

    def _data(self, name: str, value: Any, id_: str | None = None) -> None:
        self._write.start()
        self._write.emit(chunks.data(name, value, id_))

    # Messages

    def _message(self, event: object, kind: str) -> str | None:
        """The message that it is about: named, or the latest of its kind."""
        id_ = told(event, "messageId")
        if id_ is not None:
            self._latest[kind] = id_
        return self._latest.get(kind)

    def _text_start(self, event: object) -> None:
        id_ = self._message(event, "text")
        if (text(event, "role") or "assistant") != "assistant":
            self._people.add(id_)

    def _text(self, event: object) -> None:
        id_, delta = self._message(event, "text"), text(event, "delta")
        if delta and id_ not in self._people and (text(event, "role") or "assistant") == "assistant":
            self._turn()
            self._write.text(delta, id_)

    def _reasoning(self, event: object) -> None:
        if delta := text(event, "delta"):
            self._turn()
            self._write.reasoning(delta, self._message(event, "reasoning"))

    def _reasoning_end(self, event: object) -> None:
        id_ = self._message(event, "reasoning")
        if id_ is not None and not self._write.is_open("reasoning", id_):
            self._quiet.add(id_)
        self._write.reasoning_end(id_)

    def _encrypted(self, event: object) -> None:
        """What a provider hides: of a reasoning that said nothing it is all that there is."""
        id_ = told(event, "entityId") or ""
        if id_ in self._quiet:
            self._quiet.discard(id_)
            self._write.redacted()

    def _messages(self, event: object) -> None:
        """All that was said, kept for a run that streams nothing."""
        self._snapshot = items(event, "messages")

    def _told_snapshot(self) -> None:
        for each in snapshot_told(self._snapshot):
            for wire in self.read(each):
                self._write.emit(wire)

    # Calls

    def _call(self, event: object) -> None:
        id_ = told(event, "toolCallId")
        if id_ is not None:
            self._latest["call"] = id_
        id_ = self._latest.get("call")
        if id_ is None:
            return
        if type_of(event) != "TOOL_CALL_ARGS" and (id_ not in self._write.calls or told(event, "toolCallName")):
            self._turn()
            self._write.call_start(id_, told(event, "toolCallName") or "tool")
        self._write.call_delta(id_, text(event, "delta") or "")

    def _call_end(self, event: object) -> None:
        id_ = told(event, "toolCallId") or self._latest.get("call") or ""
        call = self._write.calls.get(id_)
        if call is not None and len(call.text.strip()) > len("{}"):
            try:
                args = parsed(call.text)
            except ValueError:
                return
            self._write.call_end(id_, args)

    def _result(self, event: object) -> None:
        content = field(event, "content")
        self._write.result(told(event, "toolCallId") or "", _value(content) if isinstance(content, str) else plain(content))

    # Sub-agents

    def _agent_started(self, event: object) -> None:
        id_, call = told(event, "subagentRunId") or "", told(event, "parentToolCallId")
        if call is not None:
            self._write.call_end(call)
        self._agents[id_] = (_AgUi(), call)
        start: Wire = {**chunks.start(text(event, "name")), "runId": id_}
        self._emit_nested(id_, [start])

    def _agent_ended(self, event: object) -> None:
        id_ = told(event, "subagentRunId") or ""
        if id_ not in self._agents:
            return
        agent = self._agents[id_][0]
        if type_of(event) == "SUBAGENT_ERROR":
            ends = agent.read({"type": "RUN_ERROR", "message": text(event, "message"), "code": text(event, "code")})
        else:
            ends = agent.read({"type": "RUN_FINISHED"})
        self._emit_nested(id_, ends)

    def _nested(self, id_: str, ends: Iterable[Wire]) -> Iterable[Wire]:
        self._emit_nested(id_, ends)
        return self._write.take()

    def _emit_nested(self, id_: str, inner: Iterable[Wire]) -> None:
        call = self._agents[id_][1]
        self._write.start()
        for wire in inner:
            output = {**wire, "runId": id_}
            self._write.emit(chunks.chunk("step-output", output=output) if call is None else chunks.tool_output(call, output))


def _value(content: str) -> Any:
    """Results come as text: that of an object or a list is it."""
    if content[:1] in ("{", "["):
        try:
            return parsed(content)
        except ValueError:
            pass
    return content


AG_UI: Final = Family("ag-ui", _recognises, _AgUi, aliases=("agui", "ag-ui-protocol"))
