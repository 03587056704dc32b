"""The kernel's ■: what it stops in a cell that waits, in a cell that awaits, and when no cell runs."""

from __future__ import annotations

import time

import pytest

pytestmark = pytest.mark.kernel

ENDLESS = "out = ModelOutput(words(100_000))"


def running(kernel) -> None:
    """Until the run has its first text."""
    kernel.ok("while not out.partial.text:\n    await asyncio.sleep(0.01)")


def status_soon(kernel, status: str) -> None:
    kernel.ok(f"for _ in range(100):\n    if out.status == {status!r}: break\n    await asyncio.sleep(0.02)")
    assert kernel.ok("out.status").value == repr(status)


def test_an_interrupt_of_a_cell_that_waits_stops_the_run_and_keeps_its_values(kernel):
    kernel.ok(ENDLESS)
    running(kernel)
    waiting = kernel.send("out.wait()")
    time.sleep(0.5)
    kernel.interrupt()
    (reply,) = kernel.collect(waiting)
    assert reply.ename == "KeyboardInterrupt"
    assert kernel.ok("out.status").value == "'canceled'"
    assert kernel.ok("(await out.text).startswith('w0 w1 ')").value == "True"
    assert kernel.ok("await out.finish_reason").value == "'aborted'"
    assert kernel.ok("out2 = ModelOutput(words(3)); out2.wait().text").value == "'w0 w1 w2 '"


def test_an_interrupt_of_the_idle_kernel_stops_the_runs_that_live(kernel):
    kernel.ok(ENDLESS)
    kernel.ok("more = ModelOutput(words(100_000))")
    running(kernel)
    time.sleep(0.5)
    kernel.interrupt()
    status_soon(kernel, "canceled")
    assert kernel.ok("more.status").value == "'canceled'"


def test_the_kernels_own_handler_is_put_back_after_the_last_run(kernel):
    kernel.ok("import signal")
    handler = (
        "handlers = []\nasyncio.get_running_loop().call_later(0.3, lambda: handlers.append(signal.getsignal(signal.SIGINT)))\n"
    )
    kernel.ok(ENDLESS)
    kernel.ok(handler)
    time.sleep(0.6)
    assert kernel.ok("handlers[0] is signal.SIG_IGN, callable(handlers[0])").value == "(False, True)"
    kernel.ok("out.stop()")
    time.sleep(0.3)
    kernel.ok(handler)
    time.sleep(0.6)
    assert kernel.ok("handlers[0] is signal.SIG_IGN").value == "True"
    kernel.interrupt()
    time.sleep(0.2)
    assert kernel.ok("'alive'").value == "'alive'"


def test_an_interrupt_of_a_cell_stays_the_cells(kernel):
    kernel.ok(ENDLESS)
    running(kernel)
    for cell, name in (("time.sleep(30)", "KeyboardInterrupt"), ("await asyncio.sleep(30)", "CancelledError")):
        busy = kernel.send(cell)
        time.sleep(0.5)
        kernel.interrupt()
        (reply,) = kernel.collect(busy)
        assert reply.ename == name
        assert kernel.ok("out.status").value == "'running'"
    kernel.ok("out.stop()")
    status_soon(kernel, "canceled")


def test_an_interrupt_of_a_cell_that_awaits_a_value_leaves_the_run(kernel):
    kernel.ok(ENDLESS)
    running(kernel)
    waiting = kernel.send("await out.text")
    time.sleep(0.5)
    kernel.interrupt()
    (reply,) = kernel.collect(waiting)
    assert reply.status == "error"
    assert kernel.ok("out.status").value == "'running'"
    time.sleep(0.5)
    kernel.interrupt()
    status_soon(kernel, "canceled")


def test_an_interrupt_of_a_cell_that_awaited_and_then_waits(kernel):
    kernel.ok(ENDLESS)
    running(kernel)
    waiting = kernel.send("await asyncio.sleep(0.01); out.wait()")
    time.sleep(0.5)
    kernel.interrupt()
    (reply,) = kernel.collect(waiting)
    assert reply.ename == "KeyboardInterrupt"
    assert kernel.ok("out.status").value == "'canceled'"
    assert kernel.ok("await asyncio.sleep(0.01); 'alive'").value == "'alive'"


def test_a_second_interrupt_gets_through_to_a_source_that_holds_the_loop(kernel):
    kernel.ok(
        "async def holds():\n"
        "    yield {'type': 'start', 'runId': 'r', 'from': 'AGENT', 'payload': {}}\n"
        "    await asyncio.sleep(0.3)\n"
        "    time.sleep(20)\n"
    )
    waiting = kernel.send("out = ModelOutput(holds()); out.wait()")
    for pause in (0.8, 0.3):
        time.sleep(pause)
        kernel.interrupt()
    (reply,) = kernel.collect(waiting, timeout=10)
    assert reply.ename == "KeyboardInterrupt"
    assert kernel.ok("out.status").value == "'canceled'"


def test_a_source_that_raises_an_interrupt_itself_does_not_end_the_kernel(kernel):
    kernel.ok(
        "async def raises(error):\n"
        "    yield {'type': 'start', 'runId': 'r', 'from': 'AGENT', 'payload': {}}\n"
        "    raise error\n"
        "a, b = ModelOutput(raises(KeyboardInterrupt())), ModelOutput(raises(SystemExit(1)))\n"
    )
    kernel.ok("await asyncio.sleep(0.1)")
    assert kernel.ok("a.status, b.status").value == "('canceled', 'failed')"
