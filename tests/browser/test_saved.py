"""What the file keeps, in mid-run and at the end, and what a reader of the file sees with no kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import nbconvert
import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view\nfrom tests.browser.agents import *"


# Two megabytes a second for four seconds, across the end of the run above: the server drops messages, `end` among them.
FLOOD = """
import asyncio, time
end = time.time() + 4
while time.time() < end:
    print("x" * 20_000)
    await asyncio.sleep(0.01)
"""


def only_output(saved: Any, index: int) -> dict[str, str]:
    """The data of the cell's one output, which must be HTML and plain text and nothing else."""
    outputs = saved.cells[index].outputs
    assert [output.output_type for output in outputs] == ["display_data"]
    assert set(outputs[0].data) == {"text/html", "text/plain"}
    return dict(outputs[0].data)


def test_the_file_keeps_the_end_and_shows_it_without_a_kernel(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(everything(0.02)))")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "12.2 metres", "both are there")
    book.page.wait_for_function("() => document.querySelector('.rv-done') !== null")
    saved = only_output(book.save(), 1)
    assert "rv-done" in saved["text/html"]
    assert "Done" in saved["text/plain"]
    assert "running" not in saved["text/plain"].lower()
    assert "widgets" not in book.lab.read(book.name).metadata

    book.lab.end_kernels()
    reopened = Notebook(book.lab, book.page, book.name).open(kernel=False)
    text = reopened.await_seen(1, "Done", "search_web", "5 results", "among the largest")
    assert "Error displaying widget" not in text
    assert "Loading widget" not in text


def test_a_file_saved_in_mid_run_says_so(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(endless()))")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Running", "word5")
    saved = only_output(book.save(), 1)
    assert "Run in progress when this was saved" in saved["text/html"]
    assert "Run in progress when this was saved" in saved["text/plain"]


def test_the_end_is_known_in_the_file_after_a_flood(notebook: Open) -> None:
    book = notebook(
        SETUP,
        "view = stream_view(counting(40, 0.05))\ndisplay(view)",
        FLOOD,
    )
    book.run(0)
    book.run(1)
    book.run(2)
    book.await_seen(1, "Done", "w39", timeout=20)
    book.page.wait_for_function("() => document.querySelector('.rv-done') !== null", timeout=20_000)
    assert "rv-done" in only_output(book.save(), 1)["text/html"]


PRICES = """
async def prices():
    for each in opening():
        yield each
    async for each in words("It costs $5 and $10 today.", 0):
        yield each
    for each in finish():
        yield each
display(stream_view(prices()))
"""


def test_prices_are_no_formula_live_saved_and_converted(notebook: Open) -> None:
    book = notebook(SETUP, PRICES)
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "It costs $5 and $10 today.")
    book.page.wait_for_function("() => document.querySelector('.rv-done') !== null")
    book.save()
    book.lab.end_kernels()
    reopened = Notebook(book.lab, book.page, book.name).open(kernel=False)
    reopened.await_seen(1, "It costs $5 and $10 today.")
    html, _ = nbconvert.HTMLExporter(embed_images=False).from_filename(str(book.lab.root / book.name))
    page = book.page.context.new_page()
    page.route("**/*", lambda route: route.abort())
    page.set_content(html)
    page.wait_for_selector(".rv-done")
    assert "It costs $5 and $10 today." in page.inner_text(".rv-done")
    assert page.locator(".rv-done.mathjax_ignore.tex2jax_ignore").count() == 1
    assert page.locator("mjx-container, .MathJax").count() == 0
