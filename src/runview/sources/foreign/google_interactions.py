"""Events of google-genai's Interactions: one interaction is one step, made of numbered pieces that start, grow and stop.

A piece is a thought, the model's output, a call or a result. A result names its call; those of the provider's tools are the
provider's. `requires_action` means that a call waits for the reader's own code.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, integer, items, listed, number, parsed, path, plain, record, text, type_of, word
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.usage import tokens
from runview.sources.foreign.writer import Writer

__all__ = ["GOOGLE_INTERACTIONS", "InteractionsReader"]


def _recognises(event: object) -> bool:
    return (text(event, "event_type") or "").startswith(("interaction.", "step.st", "step.delta"))


class _Piece:
    """A call or a result on its way."""

    def __init__(self, kind: str, id: str, name: str) -> None:
        self.kind = kind
        self.id = id
        self.name = name
        self.value: Any = None
        """The arguments of a call that came whole, or the result."""
        self.failed = False


class InteractionsReader:
    """Reads one stream."""

    def __init__(self, layers: Layers = ()) -> None:
        self._write = Writer()
        self._pieces: dict[int, _Piece] = {}
        self._reason: str | None = None
        self._raw: str | None = None
        self._ended = False

    def read(self, event: object) -> Iterable[Wire]:
        index = integer(event, "index") or 0
        match text(event, "event_type") or type_of(event):
            case "interaction.created" | "interaction.start":
                told = field(event, "interaction")
                self._write.new_step(id=text(told, "id"), modelId=word(field(told, "model")))
                self._ended = False
            case "step.start":
                self._start(field(event, "step"), index)
            case "step.delta":
                self._delta(field(event, "delta"), index)
            case "step.stop":
                self._stop(index)
            case "interaction.completed" | "interaction.cancelled":
                self._end(field(event, "interaction"))
            case "error" | "interaction.error":
                self._write.error(plain(field(event, "error")) or "The stream told an error.")
            case "interaction.status_update" | "interaction.in_progress":
                pass
            case _:
                self._write.start()
                self._write.emit(chunks.raw(plain(event)))
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        if self._ended:
            self._write.finish(self._reason, raw=self._raw)
        return self._write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        return ()

    def _start(self, step: object, index: int) -> None:
        type_ = type_of(step)
        self._held_calls()
        if type_.endswith("_call"):
            client = type_ == "function_call"
            piece = _Piece("call", text(step, "id") or self._write.made_id("call"), text(step, "name") or type_[:-5])
            piece.value = record(plain(field(step, "arguments"))) or None
            self._pieces[index] = piece
            self._write.call_start(piece.id, piece.name, provider=not client)
        elif type_.endswith("_result"):
            piece = _Piece("result", text(step, "call_id") or "", text(step, "name") or "")
            self._pieces[index] = piece
            self._result(piece, step)
        elif type_ == "thought":
            for content in items(step, "summary"):
                self._write.reasoning(text(content, "text") or "", index)
        elif type_ == "model_output":
            for content in items(step, "content"):
                self._content(content, index)
        else:
            self._write.emit(chunks.raw(plain(step)))

    def _delta(self, delta: object, index: int) -> None:
        type_ = type_of(delta)
        piece = self._pieces.get(index)
        match type_:
            case "thought_summary":
                self._write.reasoning(text(field(delta, "content"), "text") or "", index)
            case "thought_signature":
                self._write.signature(text(delta, "signature") or "", index)
            case "arguments_delta" if piece is not None:
                self._write.call_delta(piece.id, text(delta, "arguments") or "")
            case _ if piece is not None and piece.kind == "call" and type_.endswith("_call"):
                piece.value = record(plain(field(delta, "arguments"))) or piece.value
            case _ if piece is not None and piece.kind == "result" and type_.endswith("_result"):
                self._result(piece, delta)
            case _:
                self._content(delta, index)

    def _content(self, content: object, index: int) -> None:
        """Something of the model's output, whole or a piece of it."""
        match type_of(content):
            case "text":
                self._write.text(text(content, "text") or "", index)
                self._cited(items(content, "annotations"))
            case "text_annotation_delta":
                self._cited(items(content, "annotations"))
            case "image" | "audio" | "video" | "document":
                what = text(content, "data") or text(content, "uri")
                if what is not None:
                    self._write.step()
                    self._write.emit(chunks.file(what, word(field(content, "mime_type")) or "application/octet-stream"))
            case _:
                self._write.start()
                self._write.emit(chunks.raw(plain(content)))

    def _cited(self, annotations: list[Any]) -> None:
        for each in annotations:
            title = text(each, "title") or text(each, "file_name") or text(each, "document_uri")
            self._write.source(text(each, "url") or text(each, "source"), title)

    def _result(self, piece: _Piece, told: object) -> None:
        value = plain(field(told, "result"))
        if value not in (None, [], ""):
            piece.value = value
        piece.failed = piece.failed or field(told, "is_error") is True

    def _stop(self, index: int) -> None:
        self._write.text_end(index)
        self._write.reasoning_end(index)
        piece = self._pieces.get(index)
        if piece is not None and piece.kind == "result":
            del self._pieces[index]
            self._settle(piece)
        elif piece is not None:
            self._end_call(piece, wait=True)

    def _settle(self, piece: _Piece) -> None:
        if piece.failed:
            words = piece.value if isinstance(piece.value, str) else None
            self._write.tool_error(piece.id, words or {"message": "The tool failed.", "result": piece.value}, piece.name or None)
            return
        self._write.result(piece.id, piece.value, piece.name or None)
        for each in listed(piece.value):
            self._write.source(text(each, "url"), text(each, "title"))

    def _end_call(self, piece: _Piece, *, wait: bool) -> None:
        """`wait`: arguments that are no whole JSON may turn out to be cut off."""
        call = self._write.calls[piece.id]
        if not call.text and piece.value is not None:
            self._write.call_end(piece.id, piece.value)
        elif not wait or call.provider or _is_json(call.text):
            self._write.call_end(piece.id)

    def _held_calls(self) -> None:
        for piece in self._pieces.values():
            if piece.kind == "call":
                self._end_call(piece, wait=False)

    def _end(self, interaction: object) -> None:
        raw = word(field(interaction, "status"))
        reason = "length" if raw == "incomplete" else reason_of(raw)
        if reason == "length":
            self._write.end_calls(cut=True)
        else:
            self._held_calls()
        if reason == "stop" and self._write.open_calls():
            reason = "tool-calls"
        if reason == "error":
            self._write.error(plain(path(interaction, "error")) or "The interaction failed.")
        self._pieces.clear()
        self._reason, self._raw, self._ended = reason, raw, raw != "cancelled"
        self._write.finish_step(reason, raw=raw, usage=_usage(field(interaction, "usage")))
        if raw == "cancelled":
            self._write.emit(chunks.abort())


def _is_json(arguments: str) -> bool:
    try:
        parsed(arguments)
    except ValueError:
        return False
    return True


def _usage(told: object) -> Wire:
    """Thoughts are counted apart, unless the total says otherwise."""
    given, said, total = (number(told, f"total_{name}tokens") for name in ("input_", "output_", ""))
    thought, cached = number(told, "total_thought_tokens"), number(told, "total_cached_tokens")
    tools = number(told, "total_tool_use_tokens") or 0
    if given is not None and said is not None and thought and total != given + said + tools:
        said += thought
    return tokens(given, said, total, thought, cached)


GOOGLE_INTERACTIONS = Family("google-interactions", _recognises, InteractionsReader, streams=("google.genai._gaos.",))
