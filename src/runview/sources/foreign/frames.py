"""What a generator was asked for: it carries no type of its SDK, but its arguments are among its variables until it ends."""

from __future__ import annotations

from typing import Any

from runview.sources.foreign.reader import Layers

__all__ = ["variable"]


def variable(layers: Layers, name: str) -> Any:
    """A variable of the innermost generator that has it; None where there is none."""
    for layer in reversed(layers):
        frame = getattr(layer, "ag_frame", None) or getattr(layer, "gi_frame", None)
        if frame is not None and name in frame.f_locals:
            return frame.f_locals[name]
    return None
