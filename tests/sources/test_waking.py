"""A generator that hangs in a read when its run is stopped: an HTTP response ends, any other connection is left as it is."""

from __future__ import annotations

import asyncio
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

from runview import stream_view

START = {"type": "text-start", "runId": "r", "from": "AGENT", "payload": {"id": "t"}}


async def stopped_while_reading(source: Iterator[dict[str, Any]]) -> str:
    view = stream_view(source)
    while not view.output.inspect(streams=False)["chunks"]["total"]:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.2)
    view.stop()
    return (await view).status


async def ends(is_over: Callable[[], bool]) -> bool:
    for _ in range(300):
        if is_over():
            return True
        await asyncio.sleep(0.01)
    return False


async def test_a_response_that_hangs_is_left_at_once() -> None:
    threads = set(threading.enumerate())
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
                connection.recv(1)  # until the other side ends

        serving = threading.Thread(target=answer)
        serving.start()

        def read() -> Iterator[dict[str, Any]]:
            yield START
            with urllib.request.urlopen(f"http://127.0.0.1:{server.getsockname()[1]}/") as response:
                response.read()

        assert await stopped_while_reading(read()) == "canceled"
        assert await ends(lambda: set(threading.enumerate()) <= threads)


async def test_a_connection_that_is_no_response_stays_as_it_is() -> None:
    threads = set(threading.enumerate())
    ours, theirs = socket.socketpair()
    got: list[bytes] = []

    def read() -> Iterator[dict[str, Any]]:
        yield START
        with ours.makefile("rb") as rows:
            got.append(rows.readline())

    with ours, theirs:
        assert await stopped_while_reading(read()) == "canceled"
        await asyncio.sleep(0.3)
        theirs.sendall(b"a row\n")
        assert await ends(lambda: set(threading.enumerate()) <= threads)
    assert got == [b"a row\n"]
