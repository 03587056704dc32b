"""How fast the reducer is: chunks a second on one core, against `json.loads` of the same lines, and the memory that a run keeps.

    python -m benchmarks.reducer [number of chunks]

The goals: at least 100,000 text deltas a second, at most 5 times the time of `json.loads`, and the cost of a chunk the same at
the end as at the beginning.
"""

from __future__ import annotations

import gc
import json
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from runview.run.log import ChunkLog
from runview.run.reduce import new_run, reduce

WORDS = ["The ", "tidal ", "range ", "at ", "Avonmouth ", "is ", "12.2 ", "m. "]


def chunk(type_: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"type": type_, "runId": "run-1", "from": "AGENT", "payload": payload}


def text(number: int) -> dict[str, Any]:
    return chunk("text-delta", {"id": "t1", "text": WORDS[number % len(WORDS)]})


def reasoning(number: int) -> dict[str, Any]:
    return chunk("reasoning-delta", {"id": "r1", "text": WORDS[number % len(WORDS)]})


def arguments(number: int) -> dict[str, Any]:
    return chunk("tool-call-delta", {"toolCallId": "c1", "toolName": "write", "argsTextDelta": WORDS[number % len(WORDS)]})


def nested(number: int) -> dict[str, Any]:
    """Half a million different words, since equal chunks through two doors are told by their content."""
    inner = chunk("text-delta", {"id": "t1", "text": f"w{number} "}) | {"runId": "run-2"}
    return chunk("tool-output", {"output": inner, "toolCallId": "c1", "toolName": "agent-sub"})


def json_text(number: int) -> dict[str, Any]:
    """The text of an object, for a run with a schema."""
    return chunk("text-delta", {"id": "t1", "text": '{"rows":[' if number == 0 else f'{{"n":{number}}},'})


def measure(name: str, make: Callable[[int], dict[str, Any]], count: int, schema: Any = None) -> None:
    lines = [json.dumps(make(number)) for number in range(count)]
    began = time.perf_counter()
    chunks = [json.loads(line) for line in lines]
    loading = time.perf_counter() - began
    gc.collect()
    gc.freeze()  # the chunks that wait here are no part of what is measured

    run = new_run(schema)
    tenth = count // 10
    times: list[float] = []
    for start in range(0, count, tenth):
        began = time.perf_counter()
        for wire in chunks[start : start + tenth]:
            reduce(run, wire, 1.0)
        times.append(time.perf_counter() - began)
    reducing = sum(times)

    log = ChunkLog()
    began = time.perf_counter()
    for wire in chunks:
        log.append(wire)
    logging = time.perf_counter() - began

    del chunks, run, log
    gc.unfreeze()
    kept, size = memory(lines, schema)
    print(
        f"{name:<12} {count / reducing:>10,.0f}/s   {reducing / loading:5.2f} × json.loads   "
        f"log {count / logging:>9,.0f}/s   last tenth {times[-1] / times[0]:4.2f} × first   "
        f"memory {kept / size:4.2f} × the bytes of the chunks"
    )


def memory(lines: list[str], schema: Any) -> tuple[int, int]:
    """Bytes that a run and its log keep, and the bytes of its chunks as JSON."""
    gc.collect()
    tracemalloc.start()
    run, log = new_run(schema), ChunkLog()
    for line in lines:
        reduce(run, log.append(json.loads(line)), 1.0)
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(log) == len(lines) == run.chunk_count
    return kept, sum(map(len, lines))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    measure("text", text, count)
    measure("reasoning", reasoning, count)
    measure("arguments", arguments, count)
    measure("sub-agent", nested, count)
    measure("object", json_text, min(count, 20_000), {"type": "object"})


if __name__ == "__main__":
    main()
