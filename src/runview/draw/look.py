"""What the caller chose about the look of one view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Look"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The keywords of `stream_view` that speak of looks."""

    title: str | None = None
    """Name in the status line; None takes the agent's own."""
    density: Literal["compact", "full"] = "compact"
    reasoning: Literal["closed", "open", "hidden"] = "closed"
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Words of the view in another language, by their English form."""
    tool_labels: Mapping[str, Callable[[Any], object]] = field(default_factory=dict[str, Callable[[Any], object]])
    """By tool name: what stands beside the name, made from the call's arguments."""
    max_height: int | None = None
    """Height of the view in CSS pixels, if it is to scroll in a box of its own."""
