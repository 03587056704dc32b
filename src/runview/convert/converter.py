"""One chunk after the other into the parts of the AI SDK's UI message stream, with no I/O.

The first chunk that tells decides what runs. An agent's chunks are parts themselves; a workflow or a network is told in
snapshots between a `start` and a `finish`.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from runview.chunks.wire import NOTE_TYPE, Wire
from runview.convert.agent import AgentParts, agent_parts
from runview.convert.fields import error_text, is_dict
from runview.convert.network import Networks
from runview.convert.parts import Options, is_data
from runview.convert.workflow import Workflows

__all__ = ["Converter"]

_Kind: TypeAlias = Literal["agent", "workflow", "network"]

_NETWORK: Final = ("routing-agent-", "agent-execution-", "workflow-execution-", "tool-execution-", "network-")
_SENDERS: Final[dict[str, _Kind]] = {"AGENT": "agent", "WORKFLOW": "workflow", "NETWORK": "network"}
_FROM_STEPS: Final = frozenset(
    """
    text-start text-delta text-end reasoning-start reasoning-delta reasoning-end file source tool-call-approval
    tool-call-suspended tool-call tool-result tool-error tool-output-denied error abort tripwire
    """.split()
)
"""Chunks of an agent inside a workflow's step that the page is told; their starts and finishes are not the workflow's."""


class Converter:
    """Turns the chunks of one run into parts: `feed` each, then `end`. Total: any value gives parts or none, and never raises.

    A part belongs to whoever takes it, but values in it are the chunks' own, which nobody changes.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._kind: _Kind | None = None
        self._held: list[Wire] = []
        self._agent = AgentParts(options)
        self._workflows = Workflows(convert=self._from_step)
        self._networks = Networks()

    def feed(self, wire: object) -> list[Wire]:
        """The parts that a chunk gives."""
        if not is_dict(wire) or wire.get("type") == NOTE_TYPE:
            return []
        if self._kind is not None:
            return self._convert(wire)
        kind = _kind_of(wire)
        if kind is None:
            self._held.append(wire)
            return []
        return [*self._open(kind), *self._convert(wire)]

    def end(self) -> list[Wire]:
        """The parts that the end of the stream gives."""
        parts = [] if self._kind is not None else self._open("agent")
        if self._kind != "agent":
            return [*parts, {"type": "finish"}]
        return [*parts, *self._agent.end()]

    def fail(self, error: BaseException) -> list[Wire]:
        """The parts that a broken source gives in place of the end."""
        parts = [] if self._kind is not None else self._open("agent")
        return [*parts, *self._agent.release(), {"type": "error", "errorText": error_text(error)}]

    def _open(self, kind: _Kind) -> list[Wire]:
        """What is to be told first, with the user's parts that came before it was known what runs."""
        self._kind = kind
        parts: list[Wire] = [] if kind == "agent" else [{"type": "start"}]
        held, self._held = self._held, []
        for wire in held:
            parts += self._convert(wire)
        return parts

    def _convert(self, wire: Wire) -> list[Wire]:
        if self._kind == "agent":
            return self._agent.feed(wire)
        return self._workflows.feed(wire) if self._kind == "workflow" else self._networks.feed(wire)

    def _from_step(self, wire: Wire) -> list[Wire]:
        type_: Any = wire.get("type")
        if type(type_) is not str or not (type_ in _FROM_STEPS or type_.startswith("background-task-")):
            return []
        return agent_parts(wire, self._options)


def _kind_of(wire: Wire) -> _Kind | None:
    """What runs, if a chunk tells. A part of the user's own kind tells only by its sender."""
    type_ = wire.get("type")
    if is_data(wire):
        sender = wire.get("from")
        return _SENDERS.get(sender) if type(sender) is str else None
    if type(type_) is str and type_.startswith(_NETWORK):
        return "network"
    return "workflow" if type(type_) is str and type_.startswith("workflow-") else "agent"
