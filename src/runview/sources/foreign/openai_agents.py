"""Events of openai-agents: the responses of its models, each wrapped, and what its runner does between them.

Of the runner's items only results of tools and handoffs are news; calls and messages came with the responses. What no event tells
the result object knows: calls that wait to be allowed, and the final output.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, first, held, items, plain, text, type_of
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.responses import ResponsesReader

__all__ = ["OPENAI_AGENTS", "OpenAIAgentsReader"]

_GOES_ON = (
    "Only your code knows how this run was started: show Runner.run_streamed(agent, state) after state = result.to_state() and"
    " state.approve(result.interruptions[0]), or state.reject(…); a run of stream_view(agent, …) goes on by itself."
)
_EVENTS = ("raw_response_event", "run_item_stream_event", "agent_updated_stream_event")


def _recognises(event: object) -> bool:
    return type_of(event) in _EVENTS


class OpenAIAgentsReader(ResponsesReader):
    """Reads one run."""

    def __init__(self, layers: Layers = ()) -> None:
        super().__init__(layers)
        self._result = _result_in(layers)
        self._heard = False
        """Responses are streamed, so items repeat them."""

    def event(self, event: object) -> None:
        match type_of(event):
            case "raw_response_event":
                self._heard = True
                super().event(field(event, "data"))
            case "agent_updated_stream_event":
                self.write.start(text(field(event, "new_agent"), "name"))
            case "run_item_stream_event":
                self._item(field(event, "item"), text(event, "name") or "")
            case _:
                super().event(event)

    def end(self) -> Iterable[Wire]:
        for waiting in items(self._result, "interruptions"):
            raw = field(waiting, "raw_item")
            id_ = first(raw, "call_id", "id")
            name = text(waiting, "name") or text(waiting, "tool_name") or text(raw, "name") or ""
            arguments = text(waiting, "arguments") or text(raw, "arguments")
            self.items.approval(id_ if isinstance(id_, str) else self.write.made_id("call"), name, arguments)
        output = field(self._result, "final_output")
        if output is not None and isinstance(output := plain(output), (dict, list)):
            self.write.emit(chunks.object_result(output))
        return super().end()

    def _item(self, item: object, name: str) -> None:
        raw = field(item, "raw_item")
        type_ = type_of(item)
        id_ = text(raw, "call_id") or text(raw, "id") or ""
        if type_ in ("tool_call_output_item", "handoff_output_item") or name in (
            "tool_output",
            "handoff_occured",
            "handoff_occurred",
        ):
            self._settle(item, raw, id_)
        elif type_ == "mcp_approval_request_item" or name == "mcp_approval_requested":
            self.items.approval(id_, text(raw, "name") or "", text(raw, "arguments"))
        elif not self._heard and type_ in ("tool_call_item", "handoff_call_item", "message_output_item", "reasoning_item"):
            self.items.done(raw, object())
            self.ended = True

    def _settle(self, item: object, raw: object, id_: str) -> None:
        output: Any = field(item, "output")
        if output is None:
            output = field(raw, "output")
        if output is None:
            target = text(field(item, "target_agent"), "name") or text(item, "target_agent")
            output = {"assistant": target} if target else None
        call = self.write.calls.get(id_)
        if call is None or not call.settled:
            self.write.result(id_, plain(output))


def _result_in(layers: Layers) -> Any:
    """The result object: opened itself, or behind the generator that its `stream_events` gave."""
    found = held(layers, "agents.result.RunResultStreaming")
    if found is not None or not layers:
        return found
    code, frame = (getattr(layers[-1], name, None) for name in ("ag_code", "ag_frame"))
    if frame is not None and getattr(code, "co_qualname", "") == "RunResultStreaming.stream_events":
        return frame.f_locals.get("self")
    return None


OPENAI_AGENTS = Family(
    "openai-agents", _recognises, OpenAIAgentsReader, streams=("agents.result.",), aliases=("agents",), goes_on=_GOES_ON
)
