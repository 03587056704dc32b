"""What users lost elsewhere: the end of a run whose page was reloaded, the wait before the first word, Notebook 7."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view\nfrom tests.browser.agents import *"
DONE = "() => document.querySelector('.rv-done') !== null"


def test_notebook_7_shows_keeps_and_reopens_a_run(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(everything(0.02)))", app="notebooks")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Running", "tidal")
    assert book.shadow(1).count() == 1, "the view is drawn over its output"
    said = book.await_seen(1, "Done", "12.2 metres", "both are there")
    book.page.wait_for_function(DONE)
    (output,) = book.save().cells[1].outputs
    assert set(output.data) == {"text/html", "text/plain"}
    assert "rv-done" in output.data["text/html"]
    book.lab.end_kernels()
    again = Notebook(book.lab, book.page, book.name).open(kernel=False, app="notebooks")
    assert "".join(again.await_seen(1, "Done").split()) == "".join(said.split())


def test_what_a_reload_kept_from_the_file_is_kept_by_showing_the_view_again(notebook: Open) -> None:
    book = notebook(SETUP, "view = stream_view(counting(160, 0.05))\ndisplay(view)", "display(view)")
    book.run(0)
    book.run(1)
    book.await_seen(1, "w20")
    book.save()
    book.page.reload()
    book.await_seen(1, "w100", timeout=30)
    book.await_seen(1, "Done", "w159", "The saved file holds an earlier state of this run", timeout=30)
    book.run(2)
    book.await_seen(2, "Done", "w0", "w159")
    book.page.wait_for_function(DONE)
    kept = book.save().cells[2].outputs[0].data["text/plain"]
    assert [word for word in (f"w{number}" for number in range(160)) if word not in kept.split()] == []


def test_the_wait_for_the_first_word_is_one_line_with_its_time(notebook: Open) -> None:
    late = "async def late():\n    await asyncio.sleep(4)\n    async for each in counting(3): yield each"
    book = notebook(SETUP, f"import asyncio\n{late}\ndisplay(stream_view(late()))")
    book.run(0)
    book.run(1)
    said = book.await_seen(1, "Waiting…", "2\u202fs")
    assert "w0" not in said
    line = book.shadow(1).locator(".rv-status")
    view = book.shadow(1).evaluate("(view) => view.offsetHeight")
    assert view - line.evaluate("(line) => line.offsetHeight") < 24, "nothing but the line, and no gap"
    book.await_seen(1, "Done", "w2")


def test_where_each_output_has_its_own_frame_the_widget_draws_and_the_file_keeps_the_end(notebook: Open) -> None:
    colab = (
        "import sys, types\nsys.modules['google.colab'] = colab = types.ModuleType('google.colab')\n"
        "colab.output = types.SimpleNamespace(enable_custom_widget_manager=lambda: None)"
    )
    book = notebook(f"{colab}\n{SETUP}", "display(stream_view(counting(40, 0.05)))")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Running", "w5")
    assert book.output(1).locator(".jp-RenderedHTMLCommon").count() == 0, "there is nothing to draw over"
    assert book.shadow(1).count() == 1
    book.await_seen(1, "Done", "w39")
    book.page.wait_for_function(DONE)
    (output,) = book.save().cells[1].outputs
    assert set(output.data) == {"text/html", "text/plain"}
