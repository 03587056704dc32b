"""An address as a source: any server that streams chunks, or events of a family that is known, over HTTP.

What the server speaks is told by the answer: its content type and beginning tell the framing, its first events the family.
"""

from __future__ import annotations

import json as jsons
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from runview.sources.answer import Answer
from runview.sources.body import Body
from runview.sources.request import Request

__all__ = ["asked", "from_url", "is_url"]

_ACCEPT: Final = "text/event-stream, application/x-ndjson, */*;q=0.5"
_TIMEOUT: Final = 30.0


def is_url(source: object) -> bool:
    """Whether a source is the address of a server."""
    return isinstance(source, str) and source.startswith(("http://", "https://")) and " " not in source


def asked(source: object, json: object, headers: Mapping[str, str] | None) -> object:
    """The source, with what is sent if it is an address. Raises TypeError when something is to be sent and there is none."""
    if json is None and headers is None:
        return source
    if not isinstance(source, str) or not is_url(source):
        raise TypeError(f"json= and headers= are for an address (https://…), not for a {type(source).__name__}")
    return from_url(source, json=json, headers=headers)


def from_url(url: str, *, json: object = None, headers: Mapping[str, str] | None = None) -> Answer:
    """The stream of an address: asked by POST with `json`, by GET without. Sent when it is read, and once.

    Raises ValueError for what is no address, TypeError or ValueError when `json` is none.
    """
    if not is_url(url) or not urlsplit(url).netloc:
        raise ValueError(f"an address begins with http:// or https://, not {url!r}"[:200])
    sent: dict[str, str] = {"accept": _ACCEPT}
    body = b""
    if json is not None:
        sent["content-type"] = "application/json"
        body = jsons.dumps(json, allow_nan=False, default=_plain).encode("ascii")
    sent |= {name.lower(): value for name, value in (headers or {}).items()}
    return Answer(Request("GET" if json is None else "POST", url, sent, body, _TIMEOUT, 0), reader=Body)


def _plain(value: object) -> Any:
    dump = getattr(type(value), "model_dump", None)
    if dump is not None:
        return dump(value, mode="json", by_alias=True)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
