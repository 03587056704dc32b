"""Answers of real Mastra servers, as they came over the wire, and how to read and cut them."""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from runview.sources.opening import open_source

HTTP = Path(__file__).parent.parent / "fixtures" / "http"


def recorded(name: str) -> bytes:
    """An answer as it came over the wire; those that were recorded without their chunks' lengths end with the connection."""
    head, _, body = (HTTP / f"{name}.txt").read_bytes().partition(b"\r\n\r\n")
    if "rawchunked" not in name:
        head = re.sub(rb"(?i)\r\n(transfer-encoding|connection): [^\r]*", b"", head) + b"\r\nconnection: close"
    return head + b"\r\n\r\n" + body


def cut(whole: bytes, seed: int) -> list[bytes]:
    dice = random.Random(seed)
    places = sorted({0, len(whole), *(dice.randrange(len(whole)) for _ in range(60))})
    return [whole[a:b] for a, b in pairwise(places)]


async def read(source: object) -> list[Any]:
    async with open_source(source) as items:
        return [item async for item in items]


def client_answer(name: str) -> dict[str, Any]:
    """What Mastra's own client made of such an answer: the `chunks` for its callback, or the error that it `threw`."""
    answer: dict[str, Any] = json.loads((HTTP / f"client_{name}.json").read_text("utf-8"))
    return answer
