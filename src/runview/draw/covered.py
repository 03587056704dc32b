"""A chunk as it may leave the kernel: into the page's list of chunks, or into a file that is handed on.

What a server was asked and what it answered beside the stream (request, headers, metadata of the provider), raw chunks and
stacks are taken out; values under keys that look like credentials are hidden, also where they come in pieces; messages lose
what looks like a credential. What the run itself is made of stays, so that a covered log is still a run.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from runview.draw.pieces import Pieces, delta_of
from runview.draw.secret_json import mask_text
from runview.draw.secrets import HIDDEN, is_credential, mask_message
from runview.run.kinds import is_dict
from runview.run.log import ChunkLog
from runview.run.state import Wire

__all__ = ["Covered"]

_OUT: Final = frozenset(
    "request requestbody requestbodyvalues requestheaders requestmetadata headers responseheaders responsebody body rawresponse "
    "rawrequest rawvalue rawchunk raw rawcall providermetadata provideroptions experimentalprovidermetadata stack stacktrace "
    "traceback".split()
)
"""Fields of the protocol, in small letters, that stay in the kernel."""
_CONTENT: Final = frozenset("args input inputdata initdata result object data value suspendpayload resumedata".split())
"""Fields of the protocol whose values are the user's own: in them only credentials are hidden, as in the view."""
_TEXT: Final = frozenset("text argsTextDelta delta type id toolCallId toolName runId from".split())
"""Fields whose words are left as they are: text is shown as it is in the view, too."""
_MOST: Final = 150
"""How deep a value is followed."""
_Dict: Final[Any] = dict
_Copy: TypeAlias = Any


class Covered:
    """Reads the chunks of a log, covered.

    `limit` is how many characters and entries of one chunk are kept, `instead` what stands in place of a field that stays in the
    kernel (None: the field is left out).
    """

    def __init__(self, log: ChunkLog, *, limit: int | None = None, instead: str | None = None) -> None:
        self._log = log
        self._pieces = Pieces(log)
        self._limit = limit
        self._instead = instead

    def chunk(self, number: int) -> Wire:
        """A covered copy of the chunk with this number."""
        self._pieces.read()
        wire = self._log[number]
        delta = delta_of(wire)
        if delta is not None and (text := self._pieces.covered(number, delta)) != delta.text:
            wire = _with(wire, delta.path, text)
        copy: Wire = _Walk(self._limit, self._instead).fields(wire, 0, content=False)
        return copy


def _with(wire: Wire, path: tuple[str, ...], text: str) -> Wire:
    return {**wire, path[0]: text if len(path) == 1 else _with(wire[path[0]], path[1:], text)}


class _Walk:
    """One chunk's copy, as far as its limit goes."""

    def __init__(self, limit: int | None, instead: str | None) -> None:
        self._bounded = limit is not None
        self._left = limit or 0
        self._instead = instead

    def fields(self, value: dict[Any, Any], depth: int, *, content: bool) -> dict[Any, _Copy]:
        is_raw = not content and value.get("type") == "raw" and "payload" in value
        out: dict[Any, _Copy] = {}
        for key, item in _Dict.items(value):
            if self._is_full():
                out["…"] = "…"
                break
            word = key[:200] if type(key) is str else str(key) if type(key) is int else ""
            plain = word.replace("_", "").replace("-", "").lower()
            if not content and (plain in _OUT or (is_raw and word == "payload")):
                kept = _redacted(item) if plain == "providermetadata" else None
                if kept is not None or self._instead is not None:
                    out[key] = kept or self._instead
            elif is_credential(word) and item is not None and type(item) is not bool:
                out[key] = HIDDEN
            elif type(item) is str and not content and word in _TEXT:
                out[key] = self._cut(item)
            else:
                out[key] = self.value(item, depth + 1, content=content or plain in _CONTENT or _is_own(value, word))
        return out

    def value(self, value: Any, depth: int, *, content: bool) -> _Copy:
        if type(value) is str:
            text = self._cut(value)
            return mask_text(text) if content else mask_message(mask_text(text))
        if depth > _MOST:
            return "…"
        if isinstance(value, dict):
            return self.fields(value, depth, content=content and not _is_chunk(value))  # pyright: ignore[reportUnknownArgumentType]
        if type(value) in (list, tuple):
            out: list[_Copy] = []
            for item in value:
                if self._is_full():
                    out.append("…")
                    break
                out.append(self.value(item, depth + 1, content=content))
            return out
        self._left -= 8
        return value

    def _is_full(self) -> bool:
        return self._bounded and self._left <= 0

    def _cut(self, text: str) -> str:
        self._left -= len(text) + 8
        if not self._bounded or self._left >= 0:
            return text
        return text[: max(0, self._left + len(text))] + "…"


def _is_own(value: dict[Any, Any], word: str) -> bool:
    """Whether a field of a chunk is the user's own: what a tool or a step has written."""
    return word == "output" and not is_dict(value.get("output"))


def _is_chunk(value: dict[Any, Any]) -> bool:
    return type(value.get("type")) is str and is_dict(value.get("payload")) and "from" in value


def _redacted(metadata: object) -> dict[str, Any] | None:
    """Metadata by which a thought says that the provider hides it."""
    if not is_dict(metadata):
        return None
    names = [name for name, told in metadata.items() if is_dict(told) and "redactedData" in told]
    return {name: {"redactedData": HIDDEN} for name in names} or None
