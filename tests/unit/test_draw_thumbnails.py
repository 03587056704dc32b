"""Large pictures in the file: small ones where Pillow can make them, words otherwise, and no harm from what they hold."""

from __future__ import annotations

import base64
import io
import os
import re
import struct
import subprocess
import sys
import time
import tracemalloc
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from runview.draw.html import to_html
from runview.draw.images import sniff
from runview.draw.run import RunDrawing
from runview.draw.thumbnails import MOST_BYTES, SIDE, Thumbnails
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.runs import chunk

SRC = re.compile(r'<img class="rv-img" src="data:image/(\w+);base64,([^"]+)" alt="([^"]*)"')


def noise(width: int, height: int, mode: str = "RGB") -> Image.Image:
    bands = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4, "CMYK": 4, "I;16": 2, "P": 1}[mode]
    image = Image.frombytes(mode, (width, height), os.urandom(width * height * bands))
    if mode == "P":
        image.putpalette(os.urandom(768))
    return image


def halves(width: int = 600, height: int = 400) -> Image.Image:
    """Red on the left, blue on the right, with noise enough to be large."""
    image = noise(width, height)
    image.paste((255, 0, 0), (0, 0, width // 2, height))
    return image


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def run_of(data: bytes, name: str = "tide.png") -> RunState:
    run = new_run()
    reduce(run, chunk("file", data=base64.b64encode(data).decode(), mimeType="image/png", filename=name), 0.0)
    finish(run, 1.0)
    return run


def saved(data: bytes) -> str:
    return to_html(RunDrawing(run_of(data)).tree(2.0, saved=True), style=False)


def small_of(html: str) -> Image.Image:
    ((kind, data, alt),) = SRC.findall(html)
    raw = base64.b64decode(data)
    assert alt == "tide.png"
    assert len(raw) <= MOST_BYTES
    image = Image.open(io.BytesIO(raw))
    assert image.format == kind.upper()
    assert max(image.size) <= SIDE
    return image


GOOD: dict[str, Callable[[], bytes]] = {
    "png": lambda: encoded(noise(600, 400), "PNG"),
    "grey": lambda: encoded(noise(600, 400, "L"), "PNG"),
    "palette": lambda: encoded(noise(600, 400, "P"), "PNG"),
    "16 bits": lambda: encoded(noise(600, 400, "I;16"), "PNG"),
    "jpeg": lambda: encoded(noise(900, 600), "JPEG", quality=95),
    "progressive": lambda: encoded(noise(900, 600), "JPEG", quality=95, progressive=True),
    "cmyk": lambda: encoded(noise(600, 400, "CMYK"), "JPEG", quality=95),
    "webp": lambda: encoded(noise(600, 400), "WEBP", lossless=True),
    "animated gif": lambda: encoded(noise(600, 400), "GIF", save_all=True, append_images=[noise(600, 400)] * 2),
    "animated webp": lambda: encoded(noise(600, 400), "WEBP", save_all=True, append_images=[noise(600, 400)], lossless=True),
}


@pytest.mark.parametrize("kind", GOOD)
def test_a_large_picture_is_small_in_the_file(kind: str) -> None:
    data = GOOD[kind]()
    assert len(data) > 200_000
    html = saved(data)
    small = small_of(html)
    assert abs(small.width / small.height - 1.5) < 0.05
    assert small.format == "JPEG"
    assert "shown small" in html
    assert not getattr(small, "is_animated", False)


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_what_can_be_seen_through_stays_so(mode: str) -> None:
    small = small_of(saved(encoded(noise(600, 400, mode), "PNG")))
    assert small.format == "PNG"
    assert small.mode == "RGBA"
    opaque = noise(600, 400).convert("RGBA")
    assert small_of(saved(encoded(opaque, "PNG"))).format == "JPEG"


def test_16_bits_keep_their_brightness() -> None:
    image = Image.frombytes("I;16", (600, 400), os.urandom(600 * 400 * 2))
    mean = sum(small_of(saved(encoded(image, "PNG"))).convert("L").tobytes()) / (SIDE * 160)
    assert 100 < mean < 155


@pytest.mark.parametrize(("turn", "left"), [(1, "red"), (2, "blue"), (3, "blue")])
def test_a_photograph_stands_upright_and_tells_no_more_than_its_pixels(turn: int, left: str) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = turn, "taken at home"
    data = encoded(halves(), "JPEG", quality=100, exif=exif, comment=b"by somebody", icc_profile=b"p" * 200)
    html = saved(data)
    red = small_of(html).convert("RGB").getchannel("R").getpixel((5, 80))
    assert isinstance(red, int)
    assert (red > 200) == (left == "red")
    raw = base64.b64decode(SRC.findall(html)[0][1])
    assert [word for word in (b"home", b"somebody", b"Exif", b"ICC_PROFILE") if word in raw] == []


def test_a_photograph_that_was_held_on_its_side_is_turned() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    small = small_of(saved(encoded(halves(), "JPEG", quality=100, exif=exif)))
    assert small.width < small.height


def png_that_says(width: int, height: int, rest: bytes = b"") -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    out = b"\x89PNG\r\n\x1a\n"
    for name, body in ((b"IHDR", head), (b"IDAT", rest or zlib.compress(b"\0" * 1_000)), (b"IEND", b"")):
        out += struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return out + b"\0" * 250_000


def scans(count: int) -> bytes:
    data = encoded(noise(900, 600), "JPEG", quality=95, progressive=True)
    at = data.rindex(b"\xff\xda")
    return data[:at] + data[at:-2] * 2 + b"\xff\xda\0\x08\x01\x01\0\0\x3f\0" * count + b"\xff\xd9"


def gif_with_a_larger_frame() -> bytes:
    data = bytearray(encoded(noise(600, 400), "GIF"))
    data[6:10] = struct.pack("<HH", 10, 10)
    at = data.index(b"\x2c", 780)
    data[at + 5 : at + 9] = struct.pack("<HH", 65_000, 65_000)
    return bytes(data)


BAD: dict[str, Callable[[], bytes]] = {
    "a bomb by its header": lambda: png_that_says(60_000, 60_000),
    "just too many pixels": lambda: png_that_says(4_000, 3_001),
    "truncated png": lambda: encoded(noise(600, 400), "PNG")[:300_000],
    "truncated jpeg": lambda: encoded(noise(1_200, 900), "JPEG", quality=95)[:250_000],
    "truncated webp": lambda: encoded(noise(600, 400), "WEBP", lossless=True)[:250_000],
    "no pixels at all": lambda: png_that_says(600, 400),
    "a stream that goes on": lambda: png_that_says(2_000, 2_000, zlib.compress(b"\7" * 90_000_000)[:80_000]),
    "many scans": lambda: scans(400),
    "a frame larger than its picture": gif_with_a_larger_frame,
    "another kind within": lambda: b"GIF89a" + struct.pack("<HH", 5, 5) + encoded(noise(600, 400), "PNG"),
}


@pytest.mark.parametrize("kind", BAD)
def test_what_cannot_be_made_small_is_told_in_words(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    data = BAD[kind]()
    picture = sniff(data)
    assert picture is not None
    begun = time.perf_counter()
    html = saved(data)
    assert time.perf_counter() - begun < 3
    assert "<img" not in html
    assert f"{picture.kind} · {picture.width} × {picture.height}" in html
    assert "too large to be shown here" in html
    assert capfd.readouterr() == ("", "")


def test_memory_is_bounded() -> None:
    data = png_that_says(60_000, 60_000)
    run = run_of(data)
    tracemalloc.start()
    to_html(RunDrawing(run).tree(2.0, saved=True))
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_picture_is_made_small_once_and_only_for_the_file() -> None:
    run, asked = run_of(encoded(noise(600, 400), "PNG")), []
    drawing = RunDrawing(run)
    thumbnails = drawing._memory.thumbnails
    assert drawing.tree(2.0) is not None
    assert "shown small" not in str(drawing.text(2.0).text())
    assert not thumbnails._made, "neither the page nor the transcript wants one"
    first = to_html(drawing.tree(2.0, saved=True))
    assert len(thumbnails._made) == 1
    assert to_html(drawing.tree(3.0, saved=True)) == first
    data = encoded(noise(600, 400), "PNG")
    picture = sniff(data)
    assert picture is not None
    for _ in range(3):
        assert thumbnails.of("a", picture, lambda: asked.append(1) or data)
    assert asked == [1]


def test_many_large_pictures_cost_no_more_than_a_few() -> None:
    thumbnails, asked = Thumbnails(), []
    data = encoded(Image.new("RGB", (4_000, 2_500)), "PNG")
    picture = sniff(data)
    assert picture is not None
    made = [thumbnails.of(number, picture, lambda: asked.append(1) or data) for number in range(20)]
    assert [each is not None for each in made] == [True] * 6 + [False] * 14
    assert len(asked) == 6


def test_a_large_picture_among_results_is_small_too() -> None:
    run = new_run()
    data = base64.b64encode(encoded(noise(600, 400), "PNG")).decode()
    reduce(run, chunk("tool-call", toolCallId="c", toolName="chart", args={}), 0.0)
    result = {"data": data, "mimeType": "image/png"}
    reduce(run, chunk("tool-result", toolCallId="c", toolName="chart", result=result), 1.0)
    finish(run, 2.0)
    html = to_html(RunDrawing(run).tree(3.0, saved=True), style=False)
    assert len(SRC.findall(html)) == 1
    assert "shown small" in html


WITHOUT = """
import sys
class Never:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "PIL":
            raise {error}
sys.meta_path.insert(0, Never())
from tests.unit.test_draw_files import run_of, given
from runview.draw.run import RunDrawing
from runview.draw.html import to_html
from pathlib import Path
data = Path({path!r}).read_bytes()
html = to_html(RunDrawing(run_of(given(data, "tide.png", "image/png"))).tree(9.0, saved=True), style=False)
assert "<img" not in html and "tide.png" in html and "png · 600 × 400 · " in html and "too large to be shown here" in html, html
assert "PIL" not in sys.modules
"""


@pytest.mark.parametrize("error", ["ImportError(name)", "OSError('a library is missing')"])
def test_without_pillow_it_is_words(error: str, tmp_path: Any) -> None:
    path = tmp_path / "tide.png"
    path.write_bytes(GOOD["png"]())
    code = WITHOUT.format(error=error, path=str(path))
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_pillow_is_not_imported_for_what_is_small() -> None:
    code = (
        "import sys\nfrom tests.unit.test_draw_files import run_of, given, PNG\nfrom runview.draw.run import RunDrawing\n"
        "RunDrawing(run_of(given(PNG, 'b.png', 'image/png'))).tree(9.0, saved=True)\nassert 'PIL' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
