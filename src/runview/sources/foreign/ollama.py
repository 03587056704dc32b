"""Ollama's answers, piece by piece: of `chat` with a message in each, of `generate` with a `response`. The last one is `done`."""

from __future__ import annotations

from collections.abc import Iterable

from runview.chunks.wire import Wire
from runview.sources.foreign.fields import field, items, number, plain, text
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.usage import tokens
from runview.sources.foreign.writer import Writer

__all__ = ["OLLAMA", "OllamaReader"]


def _recognises(event: object) -> bool:
    if type(field(event, "done")) is not bool or text(event, "model") is None:
        return False
    return text(field(event, "message"), "role") is not None or text(event, "response") is not None


class OllamaReader:
    """Reads one answer. Calls come whole and without ids."""

    def __init__(self, layers: Layers = ()) -> None:
        self._write = Writer()

    def read(self, event: object) -> Iterable[Wire]:
        write = self._write
        if (error := text(event, "error")) is not None:
            write.error(error)
            return write.take()
        if not write.finished:
            write.step(modelId=text(event, "model"))
        message = field(event, "message")
        write.reasoning(text(message, "thinking") or text(event, "thinking") or "")
        write.text(text(message, "content") or text(event, "response") or "")
        for call in items(message, "tool_calls"):
            function = field(call, "function")
            write.call(
                text(call, "id") or write.made_id("call"), text(function, "name") or "", plain(field(function, "arguments"))
            )
        if field(event, "done") is True:
            self._done(event)
        return write.take()

    def _done(self, event: object) -> None:
        raw = text(event, "done_reason")
        reason = reason_of(raw)
        if reason == "stop" and self._write.open_calls():
            reason = "tool-calls"
        usage = tokens(number(event, "prompt_eval_count"), number(event, "eval_count"))
        self._write.finish(reason, raw=raw, usage=usage)

    def end(self) -> Iterable[Wire]:
        return ()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        return ()


OLLAMA = Family("ollama", _recognises, OllamaReader)
