"""The answer of a Mastra server as a stream of chunks: one request, sent when somebody begins to read.

Whatever goes wrong on the way is a `MastraError` of one sentence: no server, a refused request, a page in place of a stream, a
connection that was cut.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from contextlib import aclosing
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, cast

from runview.chunks.wire import Wire, is_note
from runview.errors import MastraError
from runview.sources.framing import Format, Frames
from runview.sources.refusal import answered, content_type, refused
from runview.sources.request import Request, origin, send, shown, unreached, words_of

if TYPE_CHECKING:
    import httpx

__all__ = ["Answer", "Reader", "Sift"]

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


class Reader(Protocol):
    """From bytes to chunks: `Frames`, or something that speaks another protocol."""

    @property
    def done(self) -> bool: ...

    def feed(self, piece: bytes) -> list[Wire]: ...
    def end(self) -> list[Wire]: ...


class Sift(Protocol):
    """Gives the chunk that is in a value of the stream, or None when there is none that is new."""

    def __call__(self, value: Wire) -> Wire | None: ...


class Answer:
    """The chunks of one answer: an async iterable, to be read once.

    Reading sends the request. `await` sends it at once and gives the answer back, so that a refusal shows early; `async with`
    does the same, and closes the connection in the end, read or not.
    """

    def __init__(
        self,
        request: Request,
        *,
        reader: Callable[[Format], Reader] = Frames,
        sift: Sift | None = None,
        schema: object = None,
    ) -> None:
        self.schema = schema
        """What the structured output should be, where it was asked for: an output of this answer checks it."""
        self._request = request
        self._reader = reader
        self._sift = sift
        self._client: httpx.AsyncClient | None = None
        self._response: httpx.Response | None = None
        self._format: Format = "auto"
        self._sent = False
        self._read = False

    def __repr__(self) -> str:
        return f"<answer to {self._request.method} {shown(self._request.url)}>"

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

        self._client = client = httpx.AsyncClient(timeout=httpx.Timeout(self._request.timeout, read=None))
        try:
            self._response = await send(client, self._request)
            self._format = await _judge(self._response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            await self.aclose()
            raise unreached(self._request, error) from error
        except BaseException:
            await self.aclose()
            raise
        return self

    async def _chunks(self) -> AsyncGenerator[Any, None]:
        await self._open()
        import httpx

        if self._response is None:
            raise MastraError(f"{self!r} was closed before it was read")
        reader = self._reader(self._format)
        try:
            async with aclosing(cast("AsyncGenerator[bytes, None]", self._response.aiter_bytes())) as pieces:
                async for piece in pieces:
                    for value in self._sifted(reader.feed(piece)):
                        yield value
                    if reader.done:
                        break
            for value in self._sifted(reader.end()):
                yield value
        except httpx.HTTPError as error:
            raise MastraError(f"the connection to {origin(self._request.url)} was cut off: {words_of(error)}") from error
        finally:
            await self.aclose()

    def _sifted(self, values: list[Wire]) -> list[Wire]:
        sift = self._sift
        if sift is None:
            return values
        found = (value if is_note(value) else sift(value) for value in values)
        return [value for value in found if value is not None]


async def _judge(response: httpx.Response) -> Format:
    """The format of a stream. Raises MastraError when the answer is none: with the server's own words, where it has some."""
    if response.status_code != 200:
        raise await refused(response)
    kind = content_type(response)
    if kind not in _FORMATS:
        raise answered(response, f"{kind}, which is not a stream of chunks")
    return _FORMATS[kind]
