"""The items of one response: messages, reasoning, function calls, the provider's own tools and what they gave."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from runview.sources.foreign import chunks
from runview.sources.foreign.fields import field, items, parsed, plain, record, text, type_of
from runview.sources.foreign.writer import Writer

__all__ = ["ResponseItems"]

_CLIENT: Final = ("function_call", "custom_tool_call")
"""Calls that the reader's own code answers, by `call_id`; all others are the provider's, by the item's id."""
_TOLD: Final = frozenset("id type status call_id action arguments code name server_label container_id namespace".split())
"""Fields of a provider's call that are no part of its result."""


class ResponseItems:
    """Keeps apart what belongs to which item, by its place in the response."""

    def __init__(self, write: Writer) -> None:
        self._write = write
        self.refused = False
        self._calls: dict[Hashable, str] = {}
        self._keys: dict[Hashable, list[Hashable]] = {}
        """The texts and reasonings of each item that has any."""
        self._partials: dict[Hashable, str] = {}
        self._searched: list[tuple[str, str | None]] = []

    def forget(self) -> None:
        """Another response begins."""
        self.refused = False
        self._calls.clear()
        self._keys.clear()

    # What is said

    def text(self, delta: str, place: Hashable, part: int) -> None:
        self._write.text(delta, self._key(place, ("text", part)))

    def reasoning(self, delta: str, place: Hashable, part: Hashable) -> None:
        self._write.reasoning(delta, self._key(place, part))

    def _key(self, place: Hashable, part: Hashable) -> Hashable:
        keys = self._keys.setdefault(place, [])
        if (place, part) not in keys:
            keys.append((place, part))
        return (place, part)

    def cited(self, annotation: object) -> None:
        """One citation: a page, or a file by its name."""
        title = text(annotation, "title") or text(annotation, "filename") or text(annotation, "file_id")
        self._write.source(text(annotation, "url"), title, filename=text(annotation, "filename"))

    def cite_searched(self) -> None:
        """What a search found and nothing cited, after the citations, which have titles."""
        for url, title in self._searched:
            self._write.source(url, title)
        self._searched.clear()

    # Items

    def added(self, item: object, place: Hashable) -> None:
        type_ = type_of(item)
        if type_ in _CLIENT or type_.endswith("_call"):
            self._open(item, place)

    def arguments(self, delta: str, place: Hashable) -> bool:
        """More of a call's arguments; whether there is such a call."""
        if place in self._calls:
            self._write.call_delta(self._calls[place], delta)
        return place in self._calls

    def done(self, item: object, place: Hashable) -> None:
        type_ = type_of(item)
        if type_ in _CLIENT:
            self._client_call(item, place)
        elif type_ == "message":
            self._message(item, place)
        elif type_ == "reasoning":
            self._thought(item, place)
        elif type_ == "mcp_approval_request":
            id_ = text(item, "id") or self._write.made_id("call")
            self.approval(id_, text(item, "name") or "", text(item, "arguments"))
        elif type_.endswith("_call_output"):
            self._write.result(text(item, "call_id") or "", plain(field(item, "output")))
        elif type_.endswith("_call"):
            self._server_call(item, place)
        else:
            self._write.step()
            self._write.emit(chunks.raw(plain(item)))

    def approval(self, id_: str, name: str, arguments: str | None) -> None:
        """A call that somebody has to allow, told once."""
        if id_ not in self._write.waiting:
            self._write.approval(id_, name, _arguments(arguments))

    def _open(self, item: object, place: Hashable) -> str:
        """The call of an item, which begins unless it has begun."""
        if place in self._calls:
            return self._calls[place]
        type_ = type_of(item)
        client = type_ in _CLIENT
        id_ = (text(item, "call_id") if client else None) or text(item, "id") or self._write.made_id("call")
        name = text(item, "name") or type_.removesuffix("_call")
        self._calls[place] = id_
        self._write.call_start(id_, name, provider=not client)
        return id_

    def _client_call(self, item: object, place: Hashable) -> None:
        id_ = self._open(item, place)
        if type_of(item) == "custom_tool_call":
            self._write.call_end(id_, {"input": text(item, "input") or ""}, name=text(item, "name"))
            return
        streamed = self._write.calls[id_].text
        arguments = text(item, "arguments") or ""
        if not streamed:
            self._write.call_delta(id_, arguments)
        if text(item, "status") != "incomplete" and _is_whole(self._write.calls[id_].text):
            self._write.call_end(id_, name=text(item, "name"))
        # Else the end of the response tells whether it was cut off.

    def _message(self, item: object, place: Hashable) -> None:
        known = place in self._keys
        for at, part in enumerate(items(item, "content")):
            said = text(part, "text") or text(part, "refusal")
            if said and not known:
                self.refused = self.refused or type_of(part) == "refusal"
                self.text(said, place, at)
            for annotation in items(part, "annotations"):
                self.cited(annotation)
        self._end_texts(place)

    def _thought(self, item: object, place: Hashable) -> None:
        if place not in self._keys:
            for part, at in ((each, at) for name in ("summary", "content") for at, each in enumerate(items(item, name))):
                self.reasoning(text(part, "text") or "", place, (type_of(part), at))
        keys = self._keys.get(place)
        if keys and (proof := text(item, "encrypted_content")):
            self._write.signature(proof, keys[-1])
        self._end_texts(place)

    def _end_texts(self, place: Hashable) -> None:
        for key in self._keys.get(place, ()):
            self._write.text_end(key)
            self._write.reasoning_end(key)

    # The provider's tools

    def _server_call(self, item: object, place: Hashable) -> None:
        id_ = self._open(item, place)
        self._write.call_end(id_, _server_arguments(item), name=text(item, "name"))
        image = text(item, "result") if type_of(item) == "image_generation_call" else None
        error = field(item, "error")
        if error is not None or text(item, "status") in ("failed", "incomplete"):
            told = plain(error) if error is not None else {"message": f"{type_of(item)} {text(item, 'status')}"}
            self._write.tool_error(id_, told)
        else:
            self._write.result(id_, _server_result(item, image))
        for each in items(field(item, "action"), "sources"):
            if url := text(each, "url"):
                self._searched.append((url, text(each, "title")))
        if image is not None:
            self._partials.pop(place, None)
            self._write.emit(chunks.file(image, f"image/{text(item, 'output_format') or 'png'}"))

    def partial_image(self, place: Hashable, image: str | None) -> None:
        """A picture so far: shown only if no better one comes."""
        if image:
            self._partials[place] = image

    def settle_images(self) -> None:
        for image in self._partials.values():
            self._write.emit(chunks.file(image, "image/png"))
        self._partials.clear()


def _server_arguments(item: object) -> Any:
    if (arguments := text(item, "arguments")) is not None:
        return _arguments(arguments)
    if (action := plain(field(item, "action"))) is not None:
        return {name: value for name, value in record(action).items() if name != "sources"}
    if (code := text(item, "code")) is not None:
        return {"code": code}
    queries = items(item, "queries")
    if queries:
        return {"queries": plain(queries)}
    operation = field(item, "operation")
    return {"operation": plain(operation)} if operation is not None else {}


def _server_result(item: object, image: str | None) -> Any:
    """What the item has beside what was asked; most tools have one such field."""
    found = {name: value for name, value in record(plain(item)).items() if name not in _TOLD}
    if image is not None:
        found.pop("result", None)
    for name in ("output", "outputs", "results"):
        if found.get(name) is not None:
            return found[name]
    return found or {"status": text(item, "status") or "completed"}


def _arguments(arguments: str | None) -> Any:
    try:
        return parsed(arguments) if arguments and arguments.strip() else {}
    except ValueError:
        return {"arguments": arguments}


def _is_whole(arguments: str) -> bool:
    try:
        parsed(arguments)
    except ValueError:
        return False
    return True
