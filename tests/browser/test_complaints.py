"""What users of such views complain of and only a page can show: lateness, rows that move by themselves, answers out of sight."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view\nfrom tests.browser.agents import *"

FLOOD = """
async def flood():
    for each in opening(): yield each
    yield chunk("text-start", id="t1")
    for number in range(10_000): yield chunk("text-delta", id="t1", text=f"w{number} ")
    for each in finish(): yield each
display(stream_view(flood()))
"""

THOUGHT = """
async def thinking():
    for each in opening(): yield each
    async for each in words("word " * 100, 0.04, "reasoning", "r1"): yield each
    async for each in words("The answer.", 0.02): yield each
    for each in finish(): yield each
display(stream_view(thinking()))
"""

MANY = """
async def many():
    for each in opening(): yield each
    async for each in words("A thought.", 0, "reasoning", "r1"): yield each
    for number in range(20):
        yield chunk("tool-call", toolCallId=f"c{number}", toolName="look", args={"at": number})
        yield chunk("tool-result", toolCallId=f"c{number}", toolName="look", result=[{"n": n} for n in range(RESULT)])
    async for each in words("The answer.", 0): yield each
    for each in finish(): yield each
display(stream_view(many()))
"""


def test_ten_thousand_chunks_at_once_are_drawn_at_once(notebook: Open) -> None:
    book = notebook(SETUP, FLOOD)
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "w9999", timeout=6)


def test_a_thought_that_the_reader_has_closed_stays_closed(notebook: Open) -> None:
    book = notebook(SETUP, THOUGHT)
    book.run(0)
    book.run(1)
    book.await_seen(1, "Thinking")
    head = book.shadow(1).locator("summary", has_text="Thinking")
    head.click()
    head.click()
    row = book.shadow(1).locator("details.rv-row").first
    book.page.evaluate("() => { window.opened = 0 }")
    row.evaluate("(row) => row.addEventListener('toggle', () => { window.opened += row.open })")
    book.await_seen(1, "Done", "The answer.", timeout=20)
    assert row.evaluate("(row) => row.open") is False
    assert book.page.evaluate("() => window.opened") == 0


def test_the_answer_after_twenty_calls_is_in_sight(notebook: Open) -> None:
    book = notebook(SETUP, MANY.replace("RESULT", "3"))
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "The answer.")
    top = book.shadow(1).evaluate("(view) => view.getBoundingClientRect().top")
    answer = book.shadow(1).locator("p", has_text="The answer.").evaluate("(p) => p.getBoundingClientRect().bottom")
    assert answer - top < 600


def test_a_row_with_a_very_large_result_opens_at_once(notebook: Open) -> None:
    book = notebook(SETUP, MANY.replace("RESULT", "50_000").replace("range(20)", "range(1)"))
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "The answer.", timeout=30)
    took = book.page.evaluate(
        """() => {
          const row = document.querySelector(".rv-host").shadowRoot.querySelector("details.rv-row.is-done:not(.rv-group)");
          const begun = performance.now();
          row.open = true;
          row.getBoundingClientRect();
          return performance.now() - begun;
        }"""
    )
    assert took < 100
    shown = book.shadow(1).inner_text().replace("\u202f", " ")
    assert "Result · first 20 of 50 000 rows" in shown
    assert "view.output.tool_results[0]" in shown
