"""What a source may be, told by its shape alone: no SDK is imported, and nothing of the source is run."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final, Literal, TypeAlias

from runview.chunks.wire import HasWire
from runview.sources.foreign.doors import agent_of, result_of
from runview.sources.foreign.fields import is_a
from runview.sources.url import is_url

__all__ = ["STREAM_NAMES", "Shape", "check_source", "shape_of", "unfit"]

Shape: TypeAlias = Literal[
    "chunk",
    "text",
    "url",
    "agent",
    "result",
    "function",
    "async manager",
    "holder",
    "async iterable",
    "awaitable",
    "manager",
    "iterable",
]

STREAM_NAMES: Final = ("full_stream", "fullStream")
"""Attributes under which the results of agents hold their stream."""

_ACCEPTED: Final = (
    "an iterable or async iterable of chunks, a coroutine or context manager that gives one, or a function that returns one"
)


def check_source(source: object) -> None:
    """Raises TypeError when nothing could be read from a source: one sentence with what was got and what is accepted."""
    if shape_of(source) is None:
        raise unfit(source, "got")


def unfit(source: object, verb: str) -> TypeError:
    """The error for what cannot be read; `verb` tells how it came, such as `the function returned`."""
    what, hint = type(source).__name__, ""
    if source is None:
        what, hint = "None", "; did the call return its stream?"
    elif isinstance(source, (str, PurePath)):
        hint = "; a recording is read by replay(path)"
    elif isinstance(source, Mapping):
        hint = "; a chunk is a dict with a type"
    elif _is_model(source):
        hint = ", not from a whole answer"
    return TypeError(f"{verb} {what}, but a run is read from {_ACCEPTED}{hint}")


def shape_of(source: object, *, entered: bool = False) -> Shape | None:
    """How a source is to be opened; None when it cannot be. `entered` is for what a context manager gave: maybe itself.

    What can be entered is entered before it is iterated, since a stream that is both wants to be closed; what can be awaited
    comes before what can be iterated, since futures are both.
    """
    kind = type(source)
    match source:
        case HasWire() | {"type": str()}:
            return "chunk"
        case Mapping():
            return None
        case _:
            pass
    if isinstance(source, (bytes, bytearray)):
        return "text"
    if is_url(source):
        return "url"
    if isinstance(source, str):
        return "text" if source.lstrip().startswith("{") else None
    if isinstance(source, PurePath) or (_is_model(source) and agent_of(source) is None):
        return None
    if isinstance(source, type):
        return "function"
    if agent_of(source) is not None:
        return "agent"
    if result_of(source) is not None:
        return "result"
    if not entered and hasattr(kind, "__aenter__") and hasattr(kind, "__aexit__"):
        return "async manager"
    if any(inspect.getattr_static(source, name, None) is not None for name in STREAM_NAMES):
        return "holder"
    if hasattr(kind, "__aiter__") and not _is_really_sync(source):
        return "async iterable"
    if inspect.isawaitable(source):
        return "awaitable"
    if not entered and hasattr(kind, "__enter__") and hasattr(kind, "__exit__"):
        return "manager"
    if hasattr(kind, "__iter__"):
        return "iterable"
    return "function" if callable(source) else None


def _is_really_sync(source: object) -> bool:
    """Whether it wraps a stream that blocks, though it can be iterated either way: litellm has one class for both."""
    inner: Any = getattr(source, "completion_stream", None) if is_a(source, "litellm.") else None
    return inner is not None and not hasattr(inner, "__aiter__")


def _is_model(source: object) -> bool:
    """Whether it is a pydantic model: iterable over its fields, but that is no stream."""
    kind = type(source)
    return hasattr(kind, "model_dump") and hasattr(kind, "model_fields") and not hasattr(kind, "__aiter__")
