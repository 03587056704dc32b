"""A request to a Mastra server: what is asked, and how it is sent.

A request is sent again only where the server has certainly done nothing yet: no connection came about, or it said that it is too
busy (429, 503). Once an answer has begun nothing is repeated, since an agent would work, and call its tools, twice. httpx is
imported with the first request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from runview.errors import MastraError

if TYPE_CHECKING:
    import httpx

__all__ = ["EVENTS", "Request", "Server", "origin", "send", "shown", "unreached", "words_of"]

EVENTS: Final = "text/event-stream"

_BUSY: Final = (429, 503)
_PAUSE: Final = 0.25
"""Seconds before the first repetition; they double with each."""
_LONGEST: Final = 10.0
"""Seconds that a server's `Retry-After` may ask for; where it asks for more, its refusal stands."""


class Request(NamedTuple):
    """What is asked."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    timeout: float | None
    """Seconds to reach the server; an answer may take any time, since tools may."""
    retries: int


class Server:
    """Where requests go, and what goes with each of them."""

    def __init__(
        self, base_url: str, *, headers: Mapping[str, str] | None, timeout: float | None, retries: int, api_prefix: str
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"a server's address begins with http:// or https://, not {base_url!r}")
        self._root = f"{base_url.rstrip('/')}/{api_prefix.strip('/')}".rstrip("/")
        self._headers = {name.lower(): value for name, value in (headers or {}).items()}
        self._timeout = timeout
        self._retries = max(0, retries)

    def request(
        self,
        method: str,
        *path: str,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, Any] | None = None,
        accept: str = "application/json",
    ) -> Request:
        """A request to a path of the API, whose parts are escaped here; what is None in the query is left out.

        Raises TypeError or ValueError when the body is no JSON.
        """
        headers = {"accept": accept, **({"content-type": "application/json"} if body is not None else {}), **self._headers}
        url = "/".join((self._root, *(quote(part, safe="") for part in path)))
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        if asked:
            url += "?" + urlencode(asked, quote_via=quote)
        content = b"" if body is None else json.dumps(body, allow_nan=False, default=_plain).encode("ascii")
        return Request(method, url, headers, content, self._timeout, self._retries)


async def send(client: httpx.AsyncClient, request: Request) -> httpx.Response:
    """The beginning of the answer, whatever its status. Raises what httpx raises."""
    import httpx

    method, url, headers, body, _, retries = request
    pause = _PAUSE
    while True:
        wait = pause
        try:
            response = await client.send(client.build_request(method, url, headers=headers, content=body), stream=True)
        except httpx.ConnectError:
            if retries <= 0:
                raise
        else:
            if response.status_code not in _BUSY or retries <= 0:
                return response
            wait = max(pause, _asked_pause(response))
            if wait > _LONGEST:
                return response
            await response.aclose()
        retries -= 1
        pause *= 2
        await asyncio.sleep(wait)


def unreached(request: Request, error: Exception) -> MastraError:
    """The error for a request that got no answer."""
    import httpx

    where = origin(request.url)
    if isinstance(error, httpx.TimeoutException):
        return MastraError(f"no server answered at {where} within {request.timeout:g} s")
    if isinstance(error, httpx.ConnectError):
        return MastraError(f"no server answers at {where}: {words_of(error)}")
    return MastraError(f"the request to {where} failed: {words_of(error)}")


def words_of(error: Exception) -> str:
    return str(error) or type(error).__name__


def shown(url: str) -> str:
    """The URL without a user's name and password."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def origin(url: str) -> str:
    return "/".join(shown(url).split("/")[:3])


def _asked_pause(response: httpx.Response) -> float:
    told = response.headers.get("retry-after", "")
    return float(told) if told.isdecimal() else 0.0


def _plain(value: object) -> Any:
    """A pydantic model as JSON has it."""
    dump = getattr(type(value), "model_dump", None)
    if dump is not None:
        return dump(value, mode="json", by_alias=True)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
