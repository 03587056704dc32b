"""What very large things cost the kernel: seconds and memory to reduce and draw them in all forms, and the nodes of the page.

    python -m benchmarks.caps

The goal is a second and 50 MB on top of the value itself, for anything.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.growth import chunk

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.run.ending import finish
from runview.run.log import ChunkLog
from runview.run.reduce import new_run, reduce


def _result(value: Any) -> Iterator[dict[str, Any]]:
    yield chunk("tool-result", toolCallId="c", toolName="t", result=value)


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def _parts(count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield chunk("tool-call", toolCallId=f"c{number}", toolName="t", args={"q": number})
        yield chunk("tool-result", toolCallId=f"c{number}", toolName="t", result=number)


GIANTS: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
    "a string of 100 MB": lambda: _result("x" * 100_000_000),
    "a text of 100 MB": lambda: iter([chunk("text-start", id="t"), chunk("text-delta", id="t", text="word " * 20_000_000)]),
    "a million rows": lambda: _result([{"id": number, "name": "row"} for number in range(1_000_000)]),
    "10,000 levels": lambda: _result(_nested(10_000)),
    "5,000 parts": lambda: _parts(5_000),
    "a file of 20 MB": lambda: iter([chunk("file", data="A" * 20_000_000, mimeType="application/octet-stream")]),
    "a picture of 20 MB": lambda: iter([chunk("file", data="iVBORw0KGgo" + "A" * 20_000_000, mimeType="image/png")]),
}


def measure(make: Callable[[], Iterator[dict[str, Any]]], *, memory: bool) -> tuple[float, int]:
    """Seconds, or the most bytes at any moment, and the nodes of the page."""
    wires = list(make())
    run, log = new_run(), ChunkLog()
    gc.collect()
    if memory:
        tracemalloc.start()
    begun = time.process_time()
    for wire in wires:
        reduce(run, log.append(wire), 0.0)
    finish(run, 1.0)
    drawing = RunDrawing(run)
    tree = drawing.tree(1.0)
    to_html(drawing.tree(1.0, saved=True))
    drawing.text(1.0)
    seconds = time.process_time() - begun
    peak = tracemalloc.get_traced_memory()[1] if memory else 0
    if memory:
        tracemalloc.stop()
    return (peak if memory else seconds), sum(1 for _ in tree.walk())


def main() -> None:
    print("| what | seconds | MB besides the value | nodes in the page |")
    print("|---|--:|--:|--:|")
    measure(GIANTS["10,000 levels"], memory=False)  # what is loaded lazily is loaded now
    for name, make in GIANTS.items():
        (seconds, nodes), (peak, _) = measure(make, memory=False), measure(make, memory=True)
        print(f"| {name} | {seconds:.2f} | {peak / 1e6:.1f} | {nodes:,} |")


if __name__ == "__main__":
    main()
