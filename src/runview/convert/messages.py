"""Parts folded into the messages that a page shows, as `readUIMessageStream` of the `ai` package does it.

A `start` with another id begins another message. Where that package gives up, on a part that refers to what never began, this
goes on: text without a start opens one, and what belongs to no known call is left out.
"""

from __future__ import annotations

from typing import Any, Final

from runview.chunks.wire import Wire, copy_value, is_wire
from runview.convert.calls import Calls
from runview.convert.fields import ABSENT, is_list, joined, key_of, record, told
from runview.convert.parts import Version, is_data

__all__ = ["Folder"]

_AS_THEY_ARE: Final = {
    "file": ("mediaType", "url"),
    "source-url": ("sourceId", "url", "title", "providerMetadata"),
    "source-document": ("sourceId", "mediaType", "title", "filename", "providerMetadata"),
}


class Folder:
    """`feed` takes one part and tells whether there is a new state to show; `message` is that state."""

    def __init__(self, version: Version = "v5", message: Wire | None = None) -> None:
        """`message` is one to go on with, when a run is continued."""
        self._version: Version = version
        self._done: list[Wire] = []
        self._shown = 0
        """So many parts of the message have been shown; what came after them is not."""
        self._begin("", message)

    def _begin(self, id_: object, message: Wire | None = None) -> None:
        known: Wire = {} if message is None else copy_value(message)
        self._message: Wire = {"id": id_, "role": "assistant", **known}
        parts: Any = self._message.get("parts")
        self._parts: list[Wire] = [part for part in parts if is_wire(part)] if is_list(parts) else []
        self._message["parts"] = self._parts
        self._calls = Calls(self._parts, self._version)
        self._texts: dict[str, Wire] = {}
        self._was_shown = False

    @property
    def message(self) -> Wire:
        """A copy of the current message."""
        return dict(copy_value(self._message))

    def messages(self) -> list[Wire]:
        """Copies of all messages in their last state."""
        last = [{**self._message, "parts": self._parts[: self._shown]}] if self._was_shown else []
        return list(copy_value([*self._done, *last]))

    def feed(self, part: Wire) -> bool:
        """Takes a part; whether the message has changed in a way that is to be shown."""
        if self._take(part):
            self._shown, self._was_shown = len(self._parts), True
            return True
        return False

    def _take(self, part: Wire) -> bool:
        type_: str = part["type"]
        if type_.startswith(("text-", "reasoning-")):
            self._text(type_, part)
            return True
        if type_.startswith("tool-"):
            return self._calls.feed(type_, part)
        if type_ in _AS_THEY_ARE:
            names = _AS_THEY_ARE[type_]
            self._parts.append(record(type=type_, **{name: part.get(name, ABSENT) for name in names}))
            return True
        if is_data(part):
            self._data(part)
            return True
        match type_:
            case "start":
                return self._start(part)
            case "start-step":
                self._parts.append({"type": "step-start"})
            case "finish-step":
                self._texts = {}
            case _:
                pass
        return False

    def _start(self, part: Wire) -> bool:
        id_ = part.get("messageId")
        if id_ is None:
            return False
        if id_ != self._message["id"]:
            if self._was_shown:
                self._done.append({**self._message, "parts": self._parts[: self._shown]})
            self._begin(id_)
        return True

    def _text(self, type_: str, part: Wire) -> None:
        kind, _, event = type_.partition("-")
        key = f"{kind} {key_of(part.get('id', ABSENT))}"
        open_ = self._texts.get(key)
        if open_ is None or event == "start":
            open_ = record(type=kind, id=part.get("id", ABSENT) if kind == "reasoning" else ABSENT, text="", state="streaming")
            self._texts[key] = open_
            self._parts.append(open_)
        open_ |= told(part, "providerMetadata")
        if event == "delta" and type(part.get("delta")) is str:
            open_["text"] = joined(open_["text"], part["delta"])
        elif event == "end":
            open_["state"] = "done"
            del self._texts[key]

    def _data(self, part: Wire) -> None:
        id_ = part.get("id")
        for known in self._parts:
            if id_ is not None and known.get("type") == part["type"] and known.get("id") == id_:
                known["data"] = part.get("data")
                return
        self._parts.append(dict(part))
