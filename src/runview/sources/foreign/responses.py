"""Events of OpenAI's Responses API, of whoever sends them: dispatched by `type`, since unknown events come as any class.

Each response is a step. Deltas are read, and what is done only for what deltas can't tell: whole calls, results, `parsed`. Within
a response an item is known by its place, since some models give every item the same id.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, integer, path, plain, text, type_of
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.response_items import ResponseItems
from runview.sources.foreign.usage import usage_of
from runview.sources.foreign.writer import Writer

__all__ = ["RESPONSES", "ResponsesReader"]

_ENDS: Final = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
_REPEATS: Final = (
    ".done .in_progress .completed .searching .interpreting .generating .failed .queued .created .added keepalive .partial_image"
).split()
"""How types end that tell nothing new; what does is handled before."""


def _recognises(event: object) -> bool:
    type_ = type_of(event)
    if type_ == "error":
        return text(event, "message") is not None and (integer(event, "sequence_number") is not None or _has_code(event))
    return type_.startswith("response.")


def _has_code(event: object) -> bool:
    return text(event, "code") is not None and field(event, "payload") is None


class ResponsesReader:
    """Reads one stream, which may have several responses."""

    def __init__(self, layers: Layers = ()) -> None:
        self.write = Writer()
        self.items = ResponseItems(self.write)
        self.reason: str | None = None
        self._raw: str | None = None
        self.ended = False
        """A response has ended and none is open."""

    def read(self, event: object) -> Iterable[Wire]:
        self.event(event)
        return self.write.take()

    def end(self) -> Iterable[Wire]:
        self.items.settle_images()
        if self.ended:
            self.write.finish(self.reason, raw=self._raw)
        return self.write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        self.items.settle_images()
        return self.write.take()

    def event(self, event: object) -> None:
        type_ = type_of(event)
        if type_ in ("response.created", "response.in_progress", "response.queued"):
            self._begin(field(event, "response"), new=type_ == "response.created")
        elif type_ in _ENDS:
            self._end(type_.removeprefix("response."), field(event, "response"))
        elif type_ == "error":
            self.write.error({name: value for name, value in _error(event).items() if value is not None})
        elif type_.endswith(".delta") and self._delta(type_, event):
            pass
        elif type_ == "response.output_item.added":
            self.items.added(field(event, "item"), _place(event))
        elif type_ == "response.output_item.done":
            self.items.done(field(event, "item"), _place(event))
        elif type_ == "response.output_text.annotation.added":
            self.items.cited(field(event, "annotation"))
        elif type_ == "response.output_text.done":
            if (parsed := field(event, "parsed")) is not None and isinstance(parsed := plain(parsed), (dict, list)):
                self.write.emit(chunks.object_result(parsed))
        elif type_ == "response.image_generation_call.partial_image":
            self.items.partial_image(_place(event), text(event, "partial_image_b64"))
        elif not type_.endswith(tuple(_REPEATS)):
            self.write.start()
            self.write.emit(chunks.raw(plain(event)))

    def _begin(self, response: object, *, new: bool) -> None:
        told = {"id": text(response, "id"), "modelId": text(response, "model")}
        if new:
            self.items.forget()
            self.write.new_step(**told)
        else:
            self.write.step(**told)
        self.ended = False

    def _delta(self, type_: str, event: object) -> bool:
        """Whether it is a delta that is known."""
        place, delta = _place(event), text(event, "delta")
        if delta is None:
            return False
        match type_.removeprefix("response."):
            case "output_text.delta" | "text.delta" | "audio.transcript.delta":
                self.items.text(delta, place, integer(event, "content_index") or 0)
            case "refusal.delta":
                self.items.refused = True
                self.items.text(delta, place, integer(event, "content_index") or 0)
            case "reasoning_summary_text.delta" | "reasoning_summary.delta":
                self.items.reasoning(delta, place, ("summary", integer(event, "summary_index") or 0))
            case "reasoning_text.delta" | "reasoning.delta":
                self.items.reasoning(delta, place, ("content", integer(event, "content_index") or 0))
            case "shell_call_output_content.delta":
                return False
            case name if name.endswith(("arguments.delta", "input.delta", "code.delta", "command.delta")):
                return self.items.arguments(delta, place)
            case _:
                return False
        return True

    def _end(self, how: str, response: object) -> None:
        """The response is over: its own word, and why it is short of that, make the reason."""
        self.items.settle_images()
        details = text(path(response, "incomplete_details"), "reason")
        raw = details or text(response, "status") or how
        reason = "stop" if how == "completed" else "error" if how == "failed" else reason_of(details) or "other"
        cut = reason in ("length", "content-filter", "error", "other")
        self.write.step()
        self.write.end_calls(cut=cut)
        if how == "failed":
            told = plain(field(response, "error"))
            self.write.error(told or "The response failed.")
        elif reason == "stop":
            reason = "content-filter" if self.items.refused else "tool-calls" if self.write.open_calls() else "stop"
        self.items.cite_searched()
        self.reason, self._raw = reason, raw
        self.write.finish_step(reason, raw=raw, usage=usage_of(field(response, "usage")))
        self.ended = True
        if how == "cancelled":
            self.write.emit(chunks.abort())
            self.ended = False


def _place(event: object) -> Hashable:
    place = integer(event, "output_index")
    return text(event, "item_id") if place is None else place


def _error(event: object) -> dict[str, Any]:
    """The error of an `error` event: its own fields, or those of the object in it."""
    inner = field(event, "error")
    told = event if text(event, "message") is not None or inner is None else inner
    return {
        "message": text(told, "message") or "The stream told an error.",
        "code": text(told, "code"),
        "param": text(told, "param"),
    }


RESPONSES = Family("openai-responses", _recognises, ResponsesReader, aliases=("responses",))
