"""A tool call: what was asked, what came back, and everything that happened in between."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from typing import Any

from runview.draw.asking import ask_call
from runview.draw.errors import error_body, message_of
from runview.draw.exact import figure, mapping, word
from runview.draw.nested import runs, text_of
from runview.draw.order import doing
from runview.draw.pen import Pen
from runview.draw.row import Rest, fold, label, row
from runview.draw.secret_json import mask_text
from runview.draw.secrets import is_credential, mask_message
from runview.draw.tasks import outputs, progress
from runview.draw.tree import Child, Node
from runview.draw.values import arguments, peek, result
from runview.draw.words import number, one_line
from runview.run.state import ABSENT, CallState, RunState, TextPart, ToolPart

__all__ = ["WORDS", "message_of_call", "settled", "tool"]

WORDS: dict[CallState, tuple[Rest, str, str]] = {
    "writing": ("writing", "writing…", "was being written"),
    "ready": ("queued", "queued", "queued"),
    "running": ("running", "running", "was running"),
    "needs-you": ("needs", "needs you", "needs you"),
    "background": ("background", "in background", "was in background"),
    "done": ("done", "done", "done"),
    "failed": ("failed", "failed", "failed"),
    "denied": ("denied", "denied", "denied"),
    "cancelled": ("cancelled", "cancelled", "cancelled"),
    "stopped": ("stopped", "stopped", "stopped"),
    "no-result": ("nothing", "no result", "no result"),
}
"""For each state of a call: the state of its row, its word, and its word in a file that was saved in mid-run."""

_TELLING = (
    "query q question url path file file_path filePath filename name city location place id command expression prompt topic title"
).split()
_FIRST = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)|(-?\d[\d.eE+-]*))')


def settled(pen: Pen, state: CallState) -> CallState:
    """The state as it may be shown: nothing is at work in a run that is over."""
    return "stopped" if pen.over and state in ("writing", "ready", "running", "background", "needs-you") else state


def tool(pen: Pen, part: ToolPart, caret: bool, place: int | None, *, late: bool = False, above: bool = False) -> Node:
    """The row of a call. `place` is its index among the run's results.

    `late` when it ended with rows below it, `above` when a run in it began so: that run does not stand open by itself.
    """
    words = pen.words
    state = settled(pen, part.state)
    rest, said_now, was = WORDS[state]
    if state == "denied":
        said_now = was = "denied by you" if part.asked is not None else "denied by policy"
    if part.answer is not None and (state == "needs-you" or (state == "running" and part.answer == "deny")):
        rest, said_now = "asked", "allowing…" if part.answer == "allow" else "denying…"
    nested = [*part.nested, *(part.task.nested if part.task else ())]
    cls = ""
    if rest in ("running", "background", "writing") and not pen.live:
        rest = "was"
    elif rest in ("running", "background") and not any(run.status == "running" for run in nested):
        cls = "is-turning"
    name = part.title or part.name
    noun, quote = None, None
    if part.role != "tool" or (nested and part.args is ABSENT):
        name = part.title or (nested[0].name if nested else None) or (part.name or "").removeprefix(f"{part.role}-") or None
        noun = words("sub-agent" if part.role != "workflow" else "workflow")
        if pen.depth >= 3:
            noun = f"{noun}, {pen.depth + 1} {words('deep')}"
    else:
        quote = _object(pen, part)
    outs = part.task.outputs if part.task and part.task.outputs else part.outputs
    done = progress(pen, outs) if state in ("running", "background", "cancelled", "stopped") else None
    said = peek(pen, _answer(part)) if state == "done" and _came(part) is not ABSENT else done[0] if done else None
    above = above and not pen.full
    if above and said is None and state in ("running", "background") and nested:
        said = doing(pen, nested[-1])
    return row(
        pen, part, part.key, rest, one_line(name, 80) if name else words("a tool"), cls=cls, noun=noun, quote=quote,
        writing=state == "writing", caret=caret,
        peek=said, progress=done[1] if done and state in ("running", "background") else None,
        word=words(said_now if pen.live else was), silent=state == "done", time=_time(pen, part, state),
        message=message_of_call(part, state), aside=late or bool(nested), body=_body(pen, part, state, place, nested),
        nest=bool(nested) or part.role != "tool", deep=bool(nested) and pen.depth >= 3,
        opened=state == "needs-you" or (_stands_open(pen, nested) and not above),
    )  # fmt: skip


def _stands_open(pen: Pen, nested: list[RunState]) -> bool:
    return bool(nested) and pen.depth < 3 and (pen.full or (not pen.over and any(run.status == "running" for run in nested)))


def _time(pen: Pen, part: ToolPart, state: CallState) -> str | Node | None:
    if state in ("writing", "ready", "needs-you"):
        return None
    if state in ("running", "background"):
        return pen.clock(part.started, "rv-d", "d")
    if state == "no-result":
        return "—"
    took = pen.took(part)
    return None if took is None else pen.words.seconds(took)


def message_of_call(part: ToolPart, state: CallState) -> str | None:
    """What a closed row says below its line."""
    if state == "failed":
        return message_of(part.error) or (peek_text(part.result) if part.result is not ABSENT else None)
    return one_line(part.denied_reason, 300) if state == "denied" and part.denied_reason else None


def peek_text(value: Any) -> str | None:
    """The first line of a failed call's result, where that is text."""
    return one_line(mask_message(value[:1_200]), 300) if type(value) is str and value.strip() else None


def _came(part: ToolPart) -> Any:
    """What came of a call: of one in the background what its task gave, since its own result only says that it has begun."""
    if part.task is None or (part.task.result is ABSENT and part.state == "done"):
        return part.result
    return part.task.result


def _answer(part: ToolPart) -> Any:
    """What a sub-agent said, out of the record in which its tool hands it over."""
    came = _came(part)
    said = (mapping(came) or {}).get("text") if part.role == "agent" else None
    return said if type(said) is str else came


def _object(pen: Pen, part: ToolPart) -> str | None:
    """The one thing that tells this call from others of the same tool."""
    make = pen.look.tool_labels.get(part.name or "")
    if part.args is ABSENT:
        return _written(part)
    if make is not None:
        try:
            return one_line(str(make(part.args)), 120)
        except Exception:  # the caller's own function met arguments that it did not expect
            make = None
    args = mapping(part.args)
    if args is None:
        return one_line(mask_text(part.args[:2_000]), 120) if word(part.args) else None
    found: dict[str, str | int | float] = {}
    for key, value in islice(args.items(), 50):
        said = word(value) if figure(value) is None else value
        if type(key) is str and said is not None and not is_credential(key):
            found[key] = said
    for key in _TELLING:
        if key in found:
            return _short(found[key])
    return _short(next(iter(found.values()))) if len(found) == 1 == len(args) else None


def _short(value: Any) -> str | None:
    if type(value) is str:
        text = one_line(mask_text(value[:2_000]), 120)
    else:
        text = number(value) if type(value) is int and value.bit_length() > 64 else repr(value)
    return text.removeprefix("https://").removeprefix("http://") or None


def _written(part: ToolPart) -> str | None:
    """The first argument of a call that is still being written, from the beginning of its JSON text."""
    text: list[str] = []
    length = 0
    for piece in part.args_pieces:
        text.append(piece)
        length += len(piece)
        if length > 2_000:
            break
    match = _FIRST.search("".join(text))
    if match is None or is_credential(match[1]):
        return None
    if match[2] is None:
        return match[3]
    try:
        said = json.loads(f'"{match[2]}"')
    except ValueError:
        said = match[2].rpartition("\\")[0] or match[2]
    return _short(said)


def _body(pen: Pen, part: ToolPart, state: CallState, place: int | None, nested: list[RunState]) -> list[Child]:
    nest = bool(nested) or part.role != "tool"
    out: list[Child] = []
    if part.args is not ABSENT and part.args is not None:
        args = pen.piece(part, "args", part.args, lambda pen: arguments(pen, part.args))
        about = pen.words.count(len(given), "field") if (given := mapping(part.args)) is not None else None
        out += [fold(pen, "input", pen.words("Input"), about, args)] if nest and args else args
    elif part.args is ABSENT and part.args_pieces and state in ("stopped", "no-result", "failed", "cancelled"):
        out += outputs(pen, part, "raw", [part.args_text], pen.words("Input, unfinished"))
    asked = state == "needs-you" or part.asked is not None
    if asked and not nested:
        out += ask_call(pen, part)
    if part.task is not None and part.task.outputs:
        out += outputs(pen, part, "task", part.task.outputs, pen.words("Output"))
    if part.outputs:
        out += outputs(pen, part, "outputs", part.outputs, pen.words("Output"))
    inner = replace(pen, asked_above=state == "needs-you") if nested else pen
    for index, run in enumerate(nested):
        out += runs(inner, run, f"n{index}.")
    if asked and nested:
        out += ask_call(pen, part)  # below what it is about
    if part.error is not None:
        out += error_body(pen, part, part.error, "view.output.tool_errors")
    came = _came(part)
    if came is not ABSENT and not (nested and _told(part, nested)):
        value = _answer(part) if nest else came
        place = place if came is part.result else None
        shown = pen.piece(part, f"result{place}", came, lambda pen: result(pen, value, pen.words("Result"), place))
        out += [fold(pen, "result", pen.words("Result"), peek(pen, value), shown)] if nest else shown
    if not out and part.asked is not None:
        out.append(label(pen.words("approval was asked for"), key="asked"))  # a row that was a fold has something in it
    return out


def _told(part: ToolPart, nested: list[RunState]) -> bool:
    """Whether the result only repeats the text that the nested run has shown already."""
    said = _answer(part)
    return type(said) is str and any(said.strip() == text_of(run).strip() for run in nested if _texts(run))


def _texts(run: RunState) -> bool:
    return any(isinstance(part, TextPart) for part in run.parts)
