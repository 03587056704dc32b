"""Shows an AI agent's run in a notebook while it streams, keeps it in the saved file, and hands over its values.

The public names are here and nothing else is. Each is imported when it is first used, so that `import runview` costs next to
nothing: `_HOMES` tells where it lives.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runview import chunks
    from runview.chunks.base import Chunk
    from runview.chunks.parse import parse_chunk
    from runview.convert.stream import to_ai_sdk_messages, to_ai_sdk_stream
    from runview.deferred import Deferred
    from runview.errors import MastraError, NotReady, StreamError, StreamIncomplete, WrongKind
    from runview.full_output import FullOutput
    from runview.output import RunOutput
    from runview.sources.mastra import MastraClient
    from runview.sources.recorded import record, replay
    from runview.standalone import ModelOutput, WorkflowOutput
    from runview.view.stream_view import StreamView, runs, stream_view

__all__ = [
    "Chunk",
    "Deferred",
    "FullOutput",
    "MastraClient",
    "MastraError",
    "ModelOutput",
    "NotReady",
    "RunOutput",
    "StreamError",
    "StreamIncomplete",
    "StreamView",
    "WorkflowOutput",
    "WrongKind",
    "chunks",
    "parse_chunk",
    "record",
    "replay",
    "runs",
    "stream_view",
    "to_ai_sdk_messages",
    "to_ai_sdk_stream",
]

_HOMES = {
    "Chunk": "chunks.base",
    "Deferred": "deferred",
    "FullOutput": "full_output",
    "MastraClient": "sources.mastra",
    "MastraError": "errors",
    "ModelOutput": "standalone",
    "NotReady": "errors",
    "RunOutput": "output",
    "StreamError": "errors",
    "StreamIncomplete": "errors",
    "StreamView": "view.stream_view",
    "WorkflowOutput": "standalone",
    "WrongKind": "errors",
    "parse_chunk": "chunks.parse",
    "record": "sources.recorded",
    "replay": "sources.recorded",
    "runs": "view.stream_view",
    "stream_view": "view.stream_view",
    "to_ai_sdk_messages": "convert.stream",
    "to_ai_sdk_stream": "convert.stream",
}


def __getattr__(name: str) -> Any:
    if name == "chunks":
        return importlib.import_module("runview.chunks")
    if name not in _HOMES:
        raise AttributeError(f"module 'runview' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"runview.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
