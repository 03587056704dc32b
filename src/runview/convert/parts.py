"""Parts that agents, workflows and networks have in common."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from runview.chunks.wire import Wire
from runview.convert.fields import ABSENT, dict_of, is_dict, record, told, word

__all__ = ["Options", "Version", "data_part", "file_part", "finish_part", "is_data", "source_part", "task_part", "text_part"]

Version: TypeAlias = Literal["v5", "v6", "v7"]

_ENVELOPE: Final = frozenset({"type", "runId", "from", "id", "transient"})
"""Fields of a data chunk that are not its data."""
_REASONS: Final = frozenset({"stop", "length", "content-filter", "tool-calls", "error", "other"})
"""The finish reasons that the AI SDK knows."""


@dataclass(frozen=True, slots=True)
class Options:
    """What of a run is told, and in which spelling."""

    version: Version = "v5"
    reasoning: bool = False
    sources: bool = False
    subagents: bool = False


def is_data(chunk: Wire) -> bool:
    """Whether it is a part of the user's own kind."""
    type_ = chunk.get("type")
    return type(type_) is str and type_.startswith("data-")


def data_part(chunk: Wire) -> Wire:
    """A user's own part, passed on. Without `data`, the rest of its fields are its data."""
    fields = chunk
    if "data" not in chunk and is_dict(payload := chunk.get("payload")) and "data" in payload:
        fields = {**payload, "type": chunk["type"]}
    rest = {name: value for name, value in chunk.items() if name not in _ENVELOPE}
    return record(type=chunk["type"], data=fields.get("data", rest), id=fields.get("id", ABSENT))


def task_part(chunk: Wire) -> list[Wire]:
    """News of a background task."""
    if not is_dict(payload := chunk.get("payload")):
        return []
    type_ = f"data-{chunk['type']}"
    run_id = chunk.get("runId")
    data = {**payload, "state": type_} | record(runId=run_id if type(run_id) is str else payload.get("runId", ABSENT))
    ids = (payload.get(name) for name in ("taskId", "toolCallId"))
    return [record(type=type_, id=next((id_ for id_ in ids if type(id_) is str), ABSENT), data=data)]


def text_part(type_: str, payload: Wire, options: Options) -> Wire:
    """A start, a piece or the end of text or reasoning.

    Without the reasoning, a text must not name the item of the provider's answer, which would not be accepted back alone.
    """
    part = record(type=type_, id=payload.get("id", ABSENT))
    if type_.endswith("-delta"):
        part |= record(delta=payload.get("text", ABSENT))
    part |= told(payload, "providerMetadata")
    metadata = part.get("providerMetadata")
    if not options.reasoning and is_dict(metadata) and dict_of(openai := metadata.get("openai")).get("itemId") is not None:
        rest = {name: value for name, value in dict_of(openai).items() if name != "itemId"}
        part["providerMetadata"] = {**metadata, "openai": rest}
    return part


def source_part(payload: Wire) -> Wire:
    """A source that the answer names: a page, or a document."""
    if payload.get("sourceType") == "url":
        part = record(type="source-url", sourceId=payload.get("id", ABSENT), url=payload.get("url", ABSENT))
        return part | record(title=payload.get("title", ABSENT)) | told(payload, "providerMetadata")
    part = record(type="source-document", sourceId=payload.get("id", ABSENT), mediaType=payload.get("mimeType", ABSENT))
    part |= record(title=payload.get("title", ABSENT), filename=payload.get("filename", ABSENT))
    return part | told(payload, "providerMetadata")


def file_part(payload: Wire) -> Wire:
    """A file, as a data URL.

    Bytes that went through JSON have become an object of numbers, for which the AI SDK's own conversion writes
    `[object Object]`; so does this.
    """
    data: Any = payload.get("data", ABSENT)
    content = base64.b64encode(data).decode("ascii") if isinstance(data, (bytes, bytearray)) else word(data)
    return record(
        type="file",
        mediaType=payload.get("mimeType", ABSENT),
        url=f"data:{word(payload.get('mimeType', ABSENT))};base64,{content}",
    )


def finish_part(payload: Wire, version: Version) -> Wire:
    """The end of a turn. The AI SDK knows no `tripwire` and no `retry`; from v6 on it wants one of its own words."""
    reason: Any = dict_of(payload.get("stepResult")).get("reason")
    if version == "v5":
        reason = "other" if reason in ("tripwire", "retry") else reason
    elif type(reason) is not str or reason not in _REASONS:
        reason = "other"
    return {"type": "finish"} if reason is None else {"type": "finish", "finishReason": reason}


def envelope(chunk: Mapping[str, Any]) -> tuple[str, Wire]:
    """A chunk's type and payload; `""` and `{}` for what it lacks."""
    type_ = chunk.get("type")
    return type_ if type(type_) is str else "", dict_of(chunk.get("payload"))
