"""Token counts: summed over steps, filled from `finish`, kept apart from those of nested runs. Unknown is absent, never 0."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from runview.run.kinds import is_dict
from runview.run.state import Part, RunState, TaskPart, ToolPart, WorkflowStepPart

__all__ = ["add_finish", "add_step", "add_told", "numbers", "refresh_nested_usage", "usage_in"]

Usage: TypeAlias = dict[str, int | float]


def usage_in(payload: dict[str, Any]) -> Any:
    """Where a finish of any kind keeps its usage."""
    output = payload.get("output")
    usage = output.get("usage") if is_dict(output) else None
    return usage if usage is not None else payload.get("usage")


def numbers(usage: Any) -> tuple[Usage, list[str]]:
    """The numbers in a usage object, and the names of the fields that should be numbers and are not."""
    if not is_dict(usage):
        return {}, [] if usage is None else ["usage"]
    found: Usage = {}
    odd: list[str] = []
    for name, value in usage.items():
        if type(name) is str and type(value) in (int, float) and math.isfinite(value):
            found[name] = value
        elif value is not None and name != "raw":
            odd.append(str(name))
    return found, odd


def add_step(run: RunState, usage: Usage) -> Usage:
    """Counts a step; gives its usage with the total filled in."""
    usage = _with_total(usage)
    _add(run.book.usage_turn, usage)
    _refresh(run)
    return usage


def add_finish(run: RunState, usage: Usage) -> None:
    """A turn is over: its finish fills the fields that no step of the turn gave. There 0 stands for unknown."""
    turn = run.book.usage_turn
    for name, value in usage.items():
        if value and name not in turn:
            turn[name] = value
    _add(run.book.usage_done, _with_total(turn))
    turn.clear()
    _refresh(run)


def add_told(run: RunState, usage: Usage) -> None:
    """The finish of a workflow or network tells the usage of everything in it."""
    told = run.book.usage_told
    run.book.usage_told = dict(usage) if told is None else _add(told, usage)
    _refresh(run)


def refresh_nested_usage(run: RunState) -> None:
    """After the usage of a nested run changed."""
    total: Usage = {}
    for part in run.parts:
        for child in nested_in(part):
            _add(total, _whole(child))
    run.nested_usage = total
    _refresh(run)


def nested_in(part: Part) -> list[RunState]:
    """The runs directly inside a part."""
    if isinstance(part, ToolPart) and part.task is not None:
        return part.nested + part.task.nested
    return part.nested if isinstance(part, (ToolPart, TaskPart, WorkflowStepPart)) else []


def _whole(run: RunState) -> Usage:
    """What a nested run used, with all below it: each call of a model once."""
    if run.kind == "network":
        return run.usage
    if run.kind == "workflow":
        return run.nested_usage or {name: value for name, value in run.usage.items() if value}
    return _add(dict(run.usage), run.nested_usage)


def _refresh(run: RunState) -> None:
    book = run.book
    if run.kind in ("workflow", "network"):
        run.usage = dict(run.nested_usage) if book.usage_told is None else dict(book.usage_told)
    else:
        run.usage = _add(dict(book.usage_done), _with_total(book.usage_turn))
    book.figures += 1


def _add(total: Usage, more: Usage) -> Usage:
    for name, value in more.items():
        total[name] = total.get(name, 0) + value
    return total


def _with_total(usage: Usage) -> Usage:
    if "totalTokens" not in usage and "inputTokens" in usage and "outputTokens" in usage:
        return {**usage, "totalTokens": usage["inputTokens"] + usage["outputTokens"]}
    return usage
