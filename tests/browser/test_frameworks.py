"""Agents of frameworks in a real JupyterLab, each with one line: seen while they stream, side by side, and kept in the file."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.lab import Notebook

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

SETUP = """
import asyncio, threading
from langchain.agents import create_agent
from pydantic_ai import Agent
from pydantic_ai.models.function import DeltaThinkingPart, DeltaToolCall, FunctionModel
from runview import stream_view
from tests.frameworks import paced
from tests.packages.test_langgraph import Says, call, end, weather

gate = asyncio.Event()

async def say(messages, info):
    if len(messages) == 1:
        yield {0: DeltaThinkingPart(content="Let me think.")}
        yield "Let me look."
        yield {1: DeltaToolCall(name="weather", json_args='{"city":"Paris"}', tool_call_id="c1")}
    else:
        yield "Sunny "
        await gate.wait()
        yield "in Paris."

pydantic_agent = Agent(FunctionModel(stream_function=say))

@pydantic_agent.tool_plain
def sky(city: str) -> str:
    return "sunny"

@pydantic_agent.tool_plain(name="weather")
def pydantic_weather(city: str) -> str:
    return f"sunny in {city}"

class Waits(Says):
    async def _astream(self, messages, *args, **more):
        async for piece in super()._astream(messages, *args, **more):
            if piece.text == "in Paris.":
                await gate.wait()
            yield piece

turns = [["Let me look.", call(0, '{"city":"Paris"}', "a", "weather"), end("tool_calls")], ["Sunny ", "in Paris.", end("stop")]]
graph = create_agent(Waits(turns=turns), [weather])
"""
LINES = {
    "pydantic_agent, 'hi'": ("Thought", "Let me look.", "weather", "Paris", "Sunny in Paris."),
    "graph, 'hi'": ("Let me look.", "weather", "Paris", "Sunny in Paris."),
    "paced('pydantic_ai_as_vercel', gate, objects=True)": (
        "I will check.",
        "weather",
        "no such city",
        "Sunny in Paris and Rome.",
    ),
    "paced('pydantic_ai_as_agui', gate, objects=True)": ("I will check.", "weather", "Sunny in Paris and Rome."),
    "paced('strands_tools', gate)": ("Let me look.", "weather", "no data", "Sunny in both."),
    "paced('smol_toolcalling_deltas', gate, objects=True)": ("Let me look.", "weather", "final_answer", "Sunny in both."),
}


def test_each_is_seen_while_it_streams_and_kept(notebook: Callable[..., Notebook]) -> None:
    lines = list(LINES)
    shown = [f"view = stream_view({line})\nview" for line in lines]
    left = "[each.name for each in threading.enumerate() if each.name.startswith('runview')]"
    tasks = "[task.get_name() for task in asyncio.all_tasks() if task.get_name() == 'runview']"
    book = notebook(SETUP, *shown, "gate.set()", f"print({left}, {tasks})")
    book.run(0)
    for index in range(1, len(lines) + 1):
        begun = time.monotonic()
        book.run(index)
        assert time.monotonic() - begun < 8
    for index, line in enumerate(lines, 1):
        book.await_seen(index, "Running", "Stop", LINES[line][0])
    book.run(len(lines) + 1)
    for index, line in enumerate(lines, 1):
        assert "Running" not in book.await_seen(index, "Done", *LINES[line], timeout=30)
    book.run(len(lines) + 2)
    book.await_seen(len(lines) + 2, "[] []")
    for index, line in enumerate(lines, 1):
        saved = outputs(book, index)
        assert all(word in saved for word in LINES[line])


def outputs(book: Notebook, index: int) -> str:
    """What the file has of a cell's output, when it has what the page shows."""
    deadline = time.monotonic() + 20
    while True:
        cell: Any = book.save().cells[index]
        kept = str(cell.outputs)
        if "Done" in kept or time.monotonic() > deadline:
            return kept
        time.sleep(0.3)


def test_stop_ends_agents_that_hang_and_keeps_what_they_said(notebook: Callable[..., Notebook]) -> None:
    left = "[each.name for each in threading.enumerate() if each.name.startswith('runview')]"
    tasks = "[task.get_name() for task in asyncio.all_tasks() if task.get_name() == 'runview']"
    book = notebook(SETUP, "stream_view(pydantic_agent, 'hi')", "stream_view(graph, 'hi')", f"print({left}, {tasks})")
    for index in range(3):
        book.run(index)
    for index in (1, 2):
        book.await_seen(index, "Running", "Sunny")
        book.shadow(index).get_by_role("button", name="Stop").first.click()
        assert "Let me look." in book.await_seen(index, "Stopped")
    time.sleep(0.5)
    book.run(3)
    book.await_seen(3, "[] []")
