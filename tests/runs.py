"""Small words for writing streams in tests of the reducer."""

from __future__ import annotations

from typing import Any

from runview.run.change import Change
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState, ToolPart

Wire = dict[str, Any]


def chunk(type_: str, /, **payload: Any) -> Wire:
    """An agent's chunk of the run `r`."""
    return {"type": type_, "runId": "r", "from": "AGENT", "payload": payload}


def event(type_: str, /, **payload: Any) -> Wire:
    """A workflow's chunk."""
    return {"type": type_, "runId": "w", "from": "WORKFLOW", "payload": payload}


def step_finish(reason: str | None = "stop", **usage: Any) -> Wire:
    return chunk("step-finish", stepResult={"reason": reason}, output={"usage": usage})


def finish_chunk(reason: str | None = "stop", **usage: Any) -> Wire:
    return chunk("finish", stepResult={"reason": reason}, output={"usage": usage})


def feed(run: RunState, *chunks: Any) -> list[tuple[Change, ...]]:
    """What each chunk changed; the chunks come one second apart."""
    start = run.chunk_count
    return [reduce(run, wire, float(start + at)) for at, wire in enumerate(chunks)]


def run_of(*chunks: Any, schema: Any = None, **end: Any) -> RunState:
    """A run that has ended."""
    run = new_run(schema)
    feed(run, *chunks)
    finish(run, 100.0, **end)
    return run


def shape(run: RunState) -> list[str]:
    """The rows of a run: kind and what they say, steps left out."""
    return [described for part in run.parts if (described := _describe(part))]


def _describe(part: Any) -> str:
    name = type(part).__name__.removesuffix("Part")
    if name == "Step":
        return ""
    if isinstance(part, ToolPart):
        return f"{part.call_id} {part.name} {part.state}"
    says = getattr(part, "text", None) or getattr(part, "status", None) or getattr(part, "reason", None) or ""
    return f"{name} {says}".strip()


def tool(run: RunState, call_id: str = "c") -> ToolPart:
    """The latest call with this id."""
    return next(part for part in reversed(run.parts) if isinstance(part, ToolPart) and part.call_id == call_id)
