"""The stream of every family in a real JupyterLab: its words are seen while it streams, and kept in the file."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from runview.run.inspect import inspect
from runview.run.reduce import new_run, reduce
from runview.sources.items import Items
from tests.browser.lab import Notebook
from tests.families import ROWS, held_at

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

SETUP = """
import asyncio, threading
from runview import stream_view
from tests.families import ROWS, held_at
from tests.packages.replaying import replaying

gate, blocking, servers = asyncio.Event(), threading.Event(), []

async def objects(name):
    for at, event in enumerate(ROWS[name].objects()):
        if at == held_at(name):
            await gate.wait()
        yield event

def dicts(name):
    for at, event in enumerate(ROWS[name].events()):
        if at == held_at(name):
            blocking.wait(120)
        yield event

def address(name):
    servers.append(replaying(ROWS[name].events(), gated=held_at(name) - 1))
    return servers[-1].__enter__().url
"""
GO_ON = """
gate.set()
blocking.set()
for server in servers:
    server.gen.gi_frame.f_locals["place"].gate.set()
"""
LEFT = """
print([each.name for each in threading.enumerate() if each.name.startswith("runview")],
      [task.get_name() for task in asyncio.all_tasks() if task.get_name() == "runview"])
"""


def way(at: int, name: str) -> str:
    """How a row is streamed: what a server would send from an address, others by turns in a thread and on the loop."""
    if isinstance(ROWS[name].events()[0], bytes):
        return f"address({name!r}), json={{}}"
    return f"objects({name!r})" if at % 2 else f"dicts({name!r})"


def words_of(events: list[Any]) -> list[str]:
    items, run = Items(), new_run()
    for event in events:
        for item in items.take(event):
            reduce(run, item, 0.0)
    return re.findall(r"\w+", inspect(run)["text"])


def test_each_is_seen_while_it_streams_and_kept(notebook: Callable[..., Notebook]) -> None:
    shown = [f"stream_view({way(at, name)})" for at, name in enumerate(ROWS)]
    last = len(shown) + 1
    book = notebook(SETUP, *shown, GO_ON, LEFT)
    book.page.evaluate("i => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = i }", last)
    book.command("notebook:run-all-above")
    for index, name in enumerate(ROWS, 1):
        early = words_of(ROWS[name].events()[: held_at(name)])
        assert early
        book.await_seen(index, "Running", "Stop", *early, timeout=30)
    book.run(last)
    for index, name in enumerate(ROWS, 1):
        state = "Needs you" if name == "AI SDK UI, server-sent events" else "Done"
        assert "Running" not in book.await_seen(index, state, *words_of(ROWS[name].events()), timeout=30)
    book.run(last + 1)
    book.await_seen(last + 1, "[] []")
    saved = kept(book, last)
    for index, name in enumerate(ROWS, 1):
        assert not [word for word in words_of(ROWS[name].events()) if word not in saved[index]], name


def kept(book: Notebook, count: int) -> list[str]:
    """What the file has of each output, once nothing in it is running any more."""
    deadline = time.monotonic() + 20
    while True:
        saved = [str(cell.outputs) for cell in book.save().cells]
        if not any("Running" in each for each in saved[:count]) or time.monotonic() > deadline:
            return saved
        time.sleep(0.3)
