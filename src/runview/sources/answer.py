"""The answer of a Mastra server as a stream of chunks: one request, sent when somebody begins to read.

Whatever goes wrong on the way is a `MastraError` of one sentence: no server, a refused request, a page in place of a stream, a
connection that was cut. httpx is imported with the first request.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, cast

from runview.chunks.json_text import decode
from runview.errors import MastraError
from runview.sources.framing import Format, Frames

if TYPE_CHECKING:
    import httpx

__all__ = ["Answer", "Request"]

_FORMATS: Final[dict[str, Format]] = {
    "": "auto",
    "application/json-seq": "records",
    "application/jsonl": "jsonl",
    "application/octet-stream": "auto",
    "application/x-ndjson": "jsonl",
    "text/event-stream": "sse",
    "text/plain": "auto",  # workflows, as records
}
"""The content types that are streams."""
_READ: Final = 65_536
"""Bytes of a refusal that are read."""
_SHOWN: Final = 300
"""Characters of it that are shown."""


class Request(NamedTuple):
    """What is asked."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes
    timeout: float | None
    """Seconds to reach the server; an answer may take any time, since tools may."""


class Answer:
    """The chunks of one answer: an async iterable, to be read once.

    Reading sends the request. `await` sends it at once and gives the answer back, so that a refusal shows early; `async with`
    does the same, and closes the connection in the end, read or not.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._client: httpx.AsyncClient | None = None
        self._response: httpx.Response | None = None
        self._format: Format = "auto"
        self._sent = False
        self._read = False

    def __repr__(self) -> str:
        return f"<answer to {self._request.method} {_shown(self._request.url)}>"

    def __await__(self) -> Generator[Any, None, Self]:
        return self._open().__await__()

    async def __aenter__(self) -> Self:
        return await self._open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def __aiter__(self) -> AsyncIterator[Any]:
        if self._read:
            raise MastraError(f"{self!r} was read already; ask again to get another")
        self._read = True
        return self._chunks()

    async def aclose(self) -> None:
        """Closes the connection; harmless when there is none."""
        response, self._response = self._response, None
        client, self._client = self._client, None
        try:
            if response is not None:
                await response.aclose()
        finally:
            if client is not None:
                await client.aclose()

    async def _open(self) -> Self:
        if self._sent:
            return self
        self._sent = True
        import httpx

        method, url, headers, body, timeout = self._request
        self._client = client = httpx.AsyncClient(timeout=httpx.Timeout(timeout, read=None))
        try:
            request = client.build_request(method, url, headers=headers, content=body)
            self._response = await client.send(request, stream=True)
            self._format = await _judge(self._response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            await self.aclose()
            raise MastraError(_unreached(url, error, timeout)) from error
        except BaseException:
            await self.aclose()
            raise
        return self

    async def _chunks(self) -> AsyncGenerator[Any, None]:
        await self._open()
        import httpx

        if self._response is None:
            raise MastraError(f"{self!r} was closed before it was read")
        frames = Frames(self._format)
        try:
            async with aclosing(cast("AsyncGenerator[bytes, None]", self._response.aiter_bytes())) as pieces:
                async for piece in pieces:
                    for value in frames.feed(piece):
                        yield value
                    if frames.done:
                        break
            for value in frames.end():
                yield value
        except httpx.HTTPError as error:
            raise MastraError(f"the connection to {_origin(self._request.url)} was cut off: {_words(error)}") from error
        finally:
            await self.aclose()


async def _judge(response: httpx.Response) -> Format:
    """The format of a stream. Raises MastraError when the answer is none: with the server's own words, where it has some."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    answered = f"{response.request.method} {_shown(str(response.request.url))} was answered with"
    if response.status_code != 200:
        body = b""
        async with aclosing(cast("AsyncGenerator[bytes, None]", response.aiter_bytes())) as pieces:
            async for piece in pieces:
                body += piece
                if len(body) > _READ:
                    break
        status = f"{response.status_code} {response.reason_phrase}".strip()
        words = _refusal(body, kind) or response.headers.get("location", "")
        raise MastraError(f"{answered} {status}{': ' if words else ''}{words}", status=response.status_code)
    if kind not in _FORMATS:
        raise MastraError(f"{answered} {kind}, which is not a stream of chunks", status=200)
    return _FORMATS[kind]


def _refusal(body: bytes, kind: str) -> str:
    """What the server says about a refusal: `Invalid request body (messages: Invalid input)`."""
    try:
        value = decode(body)
    except ValueError:
        value = "" if kind == "text/html" else body.decode("utf-8", "replace")
    match value:
        case {"error": {"message": str(words)}} | {"error": str(words)} | {"message": str(words)} | str(words):
            pass
        case _:
            return ""
    match value:
        case {"issues": [{"field": field, "message": message}, *_]}:
            words += f" ({field}: {message})"
        case _:
            pass
    words = " ".join(words.split())
    return words if len(words) <= _SHOWN else words[:_SHOWN] + "…"


def _unreached(url: str, error: Exception, timeout: float | None) -> str:
    import httpx

    if isinstance(error, httpx.TimeoutException):
        return f"no server answered at {_origin(url)} within {timeout:g} s"
    if isinstance(error, httpx.ConnectError):
        return f"no server answers at {_origin(url)}: {_words(error)}"
    return f"the request to {_origin(url)} failed: {_words(error)}"


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__


def _shown(url: str) -> str:
    """The URL without a user's name and password."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def _origin(url: str) -> str:
    return "/".join(_shown(url).split("/")[:3])
