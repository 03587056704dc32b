"""Responses of google-genai: each event a whole `GenerateContentResponse` with what is new in it.

Text opens and closes as its kind changes. A finish reason ends a turn; where functions are called automatically the next turn
follows, and later responses repeat the history with the results. Thoughts are counted apart there, and within the output here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, first, is_list, items, listed, number, path, plain, record, text, word
from runview.sources.foreign.google_args import PartialArgs
from runview.sources.foreign.reader import Family, Layers
from runview.sources.foreign.reasons import reason_of
from runview.sources.foreign.usage import tokens
from runview.sources.foreign.writer import Writer

__all__ = ["GOOGLE", "GoogleReader"]

_CODE: Final = "code_execution"


def _field(value: object, name: str) -> Any:
    """A field in Python's spelling or, of what comes from a server, in JSON's."""
    found = field(value, name)
    if found is None and "_" in name:
        head, *tail = name.split("_")
        found = field(value, head + "".join(each.capitalize() for each in tail))
    return found


def _recognises(event: object) -> bool:
    if is_list(field(event, "candidates")):
        return True
    if text(event, "event_type") is not None or field(event, "choices") is not None:
        return False
    return number(_field(event, "usage_metadata"), "prompt_token_count") is not None or (
        word(_field(_field(event, "prompt_feedback"), "block_reason")) is not None
    )


class GoogleReader:
    """Reads one stream."""

    def __init__(self, layers: Layers = ()) -> None:
        self._write = Writer()
        self._partial: PartialArgs | None = None
        self._code: str | None = None
        self._raw: str | None = None
        self._reason: str | None = None
        self._turn_over = False
        self._blocked = False
        self._usage: Wire = {}
        self._history = 0
        """Results of the automatic calls that are told already."""
        self._made: list[str] = []
        """The calls of the turns, in order, for results without ids."""

    def read(self, event: object) -> Iterable[Wire]:
        if _field(event, "automatic_function_calling_history") is not None:
            self._results(event)
        candidates = items(event, "candidates")
        mine = [each for each in candidates if not number(each, "index")]
        if mine or _field(event, "usage_metadata") is not None:
            self._begin(event, mine)
        for candidate in mine[:1]:
            self._candidate(candidate)
        usage = _usage(_field(event, "usage_metadata"))
        self._usage = usage or self._usage
        block = word(_field(_field(event, "prompt_feedback"), "block_reason"))
        if block is not None and not mine and not self._blocked:
            self._blocked = True
            told = text(_field(event, "prompt_feedback"), "block_reason_message")
            self._end_turn()
            self._write.tripwire(block, metadata={"message": told} if told else None)
        return self._write.take()

    def end(self) -> Iterable[Wire]:
        if self._raw is not None and not self._blocked:
            self._end_turn()
            self._write.finish(self._reason, raw=self._raw)
        return self._write.take()

    def fail(self, error: BaseException) -> Iterable[Wire]:
        if self._turn_over:
            self._end_turn()
        return self._write.take()

    def _begin(self, event: object, candidates: list[Any]) -> None:
        """The first response after the end of a turn opens the next."""
        if self._turn_over and any(_says_something(each) for each in candidates):
            self._end_turn()
            self._raw = self._reason = None
        if not self._write.finished:
            self._write.step(id=text(event, "response_id"), modelId=text(event, "model_version"))

    def _end_turn(self) -> None:
        """The step is told when the next begins or the stream ends: usage may come late."""
        self._turn_over = False
        if self._write.in_step:
            self._write.finish_step(self._reason, raw=self._raw, usage=self._usage)
        self._usage = {}

    def _candidate(self, candidate: object) -> None:
        for part in items(field(candidate, "content"), "parts"):
            self._part(part)
        self._sources(candidate)
        raw = word(_field(candidate, "finish_reason"))
        if raw is None or raw == "FINISH_REASON_UNSPECIFIED":
            return
        self._raw, self._reason, self._turn_over = raw, reason_of(raw), True
        self._write.close_texts()
        self._write.end_calls(cut=self._reason in ("length", "content-filter", "error"))
        if self._reason == "stop" and self._write.open_calls():
            self._reason = "tool-calls"

    def _part(self, part: object) -> None:
        said = text(part, "text")
        if said:
            if field(part, "thought") is True:
                self._write.reasoning(said)
            else:
                self._write.text(said)
        if (call := _field(part, "function_call")) is not None:
            self._call(call)
        elif (code := _field(part, "executable_code")) is not None:
            self._code = text(code, "id") or self._write.made_id("code")
            language = word(field(code, "language"))
            args = {"code": text(code, "code") or "", **({"language": language} if language else {})}
            self._write.call(self._code, _CODE, args, provider=True)
        elif (result := _field(part, "code_execution_result")) is not None:
            self._code_result(result)
        elif (answer := _field(part, "function_response")) is not None:
            self._response(answer)
        elif (blob := _field(part, "inline_data")) is not None:
            self._write.step()
            self._write.emit(chunks.file(field(blob, "data"), word(_field(blob, "mime_type")) or "application/octet-stream"))
        elif (file := _field(part, "file_data")) is not None:
            self._write.step()
            url = first(file, "file_uri", "fileUri")
            self._write.emit(chunks.file(url, word(_field(file, "mime_type")) or "application/octet-stream"))

    def _call(self, call: object) -> None:
        partial = _field(call, "partial_args")
        continues = _field(call, "will_continue") is True
        name = text(call, "name")
        if self._partial is None and not continues and not listed(partial):
            id_ = text(call, "id") or self._write.made_id("call")
            self._made.append(id_)
            self._write.call(id_, name or "", plain(field(call, "args")))
            return
        if self._partial is None or name:
            id_ = text(call, "id") or self._write.made_id("call")
            self._made.append(id_)
            self._partial = PartialArgs(id_)
            self._write.call_start(id_, name or "")
        for piece in listed(partial):
            self._write.call_delta(self._partial.id, self._partial.add(piece))
        if not continues:
            self._write.call_end(self._partial.id, self._partial.value)
            self._partial = None

    def _code_result(self, result: object) -> None:
        id_ = text(result, "id") or self._code or self._write.made_id("code")
        outcome, output = word(field(result, "outcome")), text(result, "output") or ""
        if outcome in (None, "OUTCOME_OK", "OUTCOME_UNSPECIFIED"):
            self._write.result(id_, plain(result), _CODE)
        else:
            self._write.tool_error(id_, {"message": output or str(outcome), "outcome": outcome}, _CODE)

    # Automatic calls

    def _results(self, event: object) -> None:
        """The history grows and is repeated; each result is told once, to the call of its id or the next of its name."""
        history = listed(_field(event, "automatic_function_calling_history"))
        answers = [
            answer
            for content in history
            for part in items(content, "parts")
            if (answer := _field(part, "function_response")) is not None
        ]
        if len(answers) > self._history and self._turn_over:
            self._end_turn()
        for answer in answers[self._history :]:
            self._response(answer)
        self._history = max(self._history, len(answers))

    def _response(self, answer: object) -> None:
        name, id_ = text(answer, "name") or "", text(answer, "id")
        if id_ not in self._made:
            unsettled = (self._write.calls[each] for each in self._made if not self._write.calls[each].settled)
            id_ = next((call.id for call in unsettled if call.name == name), id_) or self._write.made_id("call")
        value = plain(field(answer, "response"))
        error = record(value).get("error") if len(record(value)) == 1 else None
        if error is not None:
            self._write.tool_error(id_, error if isinstance(error, str) else record(error) or str(error), name)
        else:
            self._write.result(id_, value, name)

    def _sources(self, candidate: object) -> None:
        for each in listed(_field(_field(candidate, "grounding_metadata"), "grounding_chunks")):
            for kind in ("web", "retrieved_context", "maps"):
                if (found := _field(each, kind)) is not None:
                    self._write.source(text(found, "uri"), text(found, "title"))
        metadata = _field(candidate, "citation_metadata")
        for each in items(metadata, "citations") or listed(_field(metadata, "citation_sources")):
            self._write.source(text(each, "uri"), text(each, "title"))
        for each in listed(_field(_field(candidate, "url_context_metadata"), "url_metadata")):
            url = text(each, "retrieved_url")
            self._write.source(url)


def _says_something(candidate: object) -> bool:
    return bool(items(path(candidate, "content"), "parts"))


def _usage(told: object) -> Wire:
    """Thoughts and prompts of tools are counted apart there."""
    given = _number(told, "prompt_token_count")
    if given is not None:
        given += _number(told, "tool_use_prompt_token_count") or 0
    said, thought = _number(told, "candidates_token_count"), _number(told, "thoughts_token_count")
    output = None if said is None and thought is None else (said or 0) + (thought or 0)
    return tokens(given, output, _number(told, "total_token_count"), thought, _number(told, "cached_content_token_count"))


def _number(told: object, name: str) -> Any:
    value = _field(told, name)
    return value if type(value) in (int, float) else None


GOOGLE = Family(
    "google",
    _recognises,
    GoogleReader,
    streams=("google.genai.models.", "google.genai.chats."),
    aliases=("google-genai", "gemini"),
)
