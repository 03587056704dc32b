"""Small words for writing a run whose every second is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.run.ending import finish
from runview.run.reduce import new_run, reduce
from runview.run.state import RunState

__all__ = ["Story"]

BEGIN = 1_790_000_000.0
"""When every story begins, in seconds since the epoch."""


@dataclass
class Story:
    """Chunks with their times. `over` tells whether the source closes after the last one."""

    over: bool = True
    look: Look = field(default_factory=Look)
    run_id: str = "run-1"
    sender: str = "AGENT"
    now: float = BEGIN
    told: list[tuple[float, dict[str, Any]]] = field(default_factory=list)

    def wait(self, seconds: float) -> Story:
        self.now += seconds
        return self

    def add(self, chunk: dict[str, Any]) -> Story:
        self.told.append((self.now, chunk))
        return self

    def tell(self, type_: str, /, **payload: Any) -> Story:
        return self.add({"type": type_, "runId": self.run_id, "from": self.sender, "payload": payload})

    def start(self, name: str, **more: Any) -> Story:
        return self.tell("start", id=name, **more).tell("step-start", messageId="m")

    def think(self, text: str, seconds: float = 1.0, *, id: str = "r", ends: bool = True) -> Story:
        self.tell("reasoning-start", id=id).tell("reasoning-delta", id=id, text=text).wait(seconds)
        return self.tell("reasoning-end", id=id) if ends else self

    def write(self, text: str, *, id: str = "t", ends: bool = True) -> Story:
        self.tell("text-start", id=id).tell("text-delta", id=id, text=text)
        return self.tell("text-end", id=id) if ends else self

    def call(self, id: str, name: str, args: Any) -> Story:
        return self.tell("tool-call", toolCallId=id, toolName=name, args=args)

    def used(self, id: str, name: str, args: Any, result: Any, seconds: float = 1.0) -> Story:
        return self.call(id, name, args).wait(seconds).tell("tool-result", toolCallId=id, toolName=name, result=result)

    def failed(self, id: str, name: str, args: Any, error: Any, seconds: float = 0.4) -> Story:
        return self.call(id, name, args).wait(seconds).tell("tool-error", toolCallId=id, toolName=name, error=error)

    def inside(self, id: str, name: str, chunk: dict[str, Any]) -> Story:
        """A chunk of a run that a tool carries out."""
        return self.tell("tool-output", toolCallId=id, toolName=name, output=chunk)

    def finish(self, reason: str = "stop", **usage: int) -> Story:
        usage = usage or {"inputTokens": 4812, "cachedInputTokens": 3900, "outputTokens": 611}
        result = {"stepResult": {"reason": reason}, "output": {"usage": usage}}
        return self.tell("step-finish", **result).tell("finish", **result)

    def run(self, upto: int | None = None) -> RunState:
        """The run after its first `upto` chunks, or after all of them and its end."""
        run = new_run()
        for at, chunk in self.told[:upto]:
            reduce(run, chunk, at)
        if upto is None and self.over:
            finish(run, self.now)
        return run

    def drawing(self) -> RunDrawing:
        return RunDrawing(self.run(), self.look)
