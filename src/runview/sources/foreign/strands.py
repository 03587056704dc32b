"""Reads Bedrock's ConverseStream events, and what strands' `stream_async` gives, which has them under `event`.

Strands adds twins of everything, the agent itself among them: only what is named here is looked at. Its messages tell the results
of tools; its last word is `result`. Blocks may come without an index, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, first, integer, items, keys_of, parsed, path, plain, text
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.strands_content import result_told, source_told, usage_told
from runview.sources.foreign.writer import Writer

__all__ = ["STRANDS"]

_BEDROCK: Final = ("messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop")
_STRANDS: Final = (
    "init_event_loop",
    "start_event_loop",
    "event_loop_cycle_id",
    "tool_stream_event",
    "force_stop",
    "multiagent_result",
)
_NODE: Final = "multiagent_node_"


def _recognises(event: object) -> bool:
    told = keys_of(event)
    inner = keys_of(told.get("event"))
    return (
        any(name in told for name in (*_BEDROCK, *_STRANDS))
        or any(name in inner for name in (*_BEDROCK, "metadata"))
        or (text(told, "type") or "").startswith(_NODE)
    )


class _Strands:
    """A reader of one run, and of the agents in it."""

    def __init__(self, _: Layers = ()) -> None:
        self._write = Writer()
        self._agents: dict[str, _Strands] = {}
        self._calls: dict[Any, str] = {}
        self._streamed = False
        self._raw: str | None = None
        self._usage: Wire = {}
        self._bedrock: dict[str, Callable[[object], None]] = {
            "messageStart": self._message_start,
            "contentBlockStart": self._block_start,
            "contentBlockDelta": self._block_delta,
            "contentBlockStop": self._block_stop,
            "messageStop": self._message_stop,
            "metadata": self._metadata,
        }
        self._own: dict[str, Callable[[Any], None]] = {
            "message": self._message,
            "tool_stream_event": self._tool_stream,
            "tool_interrupt_event": self._tool_interrupt,
            "structured_output": self._structured,
            "force_stop_reason": self._force_stop,
            "result": self._result,
        }

    def read(self, event: object) -> Iterable[Wire]:
        if (text(event, "type") or "").startswith(_NODE):
            self._node(event)
            return self._write.take()
        raw = keys_of(field(event, "event")) or event
        for name, handler in self._bedrock.items():
            if (told := field(raw, name)) is not None and (name != "metadata" or field(told, "usage") is not None):
                handler(told)
        for name, handler in self._own.items():
            if (told := field(event, name)) is not None:
                handler(told)
        for name, told in keys_of(event).items():
            if name.endswith("Exception") and keys_of(told):
                self._write.error({"name": name, "message": text(told, "message") or name})
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        """Bedrock's last word is the stop of its message."""
        if self._raw is not None:
            self._close()
            self._write.finish(reason_of(self._raw), raw=self._raw)
        return self._write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        self._write.end_calls(cut=True)
        if self._write.in_step and self._raw is not None:
            self._close()
        return self._write.take()

    # Bedrock

    def _message_start(self, told: object) -> None:
        if text(told, "role") == "assistant":
            self._close()
            self._calls.clear()
            self._raw, self._usage = None, {}
            self._streamed = True
            self._write.new_step()

    def _block_start(self, told: object) -> None:
        use = path(told, "start", "toolUse")
        if (id_ := text(use, "toolUseId")) is not None:
            self._calls[integer(told, "contentBlockIndex")] = id_
            self._write.call_start(id_, text(use, "name") or "tool")

    def _block_delta(self, told: object) -> None:
        index, delta = integer(told, "contentBlockIndex"), field(told, "delta")
        thought = field(delta, "reasoningContent")
        self._write.text(text(delta, "text") or "", index)
        self._write.reasoning(text(thought, "text") or "", index)
        self._write.signature(text(thought, "signature") or "", index)
        if field(thought, "redactedContent") is not None:
            self._write.redacted()
        if (use := field(delta, "toolUse")) is not None:
            self._write.call_delta(self._calls.get(index, ""), text(use, "input") or "")
        if (citation := field(delta, "citation")) is not None:
            self._write.source(*source_told(citation))

    def _block_stop(self, told: object) -> None:
        """The end of the block's text. Of a call it is the end if its arguments are whole: else the answer was cut off."""
        index = integer(told, "contentBlockIndex")
        self._write.text_end(index)
        self._write.reasoning_end(index)
        call = self._write.calls.get(self._calls.pop(index, ""))
        if call is not None and call.text.strip():
            try:
                self._write.call_end(call.id, parsed(call.text))
            except ValueError:
                return

    def _message_stop(self, told: object) -> None:
        self._raw = text(told, "stopReason") or "stop"
        self._write.end_calls(cut=reason_of(self._raw) == "length")

    def _metadata(self, told: object) -> None:
        self._usage = usage_told(field(told, "usage"))

    def _close(self) -> None:
        if self._write.in_step:
            self._write.end_calls(cut=reason_of(self._raw) == "length")
            self._write.finish_step(reason_of(self._raw), raw=self._raw, usage=self._usage or None)

    # Strands

    def _message(self, told: object) -> None:
        """A whole message: what the model said, if it was not streamed, or the results of its tools."""
        if text(told, "role") == "assistant":
            if not self._streamed:
                self._close()
                self._write.new_step()
            for block in items(told, "content"):
                if not self._streamed:
                    self._write.reasoning(text(path(block, "reasoningContent", "reasoningText"), "text") or "")
                    self._write.text(text(block, "text") or "")
                if (use := field(block, "toolUse")) is not None:
                    self._write.call(text(use, "toolUseId") or "", text(use, "name") or "tool", plain(field(use, "input")))
            self._streamed = False
            return
        for block in items(told, "content"):
            if (result := field(block, "toolResult")) is not None:
                self._settle(text(result, "toolUseId") or "", result)

    def _settle(self, id_: str, result: object) -> None:
        if (agent := self._agents.pop(id_, None)) is not None:
            self._nest(id_, agent.end())
        failed, value = result_told(result)
        if failed:
            self._write.tool_error(id_, value)
        else:
            self._write.result(id_, value)

    def _tool_stream(self, told: object) -> None:
        """What a tool says while it runs: of an agent as a tool, its events."""
        use, data = field(told, "tool_use"), field(told, "data")
        id_ = text(use, "toolUseId") or ""
        if _recognises(data) or id_ in self._agents:
            agent = self._agents.setdefault(id_, _Strands())
            self._nest(id_, agent.read(data))
        else:
            self._write.emit(chunks.tool_output(id_, plain(data), text(use, "name")))

    def _tool_interrupt(self, told: object) -> None:
        use = field(told, "tool_use")
        if (id_ := text(use, "toolUseId")) is not None:
            self._write.approval(id_, text(use, "name") or "tool", plain(field(use, "input")))

    def _structured(self, told: object) -> None:
        self._write.start()
        self._write.emit(chunks.object_result(plain(told)))

    def _force_stop(self, told: object) -> None:
        """The exception that follows is the same error."""
        self._write.error({"message": told if isinstance(told, str) else str(told)})

    def _result(self, told: object) -> None:
        raw = text(told, "stop_reason") or self._raw
        if (answer := field(told, "structured_output")) is not None:
            self._structured(answer)
        for interrupt in items(told, "interrupts") if not self._write.waiting else ():
            name = text(interrupt, "name") or ""
            self._write.suspended(text(interrupt, "id") or self._write.made_id("interrupt"), name, plain(interrupt))
        if raw == "cancelled":
            self._write.close_texts()
            self._write.finished = True
            self._write.emit(chunks.abort())
            return
        self._close()
        self._write.finish(reason_of(raw), raw=raw)

    # Agents inside

    def _node(self, event: object) -> None:
        """An agent of several: a run of its own, under the step that is its node."""
        id_ = text(event, "node_id") or ""
        agent = self._agents.setdefault(f"node {id_}", _Strands())
        inner = first(event, "event", "node_result")
        ends = agent.end() if (text(event, "type") or "").endswith("stop") else agent.read(inner)
        self._write.start()
        for wire in ends:
            self._write.emit(chunks.chunk("step-output", output={**wire, "runId": id_}))

    def _nest(self, id_: str, inner: Iterable[Wire]) -> None:
        for wire in inner:
            self._write.emit(chunks.tool_output(id_, {**wire, "runId": f"agent of {id_}"}))


STRANDS: Final = Family("strands", _recognises, _Strands, aliases=("bedrock", "strands-agents"))
