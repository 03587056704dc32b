"""What a file holds. It stays as it came, since the log has it anyway, and is decoded when somebody wants the bytes.

Files of many megabytes are named with their size and no more: to know that, they are read once, a piece at a time.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, Final, TypeAlias, cast
from urllib.parse import unquote_to_bytes

from runview.run.kinds import is_dict, is_list

__all__ = ["Content", "content_of"]

_PIECE: Final = 1 << 15
_SPACE: Final = re.compile(r"\s+")
_ALPHABET: Final = str.maketrans("-_", "+/")
_ADDRESS: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://|blob:")
_DATA_URL: Final = re.compile(r"data:[^,]{0,500}?(;base64)?,", re.IGNORECASE)

_Read: TypeAlias = Callable[[str, int], Iterator[bytes]]


class Content:
    """The bytes of one file, and how many there are."""

    __slots__ = ("_from", "_raw", "_read", "_text", "size")

    def __init__(self, raw: bytes = b"", text: str = "", begins: int = 0, read: _Read | None = None) -> None:
        self._raw = raw
        self._text, self._from, self._read = text, begins, read
        self.size: int = len(raw) if read is None else sum(map(len, read(text, begins)))

    def head(self, most: int) -> bytes:
        """The first bytes, so many at most."""
        if self._read is None:
            return self._raw[:most]
        out = bytearray()
        for piece in self._read(self._text, self._from):
            out += piece
            if len(out) >= most:
                break
        return bytes(out[:most])

    def whole(self) -> bytes:
        """All of them."""
        if self._read is None:
            return self._raw
        out = BytesIO()  # `join` would hold the pieces beside the whole
        for piece in self._read(self._text, self._from):
            out.write(piece)
        return out.getvalue()


def content_of(payload: dict[str, Any]) -> tuple[Content | None, str | None]:
    """The content of a file, or the address where it is. Content comes as base64, as a data URL, as bytes, or as the
    object that bytes become in JSON: `{"0": 1, "1": 2}`.
    """
    data: Any = payload.get("data")
    encoded: Any = payload.get("base64")
    if isinstance(data, (bytes, bytearray, memoryview)):
        return Content(bytes(cast("bytes | bytearray | memoryview", data))), None
    if is_dict(data) or is_list(data):
        items: list[Any] = list(data.values()) if is_dict(data) else list(data)
        if all(type(item) is int and 0 <= item <= 255 for item in items):
            return Content(bytes(items)), None
        return None, None
    text = data if type(data) is str else encoded
    if type(text) is not str:
        return None, None
    if _ADDRESS.match(text):
        return None, text
    header = _DATA_URL.match(text)
    if header is not None and header[1] is None:
        return Content(text=text, begins=header.end(), read=_unquoted), None
    begins = 0 if header is None else header.end()
    try:
        return Content(text=text, begins=begins, read=_decoded), None
    except ValueError:
        return Content(text=text, begins=begins, read=_encoded), None


def _decoded(text: str, at: int) -> Iterator[bytes]:
    """Base64 of either alphabet, padded or not. ValueError for what is none."""
    rest, padded = "", False
    for begins in range(at, len(text), _PIECE):
        piece = _SPACE.sub("", text[begins : begins + _PIECE]).translate(_ALPHABET)
        bare = piece.rstrip("=")
        if padded and bare:
            raise ValueError("more after its end")
        padded = padded or len(bare) < len(piece)
        rest += bare
        whole = len(rest) // 4 * 4
        yield base64.b64decode(rest[:whole], validate=True)
        rest = rest[whole:]
    yield base64.b64decode(rest + "=" * (-len(rest) % 4), validate=True)


def _unquoted(text: str, at: int) -> Iterator[bytes]:
    rest = ""
    for begins in range(at, len(text), _PIECE):
        piece = rest + text[begins : begins + _PIECE]
        cut = piece.rfind("%", len(piece) - 2)
        cut = len(piece) if cut < 0 else cut
        yield unquote_to_bytes(piece[:cut])
        rest = piece[cut:]
    yield unquote_to_bytes(rest)


def _encoded(text: str, at: int) -> Iterator[bytes]:
    for begins in range(at, len(text), _PIECE):
        yield text[begins : begins + _PIECE].encode("utf-8", "surrogatepass")
