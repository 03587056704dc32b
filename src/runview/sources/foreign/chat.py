"""Chunks of chat completions: OpenAI, litellm, groq, Hugging Face, Mistral, and every server that speaks as they do.

One stream is one step; chunks of another response in the same stream (somebody's own loop) are the next. Of the helper streams
only the raw chunks in them are read, and `parsed`: all else repeats. There is no end for each call, so calls are whole when the
finish reason comes; usage may come after it, so the step ends with the stream.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runview.chunks.wire import Wire, note
from runview.sources.foreign import chunks
from runview.sources.foreign.chat_calls import ChatCalls
from runview.sources.foreign.fields import field, integer, is_list, items, listed, path, plain, record, text, type_of, word
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.usage import usage_of
from runview.sources.foreign.writer import Writer

__all__ = ["CHAT", "ChatReader"]

_HELPER = ("chunk", "content.delta", "content.done")
_REASONING = ("reasoning_content", "reasoning", "thinking")


def _recognises(event: object) -> bool:
    chunk = _chunk_in(event)
    if chunk is None:
        return not type_of(event) and text(path(record(event), "error"), "message") is not None
    if text(chunk, "object") in ("chat.completion.chunk", "text_completion"):
        return True
    choices = field(chunk, "choices")
    return is_list(choices) and all(field(each, "delta") is not None or text(chunk, "model") for each in listed(choices)[:1])


def _chunk_in(event: object) -> Any:
    """The raw chunk that an event is or holds, or None."""
    for chunk in (event, field(event, "data"), field(event, "chunk")):
        if is_list(field(chunk, "choices")) or text(chunk, "object") == "chat.completion.chunk":
            return chunk
    return None


class ChatReader:
    """Reads one stream of chat completion chunks."""

    def __init__(self, layers: Layers = ()) -> None:
        self._write = Writer()
        self._calls = ChatCalls(self._write)
        self._id: str | None = None
        self._reason: str | None = None
        """The raw one, once it has come."""
        self._usage: Wire = {}
        self._refused = False
        self._others = False
        self._audio: list[str] = []

    def read(self, event: object) -> Iterable[Wire]:
        chunk = _chunk_in(event)
        if chunk is not None:
            self._chunk(chunk)
        elif type_of(event) in _HELPER or type_of(event).startswith(("content.", "refusal.", "tool_calls.", "logprobs.")):
            self._helper(event)
        elif (error := field(event, "error")) is not None:
            self._write.error(plain(error))
        else:
            self._write.start()
            self._write.emit(chunks.raw(plain(event)))
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        if self._reason is not None:
            self._finish_step()
            self._write.finish(self._told_reason(), raw=self._reason)
        elif self._usage:
            self._finish_step()
        return self._write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        if self._usage and self._write.in_step:
            self._finish_step()
        return self._write.take()

    def _chunk(self, chunk: object) -> None:
        id_ = text(chunk, "id") or None
        choices = [choice for choice in items(chunk, "choices") if choice is not None]
        mine = [choice for choice in choices if not integer(choice, "index")]
        if len(mine) < len(choices) and not self._others:
            self._others = True
            self._write.emit(note("There are several choices; the first one is the run."))
        if self._reason is not None and mine and id_ is not None and id_ != self._id:
            self._finish_step()
            self._reason, self._refused, self._usage = None, False, {}
        if mine or self._write.in_step:
            self._id = id_ or self._id
            if not self._write.finished:
                self._write.step(id=self._id, modelId=text(chunk, "model"))
        for choice in mine:
            self._choice(choice)
        for told in (field(chunk, "usage"), path(chunk, "x_groq", "usage")):
            self._usage.update(usage_of(told))
        for url in items(chunk, "citations"):
            if isinstance(url, str):
                self._write.source(url)
        if (error := field(chunk, "error")) is not None and not choices:
            self._write.error(plain(error))

    def _choice(self, choice: object) -> None:
        delta = field(choice, "delta")
        if delta is None:
            delta = field(choice, "message")
        if delta is not None:
            self._reasoning(delta)
            self._content(field(delta, "content"))
            if refusal := text(delta, "refusal"):
                self._refused = True
                self._write.text(refusal)
            self._extras(delta)
            self._calls.read(delta)
        self._content(text(choice, "text"))
        if reason := text(choice, "finish_reason"):
            self._reason = reason
            self._write.close_texts()
            self._write.end_calls(cut=reason_of(reason) in ("length", "content-filter", "error"))

    def _reasoning(self, delta: object) -> None:
        """Servers tell it in several fields at once, which repeat each other: the first is taken."""
        blocks = items(delta, "reasoning_details") or items(delta, "thinking_blocks")
        said = next((words for name in _REASONING if (words := text(delta, name))), "")
        said = said or "".join(text(block, name) or "" for block in blocks for name in ("text", "summary", "thinking"))
        self._write.reasoning(said)
        for block in blocks:
            if type_of(block) in ("redacted_thinking", "reasoning.encrypted"):
                self._write.redacted(text(block, "data"))
            elif signature := text(block, "signature"):
                self._write.signature(signature)

    def _content(self, content: object) -> None:
        if isinstance(content, str):
            self._write.text(content)
        for part in listed(content):
            if type_of(part) == "thinking":
                thought = field(part, "thinking")
                self._write.reasoning(word(thought) or "".join(text(each, "text") or "" for each in listed(thought)))
            else:
                self._write.text(word(part) or text(part, "text") or "")

    def _extras(self, delta: object) -> None:
        """Sources, pictures and speech."""
        for each in items(delta, "annotations"):
            cited = field(each, "url_citation") or each
            self._write.source(text(cited, "url"), text(cited, "title"))
        for each in items(delta, "images"):
            if url := text(field(each, "image_url"), "url"):
                kind = url[5:].split(";", 1)[0] if url.startswith("data:") else "image/*"
                self._write.emit(chunks.file(url, kind))
        audio = field(delta, "audio")
        if audio is not None:
            self._write.text(text(audio, "transcript") or "")
            self._audio.append(text(audio, "data") or "")

    def _helper(self, event: object) -> None:
        if (parsed := field(event, "parsed")) is None:
            return
        if type_of(event) == "content.delta":
            self._write.emit(chunks.object_partial(plain(parsed)))
        elif type_of(event) == "content.done":
            self._write.emit(chunks.object_result(plain(parsed)))

    def _finish_step(self) -> None:
        if sound := "".join(self._audio):
            self._write.emit(chunks.file(sound, "audio/wav"))
            self._audio.clear()
        if self._write.in_step:
            self._write.finish_step(self._told_reason(), raw=self._reason, usage=self._usage)
        self._calls.forget()

    def _told_reason(self) -> str | None:
        """Who says `stop` and waits for tools means so; a refusal is a filter's work."""
        reason = reason_of(self._reason)
        if reason == "stop" and self._refused:
            return "content-filter"
        return "tool-calls" if reason == "stop" and self._write.open_calls() else reason


CHAT = Family(
    "openai-chat",
    _recognises,
    ChatReader,
    aliases=("chat", "litellm", "groq", "huggingface", "huggingface-hub", "mistral", "mistralai", "openai-compatible"),
)
