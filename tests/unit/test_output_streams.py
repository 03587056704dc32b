"""Streams: every access is an iterator of its own that replays all and goes on live."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from runview import ModelOutput, StreamError
from runview.chunks.base import Chunk

START = {"type": "text-start", "runId": "r", "from": "AGENT", "payload": {"id": "t"}}
FINISH = {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {}}}


def text(words: str) -> dict:
    return {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": words}}


def error(message: str) -> dict:
    return {"type": "error", "runId": "r", "from": "AGENT", "payload": {"error": {"message": message}}}


async def counting(n: int = 5, pause: float = 0.0):
    yield START
    for i in range(n):
        yield text(str(i))
        await asyncio.sleep(pause)
    yield FINISH


async def everything(stream) -> list:
    return [item async for item in stream]


async def test_the_full_stream_has_every_chunk_as_it_came():
    output = ModelOutput(counting(2))
    chunks = await everything(output.full_stream)
    assert all(isinstance(chunk, Chunk) for chunk in chunks)
    assert [chunk.to_dict() for chunk in chunks] == [START, text("0"), text("1"), FINISH]
    assert [chunk.type for chunk in await everything(output)] == ["text-start", "text-delta", "text-delta", "finish"]


async def test_early_and_late_readers_read_the_same():
    output = ModelOutput(counting(5, 0.001))
    early = asyncio.ensure_future(everything(output.text_stream))
    await asyncio.sleep(0.003)
    middle = asyncio.ensure_future(everything(output.text_stream))
    await output
    late = everything(output.text_stream)
    assert await early == await middle == await late == ["0", "1", "2", "3", "4"]


async def test_leaving_early_affects_nobody():
    output = ModelOutput(counting(5, 0.001))
    stream = output.text_stream
    async for item in stream:
        if item == "1":
            break
    assert await everything(output.text_stream) == ["0", "1", "2", "3", "4"]
    assert await everything(stream) == ["2", "3", "4"], "an iterator that was left goes on where it was"
    waiting = asyncio.ensure_future(anext(ModelOutput(counting(2, 10)).full_stream))
    await asyncio.sleep(0)
    waiting.cancel()


async def test_a_slow_reader_does_not_hold_back_the_run():
    output = ModelOutput(counting(50))
    seen = []
    async for item in output.text_stream:
        seen.append(item)
        if output.is_done:
            break
        await asyncio.sleep(0.01)
    assert len(seen) < 10
    assert (await output).text == "".join(str(i) for i in range(50))


async def test_reading_a_long_replay_leaves_the_loop_its_turn():
    output = await finished(ModelOutput([START, *(text("x") for _ in range(3_000)), FINISH]))
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.ensure_future(tick())
    async for _ in output.full_stream:
        time.sleep(0.00001)
    ticking.cancel()
    assert ticks > 3


async def finished(output: ModelOutput) -> ModelOutput:
    await output.get_full_output()
    return output


async def test_streams_close_when_the_run_fails_and_the_awaitables_tell():
    async def source():
        yield START
        yield text("Half")
        raise ConnectionError("peer reset")

    output = ModelOutput(source())
    assert await everything(output.text_stream) == ["Half"]
    assert [chunk.type for chunk in await everything(output)] == ["text-start", "text-delta"]
    with pytest.raises(StreamError):
        await output.text


async def test_consume_stream_calls_back_for_each_error_and_for_a_broken_source():
    async def source():
        yield START
        yield error("first")
        yield error("second")
        raise ConnectionError("peer reset")

    heard: list[BaseException] = []
    await ModelOutput(source()).consume_stream(on_error=heard.append)
    assert [str(told) for told in heard] == ["first", "second", "peer reset"]
    assert [type(told) for told in heard] == [StreamError, StreamError, ConnectionError]

    async def hear(told: BaseException) -> None:
        await asyncio.sleep(0)
        heard.append(told)

    heard.clear()
    await ModelOutput(source()).consume_stream(on_error=hear)
    assert len(heard) == 3
    await ModelOutput(source()).consume_stream()


async def test_consume_stream_calls_nobody_when_all_goes_well():
    await ModelOutput(counting()).consume_stream(on_error=lambda told: pytest.fail(str(told)))


async def test_partial_objects_and_elements():
    def told(value) -> dict:
        return {"type": "object", "runId": "r", "from": "AGENT", "object": value}

    output = ModelOutput([told([{"n": 1}]), told([{"n": 1}]), told([{"n": 1}, {"n": 2}]), FINISH])
    assert await everything(output.object_stream) == [[{"n": 1}], [{"n": 1}, {"n": 2}]]
    assert await everything(output.element_stream) == [{"n": 1}, {"n": 2}]


async def test_another_loop_in_another_thread_reads_along():
    output = ModelOutput(counting(5, 0.005))
    heard = []
    thread = threading.Thread(target=lambda: heard.extend(asyncio.run(everything(output.text_stream))))
    thread.start()
    await output
    await asyncio.to_thread(thread.join)
    assert heard == ["0", "1", "2", "3", "4"]


async def test_chunks_do_not_change_with_what_the_producer_does_later():
    mutable = text("as it was")

    async def source():
        yield START
        yield mutable
        await asyncio.sleep(0)
        mutable["payload"]["text"] = "changed"
        yield FINISH

    output = await finished(ModelOutput(source()))
    assert await everything(output.text_stream) == ["as it was"]
    assert (await everything(output.full_stream))[1].payload.text == "as it was"
