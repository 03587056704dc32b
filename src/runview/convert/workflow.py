"""Workflows: a snapshot of the steps after each event, and a part of its own for every step that has ended.

A snapshot leaves out what the steps gave; the one at the finish has all of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from runview.chunks.wire import Wire
from runview.convert.fields import ABSENT, is_dict, key_of, record, word
from runview.convert.parts import data_part, envelope, is_data

__all__ = ["Workflows"]

Convert: TypeAlias = Callable[[Wire], list[Wire]]
"""How the chunk of an agent inside a step is told."""


@dataclass(slots=True)
class _Workflow:
    name: object
    steps: dict[str, Wire] = field(default_factory=dict[str, Wire])


class Workflows:
    """The workflows of one stream, each by its run's id. `nested` ones run inside a call of a tool."""

    def __init__(self, *, nested: bool = False, convert: Convert | None = None) -> None:
        self._type = "data-tool-workflow" if nested else "data-workflow"
        self._convert = convert
        self._workflows: dict[str, _Workflow] = {}

    def feed(self, chunk: Wire) -> list[Wire]:
        """The parts for a chunk of a workflow."""
        type_, payload = envelope(chunk)
        if type_ == "workflow-step-output":
            return self._output(payload.get("output"))
        if is_data(chunk):
            return [data_part(chunk)]
        run_id = chunk.get("runId", ABSENT)
        key = key_of(run_id)
        if type_ == "workflow-start" or (type_ == "workflow-step-start" and key not in self._workflows):
            self._workflows[key] = _Workflow(payload.get("workflowId", ABSENT) if type_ == "workflow-start" else "")
        workflow = self._workflows.get(key)
        if workflow is None:
            return []
        return self._event(type_, payload, workflow, run_id)

    def _event(self, type_: str, payload: Wire, workflow: _Workflow, run_id: object) -> list[Wire]:
        id_ = payload.get("id", ABSENT)
        step_key = word(id_)
        status = record(status=payload.get("status", ABSENT))
        known = {name: value for name, value in workflow.steps.get(step_key, {}).items() if name != "status"}
        match type_:
            case "workflow-start":
                return [self._snapshot(workflow, run_id, "running")]
            case "workflow-step-start":
                empty = {"output": None, "suspendPayload": None, "resumePayload": None}
                workflow.steps[step_key] = record(name=id_, **status, input=payload.get("payload"), **empty)
                return [self._snapshot(workflow, run_id, "running")]
            case "workflow-step-result":
                workflow.steps[step_key] = {**known, **status, "output": payload.get("output")}
                state = "running"
            case "workflow-step-suspended":
                suspension = {name: payload.get(name) for name in ("suspendPayload", "resumePayload")}
                workflow.steps[step_key] = {**known, **status, **suspension, "output": None}
                state = "suspended"
            case "workflow-finish":
                state = payload.get("workflowStatus", ABSENT)
                return [self._snapshot(workflow, run_id, state, outputs=True, output=payload.get("output"))]
            case _:
                return []
        step = record(name=workflow.name, status=state, stepId=id_, step=workflow.steps[step_key])
        ended = {"type": f"{self._type}-step", "id": f"{word(run_id)}:{step_key}", "data": step}
        return [self._snapshot(workflow, run_id, state), ended]

    def _snapshot(
        self, workflow: _Workflow, run_id: object, status: Any, *, outputs: bool = False, output: object = None
    ) -> Wire:
        steps = {id_: step if outputs else {**step, "output": None} for id_, step in workflow.steps.items()}
        return record(type=self._type, id=run_id, data=record(name=workflow.name, status=status, steps=steps, output=output))

    def _output(self, output: object) -> list[Wire]:
        """What a step has written: the chunk of an agent, or a part of the user's own kind."""
        if not is_dict(output):
            return []
        if is_data(output):
            return [data_part(output)]
        return self._convert(output) if self._convert is not None else []
