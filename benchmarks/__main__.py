"""`make bench`: what a run costs in the kernel. Every figure stands beside a yardstick taken in the same process.

Times on a shared machine wander; ratios in one run are what counts. What costs grow with is shown by the same figure for 1,000,
10,000 and 100,000 chunks: it should not grow.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.run.ending import finish
from runview.run.log import ChunkLog
from runview.run.reduce import new_run, reduce

SIZES = (1_000, 10_000, 100_000)
FLUSH = 33  # chunks between two flushes: 1,000 a second, 30 flushes a second

PAGE = """## Tides of the estuary

The tidal range at **Bristol** is among the largest in the world: at springs it reaches *12.2 m*, at neaps about `6.0 m`. See the
[gauge](https://ntslf.org/tides) at Avonmouth, and mind that $h = a \\cos \\omega t$ is only the first term.

* springs follow the new and the full moon
* neaps follow the quarters, and are _much_ calmer

| place | springs | neaps |
| :-- | --: | --: |
| Avonmouth | 12.2 | 6.0 |
| Hinkley Point | 10.7 | 5.1 |

```python
def height(t: float) -> float:
    return 6.1 * math.cos(2 * math.pi * t / 12.42)  # metres
```

"""


def chunks(count: int) -> Iterator[dict[str, Any]]:
    """A run with one long answer, in pieces of about four characters."""

    def chunk(kind: str, **payload: Any) -> dict[str, Any]:
        return {"type": kind, "runId": "bench", "from": "AGENT", "payload": payload}

    yield chunk("start")
    yield chunk("text-start", id="t")
    for at in range(0, 4 * count, 4):
        start = at % len(PAGE)
        yield chunk("text-delta", id="t", text=(PAGE + PAGE[:4])[start : start + 4])
    yield chunk("text-end", id="t")
    yield chunk("finish", stepResult={"reason": "stop"})


def reducing(count: int) -> tuple[float, float]:
    """Microseconds a chunk: the reducer, and `json.loads` on the same lines."""
    lines = [json.dumps(chunk) for chunk in chunks(count)]
    begun = time.perf_counter()
    wires = [json.loads(line) for line in lines]
    parsed = time.perf_counter()
    run = new_run()
    for wire in wires:
        reduce(run, wire, 0.0)
    done = time.perf_counter()
    return (done - parsed) / len(lines) * 1e6, (parsed - begun) / len(lines) * 1e6


def drawing(count: int) -> dict[str, float]:
    """One run, reduced and drawn as a view does it, with no page: costs of its first and last tenth, bytes, the file's HTML."""
    run, wires = new_run(), list(chunks(count))
    drawn = RunDrawing(run, Look())
    drawn.tree(0.0)
    spent: list[float] = []
    sent = 0
    for first in range(0, len(wires), FLUSH):
        begun = time.perf_counter()
        for wire in wires[first : first + FLUSH]:
            reduce(run, wire, 0.0)
        ops = drawn.update(0.0)
        spent.append(time.perf_counter() - begun)
        sent += len(json.dumps(ops, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    finish(run, 0.0)
    tenth = max(1, len(spent) // 10)
    begun = time.perf_counter()
    page = to_html(drawn.tree(0.0, saved=True), marker="bench")
    return {
        "us_first": sum(spent[:tenth]) / tenth / FLUSH * 1e6,
        "us_last": sum(spent[-tenth:]) / tenth / FLUSH * 1e6,
        "worst_ms": max(spent) * 1e3,
        "bytes": sent / (4 * count),
        "html_kb": len(page.encode()) / 1e3,
        "html_ms": (time.perf_counter() - begun) * 1e3,
    }


def remembering(count: int) -> float:
    """Memory of the log, as a multiple of the chunks' JSON."""
    size = sum(len(json.dumps(chunk)) for chunk in chunks(count))
    gc.collect()
    tracemalloc.start()
    log = ChunkLog()
    for chunk in chunks(count):
        log.append(chunk)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return kept / size


def importing(what: str) -> float:
    """Milliseconds that a fresh interpreter takes for an import, the best of five."""
    code = f"import time; begun = time.perf_counter(); import {what}; print(time.perf_counter() - begun)"
    said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in range(5)]
    return min(map(float, said)) * 1e3


def main() -> None:
    mine, theirs = importing("runview"), importing("anywidget, pydantic")
    print(f"import runview {mine:.0f} ms; anywidget and pydantic {theirs:.0f} ms\n")
    print("chunks     reduce  json.loads   first  last tenth   longest flush   sent/char   log/JSON   saved HTML")
    drawing(100)  # what is loaded lazily is loaded now
    for count in SIZES:
        reduced, parsed = reducing(count)
        figures = drawing(count)
        print(
            f"{count:>7,} {reduced:>7.1f} µs {parsed:>8.1f} µs {figures['us_first']:>5.1f} {figures['us_last']:>8.1f} µs"
            f" {figures['worst_ms']:>12.1f} ms {figures['bytes']:>9.2f} B {remembering(count):>9.1f} ×"
            f" {figures['html_kb']:>7.0f} kB in {figures['html_ms']:.0f} ms"
        )
    print("\nµs are per chunk; first and last tenth: reducing, drawing and the difference, 33 chunks a flush.")


if __name__ == "__main__":
    main()
