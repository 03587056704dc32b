"""What goes wrong between kernel and page, each with the state that it must end in: text kept, word told, nothing at work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.lab import Notebook
from tests.browser.watching import Watch, nothing_left

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view, runs\nfrom tests.browser.agents import *\nfrom tests.browser.breaking import left"
LEFT = "print('left', await left())"
WORDS = " ".join(f"w{number}" for number in range(80))


class Line:
    """The websocket of a kernel, on which the messages with news of a run get lost, come twice or change places."""

    def __init__(self, page: Any, fault: str) -> None:
        self.hits = 0
        self._fault = fault
        self._count = 0
        self._kept: Any = None
        page.route_web_socket(lambda url: "/channels" in url, self._connect)

    def _connect(self, route: Any) -> None:
        server = route.connect_to_server()
        route.on_message(server.send)
        server.on_message(lambda message: self._pass(route, message))

    def _pass(self, route: Any, message: Any) -> None:
        data = message if isinstance(message, bytes) else message.encode()
        if b'"ops"' not in data or b'"kind"' not in data or b'"end"' in data:
            route.send(message)
            return
        self._count += 1
        if self._kept is not None:
            route.send(message)
            route.send(self._kept)
            self._kept = None
        elif self._count % 6:
            route.send(message)
        else:
            self.hits += 1
            if self._fault == "doubled":
                route.send(message)
                route.send(message)
            elif self._fault == "out of order":
                self._kept = message


@pytest.mark.parametrize("fault", ["lost", "doubled", "out of order"])
def test_messages_that_go_astray_change_nothing_in_the_end(notebook: Open, page, fault: str) -> None:
    watch = Watch(page)
    line = Line(page, fault)
    book = notebook(SETUP, "view = stream_view(counting(80, 0.06))\ndisplay(view)", LEFT)
    book.run(0)
    book.run(1)
    text = book.await_seen(1, "Done", WORDS, timeout=40)
    assert line.hits >= 3, "the fault was there"
    assert "No news" not in text
    assert book.shadow(1).locator(".rv-caret").count() == 0
    the_file_holds(book, 1, "Done", WORDS)
    nothing_left(book, 2)
    watch.is_quiet()


def the_file_holds(book: Notebook, cell: int, *words: str) -> None:
    """The output of the cell and of the views after it, as it is on disk."""
    (output,) = book.save().cells[cell].outputs
    for word in words:
        assert word in output["data"]["text/plain"]


def test_a_kernel_that_is_restarted_leaves_what_was_there(notebook: Open, page) -> None:
    watch = Watch(page)
    book = notebook(SETUP, "display(stream_view(endless()))", "print('again')", LEFT)
    book.run(0)
    book.run(1)
    book.await_seen(1, "word5")
    watch.sees()
    # The file is brought up to date every 10 s, which the page shows by nothing.
    page.wait_for_function("() => document.querySelector('[class*=rv-run-]').textContent.includes('word5')", timeout=30_000)
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    text = book.await_seen(1, "The kernel is gone", "Ended early", "word5", timeout=40)
    assert "running" not in text.lower()
    the_file_holds(book, 1, "Run in progress when this was saved", "word5")
    book.run(2)
    book.await_seen(2, "again")
    book.run(0)
    nothing_left(book, 3)
    watch.is_quiet("Connection lost, reconnecting")


def test_a_comm_that_is_closed_takes_neither_the_text_nor_the_end_from_the_file(notebook: Open, page) -> None:
    watch = Watch(page)
    book = notebook(
        SETUP, "view = stream_view(counting(80, 0.04))\ndisplay(view)", "import ipywidgets\nipywidgets.Widget.close_all()", LEFT
    )
    book.run(0)
    book.run(1)
    book.await_seen(1, "w10 ")
    book.run(2)
    text = book.await_seen(1, "w10 ", "Ended early", timeout=20)
    assert "Running" not in text
    page.wait_for_function("() => document.querySelector('.rv-done') !== null", timeout=30_000)
    the_file_holds(book, 1, "Done", WORDS)
    nothing_left(book, 3)
    watch.is_quiet()


# Takes the cell out of the page and puts it back a hundred times while its run goes on.
OFTEN = """
async (area) => {
  const cell = area.closest(".jp-Cell");
  const [parent, next] = [cell.parentNode, cell.nextSibling];
  for (let times = 0; times < 100; times++) {
    cell.remove();
    await new Promise((done) => setTimeout(done, 5));
    parent.insertBefore(cell, next);
    await new Promise((done) => requestAnimationFrame(done));
  }
  return document.querySelectorAll(".rv-host").length;
}
"""


def test_a_view_that_leaves_and_comes_back_a_hundred_times_is_one_view(notebook: Open, page) -> None:
    watch = Watch(page)
    book = notebook(SETUP, "view = stream_view(counting(80, 0.06))\ndisplay(view)", LEFT)
    book.run(0)
    book.run(1)
    book.await_seen(1, "w2 ")
    before = watch.at_work()
    assert book.output(1).evaluate(OFTEN) == 1
    assert watch.at_work() == before
    book.await_seen(1, "Done", WORDS, timeout=30)
    assert book.shadow(1).count() == 1
    assert book.shadow(1).locator("[role=status]").count() == 1
    page.wait_for_function("() => document.querySelector('.rv-done') !== null", timeout=30_000)
    the_file_holds(book, 1, "Done", WORDS)
    nothing_left(book, 2)
    watch.is_quiet()


def test_five_views_of_one_run_show_the_same_to_the_end(notebook: Open, page) -> None:
    watch = Watch(page)
    book = notebook(SETUP, "view = stream_view(counting(80, 0.06))\ndisplay(view)", *["display(view)"] * 4, LEFT)
    for index in range(6):
        book.run(index)
    seen = [book.await_seen(index, "Done", WORDS, timeout=30) for index in range(1, 6)]
    assert len(set(seen)) == 1
    page.wait_for_function("() => document.querySelectorAll('.rv-done').length === 5", timeout=30_000)
    for index in range(1, 6):
        the_file_holds(book, index, "Done", WORDS)
    nothing_left(book, 6)
    watch.is_quiet()


def test_a_page_that_is_reloaded_in_mid_stream_catches_up(notebook: Open, page) -> None:
    watch = Watch(page)
    book = notebook(SETUP, "view = stream_view(counting(200, 0.04))\ndisplay(view)", "display(view)", f"view.close()\n{LEFT}")
    book.run(0)
    book.run(1)
    book.await_seen(1, "w20 ")
    book.save()
    page.reload()
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    book.await_seen(1, "Running", "w60 ", timeout=30)
    whole = " ".join(f"w{number}" for number in range(200))
    # A host that has opened the file anew does not know any more which output the kernel means; the reader is told.
    book.await_seen(1, "Done", whole, "The saved file holds an earlier state of this run", timeout=30)
    book.run(2)
    book.await_seen(2, "Done", whole)
    page.wait_for_function("() => document.querySelector('.rv-done') !== null", timeout=30_000)
    the_file_holds(book, 2, "Done", whole)
    nothing_left(book, 3)
    watch.is_quiet()
