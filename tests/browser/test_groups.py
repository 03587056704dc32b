"""Calls that become one row under the reader's eyes: nothing jumps, and what the reader has opened stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = """
import asyncio
from runview import stream_view
from tests.runs import chunk
second = asyncio.Event()

async def agent():
    yield chunk("tool-call", toolCallId="1", toolName="search_web", args={"query": "tides"})
    yield chunk("tool-result", toolCallId="1", result=[1, 2])
    yield chunk("text-start", id="t")
    await second.wait()
    yield chunk("tool-call", toolCallId="2", toolName="fetch_page", args={"url": "https://example.org/"})
    yield chunk("tool-result", toolCallId="2", result="a page")
    yield chunk("finish", stepResult={"reason": "stop"})
"""
LINES = """
view => [...view.querySelectorAll("summary")].filter((line) => line.checkVisibility()).map((line) =>
  [line.querySelector(".rv-t").textContent, Math.round(line.getBoundingClientRect().top - view.getBoundingClientRect().top)])
"""


def lines(book: Notebook) -> Any:
    return book.shadow(1).evaluate(LINES)


def test_the_second_call_takes_the_place_of_the_first(notebook: Open) -> None:
    book = notebook(SETUP, "stream_view(agent())", "second.set()")
    book.run(0)
    book.run(1)
    book.await_seen(1, "search_web", "done")
    ((name, top),) = lines(book)
    assert "search_web" in name
    book.run(2)
    book.await_seen(1, "2 tools", "Done")
    ((_, then),) = lines(book)
    assert then == top
    book.shadow(1).locator("summary:visible").click()
    assert [name for name, _ in lines(book)][1:] == ["search_web", "fetch_page"]


def test_a_call_that_the_reader_has_opened_stays_where_it_is(notebook: Open) -> None:
    book = notebook(SETUP, "stream_view(agent())", "second.set()")
    book.run(0)
    book.run(1)
    book.await_seen(1, "search_web", "done")
    book.shadow(1).locator("summary:visible").click()
    before = lines(book)
    book.run(2)
    book.await_seen(1, "fetch_page", "Done")
    assert lines(book)[: len(before)] == before
    assert book.shadow(1).locator(".rv-row[open]:not(.rv-group) > summary", has_text="search_web").count() == 1
