"""A source that breaks off, wherever and however: what came stays, the word is told in page and file, nothing is left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.breaking import FOREVER, KINDS, PLACES
from tests.browser.lab import Notebook
from tests.browser.watching import Watch, nothing_left

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view\nfrom tests.browser.breaking import *"
LEFT = "print('left', await left())"
TEXT = {
    "event 0": "",
    "event k": "Half a sen",
    "the last event": "Half a sentence.",
    "finally": "Half a sentence.",
    "close": "Half a sentence.",
}
BUSY = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"
STUCK = "The source could not be closed: OSError: the door sticks"


def quick_if(kind: str, *quick: str) -> object:
    """The kind as a parameter, slow unless it is one of these."""
    return kind if kind in quick else pytest.param(kind, marks=pytest.mark.slow)


def ends(kind: str, place: str) -> tuple[str, str]:
    """The word of the status line, and what is said besides."""
    if place == "close":
        return "Done", STUCK
    if place == "finally":
        return "Failed", "the door sticks"
    return "Failed", "was cut off" if kind == "http" else "peer reset"


def the_file_says(book: Notebook, cell: int, *words: str) -> None:
    book.output(cell).locator(".rv-done").first.wait_for(state="attached", timeout=30_000)
    (output,) = book.save().cells[cell].outputs
    for word in words:
        assert word in output["data"]["text/plain"]
    assert "Running" not in output["data"]["text/html"]
    assert f'class="rv-word">{words[0]}' in output["data"]["text/html"]


@pytest.mark.parametrize("kind", [quick_if(kind, "async", "sync") for kind in KINDS])
def test_a_stream_that_raises(notebook: Open, page, kind: str) -> None:
    watch = Watch(page)
    cells = [f"view = stream_view(KINDS[{kind!r}]({at}))\ndisplay(view)" for at in PLACES.values()]
    book = notebook(SETUP, *cells, LEFT)
    for cell in range(len(cells) + 1):
        book.run(cell)
    for cell, place in enumerate(PLACES, 1):
        word, said = ends(kind, place)
        text = book.await_seen(cell, word, TEXT[place], said)
        assert "Running" not in text
        assert book.shadow(cell).locator(".rv-caret").count() == 0
    for cell, place in enumerate(PLACES, 1):
        word, said = ends(kind, place)
        the_file_says(book, cell, word, TEXT[place], said)
    nothing_left(book, len(cells) + 1)
    watch.is_quiet()


@pytest.mark.parametrize("kind", [quick_if(kind, "sync") for kind in FOREVER])
def test_a_stream_that_is_stopped_and_can_not_be_closed(notebook: Open, page, kind: str) -> None:
    watch = Watch(page)
    book = notebook(SETUP, f"view = stream_view(FOREVER[{kind!r}]())\ndisplay(view)", LEFT)
    book.run(0)
    book.run(1)
    book.await_seen(1, "word3")
    watch.sees()
    book.shadow(1).get_by_role("button", name="Stop").click()
    said = () if kind == "http" else ("the door sticks",)
    text = book.await_seen(1, "Stopped", "word3", *said)
    assert "Running" not in text
    the_file_says(book, 1, "Stopped", "word3", *said)
    nothing_left(book, 2)
    watch.is_quiet()


@pytest.mark.parametrize("kind", [quick_if(kind, "async") for kind in FOREVER])
def test_an_interrupt_of_the_kernel(notebook: Open, page, kind: str) -> None:
    watch = Watch(page)
    shown = f"view = stream_view(FOREVER[{kind!r}]())\ndisplay(view)"
    book = notebook(SETUP, shown, shown, "view.output.wait()", shown, "await view", LEFT)
    book.run(0)
    for cell, waits in ((1, None), (2, 3), (4, 5)):
        book.run(cell)
        book.await_seen(cell, "word3")
        if waits:
            book.run(waits, wait=False)
            book.page.wait_for_function(BUSY)
            book.page.wait_for_timeout(500)
        book.command("kernelmenu:interrupt")
        text = book.await_seen(cell, "Stopped", "word3")
        assert "Running" not in text
        the_file_says(book, cell, "Stopped", "word3")
    nothing_left(book, 6)
    watch.is_quiet()


def test_a_source_that_raises_an_interrupt_itself(notebook: Open, page) -> None:
    watch = Watch(page)
    book = notebook(SETUP, "view = stream_view(interrupting())\ndisplay(view)", "print('alive')", LEFT)
    for cell in range(3):
        book.run(cell)
    text = book.await_seen(1, "Stopped", "Half a sen")
    assert "Running" not in text
    book.await_seen(2, "alive")
    the_file_says(book, 1, "Stopped", "Half a sen")
    nothing_left(book, 3)
    watch.is_quiet()
