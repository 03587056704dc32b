"""`make bench`: everything that is measured without a page. Every figure stands beside a yardstick taken in the same process.

Times on a shared machine wander; ratios in one run are what counts.
"""

from __future__ import annotations

import subprocess
import sys
import time

from benchmarks import caps, growth, reducer
from benchmarks.texts import answer

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.run.ending import finish
from runview.run.reduce import new_run, reduce


def importing(what: str) -> float:
    """Milliseconds that a fresh interpreter takes for an import, the best of five."""
    code = f"import time; begun = time.perf_counter(); import {what}; print(time.perf_counter() - begun)"
    said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout for _ in range(5)]
    return min(map(float, said)) * 1e3


def saving(length: int) -> tuple[float, float]:
    """Size of what the file keeps of a long answer, as a multiple of its text, and the milliseconds to write it."""
    run = new_run()
    for chunk in growth.text(answer(length)):
        reduce(run, chunk, 0.0)
    finish(run, 0.0)
    drawing = RunDrawing(run)
    begun = time.process_time()
    html = to_html(drawing.tree(0.0, saved=True), marker="bench", style=False)
    return len(html.encode()) / length, (time.process_time() - begun) * 1e3


def main() -> None:
    mine, theirs = importing("runview"), importing("anywidget, pydantic")
    print(f"import runview {mine:.0f} ms; anywidget and pydantic {theirs:.0f} ms\n")
    saving(1_000)  # what is loaded lazily is loaded now
    times, milliseconds = saving(200_000)
    print(f"saved HTML of 200 kB of text: {times:.1f} × the text, in {milliseconds:.0f} ms\n")
    for title, part in (("reducer", reducer), ("growth", growth), ("caps", caps)):
        print(f"## {title}\n")
        part.main()
        print()


if __name__ == "__main__":
    main()
