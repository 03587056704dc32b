"""What a Mastra server has, by its ids: a request with a whole answer, to be awaited or waited for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from typing import Any, Final

from runview.chunks.json_text import decode
from runview.chunks.wire import Wire, is_wire
from runview.sources.refusal import answered, refused
from runview.sources.request import Request, send, shown, unreached

__all__ = ["Listing"]

_PATIENCE: Final = 60.0
"""Seconds between two pieces of the answer, which should come at once."""


class Listing:
    """A dict from ids to what the server tells about each. `await` it, or call `.result()`; each asks the server anew."""

    def __init__(self, request: Request) -> None:
        self._request = request

    def __repr__(self) -> str:
        return f"<listing of {shown(self._request.url)}: await it, or call .result()>"

    def __await__(self) -> Generator[Any, None, dict[str, Wire]]:
        return self._ask().__await__()

    def result(self) -> dict[str, Wire]:
        """The same for code that does not await, in a cell or a script. Raises what awaiting raises."""
        got: list[dict[str, Wire]] = []
        failed: list[BaseException] = []

        def ask() -> None:
            try:
                got.append(asyncio.run(self._ask()))
            except BaseException as error:
                failed.append(error)

        # A loop may run in this thread, and nothing of this needs it.
        thread = threading.Thread(target=ask, name="runview listing", daemon=True)
        thread.start()
        thread.join()
        if failed:
            raise failed[0]
        return got[0]

    async def _ask(self) -> dict[str, Wire]:
        import httpx

        try:
            async with httpx.AsyncClient(timeout=httpx.Timeout(self._request.timeout, read=_PATIENCE)) as client:
                response = await send(client, self._request)
                try:
                    if response.status_code != 200:
                        raise await refused(response)
                    body = await response.aread()
                finally:
                    await response.aclose()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreached(self._request, error) from error
        try:
            told = decode(body)
        except ValueError:
            told = None
        if not is_wire(told):
            raise answered(response, "something else than a JSON object")
        return told
