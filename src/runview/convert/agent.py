"""An agent's chunks: nearly each is one part."""

from __future__ import annotations

from typing import Final

from runview.chunks.wire import Wire
from runview.convert.fields import ABSENT, dict_of, error_text, is_dict, record
from runview.convert.network import Networks
from runview.convert.parts import Options, data_part, envelope, file_part, finish_part, is_data, source_part, task_part, text_part
from runview.convert.subagents import SubAgents
from runview.convert.tools import TOOL_TYPES, tool_parts
from runview.convert.workflow import Workflows

__all__ = ["AgentParts", "agent_parts"]

_TEXT: Final = frozenset({"text-start", "text-delta", "text-end"})
_REASONING: Final = frozenset({"reasoning-start", "reasoning-delta", "reasoning-end"})


class AgentParts:
    """The parts of an agent's run.

    The `start` waits, and the user's parts after it, for the step that it opens, because only that knows the id that the
    message was given in the end.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._held: list[Wire] = []
        self._begun = False
        self._tripped = False
        self._finished = False
        self._agents = SubAgents()
        self._workflows = Workflows(nested=True)
        self._networks = Networks(nested=True)

    def feed(self, wire: Wire) -> list[Wire]:
        """The parts that a chunk gives."""
        if self._begun:
            return self._convert(wire)
        if wire.get("type") == "start":
            self._held = [wire, *self._held[1:]]
            return []
        if self._held and is_data(wire):
            self._held.append(wire)
            return []
        self._begun = True
        if self._held and wire.get("type") == "step-start":
            self._held[0] = _with_id_of(self._held[0], wire)
        return [*self.release(), *self._convert(wire)]

    def end(self) -> list[Wire]:
        """The parts that the end of the stream gives: a run that was stopped by a tripwire still has to finish."""
        parts = self.release()
        if self._tripped and not self._finished:
            parts.append({"type": "finish", "finishReason": "other"})
        return parts

    def release(self) -> list[Wire]:
        """The parts of what waited."""
        held, self._held = self._held, []
        return [part for wire in held for part in self._convert(wire)]

    def _convert(self, wire: Wire) -> list[Wire]:
        match wire.get("type"):
            case "tripwire":
                self._tripped = True
            case "finish":
                self._finished = True
            case "tool-output":
                return self._inside(dict_of(wire.get("payload")))
            case _:
                pass
        return agent_parts(wire, self._options)

    def _inside(self, payload: Wire) -> list[Wire]:
        """What a tool has written: a chunk of a run inside it, or a part of the user's own kind. Other values are not told."""
        output, ancestry = _unwrapped(payload)
        match output.get("from"):
            case "AGENT":
                return self._agents.feed(output, ancestry) if self._options.subagents else []
            case "WORKFLOW":
                return self._workflows.feed(output)
            case "NETWORK":
                return self._networks.feed(output)
            case _:
                return [data_part(output)] if is_data(output) else []


def agent_parts(wire: Wire, options: Options) -> list[Wire]:
    """The parts of one chunk, whatever came before it."""
    type_, payload = envelope(wire)
    if type_ in _TEXT:
        return [text_part(type_, payload, options)] if payload else []
    if type_ in _REASONING:
        return [text_part(type_, payload, options)] if payload and options.reasoning else []
    if type_ in TOOL_TYPES:
        return tool_parts(type_, wire, payload, options.version) if payload else []
    match type_:
        case "start":
            message_id = payload.get("messageId")
            return [{"type": "start"} | ({"messageId": message_id} if message_id else {})]
        case "step-start":
            return [{"type": "start-step"}]
        case "step-finish":
            return [{"type": "finish-step"}]
        case "finish":
            return [finish_part(payload, options.version)]
        case "abort":
            return [{"type": "abort"}]
        case "error":
            return [{"type": "error", "errorText": error_text(payload.get("error", ABSENT))}]
        case "source":
            return [source_part(payload)] if payload and options.sources else []
        case "file":
            return [file_part(payload)] if payload else []
        case "object-result":
            return [{"type": "data-structured-output", "data": record(object=wire.get("object", ABSENT))}]
        case "tripwire":
            names = ("reason", "retry", "metadata", "processorId")
            return [{"type": "data-tripwire", "data": record(**{name: payload.get(name, ABSENT) for name in names})}]
        case _:
            pass
    if type_.startswith("background-task-"):
        return task_part(wire)
    return [data_part(wire)] if is_data(wire) else []


def _with_id_of(start: Wire, step: Wire) -> Wire:
    """A start with the message's id that its first step has."""
    payload, id_ = dict_of(start.get("payload")), dict_of(step.get("payload")).get("messageId")
    if type(id_) is not str or type(payload.get("messageId")) is not str:
        return start
    return {**start, "payload": {**payload, "messageId": id_}}


def _unwrapped(payload: Wire) -> tuple[Wire, list[Wire]]:
    """What lies in a tool's output, however many agents passed it on, and the calls that led to it, the outermost first."""
    ancestry = [_ancestor(payload)]
    seen: set[int] = set()
    output = payload.get("output")
    while is_dict(output) and output.get("type") == "tool-output":
        fields = output | dict_of(output.get("payload"))
        if id(output) in seen or type(fields.get("toolCallId")) is not str:
            return {}, ancestry
        seen.add(id(output))
        ancestry.append(_ancestor(fields))
        output = fields.get("output")
    return dict_of(output), ancestry


def _ancestor(payload: Wire) -> Wire:
    name = payload.get("toolName")
    name = name if type(name) is str else ""
    ancestor = record(toolCallId=payload.get("toolCallId", ABSENT)) | ({"toolName": name} if name else {})
    agent = name.removeprefix("agent-")
    return ancestor | ({"agentId": agent} if agent and agent != name else {})
