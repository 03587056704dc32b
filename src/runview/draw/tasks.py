"""Background tasks, what a call or a task wrote while it ran, and how far it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from runview.draw.asking import ask
from runview.draw.characters import show
from runview.draw.errors import error_body, message_of
from runview.draw.exact import figure, mapping, word
from runview.draw.nested import runs
from runview.draw.pen import Pen
from runview.draw.row import Rest, label, row
from runview.draw.secret_json import mask_text
from runview.draw.secrets import mask_message
from runview.draw.tree import Child, Node, h
from runview.draw.values import arguments, peek, result
from runview.draw.words import number, one_line
from runview.run.state import ABSENT, CallState, Part, TaskPart

__all__ = ["outputs", "progress", "task"]

_STATES: dict[str, CallState] = {
    "started": "background", "running": "background", "completed": "done", "failed": "failed", "suspended": "needs-you",
    "cancelled": "cancelled",
}  # fmt: skip
_DONE = ("completed", "completedCount", "current", "done", "page", "step", "processed", "loaded", "count")
_TOTAL = ("total", "totalCount", "of", "max", "pages", "steps")
_SAID = ("message", "status", "text", "label", "stage", "msg")


def progress(pen: Pen, outs: Sequence[Any]) -> tuple[str, tuple[float, float] | None] | None:
    """How far something is, from the last thing it wrote: words, and the two figures of a bar if it gave them."""
    if not outs:
        return None
    last = outs[-1]
    if type(last) is str:
        lines = [line for line in last.splitlines() if line.strip()]
        return (one_line(lines[-1], 60), None) if lines else None
    whole = mapping(last)
    if whole is None:
        return None
    data = mapping(whole.get("data")) or whole
    done = next((found for key in _DONE if (found := figure(data.get(key))) is not None), None)
    total = next((found for key in _TOTAL if (found := figure(data.get(key))) is not None), None)
    said = next((one_line(words, 40) for key in _SAID if (words := word(data.get(key))) is not None), None)
    if done is None or total is None or not 0 <= done <= total or not 0 < total < math.inf:
        return (said, None) if said else None
    figures = f"{number(done)} {pen.words('of')} {number(total)}"
    return (f"{said} {figures}" if said else figures), (done, total)


def outputs(pen: Pen, part: Part, name: str, outs: Sequence[Any], title: str) -> list[Node]:
    """What was written while it ran: text as one block, other values as a tree."""

    def make(pen: Pen) -> list[Node]:
        if all(type(out) is str for out in outs):
            tail: list[str] = []
            room = pen.limit
            for out in reversed(outs):
                tail.append(out[-room:])
                room -= len(out)
                if room <= 0:
                    break
            text = mask_message(mask_text("".join(reversed(tail))))
            earlier = pen.more(text=True) if room < 0 or len(tail) < len(outs) else None
            nodes = [label(title, earlier, key=f"{name}-"), h("pre", "rv-pre", show(text), key=name)]
            return nodes if text.strip() else []
        shown = result(pen, outs[-1] if len(outs) == 1 else list(outs), title)
        return [Node(node.tag, {**node.attrs, "key": f"{name}.{node.key}"}, node.kids) for node in shown]

    return pen.piece(part, name, (len(outs), id(outs)), make)


def task(pen: Pen, part: TaskPart, *, late: bool = False) -> Node:
    """A background task whose call is not known; one with a call is drawn in the row of the call. `late` as in `tool`."""
    from runview.draw.tool import WORDS, settled  # a call's row draws its task, and a task is told in a call's words

    state = settled(pen, _STATES.get(part.status, "background"))
    if part.stopped and state == "background":
        state = "stopped"
    rest, word, was = WORDS[state]
    words = pen.words
    working = state == "background"
    row_state: Rest = "was" if working and not pen.live else rest
    done = progress(pen, part.outputs) if state in ("background", "cancelled", "stopped") else None
    said = peek(pen, part.result) if state == "done" and part.result is not ABSENT else done[0] if done else None
    time = pen.clock(part.started, "rv-d", "d") if working else None
    if not working and (took := pen.took(part)) is not None:
        return _row(pen, part, row_state, said, None, words(word), words.seconds(took), state, late)
    return _row(
        pen, part, row_state, said, done and done[1], words("running" if working and pen.live else was), time, state, late
    )


def _row(
    pen: Pen,
    part: TaskPart,
    rest: Rest,
    said: str | None,
    bar: tuple[float, float] | None,
    word: str,
    time: Any,
    state: CallState,
    late: bool,
) -> Node:
    words = pen.words
    body: list[Child] = []
    if part.args is not ABSENT:
        body += pen.piece(part, "args", part.args, lambda pen: arguments(pen, part.args))
    if part.suspend_payload is not ABSENT:
        body += ask(pen, part.suspend_payload, None, waiting=state == "needs-you")
    if part.outputs:
        body += outputs(pen, part, "outputs", part.outputs, words("Output"))
    for index, run in enumerate(part.nested):
        body += runs(pen, run, f"n{index}.")
    if part.error is not None:
        body += error_body(pen, part, part.error, "view.output.full_stream")
    if part.result is not ABSENT and part.result is not None:
        body += pen.piece(part, "result", part.result, lambda pen: result(pen, part.result, words("Result")))
    title = one_line(part.tool_name, 80) if part.tool_name else words("a task")
    return row(
        pen, part, part.key, rest, title, cls="is-turning" if rest == "background" else "", noun=words("in background"),
        peek=said, progress=bar if rest == "background" else None, word=word, silent=rest == "done", time=time,
        message=message_of(part.error) if rest == "failed" else None, aside=late or bool(part.nested),
        body=body, nest=bool(part.nested), opened=rest == "needs",
    )  # fmt: skip
