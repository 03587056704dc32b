"""Data parts: what tools, steps and processors send to the page under names of their own."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from runview.chunks.base import Chunk, Flag, Text

__all__ = ["DataChunk", "DataSignalChunk"]


class DataChunk(Chunk):
    """A part of a user's own kind: any type that begins with `data-`. A tool's has neither run id nor sender."""

    prefixes: ClassVar[tuple[str, ...]] = ("data-",)

    data: Any = None
    """The value. Where it is missing, the sender put the value's fields beside `type`."""
    id: Text | None = None
    """A later part of the same type and id takes the place of this one."""
    transient: Flag | None = None
    """For the moment only; not kept in the conversation."""
    payload: Any = None


class DataSignalChunk(DataChunk):
    """A signal of the agent to itself, such as a judge's feedback in a goal run.

    `data` is `{id, type, tagName, contents, createdAt, attributes, metadata}`.
    """

    prefixes: ClassVar[tuple[str, ...]] = ()

    type: Literal["data-signal"] = "data-signal"
