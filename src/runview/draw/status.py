"""The status line: the only chrome of a view. One word for how the run stands, its name, a few figures, and Stop."""

from __future__ import annotations

from runview.draw.pen import Pen
from runview.draw.row import sep, sign
from runview.draw.tree import Child, Node, h
from runview.draw.words import one_line
from runview.run.state import ObjectPart, RunState, StepPart, TaskPart, ToolPart, WorkflowStepPart

__all__ = ["needs", "status", "word_of"]

_SAVED = "Run in progress when this was saved"


def needs(run: RunState) -> ToolPart | WorkflowStepPart | None:
    """What waits for the reader, in this run or in one below it."""
    if run.is_done:
        return None
    for one in (run, *run.nested):
        for part in one.parts:
            if isinstance(part, ToolPart) and part.state == "needs-you" and part.answer is None:
                return part
            if isinstance(part, WorkflowStepPart) and part.status == "suspended":
                return part
    return None


def word_of(pen: Pen, run: RunState) -> tuple[str, str]:
    """The state of the status line (as its class says it) and its word, in English."""
    match run.status:
        case "failed":
            return "failed", "Failed"
        case "canceled":
            return "stopped", "Stopped"
        case "tripwire":
            return "blocked", "Blocked"
        case "incomplete":
            return "early", "Ended early"
        case "paused":
            return "paused", "Paused"
        case "suspended" if needs(run) is None and any(isinstance(part, ToolPart) and part.answer for part in run.parts):
            return "running", "Running"
        case "suspended":
            return "needs", "Needs you"
        case "success":
            return _success(pen, run)
        case "running":
            pass
    if run.stopping:
        return "running", "Stopping…"
    if needs(run) is not None:
        return "needs", "Needs you"
    return ("waiting", "Waiting…") if not run.chunk_count else ("running", "Running")


def _success(pen: Pen, run: RunState) -> tuple[str, str]:
    if run.finish_reason == "length":
        return "cut", "Cut at the length limit"
    if run.finish_reason in ("content-filter", "content_filter"):
        return "cut", "Cut by the content filter"
    said = [pen.words("Done")]
    failed = sum(isinstance(part, ToolPart) and part.state == "failed" for part in run.parts)
    if failed:
        said.append(f"{pen.words.count(failed, 'tool')} {pen.words('failed')}")
    if any(isinstance(part, ObjectPart) and part.state in ("invalid", "unfinished") for part in run.parts):
        said.append(pen.words("object not valid"))
    return "done", ", ".join(said)


def _steps(pen: Pen, run: RunState) -> str | None:
    steps = run.step_count or sum(isinstance(part, WorkflowStepPart) and "." not in part.id for part in run.parts)
    if not steps:
        return None
    finished = run.status in ("success", "canceled")
    return pen.words.count(steps, "step") if finished else f"{pen.words('step')} {steps}"


def status(pen: Pen, run: RunState, born: float) -> Node:
    """The status line of the whole view. `born` is when it was first drawn."""
    words = pen.words
    state, word = word_of(pen, run)
    asking = needs(run)
    going = run.status == "running"
    saved_early = going and not pen.live
    said = words(word)
    if saved_early:
        said = words(_SAVED) + (f", {words('needs you')}" if asking is not None else "")
    what: list[Child | None] = [h("strong", "rv-word rv-late" if saved_early else "rv-word", said, key="word")]
    if asking is not None and (state == "needs" or saved_early):
        name = one_line(asking.name or "", 80)
        what += [sep(": ", "j-"), h("span", "rv-jump", name, key="jump")]
    title = pen.look.title or run.name
    what.append(" ")
    if title:
        what += [sep(" — ", "who-"), h("span", "rv-who", one_line(title, 80), key="who")]
    what.append(_meta(pen, run, born, bool(title)))
    glyph = sign("was" if saved_early and state != "needs" else state)
    shown = "was" if saved_early and state in ("running", "waiting") else state
    cls = f"rv-status is-{shown}{' is-turning' if state == 'waiting' and pen.live else ''}"
    return h("p", cls, glyph, " ", h("span", "rv-what", *what, key="what"),
             _controls(pen, run), key="status")  # fmt: skip


def _meta(pen: Pen, run: RunState, born: float, named: bool) -> Node:
    words = pen.words
    facts: list[str] = []
    if (steps := _steps(pen, run)) is not None:
        facts.append(steps)
    if run.status == "running":
        back = sum(
            (isinstance(part, ToolPart) and part.state == "background") or (isinstance(part, TaskPart) and part.open)
            for part in run.parts
        )
        if back:
            facts.append(f"{back} {words('in background')}")
    lead = " · " if named else sep(" — ", "lead")
    begun = run.started if run.chunk_count and run.started is not None else born
    told: list[Child] = [" · ".join(facts)] if facts else []
    if run.warnings:
        told.append(_warnings(pen, run))
    if run.status == "running" and (clock := pen.clock(begun, key="clock")) is not None:
        told.append(clock)
    elif run.status != "running" and run.started is not None and run.ended is not None:
        took = words.seconds(run.ended - run.started)
        told.append(f"{words('after')} {took}" if run.status == "canceled" else took)
    kids = [kid for i, one in enumerate(told) for kid in (" · " if i else lead, one)]
    return h("span", "rv-meta", *kids, key="meta")


def _warnings(pen: Pen, run: RunState) -> Child:
    """How many warnings there are; where a row tells them, it is led to."""
    said = pen.words.count(len(run.warnings), "warning")
    has_row = run.is_done or (pen.full and any(isinstance(part, StepPart) and part.warnings for part in run.parts))
    return h("button", "rv-link", said, act="jump", key="warnings") if has_row else said


def _controls(pen: Pen, run: RunState) -> Node | None:
    """Stop, while there is something to stop. Only in the page."""
    if not pen.live or run.is_done:
        return None
    square = h("span", "rv-sq", aria_hidden="true")
    stop = h("button", "rv-btn", square, pen.words("Stop"), act="stop", disabled=run.stopping, key="stop")
    return h("span", "rv-ctl", stop, live=True, key="ctl")
