"""The AI SDK's data stream of version 4, which a legacy agent speaks, as chunks: one letter, a colon and JSON on each line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from runview.chunks.json_text import decode
from runview.chunks.wire import Wire, is_wire, note

__all__ = ["DataStream"]

_USAGE: Final = {"promptTokens": "inputTokens", "completionTokens": "outputTokens", "totalTokens": "totalTokens"}
_SHOWN: Final = 80
"""Characters of a malformed line that its note shows."""


class DataStream:
    """A decoder to feed with bytes, like `Frames`."""

    done = False

    def __init__(self) -> None:
        self._fragments: list[bytes] = []
        self._number = 0
        self._open: str | None = None  # "text" or "reasoning": what the last line went on with
        self._parts = 0
        self._names: dict[str, Any] = {}

    def feed(self, piece: bytes) -> list[Wire]:
        """The chunks of the lines that are whole with this piece."""
        *lines, rest = piece.split(b"\n")
        chunks: list[Wire] = []
        if lines:
            lines[0] = b"".join((*self._fragments, lines[0]))
            self._fragments = []
        for line in lines:
            chunks += self._line(line.decode("utf-8", "replace").strip())
        if rest:
            self._fragments.append(rest)
        return chunks

    def end(self) -> list[Wire]:
        """The chunks of a last line without its end."""
        return [*self.feed(b"\n"), *self._close()]

    def _line(self, line: str) -> Iterable[Wire]:
        self._number += 1
        if not line:
            return ()
        code, _, text = line.partition(":")
        try:
            value = decode(text)
        except ValueError as error:
            return (note(f"line {self._number} is not JSON ({error}): {line[:_SHOWN]}"),)
        if code == "0" and isinstance(value, str):
            return self._delta("text", value)
        if code == "g" and isinstance(value, str):
            return self._delta("reasoning", value)
        chunk = self._chunk(code, value if is_wire(value) else {}, value)
        return (*self._close(), *chunk)

    def _delta(self, kind: str, text: str) -> Iterable[Wire]:
        if self._open == kind:
            return (self._part(f"{kind}-delta", text=text),)
        closed = self._close()
        self._open = kind
        self._parts += 1
        return (*closed, self._part(f"{kind}-start"), self._part(f"{kind}-delta", text=text))

    def _close(self) -> tuple[Wire, ...]:
        kind, self._open = self._open, None
        return () if kind is None else (self._part(f"{kind}-end"),)

    def _part(self, type_: str, **fields: str) -> Wire:
        return _agent(type_, {"id": f"part-{self._parts}", **fields})

    def _chunk(self, code: str, value: Wire, whole: Any) -> Iterable[Wire]:
        """The chunk of a line that is not text. `value` is the object on it, empty when there is another value."""
        call = value.get("toolCallId")
        if isinstance(call, str):
            name = self._names.setdefault(call, value.get("toolName"))
            value = {**value, "toolName": name} if name is not None else value
        match code:
            case "2" if isinstance(whole, list):
                return [{"type": "data-legacy", "data": item} for item in whole]  # pyright: ignore[reportUnknownVariableType]
            case "3":
                return [_agent("error", {"error": whole})]
            case "8":
                return []  # annotations of the message, for clients that keep it
            case "9":
                return [_agent("tool-call", value)]
            case "a":
                return [_agent("tool-result", value)]
            case "b":
                return [_agent("tool-call-input-streaming-start", value)]
            case "c":
                return [_agent("tool-call-delta", value)]
            case "d" | "e":
                payload = {"stepResult": {"reason": value.get("finishReason")}, "output": {"usage": _usage(value.get("usage"))}}
                return [_agent("finish" if code == "d" else "step-finish", payload)]
            case "f":
                return [_agent("step-start", value)]
            case "h":
                return [_agent("source", value)]
            case "i":
                return [_agent("redacted-reasoning", {"id": f"redacted-{self._number}", **value})]
            case "j":
                return [_agent("reasoning-signature", {"id": f"part-{self._parts}", **value})]
            case "k":
                return [_agent("file", value)]
            case _:
                return [note(f"line {self._number} begins with an unknown code: {code[:_SHOWN]}")]


def _agent(type_: str, payload: Wire) -> Wire:
    return {"type": type_, "from": "AGENT", "payload": payload}


def _usage(usage: Any) -> Wire:
    """What is not known is null there, and not here."""
    if not is_wire(usage):
        return {}
    return {name: usage[old] for old, name in _USAGE.items() if usage.get(old) is not None}
