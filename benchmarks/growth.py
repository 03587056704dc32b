"""What a chunk costs at the beginning and at the end of a run: it should cost the same, whatever the run is made of.

    python -m benchmarks.growth

Of a long answer and of one long block of each kind: how long the first and the last tenth of the chunks take to be reduced, drawn
and compared, and how many bytes go to a page.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.texts import answer

from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.run.reduce import new_run, reduce

FLUSH = 33
"""Chunks between two flushes: 1,000 a second, 30 flushes a second."""

Chunks = Iterator[dict[str, Any]]


def chunk(kind: str, **payload: Any) -> dict[str, Any]:
    return {"type": kind, "runId": "bench", "from": "AGENT", "payload": payload}


def text(whole: str, size: int = 4) -> Chunks:
    """A run with one long answer, in pieces of about four characters."""
    yield chunk("start")
    yield chunk("text-start", id="t")
    for at in range(0, len(whole), size):
        yield chunk("text-delta", id="t", text=whole[at : at + size])
    yield chunk("text-end", id="t")
    yield chunk("finish", stepResult={"reason": "stop"})


def arguments(value: Any) -> Chunks:
    call = {"toolCallId": "c", "toolName": "write"}
    whole = json.dumps(value)
    yield chunk("start")
    yield chunk("tool-call-input-streaming-start", **call)
    for at in range(0, len(whole), 4):
        yield chunk("tool-call-delta", **call, argsTextDelta=whole[at : at + 4])
    yield chunk("tool-call", **call, args=value)
    yield chunk("finish", stepResult={"reason": "stop"})


def structured(value: Any) -> Chunks:
    yield chunk("start")
    whole = json.dumps(value)
    for at in range(0, len(whole), 4):
        yield chunk("text-delta", id="t", text=whole[at : at + 4])
    yield chunk("finish", stepResult={"reason": "stop"})


def repeated(unit: str, length: int) -> str:
    return unit * (length // len(unit))


def kinds(length: int) -> dict[str, Chunks]:
    """One block of each kind."""
    rows = [{"id": number, "name": "Avonmouth"} for number in range(length // 32)]
    fields = {f"key{number}": f"value {number}" for number in range(length // 26)}
    words = "the range at **Bristol** is `large`, see [all](https://a.example/b) of it, "
    return {
        "paragraph": text(repeated(words, length)),
        "list": text(repeated(f"* {words}\n", length)),
        "table": text("| a | b | c |\n|--|--|--|\n" + repeated("| Avonmouth | **12.2** | 6.0 |\n", length)),
        "code": text("```python\n" + repeated("    return 6.1 * math.cos(2 * t)  # metres\n", length)),
        "quote": text(repeated(f"> {words}\n", length)),
        "short lines": text(repeated("A short line.\n\n", length)),
        "JSON arguments": arguments({"rows": rows}),
        "object of rows": structured({"rows": rows}),
        "object of fields": structured(fields),
    }


def drawing(chunks: Chunks, *, schema: Any = None, flush: int = FLUSH) -> dict[str, float]:
    """One run, reduced and drawn as a view does it, with no page."""
    run, wires = new_run(schema), list(chunks)
    drawn = RunDrawing(run, Look())
    drawn.tree(0.0)
    spent: list[float] = []
    sent = 0
    gc.collect()
    gc.freeze()  # the chunks that wait are no part of what is measured
    for first in range(0, len(wires), flush):
        begun = time.process_time()
        for wire in wires[first : first + flush]:
            reduce(run, wire, 0.0)
        ops = drawn.update(0.0)
        spent.append(time.process_time() - begun)
        sent += len(json.dumps(ops, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    gc.unfreeze()
    said = sum(len(wire["payload"].get("text") or wire["payload"].get("argsTextDelta") or "") for wire in wires)
    tenth = max(1, len(spent) // 10)
    first_tenth, last_tenth = sum(spent[1 : tenth + 1]), sum(spent[-tenth - 2 : -2])  # the end itself is no flush like others
    return {
        "first": first_tenth / tenth / flush * 1e6,
        "last": last_tenth / tenth / flush * 1e6,
        "longest": max(spent[1:-2]) * 1e3,
        "bytes": sent / said,
        "seconds": sum(spent),
    }


def show(name: str, figures: dict[str, float]) -> None:
    print(
        f"| {name:<26} | {figures['first']:>7.1f} | {figures['last']:>7.1f} | {figures['last'] / figures['first']:>5.2f} "
        f"| {figures['longest']:>7.1f} | {figures['bytes']:>6.2f} | {figures['seconds']:>6.2f} |"
    )


def main() -> None:
    drawing(text(answer(2_000)))  # what is loaded lazily is loaded now
    print("| run | first tenth, µs a chunk | last tenth | ratio | longest flush, ms | bytes a character | seconds in all |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for count in (1_000, 10_000, 100_000):
        show(f"answer, {count:,} chunks", drawing(text(answer(4 * count))))
    show("answer, 10,000 × 20", drawing(text(answer(200_000), 20)))
    show("answer, 20,000 drawn × 10", drawing(text(answer(200_000), 10), flush=1))
    for name, chunks in kinds(60_000).items():
        show(f"60 kB of {name}", drawing(chunks, schema={"type": "object"} if name.startswith("object") else None))


if __name__ == "__main__":
    main()
