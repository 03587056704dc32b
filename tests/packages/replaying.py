"""A server on this machine that answers each request with the next of some bodies, as the providers do: for real clients."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.sdks import recorded

__all__ = ["CUT", "Replaying", "body", "camel", "events", "replaying"]

Body = list[bytes]

CUT = b"cut off"
"""As the last piece: the connection breaks there."""


class Replaying:
    """A server: where it is, its gate and whether it came there, and whether a body that hangs (its last is empty) was left."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.gate = threading.Event()
        self.reached = threading.Event()
        self.left = threading.Event()


def events(name: str) -> list[Any]:
    """The events of a recording, without those that the helpers of its SDK derive."""
    raw = [event.get("chunk", event) for event in recorded(name).events]
    derived = {"text", "thinking", "signature", "input_json", "citation"}
    return [event for event in raw if event.get("type", "") not in derived and not str(event.get("type")).startswith("content.")]


def body(said: Iterable[Any], *, hangs: bool = False) -> Body:
    """Server-sent events, each with its type for those clients that look at it. One that hangs stays open after them."""
    pieces: Body = []
    for event in said:
        name = event.get("type") or event.get("event_type")
        pieces.append((f"event: {name}\n" if name else "").encode() + b"data: " + json.dumps(event).encode() + b"\n\n")
    return [*pieces, b""] if hangs else [*pieces, b"data: [DONE]\n\n"]


def camel(value: Any) -> Any:
    """Keys as Google's servers spell them."""
    if isinstance(value, dict):
        return {_camel(name): camel(each) if name != "args" else each for name, each in value.items()}
    return [camel(each) for each in value] if isinstance(value, list) else value


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


@contextmanager
def replaying(*bodies: Body, gated: bool | int = False) -> Iterator[Replaying]:
    """A server; a `gated` one waits for its gate after the second piece of each answer, or after the one with that index."""
    rest = list(bodies)
    going = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Nothing."""

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            pieces = rest.pop(0)
            if CUT in pieces:
                self.send_header("content-length", "1000000")
            self.end_headers()
            for at, piece in enumerate(pieces):
                if not piece:
                    self._hang()
                if piece in (b"", CUT):
                    return
                self.wfile.write(piece)
                self.wfile.flush()
                if gated and at == gated:
                    place.reached.set()
                    place.gate.wait(60)

        def _hang(self) -> None:
            """Until the client goes, or the test."""
            self.connection.settimeout(0.05)
            while not going.is_set():
                try:
                    if not self.connection.recv(1):
                        place.left.set()
                        return
                except TimeoutError:
                    continue
                except OSError:
                    place.left.set()
                    return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    place = Replaying(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield place
    finally:
        going.set()
        place.gate.set()
        server.shutdown()
        server.server_close()
