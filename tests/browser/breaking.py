"""Sources that break off, in every place in which a stream can: before its first event, in its midst, after its last, in closing.

`left` says what runs have left behind in the kernel in which it is called.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import socket
import struct
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from runview.driver import Driver
from runview.view.stream_view import runs
from runview.view.widget import Widget
from tests.browser.agents import chunk, finish, opening

__all__ = ["FOREVER", "KINDS", "PLACES", "interrupting", "left"]

EVENTS = [
    *opening(),
    chunk("text-start", id="t1"),
    *(chunk("text-delta", id="t1", text=text) for text in ("Half ", "a sen", "tence.")),
    chunk("text-end", id="t1"),
    *finish(),
]
PLACES = {"event 0": 0, "event k": 5, "the last event": len(EVENTS), "finally": -1, "close": -2}
"""How many events come before the fault. Below 0 all come, and then the `finally` of the source raises, or what closes it."""
WHOLE = 1_000
"""No fault at all."""
STUCK = "the door sticks"


def synchronous(place: int) -> Iterator[dict[str, Any]]:
    return _Reluctant(_events(WHOLE)) if place == PLACES["close"] else _events(place)


def asynchronous(place: int) -> AsyncIterator[dict[str, Any]]:
    return _AsyncReluctant(_slowly(WHOLE)) if place == PLACES["close"] else _slowly(place)


def over_http(place: int) -> object:
    """The address of a server that resets the connection, or an answer of it that can't be closed."""
    url = f"{_server()}/{place}"
    match place:
        case -1:
            return _read(url)
        case -2:
            return _Sticking(url)
        case _:
            return url


def _events(place: int) -> Iterator[dict[str, Any]]:
    try:
        for number, event in enumerate(EVENTS):
            if number == place:
                raise ConnectionError("peer reset")
            yield event
        if place == len(EVENTS):
            raise ConnectionError("peer reset")
    finally:
        if place < 0:
            raise OSError(STUCK)


async def _slowly(place: int) -> AsyncIterator[dict[str, Any]]:
    for event in _events(place):
        yield event
        await asyncio.sleep(0.01)


class _Reluctant:
    """An iterator that gives all events and can't be closed, as the streams of some clients can't."""

    def __init__(self, events: Iterator[dict[str, Any]]) -> None:
        self._events = events

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self

    def __next__(self) -> dict[str, Any]:
        return next(self._events)

    def close(self) -> None:
        raise OSError(STUCK)


class _AsyncReluctant:
    def __init__(self, events: AsyncIterator[dict[str, Any]]) -> None:
        self._events = events

    def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        return self

    async def __anext__(self) -> dict[str, Any]:
        return await anext(self._events)

    async def aclose(self) -> None:
        raise OSError(STUCK)


async def _read(url: str) -> AsyncIterator[bytes]:
    try:
        async with httpx.AsyncClient() as client, client.stream("GET", url) as answer:
            async for piece in answer.aiter_bytes():
                yield piece
    finally:
        raise OSError(STUCK)


class _Sticking:
    """An answer as a client's context manager gives it, which raises when it is left."""

    def __init__(self, url: str) -> None:
        self._client = httpx.AsyncClient()
        self._answer = self._client.stream("GET", url)

    async def __aenter__(self) -> AsyncIterator[bytes]:
        answer = await self._answer.__aenter__()
        return answer.aiter_bytes()

    async def __aexit__(self, *raised: object) -> None:
        await self._answer.__aexit__(*raised)
        await self._client.aclose()
        raise OSError(STUCK)


async def endless(pause: float = 0.03) -> AsyncIterator[dict[str, Any]]:
    """Goes on until it is stopped, and then can't be closed."""
    try:
        for event in _without_end():
            yield event
            await asyncio.sleep(pause)
    finally:
        raise OSError(STUCK)


def endless_sync(pause: float = 0.03) -> Iterator[dict[str, Any]]:
    try:
        for event in _without_end():
            yield event
            time.sleep(pause)
    finally:
        raise OSError(STUCK)


def endless_http() -> str:
    return f"{_server()}/{ENDLESS}"


async def interrupting() -> AsyncIterator[dict[str, Any]]:
    """Raises what an interrupt of the kernel raises in a cell."""
    for event in EVENTS[:5]:
        yield event
        await asyncio.sleep(0.01)
    raise KeyboardInterrupt


def _without_end() -> Iterator[dict[str, Any]]:
    yield from EVENTS[:3]
    for number in itertools.count():
        yield chunk("text-delta", id="t1", text=f"word{number} ")


KINDS: dict[str, Callable[[int], object]] = {"sync": synchronous, "async": asynchronous, "http": over_http}
ENDLESS = 1_000_000
FOREVER: dict[str, Callable[[], object]] = {"sync": endless_sync, "async": endless, "http": endless_http}


class _Breaking(BaseHTTPRequestHandler):
    """Says so many events as its path asks for and resets the connection, or ends as it should."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        place = int(self.path.strip("/"))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in EVENTS if place < 0 else _without_end() if place == ENDLESS else EVENTS[:place]:
            data = f"data: {json.dumps(event)}\n\n".encode()
            try:
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            except OSError:
                self.close_connection = True
                return
            if place == ENDLESS:
                time.sleep(0.03)
        if place < 0:
            self.wfile.write(b"0\r\n\r\n")
            return
        self.wfile.flush()
        # Closing with this option resets the connection, as a server that crashes does.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Prints nothing into the cell."""


_serving: list[ThreadingHTTPServer] = []


def _server() -> str:
    if not _serving:
        _serving.append(ThreadingHTTPServer(("127.0.0.1", 0), _Breaking))
        threading.Thread(target=_serving[0].serve_forever, name="server of a test", daemon=True).start()
    return f"http://127.0.0.1:{_serving[0].server_address[1]}"


async def left(seconds: float = 12.0) -> list[str]:
    """What is still at work in this kernel when so many seconds have passed at most."""
    for _ in range(int(seconds * 10)):
        if not (found := _left()):
            return []
        await asyncio.sleep(0.1)
    return found


def _left() -> list[str]:
    gc.collect()
    drivers = [each for each in gc.get_objects() if type(each) is Driver]
    comms = [each for each in gc.get_objects() if issubclass(type(each), Widget) and each.comm is not None]
    return [
        *(f"task {task.get_coro()!r}" for task in asyncio.all_tasks() if task.get_name() == "runview"),
        *(f"thread {thread.name}" for thread in threading.enumerate() if thread.name.startswith("runview")),
        *(f"run {view.id}" for view in runs()),
        *(f"listener {listener}" for driver in drivers for listener in driver._listeners.values()),
        *(f"comm {each.comm.comm_id}" for each in comms),
    ]
