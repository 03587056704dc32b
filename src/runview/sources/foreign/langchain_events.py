"""Events of `astream_events`: of its second version, callbacks by name, and of its third, a protocol of blocks.

A tool that fails is told before the run breaks by it: so an error of a tool waits until the model is heard again, or the run has
ended well, and is none when the run breaks.
"""

from __future__ import annotations

from typing import Any

from runview.sources.foreign import chunks
from runview.sources.foreign.fields import each_of, field, first, integer, items, keys_of, plain, text
from runview.sources.foreign.langchain_blocks import Blocks
from runview.sources.foreign.langchain_shapes import is_message
from runview.sources.foreign.langchain_state import State
from runview.sources.foreign.langchain_turns import Turns, add_usage
from runview.sources.foreign.usage import usage_of
from runview.sources.foreign.writer import Writer

__all__ = ["Events"]


class Events:
    """Writes both versions."""

    def __init__(self, turns: Turns, state: State, write: Writer) -> None:
        self._turns = turns
        self._state = state
        self._write = write
        self._blocks = Blocks(write)
        self._runs: dict[str, str] = {}
        self._calls: dict[Any, str] = {}
        self._failed: list[tuple[str, Any, str | None]] = []

    def end(self) -> None:
        """The run has ended well."""
        self._go_on()

    def _go_on(self) -> None:
        """The tools that have failed did not end the run."""
        failed, self._failed = self._failed, []
        for id_, error, name in failed:
            call = self._write.calls.get(id_)
            if call is None or not call.settled:
                self._write.tool_error(id_, error, name)

    # Version 2

    def event(self, event: object) -> None:
        run, data, name = text(event, "run_id") or "", field(event, "data"), text(event, "name")
        match text(event, "event"):
            case "on_chat_model_stream" | "on_llm_stream":
                self._go_on()
                chunk = field(data, "chunk")
                if is_message(message := field(chunk, "message") or chunk):
                    self._turns.message(message, run)
                elif isinstance(words := text(chunk, "text") if not isinstance(chunk, str) else chunk, str):
                    self._write.text(words)
            case "on_chat_model_end":
                self._answer(field(data, "output"))
            case "on_tool_start":
                self._tool_start(run, name or "tool", plain(field(data, "input")))
            case "on_tool_end":
                self._tool_end(run, field(data, "output"), name)
            case "on_tool_error":
                self._failed.append((self._runs.get(run, run), plain(field(data, "error")), name))
            case "on_chain_stream":
                self._state.interrupts(field(field(data, "chunk"), "__interrupt__"))
            case "on_chain_end" if not items(event, "parent_ids") and "parent_ids" in keys_of(event):
                self._state.result(field(data, "output"))
            case "on_custom_event":
                self._write.start()
                self._write.emit(chunks.data(name or "custom", plain(data)))
            case _:
                pass

    def _answer(self, output: object) -> None:
        """The whole message, maybe in the form of older versions."""
        self._go_on()
        if not is_message(output):
            generations = [each for some in items(output, "generations") for each in each_of(some)]
            output = field(generations[0], "message") if generations else None
        if is_message(output):
            self._turns.message(output)

    def _tool_start(self, run: str, name: str, given: Any) -> None:
        """It has no id of a call: it is that of the open call with the same name, and arguments if there are several."""
        self._write.end_calls()
        free = [call for call in self._write.open_calls() if call.name == name and call.id not in self._runs.values()]
        call = next((call for call in free if call.args == given), free[0] if free else None)
        if call is None:
            self._write.call(run, name, given)
        self._runs[run] = call.id if call is not None else run

    def _tool_end(self, run: str, output: object, name: str | None) -> None:
        if is_message(output):
            self._turns.tool(output)
        elif told := [each for each in items(field(output, "update"), "messages") if is_message(each)]:
            for message in told:
                self._turns.message(message)
        else:
            self._write.result(self._runs.get(run, run), plain(output), name)

    # Version 3

    def protocol(self, event: object) -> None:
        params = field(event, "params")
        data, namespace = field(params, "data"), items(params, "namespace")
        match text(event, "method"):
            case "messages":
                told, metadata = (*each_of(data), None, None)[:2]
                self._message(told, text(metadata, "langgraph_checkpoint_ns") or "|".join(map(str, namespace)))
            case "tools":
                self._tool(data)
            case "values":
                self._state.values(data, tuple(map(str, namespace)))
                self._state.interrupts(field(params, "interrupts"))
            case "updates":
                self._state.updates(data)
            case "tasks":
                self._state.task(data)
            case "custom":
                self._write.start()
                self._write.emit(chunks.data("custom", plain(data)))
            case "input" | "input.requested":
                self._state.interrupts(field(params, "interrupts") or data)
            case _:
                pass

    def _message(self, told: object, key: str) -> None:
        self._go_on()
        if is_message(told):
            self._turns.message(told, key)
            return
        index, block = integer(told, "index"), first(told, "content", "delta")
        match text(told, "event"):
            case "message-start":
                if text(told, "role") in (None, "ai", "assistant"):
                    self._calls.clear()
                    self._turns.begin(key, text(told, "id"))
            case "content-block-start":
                self._block_start(index, block)
            case "content-block-delta":
                self._block_delta(index, block)
            case "content-block-finish":
                self._block_finish(index, block)
            case "message-finish" if self._turns.turn is not None:
                turn = self._turns.turn
                add_usage(turn.usage, usage_of(field(told, "usage")))
                raw = first(field(told, "metadata"), "finish_reason", "stop_reason", "status") or first(told, "reason")
                turn.raw, turn.over = raw if isinstance(raw, str) else None, True
            case "error":
                self._write.error(plain(first(told, "error", "message") or told))
            case _:
                pass

    def _block_start(self, index: int | None, block: object) -> None:
        match text(block, "type"):
            case "tool_call_chunk" | "tool_call" | "server_tool_call_chunk" | "server_tool_call" as type_:
                id_ = self._calls[index] = text(block, "id") or self._write.made_id("call")
                self._write.call_start(id_, text(block, "name") or "tool", provider=type_.startswith("server"))
                self._write.call_delta(id_, text(block, "args") or "")
            case "text":
                self._write.text(text(block, "text") or "")
            case "reasoning":
                self._write.reasoning(text(block, "reasoning") or "")
            case _:
                pass  # Told whole when it is finished.

    def _block_delta(self, index: int | None, delta: object) -> None:
        match text(delta, "type"):
            case "text-delta":
                self._write.text(text(delta, "text") or "")
            case "reasoning-delta":
                self._write.reasoning(text(delta, "reasoning") or text(delta, "text") or "")
            case "tool-call-delta":
                self._write.call_delta(self._calls.get(index, ""), text(delta, "args") or "")
            case "block-delta" if (id_ := self._calls.get(index)) is not None:
                self._write.call_delta(id_, text(field(delta, "fields"), "args") or "")
            case _:
                pass

    def _block_finish(self, index: int | None, block: object) -> None:
        match text(block, "type"):
            case "text":
                for annotation in items(block, "annotations"):
                    self._blocks.cite(annotation)
            case "reasoning":
                extras = field(block, "extras")
                proof = first(extras, "signature", "encrypted_content")
                if isinstance(proof, str):
                    self._write.signature(proof)
            case "tool_call" | "server_tool_call" if index in self._calls:
                self._write.call_end(self._calls[index], plain(field(block, "args")), name=text(block, "name"))
            case "tool_call":
                self._write.call(
                    text(block, "id") or self._write.made_id("call"), text(block, "name") or "tool", plain(field(block, "args"))
                )
            case "invalid_tool_call":
                self._write.call_end(self._calls.get(index, ""))
            case _:
                self._blocks.block(block)

    def _tool(self, data: object) -> None:
        id_, name = text(data, "tool_call_id") or "", text(data, "tool_name")
        match text(data, "event"):
            case "tool-started" if id_ not in self._write.calls:
                self._write.call(id_, name or "tool", plain(field(data, "input")))
            case "tool-output-delta":
                self._write.emit(chunks.tool_output(id_, plain(first(data, "delta", "output")), name))
            case "tool-finished":
                output = field(data, "output")
                if is_message(output):
                    self._turns.tool(output)
                else:
                    self._write.result(id_, plain(output), name)
            case "tool-error":
                self._failed.append((id_, plain(first(data, "message", "error")), name))
            case _:
                pass
