"""Wakes a thread that waits for the next bytes of an HTTP client's stream: closing alone doesn't, on most systems.

Clients keep the response behind their stream, and httpx and its kin say which socket a response is read from. Of a generator
nothing can be asked, but the thread that waits in it stands in the read of a socket, and its innermost frames say of which.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, cast

__all__ = ["shut_down", "wake"]

_BEHIND: Final = ("response", "_response", "_raw_stream", "completion_stream", "_stream", "http_response")
"""Attributes under which clients keep what their stream is read from."""
_DEPTH: Final = 5
_READ: Final = 4
"""So far out of the read itself stands who holds the socket: a stream of httpcore, Python's `SocketIO`, a TLS socket."""
_FRAMES: Final = 12
"""So far out stands the client for which it is read."""
_CLIENTS: Final = frozenset({"httpcore", "httpcore2", "http", "urllib3"})
"""The packages that read HTTP responses for Python's clients."""


def shut_down(stream: object) -> None:
    """Ends what the stream is read from, so that a read in another thread returns; nothing where that can't be found."""
    for _ in range(_DEPTH):
        found = _socket_of(stream)
        if found is not None:
            with suppress(OSError):
                found.shutdown(socket.SHUT_RDWR)
            return
        behind = (_attribute(stream, name) for name in _BEHIND)
        stream = next((each for each in behind if each is not None and not callable(each)), None)
        if stream is None:
            return


def wake(thread: int | None) -> None:
    """Ends the read in which a thread waits for the bytes of an HTTP response; nothing where it waits for something else, such as
    a database, whose connection is not ours to end. Only the thread's frames tell.
    """
    frame = sys._current_frames().get(thread or 0)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    found: socket.socket | None = None
    for depth in range(_FRAMES):
        if frame is None:
            return
        if found is None and depth < _READ:
            holder = frame.f_locals.get("self")
            one = holder if isinstance(holder, socket.socket) else _attribute(holder, "_sock")
            found = one if isinstance(one, socket.socket) else None
        if found is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in _CLIENTS:
            with suppress(OSError):
                found.shutdown(socket.SHUT_RDWR)
            return
        frame = frame.f_back


def _socket_of(response: object) -> socket.socket | None:
    extensions = _attribute(response, "extensions")
    network = cast("Mapping[str, Any]", extensions).get("network_stream") if isinstance(extensions, Mapping) else None
    ask = _attribute(network, "get_extra_info")
    found = ask("socket") if callable(ask) else None
    return found if isinstance(found, socket.socket) else None


def _attribute(thing: object, name: str) -> Any:
    try:
        return getattr(thing, name, None)
    except Exception:
        return None
