"""Agents inside a call of a tool, or inside a network: after every chunk of theirs, a snapshot of the whole.

A snapshot has the steps that are over without their details, since each had a part of its own when it ended; the last one, at
the finish, has everything. What was handed out is never changed afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.convert.fields import ABSENT, dict_of, error_text, joined, key_of, record, told, word
from runview.convert.parts import envelope

__all__ = ["SubAgents"]

_LISTED: Final = {"source": "sources", "file": "files", "tool-call": "toolCalls", "tool-result": "toolResults"}
"""Chunks whose payload joins a list."""
_EMPTIED: Final = ("sources", "files", "toolCalls", "pendingToolCalls", "toolResults", "toolErrors")
"""Lists that begin anew with each step."""
_GETTERS: Final = ("staticToolCalls", "dynamicToolCalls", "staticToolResults", "dynamicToolResults")
"""Lists of a step that are there, and empty, as in the AI SDK's own steps of such runs."""
_MESSAGES: Final = ("messages", "dbMessages", "uiMessages")


@dataclass(slots=True)
class _Agent:
    """What is known of one run. `fields` goes out as it is; its lists are replaced, never appended to."""

    fields: Wire
    steps: list[Wire] = field(default_factory=list[Wire])
    text_at: int = 0
    """Where the text of the current step begins."""
    reasoning_at: int = 0

    def add(self, name: str, item: object) -> None:
        self.fields[name] = [*self.fields[name], item]


class SubAgents:
    """The agents under one run, each by its run's id."""

    def __init__(self) -> None:
        self._agents: dict[str, _Agent] = {}

    def feed(self, chunk: Wire, ancestry: list[Wire]) -> list[Wire]:
        """The snapshot after a chunk, and after it the step that has ended with this chunk; nothing when it changed nothing.

        `ancestry` names the calls that lead to the agent, the outermost first.
        """
        type_, payload = envelope(chunk)
        if type_ not in _HANDLED:
            return []
        run_id = chunk.get("runId", ABSENT)
        key = key_of(run_id)
        if type_ == "start":
            self._agents[key] = _Agent(_new_fields(payload.get("id", "")))
        agent = self._agents.setdefault(key, _Agent(_new_fields("")))
        _take(agent, type_, payload, chunk)
        whole = type_ == "finish"
        steps = list(agent.steps) if whole else [_brief(step) for step in agent.steps]
        data = {**agent.fields, "response": _response(agent.fields["response"], messages=whole), "steps": steps}
        place = _place(ancestry)
        parts = [record(type="data-tool-agent", id=run_id, data=data, **place)]
        if type_ == "step-finish":
            index = len(agent.steps) - 1
            told_step = record(runId=run_id, stepIndex=index, step=agent.steps[-1])
            parts.append({"type": "data-tool-agent-step", "id": f"{word(run_id)}:{index}", "data": told_step, **place})
        return parts


def _new_fields(id_: object) -> Wire:
    lists: Wire = {name: [] for name in ("warnings", "reasoning", *_EMPTIED)}
    response: Wire = {"id": "", "timestamp": _now(), "modelId": "", "messages": []}
    return {
        "id": id_,
        "object": None,
        "finishReason": None,
        "usage": None,
        "text": "",
        "status": "running",
        **lists,
        "request": {},
        "response": response,
    }


def _take(agent: _Agent, type_: str, payload: Wire, chunk: Wire) -> None:
    fields = agent.fields
    if type_ in _LISTED:
        if type_.startswith("tool-"):
            _drop_pending(agent, payload)
        agent.add(_LISTED[type_], payload)
        return
    match type_:
        case "text-delta":
            fields["text"] = joined(fields["text"], _text(payload.get("text")))
        case "reasoning-delta":
            agent.add("reasoning", payload.get("text"))
        case "tool-call-input-streaming-start":
            known = told(payload, "providerExecuted", "providerMetadata", "dynamic")
            _pend(agent, payload, "", state="input-streaming", **known)
        case "tool-call-delta":
            known = told(payload, "providerMetadata")
            _pend(agent, payload, _text(payload.get("argsTextDelta")), state="input-streaming", **known)
        case "tool-call-input-streaming-end":
            _pend(agent, {**payload, "toolName": ""}, "", state="input-available", **told(payload, "providerMetadata"))
        case "tool-error":
            _drop_pending(agent, payload)
            error = record(**{name: payload.get(name, ABSENT) for name in ("toolCallId", "toolName", "args", "providerExecuted")})
            agent.add("toolErrors", {**error, "errorText": error_text(payload.get("error", ABSENT))})
        case "object" | "object-result":
            fields.pop("object")
            fields |= record(object=chunk.get("object", ABSENT))
            fields.setdefault("object", None)
        case "step-finish":
            _end_step(agent, payload)
        case "finish":
            _finish(fields, payload)
        case _:  # the start: there is nothing but the agent
            pass


def _pend(agent: _Agent, payload: Wire, more: str, **known: Any) -> None:
    """Opens a call whose input streams, or tells more about it."""
    call_id = payload.get("toolCallId", ABSENT)
    name = payload.get("toolName")
    calls: list[Wire] = agent.fields["pendingToolCalls"]
    for at, call in enumerate(calls):
        if call.get("toolCallId", ABSENT) == call_id:
            changed = {**call, **known, "toolName": name or call["toolName"], "argsText": joined(call["argsText"], more)}
            agent.fields["pendingToolCalls"] = [*calls[:at], changed, *calls[at + 1 :]]
            return
    agent.add("pendingToolCalls", record(toolCallId=call_id, toolName=name or "", argsText=more, **known))


def _drop_pending(agent: _Agent, payload: Wire) -> None:
    call_id = payload.get("toolCallId", ABSENT)
    calls = agent.fields["pendingToolCalls"]
    agent.fields["pendingToolCalls"] = [call for call in calls if call.get("toolCallId", ABSENT) != call_id]


def _end_step(agent: _Agent, payload: Wire) -> None:
    fields = agent.fields
    result, output, metadata = (dict_of(payload.get(name)) for name in ("stepResult", "output", "metadata"))
    text, reasoning = fields["text"][agent.text_at :], fields["reasoning"][agent.reasoning_at :]
    warnings: Any = result.get("warnings") or []
    told_response = dict_of(payload.get("response"))
    messages = told_response.get("messages")
    response: Wire = {
        **fields["response"],
        "id": payload.get("id") or "",
        "timestamp": metadata.get("timestamp") or _now(),
        "modelId": metadata.get("modelId") or metadata.get("model") or "",
        **told_response,
        "messages": fields["response"].get("messages") or [] if messages is None else messages,
    }
    step: Wire = {
        **{name: value for name, value in fields.items() if name not in ("finishReason", "usage")},
        "text": text,
        "reasoning": reasoning,
        "reasoningText": "".join(map(_text, reasoning)),
        "pendingToolCalls": [],
        "stepType": "tool-result" if agent.steps else "initial",
        "warnings": warnings,
        "response": response,
        **{name: [] for name in _GETTERS},
        **record(finishReason=result.get("reason", ABSENT), usage=output.get("usage", ABSENT)),
    }
    agent.steps = [*agent.steps, step]
    agent.text_at, agent.reasoning_at = len(fields["text"]), len(fields["reasoning"])
    fields.pop("usage", None)
    fields |= {name: [] for name in _EMPTIED} | {"warnings": warnings} | record(usage=output.get("usage", ABSENT))


def _finish(fields: Wire, payload: Wire) -> None:
    result, output = dict_of(payload.get("stepResult")), dict_of(payload.get("output"))
    reasons = (result.get("reason"), payload.get("finishReason"))
    usage = output.get("usage")
    for name in ("usage", "warnings"):
        fields.pop(name, None)
    fields |= {"finishReason": next((reason for reason in reasons if reason is not None), None), "status": "finished"}
    fields |= record(usage=payload.get("usage", ABSENT) if usage is None else usage, warnings=result.get("warnings", ABSENT))
    fields["response"] = {**fields["response"], **dict_of(payload.get("response"))}


def _brief(step: Wire) -> Wire:
    """A step without its details."""
    brief: Wire = {**step, **{name: [] for name in (*_EMPTIED, *_GETTERS, "reasoning")}}
    return {**brief, "object": None, "text": "", "reasoningText": "", "response": _response(step["response"], messages=False)}


def _response(response: Wire, *, messages: bool) -> Wire:
    return response if messages else {**response, **{name: [] for name in _MESSAGES if name in response}}


def _place(ancestry: list[Wire]) -> Wire:
    parent = ancestry[-2].get("agentId") if len(ancestry) > 1 else None
    return {"ancestry": ancestry, "depth": len(ancestry)} | ({"parentAgentId": parent} if parent else {})


def _text(value: object) -> str:
    return value if type(value) is str else ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_HANDLED: Final = frozenset(
    """
    start text-delta reasoning-delta source file tool-call tool-result tool-error object object-result step-finish finish
    tool-call-input-streaming-start tool-call-delta tool-call-input-streaming-end
    """.split()
)
"""Chunks after which a snapshot goes out."""
