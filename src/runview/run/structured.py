"""Structured output from the text itself, where a schema is given here and the stream brings no objects."""

from __future__ import annotations

from typing import Any

from runview.run.event import Event
from runview.run.state import ObjectPart, RunState, TextPart


class Structured:
    def feed(self, e: Event, part: TextPart, text: str) -> None: ...
    def check(self, run: RunState, part: ObjectPart, value: Any) -> None: ...
    def finish(self, e: Event) -> None: ...
    def plain(self, value: Any) -> Any: return value


def structured_for(schema: Any) -> Structured:
    return Structured()
