"""What an output shows of itself as the last line of a cell: status, text, object, calls, usage; aligned, long values cut."""

from __future__ import annotations

import reprlib
import time
from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from runview.run import values
from runview.run.state import ABSENT, RunState, ToolPart, WorkflowStepPart

__all__ = ["error_words", "field_summary", "summary"]

WIDTH: Final = 64
"""Characters of a line, the label not counted: with it, a line fits a terminal and a notebook beside a file browser."""
CALLS: Final = 8
"""Calls or steps shown one by one."""
INDENT: Final = 2


def summary(name: str, run: RunState) -> str:
    """The summary of a run as it stands."""
    return _aligned(f"{name}: {_head(run)}", _rows(run))


def field_summary(name: str, head: Iterable[str | None], fields: Iterable[tuple[str, Any]]) -> str:
    """The summary of values by name; empty ones are left out."""
    rows: list[tuple[str, str]] = []
    for label, value in fields:
        if value is None or (value.__class__ in (str, list, dict) and not value):
            continue
        if value.__class__ is str:
            rows.append((label, _text(value)))
        else:
            count = f"{len(value)}: " if value.__class__ is list else ""
            rows.append((label, cut(count + _repr(value))))
    return _aligned(f"{name}: {' · '.join(word for word in head if word)}", rows)


def _aligned(head: str, rows: list[tuple[str, str]]) -> str:
    width = max((len(label) for label, _ in rows), default=0)
    return "\n".join([head, *(f"{'':{INDENT}}{label:<{width}}  {value}" for label, value in rows)])


def _head(run: RunState) -> str:
    words: list[str] = [run.kind] if run.kind is not None else []
    status = "stopping" if run.stopping else run.status
    words.append("running, values so far" if status == "running" else status)
    if run.finish_reason is not None and run.finish_reason != status:
        words.append(f"finish reason {run.finish_reason}")
    if run.started is not None:
        words.append(_time((run.ended or time.time()) - run.started))
    return " · ".join(words)


def error_words(error: dict[str, Any]) -> str:
    """`ConnectionError: peer reset`, or the message alone when the name tells nothing."""
    name, message = error.get("name"), error.get("message")
    return f"{name}: {message}" if isinstance(name, str) and name != "Error" else str(message)


def _rows(run: RunState) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    if run.error is not None:
        rows.append(("error", cut(error_words(run.error))))
    if run.tripwire is not None:
        rows.append(("tripwire", cut(str(run.tripwire.get("reason")))))
    text = values.text(run)
    if text:
        rows.append(("text", _text(text)))
    reasoning = values.reasoning_text(run)
    if reasoning:
        rows.append(("reasoning", _text(reasoning)))
    if run.object_error is not None:
        rows.append(("object", cut(f"not valid: {run.object_error}")))
    elif run.object is not ABSENT:
        rows.append(("object", cut(_repr(run.object))))
    rows += _calls(run)
    rows += _steps(run)
    if run.workflow_result is not ABSENT:
        rows.append(("result", cut(_repr(run.workflow_result))))
    if run.suspend_payload is not ABSENT:
        rows.append(("suspend_payload", cut(_repr(run.suspend_payload))))
    for label, usage in (("usage", run.usage), ("nested_usage", run.nested_usage)):
        if usage:
            rows.append((label, _usage(usage)))
    if run.notes:
        rows.append(("notes", cut(f"{len(run.notes)}: {run.notes[0]}" if len(run.notes) > 1 else run.notes[0])))
    return rows


def _calls(run: RunState) -> list[tuple[str, str]]:
    parts = [part for part in run.parts if isinstance(part, ToolPart)]
    rows: list[tuple[str, str]] = []
    for part in parts[:CALLS]:
        call = cut(f"{part.name or part.call_id}({_args(part)})", WIDTH // 2)
        if part.error is not None:
            became = f"failed: {error_words(part.error)}"
        elif part.state == "done":
            became = f"→ {_repr(part.result)}"
        else:
            became = part.state.replace("-", " ")
        label = "executions" if part.execution else "tool_calls"
        rows.append(("" if rows else label, cut(f"{call} {became}")))
    if len(parts) > CALLS:
        rows.append(("", f"and {len(parts) - CALLS} more"))
    return rows


def _steps(run: RunState) -> list[tuple[str, str]]:
    parts = [part for part in run.parts if isinstance(part, WorkflowStepPart)]
    rows: list[tuple[str, str]] = []
    for part in parts[:CALLS]:
        became = f" → {_repr(part.output)}" if part.output is not ABSENT else ""
        if part.error is not None:
            became = f": {error_words(part.error)}"
        rows.append(("" if rows else "steps", cut(f"{part.id} {part.status}{became}")))
    if len(parts) > CALLS:
        rows.append(("", f"and {len(parts) - CALLS} more"))
    return rows


def cut(text: str, width: int = WIDTH) -> str:
    """One line of at most `width` characters, of printable characters only."""
    line = " ".join(text[: width * 4].split())
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    return line if len(line) <= width and len(text) <= width * 4 else line[: width - 1].rstrip() + "…"


def _text(text: str) -> str:
    length = f"  ({len(text):,} characters)"
    shown = cut(text)
    return cut(text, WIDTH - len(length)) + length if shown.endswith("…") and not text.rstrip().endswith("…") else shown


class _InOrder(reprlib.Repr):
    """The standard one sorts the keys of a dict; the order in which they came tells more."""

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        if level <= 0 and x:
            return "{...}"
        shown = [f"{self.repr1(key, level - 1)}: {self.repr1(x[key], level - 1)}" for key in islice(x, self.maxdict)]
        return "{" + ", ".join([*shown, "..."] if len(x) > self.maxdict else shown) + "}"


def _short() -> reprlib.Repr:
    short = _InOrder()
    short.maxstring = short.maxother = short.maxlong = WIDTH * 2
    short.maxdict = short.maxlist = short.maxtuple = short.maxset = 20
    return short


def _repr(value: Any) -> str:
    """Of a value from the stream, which may be of any size, or of a user's model, whose own repr may fail."""
    return _short().repr(value)


def _args(part: ToolPart) -> str:
    if type(part.args) is not dict:
        return part.args_text if part.args is ABSENT else _repr(part.args)
    args: dict[Any, Any] = part.args  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return ", ".join(f"{name}={_repr(value)}" for name, value in islice(args.items(), CALLS))


def _usage(usage: dict[str, int | float]) -> str:
    words = {"inputTokens": "in", "outputTokens": "out", "totalTokens": "total"}
    known = [f"{usage[name]:,} {word}" for name, word in words.items() if name in usage]
    others = [f"{name} {value:,}" for name, value in usage.items() if name not in words]
    return cut(" · ".join(known + others))


def _time(seconds: float) -> str:
    if seconds < 60:
        return f"{max(seconds, 0):.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"
