"""A response of a model as pydantic-ai tells it, part by part, and the calls in it.

The end of a part is not the end of a call's arguments, so a call is whole only when it is made, or its turn is over. The call of
an output tool is no call but the run's object; it is told one event late, so for one event a call is held back.
"""

from __future__ import annotations

from typing import Any, Final

from runview.run.partial_json import PartialJSON
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, integer, items, parsed, plain, text
from runview.sources.foreign.pydantic_ai_parts import citations_of, error_of, json_of
from runview.sources.foreign.writer import Writer

__all__ = ["Response"]

_OUTPUT_TOOL: Final = "final_result"
"""How the names of output tools begin, unless they are given others."""


class Response:
    """Writes the parts of one response after the other."""

    def __init__(self, write: Writer) -> None:
        self._write = write
        self._calls: dict[int, str] = {}
        self._held: tuple[str, str, Any] | None = None
        self._answers: dict[str, PartialJSON] = {}
        self._output_tools: set[str] = set()

    @property
    def answer(self) -> Any:
        """The arguments of the latest output tool; None before there are any."""
        latest = next(reversed(self._answers.values()), None)
        return latest.value if latest is not None and latest.has_value else None

    # Parts

    def part_start(self, event: object) -> None:
        index, part = integer(event, "index") or 0, field(event, "part")
        if index == 0:
            self._write.end_calls()
            self._calls.clear()
            self._write.new_step()
        self._end_texts(index)
        match text(part, "part_kind"):
            case "text":
                self._write.text(text(part, "content") or "", index)
                self._cite(items(part, "citations"))
            case "thinking" if text(part, "id") == "redacted_thinking":
                self._write.redacted(text(part, "signature"))
            case "thinking":
                self._write.reasoning_start(index)
                self._write.reasoning(text(part, "content") or "", index)
                self._write.signature(text(part, "signature") or "", index)
            case "tool-call" | "builtin-tool-call" as kind:
                self._call_start(index, part, provider=kind != "tool-call")
            case "builtin-tool-return":
                self.settle(part)
            case "file":
                content = field(part, "content")
                self._write.step()
                self._write.emit(chunks.file(field(content, "data"), text(content, "media_type") or "application/octet-stream"))
            case _:
                self._write.emit(chunks.raw(plain(event)))

    def part_delta(self, event: object) -> None:
        index, delta = integer(event, "index") or 0, field(event, "delta")
        match text(delta, "part_delta_kind"):
            case "text":
                self._write.text(text(delta, "content_delta") or "", index)
                self._cite(items(delta, "citations_delta"))
            case "thinking":
                self._write.reasoning(text(delta, "content_delta") or "", index)
                self._write.signature(text(delta, "signature_delta") or "", index)
            case "tool_call":
                self._arguments(self._calls.get(index) or text(delta, "tool_call_id") or "", field(delta, "args_delta"))
            case _:
                self._write.emit(chunks.raw(plain(event)))

    def part_end(self, event: object) -> None:
        self._end_texts(integer(event, "index") or 0)
        part = field(event, "part")
        if text(part, "part_kind") == "builtin-tool-call":
            self.whole(part)

    def _end_texts(self, index: int) -> None:
        self._write.text_end(index)
        self._write.reasoning_end(index)

    def _cite(self, citations: list[Any]) -> None:
        for url, title in citations_of(citations):
            self._write.source(url, title)

    # Calls

    def _call_start(self, index: int, part: object, *, provider: bool) -> None:
        id_, name, args = self._named(part)
        self._calls[index] = id_
        if provider:
            self._write.call_start(id_, name, provider=True)
            self._arguments(id_, args)
        elif name in self._output_tools or name.startswith(_OUTPUT_TOOL):
            self._answers[id_] = PartialJSON()
            self._arguments(id_, args)
        else:
            self._held = (id_, name, args)

    def go_on(self) -> None:
        """Something follows: the call that was held back is one."""
        if self._held is not None:
            (id_, name, args), self._held = self._held, None
            self._write.call_start(id_, name)
            self._arguments(id_, args)

    def final_result(self, event: object) -> None:
        """Tells that a call which has just begun is the output's; may be told of text that turns out not to be it."""
        name, id_ = text(event, "tool_name"), text(event, "tool_call_id")
        if name is not None:
            self._output_tools.add(name)
        if self._held is not None and (self._held[0] == id_ if id_ else self._held[1] == name):
            (held, _, args), self._held = self._held, None
            self._answers[held] = PartialJSON()
            self._arguments(held, args)
        self.go_on()

    def output_call(self, event: object) -> None:
        """The answer is whole."""
        id_, name, args = self._named(field(event, "part"))
        self._output_tools.add(name)
        answer = self._answers[id_] = PartialJSON()
        answer.feed(args if isinstance(args, str) else json_of(args))

    def _arguments(self, id_: str, args: Any) -> None:
        """More of the arguments: text, or an object."""
        answer = self._answers.get(id_)
        if answer is not None and args:
            answer.feed(args if isinstance(args, str) else json_of(args))
            if answer.has_value:
                self._write.step()
                self._write.emit(chunks.object_partial(answer.value))
        elif isinstance(args, str):
            self._write.call_delta(id_, args)

    def whole(self, part: object) -> None:
        """A call with its final arguments. Those that are no JSON stay as they came."""
        id_, name, args = self._named(part)
        given: Any = plain(args) or {}
        if isinstance(args, str):
            try:
                given = parsed(args) if args.strip() else {}
            except ValueError:
                if id_ not in self._write.calls:
                    self._write.call_start(id_, name)
                    self._write.call_delta(id_, args)
                self._write.call_end(id_)
                return
        self._write.call(id_, name, given)

    def settle(self, part: object) -> None:
        """The result of a call, or what was wrong with it."""
        id_, name, outcome = text(part, "tool_call_id") or "", text(part, "tool_name"), text(part, "outcome")
        if id_ in self._answers:
            return
        if outcome == "denied":
            self._write.denied(id_, text(part, "content"), name)
        elif outcome in ("failed", "retried", "interrupted") or text(part, "part_kind") == "retry-prompt":
            self._write.tool_error(id_, error_of(part), name)
        else:
            self._write.result(id_, plain(field(part, "content")), name)

    def _named(self, part: object) -> tuple[str, str, Any]:
        return text(part, "tool_call_id") or self._write.made_id("call"), text(part, "tool_name") or "tool", field(part, "args")
