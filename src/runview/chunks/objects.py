"""Structured output: the object as it grows, and as it is at last. The value stands beside `type`; there is no payload."""

from __future__ import annotations

from typing import Any, Literal

from runview.chunks.base import Chunk

__all__ = ["ObjectChunk", "ObjectResultChunk"]


class ObjectChunk(Chunk):
    """The object so far. Sent just before the text delta that made it grow, and not validated."""

    type: Literal["object"] = "object"
    object: Any
    """The partial value: an object, an array, or the beginning of an enum's word."""
    payload: Any = None


class ObjectResultChunk(Chunk):
    """The whole object, validated by the agent. `metadata` is `{fallback: true}` when a fallback value stands in."""

    type: Literal["object-result"] = "object-result"
    object: Any
    """The final value, defaults and transforms applied."""
    payload: Any = None
