"""The values of a run, read off its state at any time: what `output.text`, `output.tool_calls` and the others give."""

from __future__ import annotations

from typing import Any

from runview.run.state import DataPart, FilePart, RunState, ToolPart, Wire
from runview.run.text import text_of

__all__ = [
    "data", "denied", "file_parts", "files", "object_value", "provider_metadata", "reasoning_text", "request", "response",
    "sources", "text",
    "tool_calls", "tool_errors", "tool_parts", "tool_results",
]  # fmt: skip


def text(run: RunState) -> str:
    """All text of the run, but for what a processor rejected; after a goal evaluation that continues it starts again."""
    if run.kind == "network" and not run.text_deltas:
        return run.book.network_result or ""
    return text_of(run, run.book.text_from)


def reasoning_text(run: RunState) -> str | None:
    """All reasoning; None when there was none."""
    deltas = run.book.reasoning_deltas
    return "".join(deltas) if deltas else None


def object_value(run: RunState) -> Any:
    """The final structured output; `ABSENT` when there is none."""
    return run.object


def tool_parts(run: RunState) -> list[ToolPart]:
    """The calls that models made, in order; not a network's executions."""
    return [part for part in run.parts if isinstance(part, ToolPart) and not part.execution]


def tool_calls(run: RunState) -> list[Wire]:
    """Whole tool-call chunks."""
    return [part.call_chunk for part in tool_parts(run) if part.call_chunk is not None]


def tool_results(run: RunState) -> list[Wire]:
    """Whole tool-result chunks, in the order of their calls; the last one where a call has several."""
    return [part.result_chunk for part in tool_parts(run) if part.result_chunk is not None]


def tool_errors(run: RunState) -> list[Wire]:
    """Whole tool-error chunks, in the order of their calls; the error always has a message."""
    return [part.error_chunk for part in tool_parts(run) if part.error_chunk is not None]


def denied(run: RunState) -> list[Wire]:
    """Whole tool-output-denied chunks, in the order of their calls."""
    return [part.denied_chunk for part in tool_parts(run) if part.denied_chunk is not None]


def sources(run: RunState) -> list[Wire]:
    """Whole source chunks, in order."""
    part = run.book.sources
    return list(part.chunks) if part is not None else []


def files(run: RunState) -> list[Wire]:
    """Whole file chunks, in order; files of the reasoning are not among them."""
    return [part.chunk for part in file_parts(run)]


def file_parts(run: RunState) -> list[FilePart]:
    return [part for part in run.parts if isinstance(part, FilePart) and not part.reasoning]


def data(run: RunState) -> list[Wire]:
    """`{type, data, id?, transient?}` of each data-* chunk."""
    found: list[Wire] = []
    for part in run.parts:
        if isinstance(part, DataPart):
            told: Wire = {"type": part.type, "data": part.data}
            if part.id is not None:
                told["id"] = part.id
            if part.transient:
                told["transient"] = True
            found.append(told)
    return found


def response(run: RunState) -> Wire | None:
    """Of the last step that had one: `{id?, timestamp?, modelId?, headers?, …}`."""
    return run.book.response


def request(run: RunState) -> Any:
    """What was sent to the model, of the last step that told it."""
    return run.book.request


def provider_metadata(run: RunState) -> Any:
    """Of the last step that had any."""
    return run.book.provider_metadata
