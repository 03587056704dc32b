"""The attack corpus speaks of a run in neutral events; here they become chunks, as a server would spell them."""

from __future__ import annotations

from typing import Any

from runview.run.absent import ABSENT
from runview.run.partial_json import parse_partial

__all__ = ["Wires"]


class Wires:
    """The chunks of one run. Whatever is odd in an event is odd in its chunk, too."""

    def __init__(self) -> None:
        self._object = ""

    def of(self, event: Any) -> list[Any]:
        if type(event) is not dict:
            return [event]
        given = {name: value for name, value in event.items() if name != "type"}
        id_ = given.get("id", "c1")
        match event.get("type"):
            case "text-delta" | "reasoning-delta" as type_:
                return [_chunk(type_, {"id": "t", **given})]
            case "tool-args-start":
                return [_chunk("tool-call-input-streaming-start", {"toolCallId": id_, "toolName": given.get("name")})]
            case "tool-args-delta":
                return [_chunk("tool-call-delta", {"toolCallId": id_, "argsTextDelta": given.get("text")})]
            case "tool-call":
                return [_chunk("tool-call", {"toolCallId": id_, "toolName": given.get("name"), "args": given.get("args")})]
            case "tool-result":
                told = {"toolCallId": id_, "toolName": given.get("name"), "result": given.get("result")}
                return [_chunk("tool-result", told)]
            case "source":
                return [_chunk("source", {"id": "s", "sourceType": "url", **given})]
            case "file":
                data = {name: given[name] for name in ("base64", "data") if name in given}
                data = data or {"data": given.get("text", given.get("url"))}
                return [_chunk("file", {"filename": given.get("name"), "mimeType": given.get("mime"), **data})]
            case "object-delta":
                return self._partial(given.get("text"))
            case "object":
                return [{**_chunk("object-result", {}), "object": given.get("value")}]
            case "error":
                return [_chunk("error", {"error": given})]
            case "data":
                return [{"type": f"data-{given.get('name')}", "data": given.get("value")}]
            case type_:
                return [_chunk(type_, given)]

    def _partial(self, text: Any) -> list[Any]:
        if type(text) is not str:
            return [_chunk("object", {"object": text})]
        self._object += text
        _, value = parse_partial(self._object)
        return [] if value is ABSENT else [{**_chunk("object", {}), "object": value}]


def _chunk(type_: Any, payload: dict[str, Any]) -> dict[str, Any]:
    return {"type": type_, "runId": "attack", "from": "AGENT", "payload": payload}
