"""A server on this machine that answers with given bytes, cut into given pieces, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Asked:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Loopback:
    """`answer` are the bytes of a whole HTTP answer, head included, in the pieces in which they are sent."""

    url: str
    answer: Iterable[bytes | Callable[[], Any]] = ()
    asked: list[Asked] = field(default_factory=list)
    open_connections: int = 0


@asynccontextmanager
async def loopback(
    *answer: bytes | Callable[[], Any], paths: Mapping[str, Iterable[bytes | Callable[[], Any]]] | None = None
) -> AsyncIterator[Loopback]:
    """A server; a piece that is a function is awaited in its place. The connection is closed after the last piece.

    `paths` has answers by what the asked path ends with, without its query; any other path gets `answer`.
    """
    server = Loopback("", answer)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.open_connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            server.asked.append(Asked(method, path, headers, json.loads(body) if body else None))
            end = path.partition("?")[0].rpartition("/")[2]
            for piece in (paths or {}).get(end, server.answer):
                if callable(piece):
                    await piece()
                else:
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(0)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the client has left
        finally:
            server.open_connections -= 1
            writer.close()

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    async with listener:
        yield server


def ok(body: bytes, content_type: str = "text/event-stream") -> bytes:
    """An answer that ends with the connection."""
    return f"HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n".encode() + body
