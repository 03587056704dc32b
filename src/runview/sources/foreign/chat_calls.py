"""Tool calls in the deltas of chat completions, which servers number and label in different ways.

An index names the call, a different id under the same index is another call, and an empty id or name means "as before". Where
there is no index, an id begins a call and what has none goes on with the last.
"""

from __future__ import annotations

import json

from runview.sources.foreign.fields import field, integer, items, plain, text
from runview.sources.foreign.writer import Writer

__all__ = ["ChatCalls"]

_LEGACY = -1
"""The place of the one call that `function_call` has."""


class ChatCalls:
    """The calls of one response."""

    def __init__(self, write: Writer) -> None:
        self._write = write
        self._ids: dict[int, str] = {}
        """The call at each index."""
        self._last = 0

    def forget(self) -> None:
        """Another response begins, with indexes of its own."""
        self._ids.clear()
        self._last = 0

    def read(self, delta: object) -> None:
        for entry in items(delta, "tool_calls"):
            self._fragment(entry, field(entry, "function"), integer(entry, "index"))
        legacy = field(delta, "function_call")
        if legacy is not None and (text(legacy, "name") or text(legacy, "arguments") is not None):
            self._fragment(None, legacy, _LEGACY)

    def _fragment(self, entry: object, function: object, index: int | None) -> None:
        id_, name = text(entry, "id") or None, text(function, "name") or ""
        if index is None:
            index = self._index_of(id_, name)
        known = self._ids.get(index)
        if known is None or (id_ is not None and id_ != known):
            known = self._ids[index] = id_ or self._write.made_id("call")
            self._write.call_start(known, name)
        elif name:
            self._write.call_named(known, name)
        self._last = index
        arguments = field(function, "arguments")
        if arguments is not None and not isinstance(arguments, str):
            arguments = json.dumps(plain(arguments), default=str)
        self._write.call_delta(known, arguments or "")

    def _index_of(self, id_: str | None, name: str) -> int:
        for index, known in self._ids.items():
            if id_ == known:
                return index
        begins = id_ is not None or (name and not self._ids)
        return max(self._ids, default=-1) + 1 if begins else self._last
