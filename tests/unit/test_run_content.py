"""What a file holds is decoded a piece at a time, and no more of it than is wanted."""

from __future__ import annotations

import base64
import gc
import random
import tracemalloc
from collections.abc import Callable
from typing import Any
from urllib.parse import quote_from_bytes

import pytest

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.run.content import Content, content_of
from runview.run.ending import finish
from runview.run.log import ChunkLog
from runview.run.reduce import new_run, reduce
from tests.runs import chunk

LONG = random.Random(7).randbytes(200_000)
"""Several pieces of any spelling, with a cut inside of what belongs together."""


def found(text: str) -> Content:
    content, url = content_of({"data": text})
    assert content is not None
    assert url is None
    return content


def folded(text: str) -> str:
    return "\r\n ".join(text[at : at + 61] for at in range(0, len(text), 61))


SPELLINGS: dict[str, Callable[[bytes], str]] = {
    "base64": lambda data: base64.b64encode(data).decode(),
    "without its padding": lambda data: base64.b64encode(data).decode().rstrip("="),
    "the other alphabet": lambda data: base64.urlsafe_b64encode(data).decode(),
    "in lines": lambda data: folded(base64.b64encode(data).decode()),
    "its padding far below": lambda data: base64.b64encode(data).decode().replace("=", "\n" * 70_000 + "="),
    "a data URL": lambda data: "data:image/png;charset=x;base64," + base64.b64encode(data).decode(),
    "a data URL in percents": lambda data: "data:," + quote_from_bytes(data, safe=""),
}


@pytest.mark.parametrize("length", [0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000])
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_long_file_is_what_it_was(spelling: str, length: int) -> None:
    content = found(SPELLINGS[spelling](LONG[:length]))
    assert content.whole() == LONG[:length]
    assert content.size == length
    assert content.head(70_000) == LONG[: min(length, 70_000)]


@pytest.mark.parametrize(
    "text",
    ["é" * 40_000, "A" * 70_000 + "!", "AAA=" + "A" * 70_000, "AAAA" * 20_000 + "A", "=" * 80_000 + "A", "\ud83d" * 30_000],
    ids=lambda text: f"{text[:2]!a} {len(text)}",
)
def test_what_is_no_base64_is_text(text: str) -> None:
    assert found(text).whole() == text.encode("utf-8", "surrogatepass")
    assert found(text).size == len(text.encode("utf-8", "surrogatepass"))
    assert found(f"data:text/plain;base64,{text}").whole() == found(text).whole()


def peak(*chunks: dict[str, Any]) -> int:
    """The most bytes that reducing, drawing and saving a run holds besides its chunks."""
    run, log = new_run(), ChunkLog()
    gc.collect()
    tracemalloc.start()
    try:
        for wire in chunks:
            reduce(run, log.append(wire), 0.0)
        finish(run, 1.0)
        drawing = RunDrawing(run)
        drawing.tree(1.0)
        to_html(drawing.tree(1.0, saved=True))
        drawing.text(1.0)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def png(side: int) -> str:
    """How a square picture begins, in base64."""
    return base64.b64encode(b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR" + 2 * side.to_bytes(4, "big")).decode()


MANY = 12_000_000


@pytest.mark.parametrize(
    "chunks",
    [
        [chunk("file", data="A" * MANY, mimeType="application/zip")],
        [chunk("file", data=png(30_000) + "A" * MANY, mimeType="image/png")],
        [chunk("file", data="data:text/plain," + "%41" * (MANY // 3), mimeType="text/plain")],
        [chunk("file", data="words " * (MANY // 6), mimeType="text/plain")],
        [chunk("tool-result", toolCallId="c", toolName="t", result="data:image/png;base64," + "A" * MANY)],
        [chunk("tool-result", toolCallId="c", toolName="t", result={"data": "A" * MANY, "mimeType": "image/png"})],
    ],
    ids=["a file", "a picture", "percents", "a text", "a picture as a result", "a picture in a result"],
)
def test_a_file_of_many_megabytes_is_not_held_twice(chunks: list[dict[str, Any]]) -> None:
    peak(chunk("file", data="AAAA", mimeType="x/y"), chunk("text-delta", id="t", text="*a*"))  # what is loaded lazily
    assert peak(*chunks) < MANY / 2


def test_a_picture_that_is_made_small_for_the_file_is_decoded_once() -> None:
    peak(chunk("file", data=png(16), mimeType="image/png"))  # what is loaded lazily
    assert peak(chunk("file", data=png(16) + "A" * MANY, mimeType="image/png")) < MANY


def test_a_long_text_in_pieces_is_not_put_together() -> None:
    pieces = [chunk("text-delta", id="t", text=f"{number:<9999}\n") for number in range(4_000)]
    assert peak(chunk("text-start", id="t"), *pieces) < 20_000_000
