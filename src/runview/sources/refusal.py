"""What a server says when it refuses a request: the status, its own words, and what is wrong with which field."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final, cast

from runview.chunks.json_text import decode
from runview.errors import MastraError
from runview.sources.request import shown

if TYPE_CHECKING:
    import httpx

__all__ = ["answered", "content_type", "refused"]

_READ: Final = 65_536
"""Bytes of a refusal that are read."""
_SHOWN: Final = 300
"""Characters of it that are shown."""


def answered(response: httpx.Response, what: str, words: str = "") -> MastraError:
    """The error for an answer that is not what was asked for."""
    request = response.request
    told = f"{request.method} {shown(str(request.url))} was answered with {what}{': ' if words else ''}{words}"
    return MastraError(told, status=response.status_code)


def content_type(response: httpx.Response) -> str:
    kind: str = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind


async def refused(response: httpx.Response) -> MastraError:
    """The error for an answer with another status than 200; reads what the server has to say."""
    body = b""
    async with aclosing(cast("AsyncGenerator[bytes, None]", response.aiter_bytes())) as pieces:
        async for piece in pieces:
            body += piece
            if len(body) > _READ:
                break
    status = f"{response.status_code} {response.reason_phrase}".strip()
    return answered(response, status, _words(body, content_type(response)) or response.headers.get("location", ""))


def _words(body: bytes, kind: str) -> str:
    """`Invalid request body (messages: Invalid input; maxSteps: Expected number)`"""
    try:
        value: Any = decode(body)
    except ValueError:
        value = "" if kind == "text/html" else body.decode("utf-8", "replace")
    match value:
        case {"error": {"message": str(words)}} | {"error": str(words)} | {"message": str(words)} | str(words):
            pass
        case _:
            return ""
    if issues := _issues(value):
        words += f" ({'; '.join(issues)})"
    words = " ".join(words.split())
    return words if len(words) <= _SHOWN else words[:_SHOWN] + "…"


def _issues(value: Any) -> list[str]:
    found: list[str] = []
    match value:
        case {"issues": [*issues]}:
            for issue in issues:
                match issue:
                    case {"field": field, "message": message}:
                        found.append(f"{field}: {message}" if field else str(message))
                    case _:
                        pass
        case _:
            pass
    return found
