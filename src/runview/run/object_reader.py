"""The structured output that a model's text holds, while the text grows.

Text is rarely bare JSON: it may stand in a code fence, behind a channel marker, or in the middle of prose. Arrays are asked for
as `{"elements": [...]}` and choices as `{"result": "..."}`; both are taken without their wrapper, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

from runview.run.absent import ABSENT
from runview.run.kinds import is_dict, is_list
from runview.run.partial_json import PartialJSON

__all__ = ["ObjectReader", "Shape"]

Shape: TypeAlias = Literal["object", "array", "choice", "scalar"]

MARKER: Final = "<|message|>"
FENCE: Final = "```"


class ObjectReader:
    """Reads one text, or one a step: `start` begins again."""

    def __init__(self, shape: Shape, choices: Sequence[Any] = ()) -> None:
        self._shape = shape
        self._choices = [choice for choice in choices if isinstance(choice, str)]
        self._value: Any = ABSENT
        self._stale = False
        """The value is another one than `_value`."""
        self.start()

    @property
    def value(self) -> Any:
        """The last partial value; it survives `start`. It is put together when it is asked for."""
        if self._stale:
            self._stale = False
            self._value = self._unwrapped(self._parser.value)
            if self._shape == "array":
                self._value = self._value[: self._count] if is_list(self._value) else []
        return self._value

    def start(self) -> None:
        """A new text."""
        if self._stale:
            self._value = self.value
        self.empty = True
        """There was nothing but blank space."""
        self._mode: Literal["head", "json", "prose"] = "head"
        self._head = ""
        self._tail = ""
        self._parser = PartialJSON()
        self._candidate: PartialJSON | None = None
        """In prose: an object that has begun and may become the value."""
        self._seen = 0
        self._count = -1
        """Elements of an array that count already."""

    def feed(self, text: str) -> bool:
        """Whether `value` is another one after this piece."""
        self.empty = self.empty and not text.strip()
        if self._mode == "json":
            self._parser.feed(text)
        elif self._mode == "prose":
            self._feed_prose(text)
        else:
            self._feed_head(text)
        changed = self._look()
        self._seen = self._parser.changes
        self._stale = (self._stale or changed) and self._shape != "choice"
        return changed

    def given(self, value: Any) -> None:
        """A partial value came whole."""
        self._value, self._stale = value, False

    def final(self) -> Any:
        """The whole value, repaired where the text breaks off; `ABSENT` when there is none."""
        if self._parser.state == "failed-parse" and self._parser.failed:
            return ABSENT
        return self._unwrapped(self._parser.value)

    def elements(self) -> list[Any]:
        """Those of an array that are whole."""
        if self._shape != "array":
            return []
        return self._array() or []

    # Where the JSON is

    def _feed_head(self, text: str) -> None:
        """Before it is known what the text is."""
        self._head = (self._head + text).lstrip()
        head = self._head
        if not head or (len(head) < len(FENCE) and FENCE.startswith(head)):
            return
        if head.startswith(FENCE):
            line, broken, rest = head.partition("\n")
            brace = min((at for at in (line.find("{"), line.find("[")) if at >= 0), default=-1)
            if brace >= 0:
                rest = head[brace:]
            elif not broken:
                return
            self._head = ""
            self._feed_head(rest)
            return
        bare = self._shape == "scalar" or (self._shape == "choice" and head[0] == '"')
        self._mode = "json" if bare or head[0] in "{[" else "prose"
        self._head = ""
        if self._mode == "json":
            self._parser.feed(head)
        else:
            self._feed_prose(head)

    def _feed_prose(self, text: str) -> None:
        """In prose the last object that is whole counts; behind a channel marker everything starts again."""
        seen = self._tail + text
        marker = seen.rfind(MARKER)
        if marker >= 0:
            self._tail = ""
            self._mode = "head"
            self._candidate = None
            self._feed_head(seen[marker + len(MARKER) :])
            return
        self._tail = seen[-(len(MARKER) - 1) :]
        at = 0
        while at < len(text):
            if self._candidate is None:
                brace = text.find("{", at)
                if brace < 0:
                    return
                self._candidate = PartialJSON()
                at = brace
            end = text.find("}", at)
            end = len(text) if end < 0 else end + 1
            self._candidate.feed(text[at:end])
            at = end
            if self._candidate.complete:
                self._candidate.changes += self._parser.changes + 1
                self._parser = self._candidate
                self._candidate = None
            elif self._candidate.failed:
                self._candidate = None

    # What the JSON is

    def _look(self) -> bool:
        """Whether the value has changed."""
        if self._shape == "array":
            return self._parser.has_value and self._look_at_array()
        if self._parser.changes == self._seen or not self._parser.has_value:
            return False
        return self._shape != "choice" or self._look_at_choice(self._unwrapped(self._parser.value))

    def _array(self) -> list[Any] | None:
        """The closed elements, as far as there is an array."""
        bare = self._parser.closed_elements()
        return self._parser.closed_elements("elements") if bare is None else bare

    def _unwrapped(self, value: Any) -> Any:
        if self._shape == "array" and is_dict(value):
            return value.get("elements", [])
        if self._shape == "choice" and is_dict(value):
            return value.get("result", ABSENT)
        return value

    def _look_at_array(self) -> bool:
        """An element counts while it is written if it is a container with something in it; a scalar when something follows it."""
        array, parser = self._array(), self._parser
        closed = array or []
        being_written = array is not None and parser.writes_into(array)
        waits = bool(closed) and parser.waits_in(closed) and not (closed[-1] and type(closed[-1]) in (dict, list))
        before, self._count = self._count, len(closed) + being_written - waits
        if self._count != before:
            return True
        grown = parser.changes if being_written else parser.closed_before if waits else parser.closed_at
        return self._count > 0 and grown > self._seen

    def _look_at_choice(self, value: Any) -> bool:
        """A beginning that fits one choice alone stands for it; one that fits none is no value."""
        if type(value) is not str:
            return False
        fitting = [choice for choice in self._choices if choice.startswith(value)]
        if not fitting:
            return False
        before, self._value = self._value, fitting[0] if len(fitting) == 1 else value
        return bool(before != self._value)
