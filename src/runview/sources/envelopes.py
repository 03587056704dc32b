"""A durable agent's observed stream: each frame is an event of the run's topic, most of which have a chunk in them.

Such as `{"type": "chunk", "runId": …, "data": {"type": "text-delta", …}, "id": …, "createdAt": …, "index": 4}`.
"""

from __future__ import annotations

from typing import Any

from runview.chunks.wire import Wire, is_wire

__all__ = ["Envelopes"]


class Envelopes:
    """Takes the chunks out of their envelopes, each once: an event may be delivered more than once, with the same index."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def __call__(self, value: Wire) -> Wire | None:
        """The chunk of an event; None for an event that has none, or came before. A bare chunk is one already."""
        data = value.get("data")
        if not is_wire(data) or "payload" in value or str(value.get("type")).startswith("data-"):
            return value
        if self._repeated(value.get("index")):
            return None
        match value.get("type"):
            case "finish" | "error" as type_:
                return {"type": type_, "payload": data}
            case "suspended":
                kind = "suspended" if data.get("type") == "suspension" else "approval"
                return {"type": f"tool-call-{kind}", "runId": value.get("runId"), "payload": data}
            case "iteration-complete":
                return None  # the chunks of the iteration have told all of it
            case _:
                return data

    def _repeated(self, index: Any) -> bool:
        if type(index) is not int:
            return False
        before = len(self._seen)
        self._seen.add(index)
        return len(self._seen) == before
