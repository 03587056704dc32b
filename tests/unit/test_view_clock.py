"""The clock that decides when pages are told something."""

from __future__ import annotations

import asyncio
import itertools
import time

from runview.view.clock import INTERVAL, flush_clock


async def test_the_first_change_goes_out_at_once_and_what_follows_is_gathered() -> None:
    times: list[float] = []
    clock = flush_clock(asyncio.get_running_loop())

    def flush() -> None:
        times.append(time.monotonic())

    begun = time.monotonic()
    while time.monotonic() < begun + 10 * INTERVAL:
        clock.mark(flush)
        await asyncio.sleep(0.001)
    await asyncio.sleep(2 * INTERVAL)
    assert times[0] - begun < INTERVAL / 2
    assert 5 <= len(times) <= 12
    assert all(later - earlier >= INTERVAL * 0.95 for earlier, later in itertools.pairwise(times))


async def test_slow_drawing_takes_a_fifth_of_the_time_at_most() -> None:
    clock = flush_clock(asyncio.get_running_loop())
    count = 0

    def flush() -> None:
        nonlocal count
        count += 1
        time.sleep(0.03)

    begun = time.monotonic()
    while time.monotonic() < begun + 0.75:
        clock.mark(flush)
        await asyncio.sleep(0.001)
    assert 2 <= count <= 6


async def test_one_view_that_fails_does_not_silence_another() -> None:
    loop = asyncio.get_running_loop()
    told: list[BaseException] = []
    loop.set_exception_handler(lambda _loop, context: told.append(context["exception"]))
    done: list[int] = []
    clock = flush_clock(loop)
    clock.mark(lambda: 1 / 0)
    clock.mark(lambda: done.append(1))
    await asyncio.sleep(2 * INTERVAL)
    assert done == [1]
    assert [type(error) for error in told] == [ZeroDivisionError]


async def test_a_loop_has_one_clock() -> None:
    loop = asyncio.get_running_loop()
    assert flush_clock(loop) is flush_clock(loop)
