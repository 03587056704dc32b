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
from tests.browser.lab import SEEN, Notebook
from tests.families import ROWS, held_at

ELSEWHERE = {
    *("openai", "openai, helper", "litellm, async", "openai responses", "openai responses, helper", "openai-agents"),
    *("openai-agents, chat model", "anthropic", "anthropic, helper", "google-genai", "google-genai, automatic calls"),
    *("pydantic-ai", "pydantic-ai, iter", "strands", "smolagents", "smolagents, code", "AG-UI", "AI SDK UI, dicts"),
    *("Mastra", "plain generator"),
}
"""Shown by the real package in `test_sdks.py`, by recordings in `test_frameworks.py`, or all over these tests."""
NAMES = [name for name in ROWS if name not in ELSEWHERE]
A_CELL = 8
OUTPUTS = ".jp-Notebook .jp-OutputArea-output[data-mime-type='text/html']"

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
    """Many views in a cell, since cells take their time."""
    shown = [f"display(stream_view({way(at, name)}))" for at, name in enumerate(NAMES)]
    cells = ["\n".join(shown[at : at + A_CELL]) for at in range(0, len(shown), A_CELL)]
    last = len(cells) + 1
    book = notebook(SETUP, *cells, GO_ON, LEFT)
    for index in range(last):
        book.run(index)
    await_all(book, [["Running", "Stop", *words_of(ROWS[name].events()[: held_at(name)])] for name in NAMES])
    book.run(last)
    states = ["Needs you" if name == "AI SDK UI, server-sent events" else "Done" for name in NAMES]
    said = [words_of(ROWS[name].events()) for name in NAMES]
    texts = await_all(book, [[state, *words] for state, words in zip(states, said, strict=True)])
    assert not any("Running" in text for text in texts)
    book.run(last + 1)
    book.await_seen(last + 1, "[] []")
    saved = kept(book)
    assert len(saved) == len(NAMES)
    for name, words, output in zip(NAMES, said, saved, strict=True):
        assert not [word for word in words if word not in output], name


def await_all(book: Notebook, wanted: list[list[str]]) -> list[str]:
    """Waits until each output has its words: all looked at in one call, since they are many."""
    deadline = time.monotonic() + 60
    while True:
        texts: list[str] = book.page.evaluate(f"() => [...document.querySelectorAll({OUTPUTS!r})].map({SEEN})")
        assert len(texts) == len(wanted)
        missing = [
            (name, words, text)
            for name, words, text in zip(NAMES, wanted, texts, strict=True)
            if any(each not in text for each in words)
        ]
        if not missing:
            return texts
        assert time.monotonic() < deadline, missing
        time.sleep(0.1)


def kept(book: Notebook) -> list[str]:
    """What the file has of each view, once nothing in it is running any more."""
    deadline = time.monotonic() + 20
    while True:
        saved = [str(output) for cell in book.save().cells for output in cell.outputs if output.output_type == "display_data"]
        if not any("Running" in each for each in saved) or time.monotonic() > deadline:
            return saved
        time.sleep(0.3)
