"""Screenshots compared by their pixels."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image, ImageChops

__all__ = ["changed", "picture"]

Picture = Image.Image


def picture(locator: Any) -> Picture:
    """What an element looks like."""
    return Image.open(io.BytesIO(locator.screenshot(animations="disabled"))).convert("RGB")


def changed(one: Picture, other: Picture, *, top: int = 0, bottom: int | None = None) -> float:
    """The share of pixels, from 0 to 1, in which two pictures differ visibly between two heights (in pixels from the top)."""
    width = max(one.width, other.width)
    end = max(one.height, other.height) if bottom is None else bottom
    ink = [each.crop((0, top, width, end)) for each in (one, other)]
    difference = ImageChops.difference(*ink).convert("L").point(lambda value: 255 * (value > 16))
    return difference.histogram()[255] / (width * (end - top))
