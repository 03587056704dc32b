"""Time that a busy or slow machine does not change: measured beside work that is known, in the same moment.

Bounds on wall time fail when something else runs; these count the processor's time of this process, and divide it by what a fixed
piece of work takes just then.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LOOP = 0.003
"""Seconds that `_loop` takes on a machine of 2024 that does nothing else."""


class Spent:
    """Seconds that something would have taken on a machine that does nothing else."""

    seconds = 0.0


@contextmanager
def fair() -> Iterator[Spent]:
    """`with fair() as spent: …`, then `spent.seconds`."""
    spent = Spent()
    begun = time.process_time()
    yield spent
    taken = time.process_time() - begun
    spent.seconds = taken * LOOP / max(LOOP, _loop())


def linear(work: Any, small: Any, large: Any, *, times: float = 10, most: float = 60.0, tries: int = 5) -> None:
    """Asserts that `work(large)`, which is so many `times` more than `work(small)`, takes at most a fifth more than so many times
    as long, and at most `most` seconds. A millisecond comes on top, for what is measured in microseconds wanders; so does the
    machine, so one good try of some is enough.
    """
    told: list[str] = []
    for _ in range(tries):
        with fair() as little:
            work(small)
        with fair() as much:
            work(large)
        if much.seconds <= min(most, 1.2 * times * (little.seconds + 0.001)):
            return
        told.append(f"{much.seconds * 1e3:.1f} ms after {little.seconds * 1e3:.1f} ms")
    raise AssertionError(f"{times} times the work took {', '.join(told)}")


def _loop() -> float:
    begun = time.process_time()
    out: list[str] = []
    for number in range(20_000):
        out.append(str(number & 255).rjust(3) + "x"[: number & 1])
    "".join(out).split()
    return time.process_time() - begun
