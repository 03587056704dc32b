"""The protocol: one model a chunk type, and the plain wire form that the models are a view of.

A new chunk type is a name in `wire.py` and a class in the file of its family. The models load when the first of them is asked
for: the line from source to screen works on the wire form and needs none.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runview.chunks.base import Chunk as Chunk
    from runview.chunks.base import Payload as Payload
    from runview.chunks.base import UnknownChunk as UnknownChunk
    from runview.chunks.control import *  # noqa: F403
    from runview.chunks.data import *  # noqa: F403
    from runview.chunks.network import *  # noqa: F403
    from runview.chunks.objects import *  # noqa: F403
    from runview.chunks.parse import parse_chunk as parse_chunk
    from runview.chunks.steps import *  # noqa: F403
    from runview.chunks.tasks import *  # noqa: F403
    from runview.chunks.text import *  # noqa: F403
    from runview.chunks.tools import *  # noqa: F403
    from runview.chunks.workflow import *  # noqa: F403

_ROOMS: Final = ("base", "text", "tools", "steps", "control", "objects", "tasks", "workflow", "network", "data")


def __getattr__(name: str) -> Any:
    if name == "parse_chunk":
        return import_module("runview.chunks.parse").parse_chunk
    if name[:1].isupper():  # a class; anything else is one of the files, which Python finds itself
        for room in map(_load, _ROOMS):
            if name in room.__all__:
                return getattr(room, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({"parse_chunk", *(name for room in map(_load, _ROOMS) for name in room.__all__)})


def _load(room: str) -> ModuleType:
    return import_module(f"runview.chunks.{room}")
