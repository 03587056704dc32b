"""Text that is nothing but the JSON of the run's object, which is drawn as an object and not once more as text."""

from __future__ import annotations

import re

from runview.run.event import Event
from runview.run.state import TextPart

__all__ = ["judge_text", "may_be_json"]

HEAD = 64
"""Characters of a text that tell whether it can be the object's JSON."""


def may_be_json(pieces: list[str]) -> bool | None:
    """Whether a text that begins so can be JSON; None while there is nothing to judge by."""
    head = ""
    for piece in pieces:
        head = (head + piece).lstrip()
        if len(head) >= HEAD:
            break
    if not head:
        return None
    return head[0] in "{[" or head.startswith("```") or "```".startswith(head) or "<|message|>" in head


def judge_text(e: Event, part: TextPart) -> None:
    """At the end of a text: it is the object's JSON only if nothing else stands around the JSON."""
    if not part.is_object:
        return
    text = part.text.strip()
    fenced = re.fullmatch(r"```[a-zA-Z]*\s(.*?)\s*(?:```)?", text, re.DOTALL)
    body = fenced[1] if fenced else text.rpartition("<|message|>")[2].strip()
    if not body or _rest_after_value(body):
        part.is_object = False
        e.change(part)


def _rest_after_value(body: str) -> bool:
    """Whether something follows the first JSON value. A value that is cut off has nothing after it."""
    if body[0] not in "{[":
        return True
    depth, inside, escaped = 0, False, False
    for at, character in enumerate(body):
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return bool(body[at + 1 :].strip())
    return False
