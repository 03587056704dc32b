"""Networks of agents: after every event, a snapshot of the steps that were taken, and the text of the routing agent.

A step is a decision of the routing agent or the agent, workflow or tool that it chose; what runs inside is the step's `task`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.convert.fields import ABSENT, dict_of, is_dict, key_of, record
from runview.convert.parts import data_part, envelope, is_data
from runview.convert.subagents import SubAgents
from runview.convert.workflow import Workflows

__all__ = ["Networks"]

_AGENT_EVENT: Final = "agent-execution-event-"
_WORKFLOW_EVENT: Final = "workflow-execution-event-"


@dataclass(slots=True)
class _Step:
    fields: Wire
    agents: SubAgents = field(default_factory=SubAgents)
    workflows: Workflows = field(default_factory=Workflows)
    ended: dict[int, Wire] = field(default_factory=dict[int, Wire])
    """The steps of the agent in it that are over, with their details."""


@dataclass(slots=True)
class _Network:
    name: object
    steps: list[_Step] = field(default_factory=list[_Step])
    has_text: bool = False

    def step(self, id_: object) -> _Step | None:
        return next((step for step in self.steps if step.fields.get("id", ABSENT) == id_), None)


class Networks:
    """The networks of one stream, each by its run's id. `nested` ones run inside a call of a tool."""

    def __init__(self, *, nested: bool = False) -> None:
        self._type = "data-tool-network" if nested else "data-network"
        self._networks: dict[str, _Network] = {}

    def feed(self, chunk: Wire) -> list[Wire]:
        """The parts for a chunk of a network."""
        type_, payload = envelope(chunk)
        if is_data(chunk):
            return [data_part(chunk)]
        if type_.startswith((_AGENT_EVENT, _WORKFLOW_EVENT)) and is_data(payload):
            return [data_part(payload)]
        run_id = chunk.get("runId", ABSENT)
        key = key_of(run_id)
        if type_ == "routing-agent-start" and key not in self._networks:
            self._networks[key] = _Network(payload.get("networkId", ABSENT))
        network = self._networks.get(key)
        if network is None:
            return []
        if type_.startswith(_AGENT_EVENT):
            return self._inner(network, run_id, payload, agent=True)
        if type_.startswith(_WORKFLOW_EVENT):
            return self._inner(network, run_id, payload, agent=False)
        return self._event(type_, payload, network, run_id)

    def _event(self, type_: str, payload: Wire, network: _Network, run_id: object) -> list[Wire]:
        match type_:
            case "routing-agent-start":
                network.steps.append(_Step(_routing_step(payload)))
                part = self._snapshot(network, run_id, status="running")
                del part["data"]["hasEmittedText"]
                return [part]
            case "routing-agent-text-start" | "routing-agent-text-delta":
                network.has_text = True
                part = record(type=type_.removeprefix("routing-agent-"), id=run_id)
                return [part | record(delta=payload.get("text", ABSENT)) if type_.endswith("delta") else part]
            case "agent-execution-start" | "workflow-execution-start" | "tool-execution-start":
                network.steps.append(_Step(_chosen_step(type_, payload)))
                return [self._snapshot(network, run_id, status="running")]
            case "routing-agent-end" | "agent-execution-end" | "workflow-execution-end" | "tool-execution-end":
                return self._ended(type_, payload, network, run_id)
            case "network-execution-event-step-finish":
                return self._answer(payload, network, run_id)
            case "network-execution-event-finish":
                return [self._snapshot(network, run_id, payload, usage=payload.get("usage"), status="finished")]
            case _:
                return []

    def _ended(self, type_: str, payload: Wire, network: _Network, run_id: object) -> list[Wire]:
        step = network.step(payload.get("toolCallId" if type_ == "tool-execution-end" else "runId", ABSENT))
        if step is None:
            return []
        step.fields["status"] = "success"
        step.fields.pop("output", None)
        step.fields |= record(output=payload.get("result", ABSENT))
        if type_ == "routing-agent-end":
            names = {"id": "primitiveId", "type": "primitiveType", "name": "task", "reason": "selectionReason"}
            step.fields["task"] = record(**{name: payload.get(theirs, ABSENT) for name, theirs in names.items()})
            return [self._snapshot(network, run_id, payload, usage=payload.get("usage"))]
        usage = None if type_ == "tool-execution-end" else payload.get("usage")
        return [self._snapshot(network, run_id, payload, usage=usage, status="running")]

    def _answer(self, payload: Wire, network: _Network, run_id: object) -> list[Wire]:
        """The end of an iteration: its result is the network's text, if the routing agent said nothing and chose something."""
        part = self._snapshot(network, run_id, payload, status="finished")
        text = payload.get("result")
        step = network.step(payload.get("runId", ABSENT))
        chosen = dict_of(step.fields.get("task")) if step is not None else {}
        if network.has_text or type(text) is not str or not text or (chosen.get("id") == "none" == chosen.get("type")):
            return [part]
        network.has_text = True
        return [record(type="text-start", id=run_id), record(type="text-delta", id=run_id, delta=text), part]

    def _inner(self, network: _Network, run_id: object, inner: Wire, *, agent: bool) -> list[Wire]:
        """A chunk of what runs inside a step."""
        step = network.step(inner.get("runId", ABSENT))
        if step is None:
            return []
        parts: list[Wire] = []
        if agent:
            _follow_agent(step, inner)
        else:
            parts = _follow_workflow(step, inner)
        return [self._snapshot(network, run_id, status="running"), *parts]

    def _snapshot(
        self, network: _Network, run_id: object, ended: Wire | None = None, *, usage: object = None, **more: Any
    ) -> Wire:
        steps = [dict(step.fields) for step in network.steps]
        data = record(name=network.name, steps=steps, usage=usage, output=(ended or {}).get("result"), **more)
        return record(type=self._type, id=run_id, data={**data, "hasEmittedText": network.has_text})


def _routing_step(payload: Wire) -> Wire:
    given = dict_of(payload.get("inputData"))
    asked = record(**{name: given.get(name, ABSENT) for name in ("task", "threadId", "threadResourceId")})
    named = record(id=payload.get("runId", ABSENT), name=payload.get("agentId", ABSENT), iteration=given.get("iteration", ABSENT))
    return {**named, **_new_step(), "input": asked, "output": ""}


def _chosen_step(type_: str, payload: Wire) -> Wire:
    args = dict_of(payload.get("args"))
    iteration = args.get("iteration")
    if type_ == "tool-execution-start":
        name = record(name=args.get("toolName", ABSENT))
        task = record(id=args.get("toolName", ABSENT))
        step = record(id=args.get("toolCallId", ABSENT), **name, iteration=_number(iteration))
        return {**step, **_new_step(), "task": task, "input": args.get("args") or None}
    name = payload.get("agentId" if type_ == "agent-execution-start" else "workflowId", ABSENT)
    step = record(id=payload.get("runId", ABSENT), name=name, iteration=0 if iteration is None else iteration)
    prompt = args.get("prompt")
    return {**step, **_new_step(), "input": {"prompt": "" if prompt is None else prompt}}


def _new_step() -> Wire:
    return {"status": "running", "output": None, "task": None, "suspendPayload": None, "resumePayload": None}


def _number(value: object) -> object:
    if type(value) is str and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return value if type(value) in (int, float) else 0


def _follow_agent(step: _Step, inner: Wire) -> None:
    if inner.get("type") == "start":
        step.ended.clear()
    parts = step.agents.feed(inner, [])
    if not parts:
        return
    task = {name: value for name, value in parts[0]["data"].items() if name not in ("request", "response")}
    if len(parts) > 1:
        step.ended[parts[1]["data"]["stepIndex"]] = parts[1]["data"]["step"]
    task["steps"] = [{**brief, **step.ended.get(at, {})} for at, brief in enumerate(task["steps"])]
    step.fields["task"] = task


def _follow_workflow(step: _Step, inner: Wire) -> list[Wire]:
    """The parts that go out themselves: a step that has ended, with its snapshot, and parts of the user's own kind."""
    parts = step.workflows.feed(inner)
    if not parts or parts[0]["type"] != "data-workflow":
        return parts
    data = parts[0]["data"]
    if is_dict(data) and data.get("name"):
        data["id"] = data["name"]
    step.fields["task"] = data
    return parts if len(parts) > 1 else []
