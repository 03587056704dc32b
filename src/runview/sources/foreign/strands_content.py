"""What stands in messages of Bedrock: results of tools, citations, usage."""

from __future__ import annotations

from typing import Any

from runview.chunks.wire import Wire
from runview.sources.foreign.fields import field, first, items, number, path, plain, text
from runview.sources.foreign.usage import tokens, usage_of

__all__ = ["result_told", "source_told", "usage_told"]


def result_told(result: object) -> tuple[bool, Any]:
    """Whether a tool failed, and what it said: the text or the value where there is one, else all of it."""
    content = items(result, "content")
    words = [text(each, "text") for each in content]
    if text(result, "status") == "error":
        return True, {"message": "\n".join(each for each in words if each) or "The tool failed."}
    if len(content) == 1 and words[0] is not None:
        return False, words[0]
    if len(content) == 1 and field(content[0], "json") is not None:
        return False, plain(field(content[0], "json"))
    return False, plain(content)


def source_told(citation: object) -> tuple[str | None, str | None]:
    """The address and the title of a citation's source."""
    location = field(citation, "location")
    url = text(path(location, "web"), "url") or text(location, "url")
    return url, text(citation, "title") or text(path(location, "web"), "domain")


def usage_told(usage: object) -> Wire:
    """Counts of Bedrock leave out of the input what was cached, those of other models do not: the total tells."""
    told = usage_of(usage)
    given, output, total = told.get("inputTokens"), told.get("outputTokens"), told.get("totalTokens")
    if given is None or output is None or total is None or total == given + output:
        return told
    written = number(usage, "cacheWriteInputTokens") or 0
    read = first(usage, "cacheReadInputTokens") or 0
    whole = given + read + written
    return tokens(whole, output, total, cached=told.get("cachedInputTokens")) if total == whole + output else told
