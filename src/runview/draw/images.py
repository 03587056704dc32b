"""Pictures: shown only when their bytes are those of a png, jpeg, gif or webp, whatever the stream says they are."""

from __future__ import annotations

import base64
import binascii
import io
import re
import sys
from typing import Any, NamedTuple

from runview.draw.exact import mapping, word

__all__ = ["Picture", "drawn_image", "picture_of", "sniff"]

_KINDS = ("mimeType", "mediaType", "media_type", "mime_type")
_MOST = 8_000_000
_PIXELS = 20_000_000
"""An image of more pixels takes too long to be made small."""
_SIDE = 480
_DATA_URL = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,", re.IGNORECASE)


class Picture(NamedTuple):
    """An image whose bytes were checked."""

    kind: str
    """`png`, `jpeg`, `gif` or `webp`."""
    data: bytes
    """Of a file that is too large to be shown, its beginning."""
    width: int
    height: int
    size: int
    """Bytes of the whole."""

    @property
    def url(self) -> str:
        return f"data:image/{self.kind};base64,{base64.b64encode(self.data).decode()}"


def sniff(data: bytes) -> Picture | None:
    """The picture these bytes are, or None."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) >= 24:
        return _picture("png", data, int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        return _picture("gif", data, int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little"))
    if data[:2] == b"\xff\xd8":
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    return None


def picture_of(value: Any) -> Picture | None:
    """A picture in one of the forms in which tools hand one over: bytes, a data URL, `{data|base64, mimeType}`."""
    if type(value) is bytes:
        return sniff(value)
    if type(value) is str:
        head = _DATA_URL.match(value[:40])
        return _decoded(value, head.end()) if head else None
    if (given := mapping(value)) is not None:
        said = next((kind for name in _KINDS if (kind := word(given.get(name))) is not None), "")
        data = word(given.get("data")) or word(given.get("base64"))
        if said.startswith("image/") and data is not None:
            return picture_of(data) or _decoded(data)
    return None


def drawn_image(value: Any, bases: tuple[type, ...]) -> Picture | None:
    """An image of Pillow as a small png; None for anything else. Pillow is used where it is loaded, never imported."""
    loaded = sys.modules.get("PIL.Image")
    base: Any = getattr(loaded, "Image", None)
    if base is None or base not in bases:
        return None
    width, height = value.size
    if width * height > _PIXELS:
        return None
    image = base.copy(value)
    image.thumbnail((_SIDE, _SIDE))
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA"):
        image = image.convert("RGB")
    written = io.BytesIO()
    image.save(written, "PNG")
    return sniff(written.getvalue())


def _decoded(text: str, begins: int = 0) -> Picture | None:
    if len(text) > _MOST:
        return None
    try:
        return sniff(base64.b64decode(text[begins:], validate=True))
    except (binascii.Error, ValueError):
        return None


def _picture(kind: str, data: bytes, width: int, height: int) -> Picture | None:
    return Picture(kind, data, width, height, len(data)) if 0 < width <= 65_535 and 0 < height <= 65_535 else None


def _jpeg(data: bytes) -> Picture | None:
    at, end = 2, len(data)
    for _ in range(1_000):  # segments before the frame header; a real file has a few dozen at most
        if at + 9 > end or data[at] != 0xFF:
            return None
        mark, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC):
            return _picture(
                "jpeg", data, int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
            )
        at += 2 + max(length, 2)
    return None


def _webp(data: bytes) -> Picture | None:
    def of(at: int, length: int) -> int:
        return int.from_bytes(data[at : at + length], "little")

    match data[12:16]:
        case b"VP8X":
            return _picture("webp", data, of(24, 3) + 1, of(27, 3) + 1)
        case b"VP8L":
            bits = of(21, 4)
            return _picture("webp", data, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8 ":
            return _picture("webp", data, of(26, 2) & 0x3FFF, of(28, 2) & 0x3FFF)
        case _:
            return None
