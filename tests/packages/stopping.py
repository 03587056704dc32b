"""Stopping a stream of a real client that hangs: the run is canceled at once, and nothing of it stays."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

from runview import ModelOutput, stream_view

__all__ = ["stops_cleanly"]


def ours() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("runview")}


async def stops_cleanly(source: Any, *args: Any, said: bool = False) -> ModelOutput:
    """Stops a view once something has come (`said`: text) and the source hangs; no thread and no task of it stays."""
    threads, tasks = ours(), asyncio.all_tasks()
    view = stream_view(source, *args)
    for _ in range(1000):
        if view.output.partial.text if said else view.output.inspect(streams=False)["chunks"]["total"]:
            break
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    begun = time.monotonic()
    view.stop()
    full = await view
    assert time.monotonic() - begun < 1
    assert full.status == "canceled"
    assert full.error is None
    for _ in range(200):
        if ours() <= threads and asyncio.all_tasks() <= tasks:
            break
        await asyncio.sleep(0.01)
    assert ours() <= threads
    assert asyncio.all_tasks() <= tasks
    return view.output
