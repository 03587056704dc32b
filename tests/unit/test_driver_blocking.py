"""Waiting without `await`, everywhere but in a kernel (see tests/kernel): scripts, threads, inside a running loop."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from runview import ModelOutput, StreamError

START = {"type": "text-start", "runId": "r", "from": "AGENT", "payload": {"id": "t"}}
FINISH = {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {}}}


def text(words: str) -> dict:
    return {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": words}}


async def words(n: int = 5, pause: float = 0.01):
    yield START
    for i in range(n):
        yield text(f"w{i} ")
        await asyncio.sleep(pause)
    yield FINISH


def script(code: str) -> subprocess.CompletedProcess:
    """Runs a script of its own, with every warning shown."""
    before = """
        import asyncio, logging, os, signal, threading, time
        from runview import ModelOutput
        logging.getLogger("asyncio").setLevel(logging.ERROR)  # a busy machine's slow callbacks are no fault
        START = {"type": "text-start", "runId": "r", "from": "AGENT", "payload": {"id": "t"}}
        async def words(n=5, pause=0.01):
            yield START
            for i in range(n):
                yield {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": f"w{i} "}}
                await asyncio.sleep(pause)
            yield {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {}}}
    """
    whole = textwrap.dedent(before) + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-X", "dev", "-c", whole], capture_output=True, text=True, timeout=30, check=False)


def test_a_plain_script_waits_on_a_loop_of_its_own():
    output = ModelOutput(words())
    assert output.status == "running"
    assert output.wait().text == "w0 w1 w2 w3 w4 "
    assert output.text.result() == "w0 w1 w2 w3 w4 "
    assert ModelOutput(words(2)).text.result(timeout=5) == "w0 w1 "


def test_all_runs_of_a_script_share_a_loop():
    loops = []

    async def source():
        loops.append(asyncio.get_running_loop())
        yield FINISH

    ModelOutput(source()).wait()
    ModelOutput(source()).wait()
    assert loops[0] is loops[1]


def test_the_time_runs_out_in_a_script_and_a_later_wait_goes_on():
    output = ModelOutput(words(5, 0.05))
    with pytest.raises(TimeoutError):
        output.wait(timeout=0.08)
    so_far = output.partial.text
    assert so_far.startswith("w0 ")
    assert output.wait().text == "w0 w1 w2 w3 w4 "


def test_what_a_script_left_half_read_can_be_awaited():
    output = ModelOutput(words(5, 0.02))
    with pytest.raises(TimeoutError):
        output.wait(timeout=0.03)

    async def main() -> str:
        return await output.text

    assert asyncio.run(main()) == "w0 w1 w2 w3 w4 "


def test_a_failure_is_raised_where_the_value_is_asked_for():
    async def broken():
        yield START
        raise ConnectionError("peer reset")

    output = ModelOutput(broken())
    with pytest.raises(StreamError, match="peer reset"):
        output.wait()
    with pytest.raises(StreamError, match="peer reset"):
        output.text.result()
    assert output.status == "failed"


def test_stop_in_a_script_between_waits():
    output = ModelOutput(words(1_000))
    with pytest.raises(TimeoutError):
        output.wait(timeout=0.05)
    output.stop()
    assert output.status == "canceled"
    assert output.text.result().startswith("w0 ")


def test_inside_a_running_loop():
    # In a process of its own, since nesting patches asyncio for good.
    done = script("""
        async def main():
            output = ModelOutput(words())
            print(output.wait().text)
            print(await ModelOutput(words(2)).text)
            other = ModelOutput(words(3))
            try:
                other.text.result(timeout=0.005)
            except TimeoutError:
                print(other.text.result())
        asyncio.run(main())
    """)
    assert done.stdout == "w0 w1 w2 w3 w4 \nw0 w1 \nw0 w1 w2 \n"
    assert done.stderr == ""


OPTIONS = ["-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function"]


def test_inside_a_test_of_pytest_asyncio(tmp_path):
    (tmp_path / "test_wait.py").write_text(
        "from runview import ModelOutput\n"
        "async def test_wait():\n"
        "    assert ModelOutput(['Hello ', 'world']).wait().text == 'Hello world'\n"
        "async def test_the_next_one_awaits():\n"
        "    assert await ModelOutput(['Hello ', 'world']).text == 'Hello world'\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", *OPTIONS, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=tmp_path,
    )
    assert "2 passed" in done.stdout


async def test_from_a_thread_while_the_loop_runs_elsewhere():
    output = ModelOutput(words())
    assert await asyncio.to_thread(output.text.result) == "w0 w1 w2 w3 w4 "
    late = ModelOutput(words(100, 0.01))
    with pytest.raises(TimeoutError):
        await asyncio.to_thread(late.wait, 0.05)
    late.stop()
    await late


def test_from_a_thread_that_has_no_loop():
    texts = []
    thread = threading.Thread(target=lambda: texts.append(ModelOutput(words(2)).wait().text))
    thread.start()
    thread.join()
    assert texts == ["w0 w1 "]


def test_the_archived_nest_asyncio_gets_a_clear_word(monkeypatch):
    monkeypatch.setattr(asyncio, "_nest_patched", True, raising=False)
    monkeypatch.delattr(asyncio, "_nest_asyncio2", raising=False)

    async def main() -> str:
        output = ModelOutput(words(2))
        with pytest.raises(RuntimeError, match="`await`"):
            output.wait()
        return await output.text

    loop = asyncio.new_event_loop()
    assert loop.run_until_complete(main()) == "w0 w1 "
    loop.close()


def test_a_script_leaves_nothing_behind_and_says_nothing():
    done = script("""
        out = ModelOutput(words())
        print(out.wait().text)
        half = ModelOutput(words(100, 0.05))
        try:
            half.wait(timeout=0.1)
        except TimeoutError:
            print("half")
        never = ModelOutput(words())
        async def opening():
            return words()
        unopened = ModelOutput(opening())
    """)
    assert done.stdout.split("\n")[:2] == ["w0 w1 w2 w3 w4 ", "half"]
    assert done.stderr == ""
    assert done.returncode == 0


def test_an_interrupt_stops_the_run_and_keeps_its_values():
    done = script("""
        out = ModelOutput(words(1000))
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            out.wait()
        except KeyboardInterrupt:
            print("interrupted", out.status, out.partial.text[:6])
        print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, ModelOutput(words(2)).wait().text)
    """)
    assert done.stdout == "interrupted canceled w0 w1 \nTrue w0 w1 \n"
    assert done.stderr == ""


def test_an_interrupt_while_the_loop_runs_in_another_thread():
    done = script("""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever)
        thread.start()
        async def begin():
            return ModelOutput(words(1000))
        out = asyncio.run_coroutine_threadsafe(begin(), loop).result()
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            out.wait()
        except KeyboardInterrupt:
            print("interrupted", out.status, out.partial.text[:6])
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
    """)
    assert done.stdout == "interrupted canceled w0 w1 \n"
    assert done.stderr == ""


def test_a_second_interrupt_gets_through_to_a_source_that_holds_the_loop():
    done = script("""
        async def holds():
            yield START
            time.sleep(20)
        out = ModelOutput(holds())
        for after in (0.3, 0.6):
            threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()
        before = time.monotonic()
        try:
            out.wait()
        except KeyboardInterrupt:
            print("interrupted", out.status, time.monotonic() - before < 5)
    """)
    assert done.stdout == "interrupted canceled True\n"
    assert done.stderr == ""


def test_a_run_left_alive_by_asyncio_run_says_nothing():
    done = script("""
        async def main():
            out = ModelOutput(words(1000))
            await asyncio.sleep(0.05)
            return out
        print(asyncio.run(main()).status)
        loop = asyncio.new_event_loop()
        out = loop.run_until_complete(main())
        loop.close()
        print(out.text.result()[:3], out.status)
    """)
    assert done.stdout == "canceled\nw0  canceled\n"
    assert done.stderr == ""


def test_waiting_takes_little_time_of_its_own():
    output = ModelOutput([START, *(text("x") for _ in range(100)), FINISH])
    before = time.perf_counter()
    output.wait()
    assert time.perf_counter() - before < 1
