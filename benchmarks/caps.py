"""What very large things cost the kernel: seconds and memory to reduce and draw them in all forms, and the nodes of the page.

    python -m benchmarks.caps

The goal is a second and 50 MB on top of the value itself, for anything.
"""

from __future__ import annotations

import gc
import resource
import time
import tracemalloc
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from typing import Any, NamedTuple

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


def _pieces(whole: int, each: int) -> Iterator[dict[str, Any]]:
    yield chunk("text-start", id="t")
    for number in range(whole // each):
        yield chunk("text-delta", id="t", text=f"{number:<{each - 1}}\n")


def _file(head: str, kind: str) -> Iterator[dict[str, Any]]:
    yield chunk("file", data=head + "A" * (20_000_000 - len(head)), mimeType=kind)


GIANTS: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
    "a string of 100 MB": lambda: _result("x" * 100_000_000),
    "a text of 100 MB": lambda: iter([chunk("text-start", id="t"), chunk("text-delta", id="t", text="word " * 20_000_000)]),
    "the same in 10,000 pieces": lambda: _pieces(100_000_000, 10_000),
    "a million rows": lambda: _result([{"id": number, "name": "row"} for number in range(1_000_000)]),
    "10,000 levels": lambda: _result(_nested(10_000)),
    "5,000 parts": lambda: _parts(5_000),
    "a file of 20 MB": lambda: _file("", "application/octet-stream"),
    "a picture of 20 MB": lambda: _file("iVBORw0KGgoAAAANSUhEUgAABAAAAAQA", "image/png"),
    "one of too many pixels": lambda: _file("iVBORw0KGgoAAAANSUhEUgAAdTAAAHUw", "image/png"),
    "a data URL of 20 MB": lambda: _file("data:text/plain,%41", "text/plain"),
}


class Cost(NamedTuple):
    seconds: float
    value: int
    """Bytes of the chunks themselves."""
    besides: int
    """The most that was held besides them at any moment."""
    resident: int
    """What the process grew by, as the system counts it."""
    nodes: int


def measure(name: str) -> Cost:
    """In a process of its own, since the system tells only the most memory that a process ever had."""
    seconds, resident, nodes = _work(list(GIANTS[name]()))
    gc.collect()
    tracemalloc.start()
    wires = list(GIANTS[name]())
    value, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    _work(wires)
    peak = tracemalloc.get_traced_memory()[1]
    return Cost(seconds, value, peak - value, resident, nodes)


def _work(wires: list[dict[str, Any]]) -> tuple[float, int, int]:
    """Reduces and draws them in all forms: seconds, bytes, nodes."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    run, log = new_run(), ChunkLog()
    for wire in wires:
        reduce(run, log.append(wire), 0.0)
    finish(run, 1.0)
    drawing = RunDrawing(run)
    tree = drawing.tree(1.0)
    to_html(drawing.tree(1.0, saved=True))
    drawing.text(1.0)
    seconds = time.process_time() - begun
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return seconds, grown, sum(1 for _ in tree.walk())


def _warm() -> None:
    """What is loaded lazily is loaded before anything is measured."""
    _work([*_parts(2), *_file("", ""), chunk("text-delta", id="t", text="*a* $b$\n\n| a |\n|---|\n| b |\n")])


def main() -> None:
    print("| what | seconds | MB of the chunks | MB besides | ratio | resident, MB besides | nodes in the page |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name in GIANTS:
        with get_context("spawn").Pool(1, initializer=_warm) as alone:
            cost = alone.apply(measure, (name,))
        sizes = f"{cost.value / 1e6:.1f} | {cost.besides / 1e6:.1f} | {cost.besides / cost.value:.2f} | {cost.resident / 1e6:.1f}"
        print(f"| {name} | {cost.seconds:.2f} | {sizes} | {cost.nodes:,} |")


if __name__ == "__main__":
    main()
