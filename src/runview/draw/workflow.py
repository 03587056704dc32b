"""A step of a workflow: a row like a call's, with its inner steps and the runs it made under its rail."""

from __future__ import annotations

from collections.abc import Sequence

from runview.draw.asking import ask
from runview.draw.errors import error_body, message_of
from runview.draw.nested import runs
from runview.draw.order import doing
from runview.draw.pen import Pen
from runview.draw.row import Rest, fold, row
from runview.draw.tasks import outputs, progress
from runview.draw.tree import Child, Node
from runview.draw.values import arguments, peek, result
from runview.draw.words import number, one_line
from runview.run.state import ABSENT, WorkflowStepPart

__all__ = ["workflow_step"]

_STATES: dict[str, tuple[Rest, str, str]] = {
    "running": ("running", "running", "was running"),
    "success": ("done", "done", "done"),
    "bailed": ("done", "done", "done"),
    "failed": ("failed", "failed", "failed"),
    "suspended": ("waiting", "waiting for input", "was waiting for input"),
    "waiting": ("waiting", "waiting", "was waiting"),
    "skipped": ("skipped", "skipped", "skipped"),
    "paused": ("paused", "paused", "paused"),
    "canceled": ("stopped", "stopped", "stopped"),
    "incomplete": ("nothing", "no result", "no result"),
}


def workflow_step(
    pen: Pen, part: WorkflowStepPart, inner: Sequence[Node], *, late: bool = False, together: bool = False, above: bool = False
) -> Node:
    """The row of a step. `inner` are the rows of its inner steps, if it is a workflow itself.

    `late` and `above` as in `tool`; `together` when another step was at work at the same time.
    """
    words = pen.words
    status = part.status
    if (pen.over or part.stopped) and status in ("running", "waiting", "suspended"):
        status = "canceled"
    rest, word, was = _STATES.get(status, ("plain", one_line(status, 40), one_line(status, 40)))
    cls = ""
    if rest == "running":
        busy = inner or any(run.status == "running" for run in part.nested)
        rest, cls = ("running", "" if busy else "is-turning") if pen.live else ("was", "")
    done = _done(pen, part)
    said = peek(pen, part.output) if rest == "done" and part.output is not ABSENT else done[0] if done else None
    if said is None and status == "running" and above and not pen.full and part.nested:
        said = doing(pen, part.nested[-1])
    time: str | Node | None = None
    if status == "running":
        time = pen.clock(part.started, "rv-d", "d")
    elif rest in ("done", "failed", "stopped") and (took := pen.took(part)) is not None:
        time = words.seconds(took)
    only = part.nested[0].name if len(part.nested) == 1 else None
    nouns = [
        words("step"),
        *([words("in parallel")] if together else []),
        *([one_line(only, 80)] if only else []),
        *([words.count(part.rounds, "round")] if part.rounds > 1 else []),
    ]
    is_open = pen.full or (not pen.over and rest in ("running", "was") and not above)
    return row(
        pen, part, part.key, rest, one_line(part.name.rpartition(".")[2] or part.name, 80), cls=cls, noun=" · ".join(nouns),
        peek=said, progress=done[1] if done and rest == "running" else None,
        word=words(word if pen.live else was), silent=rest == "done", time=time,
        message=message_of(part.error) if rest == "failed" else None, aside=late or bool(part.nested or inner),
        body=_body(pen, part, inner),
        nest=bool(part.nested or inner), deep=bool(part.nested or inner) and pen.depth >= 3,
        opened=status == "suspended" or (bool(part.nested or inner) and pen.depth < 3 and is_open),
    )  # fmt: skip


def _done(pen: Pen, part: WorkflowStepPart) -> tuple[str, tuple[float, float] | None] | None:
    if part.progress is None:
        return progress(pen, part.outputs) if part.status == "running" else None
    done, total = part.progress.get("completedCount"), part.progress.get("totalCount")
    if type(done) is not int or type(total) is not int or not 0 <= done <= total or not total:
        return None
    return f"{number(done)} {pen.words('of')} {number(total)}", (done, total)


def _body(pen: Pen, part: WorkflowStepPart, inner: Sequence[Node]) -> list[Child]:
    nest = bool(part.nested or inner)
    out: list[Child] = []
    if part.input is not ABSENT and part.input is not None:
        shown = pen.piece(part, "input", part.input, lambda pen: arguments(pen, part.input))
        out += [fold(pen, "input", pen.words("Input"), None, shown)] if nest and shown else shown
    if part.suspend_payload is not ABSENT or part.status == "suspended":
        out += ask(pen, part.suspend_payload, None, waiting=part.status == "suspended" and not pen.over, what=part.id)
    if part.outputs:
        out += outputs(pen, part, "outputs", part.outputs, pen.words("Output"))
    out += inner
    for index, run in enumerate(part.nested):
        out += runs(pen, run, f"n{index}.")
    if part.error is not None:
        out += error_body(pen, part, part.error, "view.output.error")
    if part.output is not ABSENT and part.output is not None:
        shown = pen.piece(part, "output", part.output, lambda pen: result(pen, part.output, pen.words("Output")))
        out += [fold(pen, "output", pen.words("Output"), peek(pen, part.output), shown)] if nest else shown
    return out
