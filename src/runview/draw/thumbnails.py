"""Small pictures of large ones, for the file: made with Pillow where it is installed, once a picture, and never for the page.

The bytes are hostile. Sides are read from the header and bounded before anything is decoded, and so are the pixels that all
pictures of a view may cost; what cannot be made small stays words. Nothing but pixels gets into the small picture: what else the
large one holds (where it was taken, by whom) does not travel.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from runview.draw.images import Picture, sniff

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["MOST_BYTES", "SIDE", "Thumbnails"]

SIDE: Final = 240
MOST_BYTES: Final = 20_000
"""What a small picture may be: pixels on its longer side, and bytes."""

_OCTETS: Final = 20_000_000
_PIXELS: Final = {"jpeg": 25_000_000, "png": 12_000_000, "gif": 12_000_000, "webp": 12_000_000}
"""What is decoded of one picture. A JPEG is decoded at an eighth of its size."""
_PIXELS_OF_ALL: Final = 60_000_000
_SCANS: Final = 32
"""A progressive JPEG is decoded once for each of its scans; real ones have ten."""
_ORIENTATION: Final = 0x0112
_TURNS: Final = {
    2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE", 6: "ROTATE_270", 7: "TRANSVERSE", 8: "ROTATE_90",
}  # fmt: skip
"""How a camera was held, by EXIF's number."""
_SIDES: Final = (SIDE, 160, 100, 64)
_QUALITIES: Final = (80, 60, 40)


class Thumbnails:
    """The small pictures of one view."""

    __slots__ = ("_left", "_made")

    def __init__(self) -> None:
        self._made: dict[object, Picture | None] = {}
        self._left = _PIXELS_OF_ALL

    def of(self, key: object, picture: Picture, data: Callable[[], bytes]) -> Picture | None:
        """The small form of a picture, or None. `key` tells it from others; `data` is asked for once, if at all."""
        if key not in self._made:
            self._made[key] = self._make(picture, data)
        return self._made[key]

    def _make(self, picture: Picture, data: Callable[[], bytes]) -> Picture | None:
        pixels = picture.width * picture.height
        if picture.size > _OCTETS or pixels > min(_PIXELS[picture.kind], self._left):
            return None
        self._left -= pixels
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return _small(picture.kind, data())
        except Exception:  # Pillow raises whatever it likes for broken bytes, and may itself be broken
            return None


def _small(kind: str, data: bytes) -> Picture | None:
    if kind == "jpeg" and data.count(b"\xff\xda") > _SCANS:
        return None
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=[kind.upper()]) as image:
        if image.width * image.height > _PIXELS[kind]:  # a first frame may be larger than the header says
            return None
        image.draft("RGB", (2 * SIDE, 2 * SIDE))
        turn = _TURNS.get(image.getexif().get(_ORIENTATION, 1))
        small = _plain_colours(image)
        small.thumbnail((SIDE, SIDE))
        return _written(small if turn is None else small.transpose(Image.Transpose[turn]))


def _plain_colours(image: Image) -> Image:
    """The picture in grey, RGB or RGBA."""
    if image.mode.startswith("I") or image.mode == "F":  # 16 bits: the upper eight
        deep: Any = image.convert("I")  # (`point` has types of its own that no checker knows)
        upper: Image = deep.point(_upper)
        return upper.convert("L")
    if image.mode in ("PA", "LA", "RGBa", "La") or "transparency" in image.info:
        return image.convert("RGBA")
    return image.convert("RGB") if image.mode not in ("L", "RGB", "RGBA") else image.copy()


def _upper(value: Any) -> Any:
    return value * (1 / 256)


def _written(image: Image) -> Picture | None:
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    image.info.clear()  # a writer would take comments and profiles along
    for side in _SIDES:
        image.thumbnail((side, side))
        for options in [{"optimize": True}] if image.mode == "RGBA" else [{"quality": quality} for quality in _QUALITIES]:
            out = io.BytesIO()
            image.save(out, "PNG" if image.mode == "RGBA" else "JPEG", **options)
            if out.tell() <= MOST_BYTES:
                return sniff(out.getvalue())
    return None
