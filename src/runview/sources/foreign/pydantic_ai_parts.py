"""What stands in pydantic-ai's parts and results, read into the words of chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign.fields import field, items, keys_of, path, plain, text
from runview.sources.foreign.usage import usage_of

__all__ = ["citations_of", "error_of", "extras_of", "json_of", "result_told", "usage_told"]

_ENVELOPE: Final = frozenset({"name", "kind", "tool_call_id", "tool_name", "event_kind", "run_id", "capability_id", "__class__"})
"""Fields of an event of one's own that say what it is; the rest is what it tells."""


def citations_of(citations: list[Any]) -> Iterator[tuple[str | None, str | None]]:
    """The address and the title of each source that is cited."""
    for citation in citations:
        for source in items(citation, "sources"):
            yield text(source, "url"), text(source, "title") or text(source, "document_id")


def error_of(part: object) -> Wire:
    """What was wrong with a call: words, or the details of a validation."""
    content = field(part, "content")
    if isinstance(content, (list, tuple)):
        details = [plain(each) for each in items(part, "content")]
        words = [f"{'.'.join(map(str, items(each, 'loc')))}: {text(each, 'msg') or each}".removeprefix(": ") for each in details]
        return {"message": "\n".join(words), "details": details}
    return {"message": content if isinstance(content, str) else json_of(content)}


def extras_of(event: object) -> tuple[str, Any]:
    """The name of an event of one's own, and its fields."""
    told = keys_of(plain(event))
    name = text(event, "name") or text(event, "kind") or type(event).__name__
    return name, {key: value for key, value in told.items() if key not in _ENVELOPE}


def json_of(value: Any) -> str:
    """The JSON text of a value, whatever is in it."""
    return json.dumps(plain(value), ensure_ascii=False, default=str)


def usage_told(told: object) -> Wire:
    """Counts begin at zero there, so a zero says nothing. Older versions have a method for them."""
    if callable(told) and field(told, "input_tokens") is None:
        told = told()
    return {name: count for name, count in usage_of(told).items() if count}


def result_told(result: object) -> tuple[Any, str | None, Wire]:
    """The output, the reason of the last response, and the usage of a run's result."""
    response = field(result, "response")
    if response is None:
        history = items(field(result, "_state"), "message_history")
        response = next((each for each in reversed(history) if text(each, "kind") == "response"), None)
    usage = field(result, "usage") or path(result, "_state", "usage")
    return field(result, "output"), text(response, "finish_reason"), usage_told(usage)
