"""What a run that waits asks of its reader: the data that came with the question, and buttons that answer it, or how to answer.

The buttons are only live: they carry an id that means something to the view that drew them, never anything out of the stream.
"""

from __future__ import annotations

import json
from typing import Any

from runview.draw.characters import show
from runview.draw.exact import listing, mapping, word
from runview.draw.pen import Pen
from runview.draw.row import label, sep
from runview.draw.tree import Child, Node, h
from runview.draw.values import fields
from runview.draw.words import one_line
from runview.run.state import ABSENT, ToolPart

__all__ = ["ask", "ask_call"]

_METHODS = {"approve": "approve(run_id, tool_call_id)", "resume": "resume(run_id, data, id)"}
"""The methods that a source is asked for, as `continuing.py` describes them."""


def ask_call(pen: Pen, part: ToolPart) -> list[Child]:
    """What a call asks. One in a run inside this one is answered in the row of the call around it, if that waits, too."""
    given = mapping(part.approval) or {}
    waiting = part.state == "needs-you" and not pen.over
    if part.approval is None and not waiting:
        return []
    if "suspendPayload" in given:
        what = part.call_id if part.task is None or part.task.status != "suspended" else None
        payload, schema = given["suspendPayload"], given.get("resumeSchema")
        return ask(pen, payload, part.asked, waiting=waiting, schema=schema, what=what)
    out: list[Child] = []
    asks = word(given.get("toolName"))
    if asks is not None and asks != part.name:  # a sub-agent's call, which asks through the call of the sub-agent
        out += [label(f"{pen.words('Asks to run')} ", h("bdi", "", one_line(asks, 80)), key="asks-")]
        out += _keyed(fields(pen, given.get("args"))[0], "asks")
    if not waiting:
        return out
    if not pen.live:
        return [*out, _was(pen, "Was waiting for approval", part.asked)]
    if pen.depth:
        return out if pen.asked_above else [*out, _line(pen.words("Can only be answered where this inner run was started."))]
    buttons = _buttons(pen, part)
    if pen.ways is not None and not buttons:
        out.append(_line(*_unable(pen, "approve")))
    if buttons or part.asked is not None:
        out.append(h("div", "rv-ask", *buttons, _ago(pen, part.asked), live=True, key="ask"))
    if part.unheard is not None and part.answer is None:
        out.append(_line(pen.words("The answer could not be passed on"), ": ", h("bdi", "", one_line(part.unheard, 300))))
    return out


def ask(
    pen: Pen, payload: Any, asked: float | None, *, waiting: bool, schema: Any = None, what: str | None = None
) -> list[Child]:
    """What something that is suspended asks: the data that came, and how it gets what it waits for.

    `what` is the id by which Python resumes it, `schema` the form of what it waits for.
    """
    out: list[Child] = []
    if payload is not ABSENT and payload is not None and payload != {}:
        out += [label(pen.words("Asks"), key="asks-"), *_keyed(fields(pen, payload)[0], "asks")]
    if not waiting:
        return out
    if not pen.live:
        return [*out, _was(pen, "Was waiting for input", asked)]
    if pen.ways is not None and what is not None and not pen.depth:
        if "resume" in pen.ways:
            out.append(_line(f"{pen.words('Answer in Python')}: ", h("code", "", _resume(schema, what))))
        else:
            out.append(_line(*_unable(pen, "resume")))
    if asked is not None:
        out.append(h("div", "rv-ask", _ago(pen, asked), live=True, key="ask"))
    return out


def _buttons(pen: Pen, part: ToolPart) -> list[Node]:
    """The safe one comes first, also for the keyboard. Both stay, disabled, while an answer travels."""
    ref, words, answer = pen.ref(part), pen.words, part.answer
    out: list[Node] = []
    if "decline" in (pen.ways or ()):
        said = words("Denying…" if answer == "deny" else "Deny")
        out.append(h("button", "rv-btn", said, act="deny", ref=ref, disabled=answer is not None, live=True, key="deny"))
    if "approve" in (pen.ways or ()):
        said = words("Allowing…" if answer == "allow" else "Allow once")
        out.append(h("button", "rv-btn", said, act="allow", ref=ref, disabled=answer is not None, live=True, key="allow"))
    return out


def _unable(pen: Pen, way: str) -> tuple[Child, ...]:
    said = pen.words("Can’t be answered here: the source of this run has no method")
    return f"{said} ", h("code", "", _METHODS[way])


def _line(*kids: Child) -> Node:
    return h("p", "rv-label", h("span", "", *kids), live=True, key="how")


def _ago(pen: Pen, asked: float | None) -> Node | None:
    if asked is None:
        return None
    return h("span", "rv-meta", f"{pen.words('asked')} ", pen.clock(asked), f" {pen.words('ago')}", key="ago")


def _was(pen: Pen, said: str, asked: float | None) -> Node:
    words = pen.words
    since = f"{words('asked')} {words.clock(pen.now - asked)} {words('before the save')}" if asked is not None else None
    return h("div", "rv-ask", words(said), h("span", "rv-meta", sep(", "), since) if since else None, key="ask")


def _resume(schema: Any, what: str) -> str:
    """The call that resumes, with the names of the fields that are wanted."""
    text = word(schema)
    if text is not None:
        try:
            schema = json.loads(text[:20_000])
        except (ValueError, RecursionError):
            schema = None
    wanted = mapping((mapping(schema) or {}).get("properties")) or {}
    names = [name for name in listing(list(wanted)) or () if type(name) is str and name.isidentifier() and len(name) <= 40][:5]
    data = "{" + ", ".join(f'"{show(name)}": …' for name in names) + "}" if names else "…"
    return f"view.resume({data}, {json.dumps(one_line(what, 80), ensure_ascii=False)})"


def _keyed(nodes: list[Node], key: str) -> list[Node]:
    return [Node(node.tag, {**node.attrs, "key": f"{key}{i}"}, node.kids) for i, node in enumerate(nodes)]
