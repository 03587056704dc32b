"""One output from the first moment to the last: nothing moves at the end, and the file shows the same picture again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.lab import Notebook
from tests.browser.pictures import changed, picture

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view\nfrom tests.browser.agents import *"
DONE = "() => document.querySelector('.rv-done') !== null"
WINDOWING = """
(mode) => {
  const { content } = window.jupyterapp.shell.currentWidget;
  content.notebookConfig = { ...content.notebookConfig, windowingMode: mode };
}
"""
FILLER = "\n".join(f"# line {number}" for number in range(40))


def words(book: Notebook, index: int) -> str:
    return "".join(book.seen(index).split())


def settled(book: Notebook, index: int) -> Any:
    """The output with the pointer away and the cell not selected, so that only what is drawn in it counts."""
    book.page.mouse.move(0, 0)
    book.page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0 }")
    area = book.output(index)
    area.evaluate("(area) => area.scrollIntoView({block: 'start'})")
    book.page.wait_for_timeout(300)
    return area


def outputs_in_file(book: Notebook) -> str:
    return json.dumps([cell.get("outputs") for cell in json.loads((book.lab.root / book.name).read_text("utf-8"))["cells"]])


def forget_signatures(book: Notebook) -> None:
    """As if the file came from somebody else."""
    for database in book.lab.root.rglob("nbsignatures.db"):
        with sqlite3.connect(database) as connection:
            connection.execute("DELETE FROM nbsignatures")


@pytest.mark.parametrize("windowing", ["full", pytest.param("defer", marks=pytest.mark.slow)])
def test_the_file_shows_the_same_picture_and_stays_as_it_is(notebook: Open, windowing: str) -> None:
    book = notebook(SETUP, "display(stream_view(everything(0.01)))")
    book.page.evaluate(WINDOWING, windowing)
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "12.2 metres")
    book.page.wait_for_function(DONE)
    live, said = picture(settled(book, 1)), words(book, 1)
    book.save()
    first = outputs_in_file(book)
    book.lab.end_kernels()

    asked: list[str] = []
    problems: list[str] = []
    book.page.on("request", lambda request: asked.append(request.url))
    book.page.on("console", lambda message: problems.append(message.text) if "rror" in message.text else None)
    for trusted in (True, False):
        if not trusted:
            forget_signatures(book)
        again = Notebook(book.lab, book.page, book.name).open(kernel=False)
        again.page.evaluate(WINDOWING, windowing)
        again.await_seen(1, "Done", "12.2 metres")
        assert words(again, 1) == said
        kept = picture(settled(again, 1))
        if trusted:
            assert changed(live, kept) < 0.01
        else:
            assert again.output(1).locator("style").count() == 0, "this one is not trusted"
            untrusted = kept
        again.save()
        assert outputs_in_file(book) == first
    third = Notebook(book.lab, book.page, book.name).open(kernel=False)
    third.await_seen(1, "Done")
    assert changed(untrusted, picture(settled(third, 1))) < 0.01
    assert {urlsplit(url).hostname for url in asked if not url.startswith(("data:", "blob:"))} == {"127.0.0.1"}
    assert [problem for problem in problems if "runview" in problem or "widget" in problem.lower()] == []


# How far the end of the status line is below the top of the output, with its margin.
BELOW = """
(line) => {
  const area = line.getRootNode().host.closest(".jp-OutputArea");
  return line.getBoundingClientRect().bottom + 6 - area.getBoundingClientRect().top;
}
"""
READ = """
() => {
  const host = document.querySelector(".rv-done, .rv-running").parentElement;
  const root = host.shadowRoot;
  const range = getSelection().getComposedRanges?.({ shadowRoots: [root] })[0];
  const words = (node) => node?.nodeType === Node.TEXT_NODE ? node.data : null;
  return {
    open: [...root.querySelectorAll("details[open] > summary")].map((each) => each.textContent),
    focus: root.activeElement?.textContent ?? null,
    chosen: range && !range.collapsed ? [words(range.startContainer), range.startOffset, range.endOffset] : null,
    box: [...root.querySelectorAll("*")].map((each) => each.scrollTop).filter(Boolean),
    top: document.querySelector(".jp-WindowedPanel-outer").scrollTop,
    y: host.getBoundingClientRect().y,
    places: [...root.querySelectorAll("summary, p, td, pre, h4")]
      .filter((each) => !each.closest(".rv-status, .rv-foot, [role=status]"))
      .map((each) => [each.textContent.slice(0, 20), JSON.stringify(each.getBoundingClientRect())]),
  };
}
"""


@pytest.mark.parametrize(
    "place", ["in view", *(pytest.param(place, marks=pytest.mark.slow) for place in ("above", "half visible"))]
)
def test_nothing_moves_at_the_end(notebook: Open, place: str) -> None:
    book = notebook(SETUP, "display(stream_view(everything_then_a_rest()))", FILLER, FILLER)
    book.run(0)
    book.run(1)
    book.await_seen(1, "Running", "12.2 metres", "both are there")
    view = book.shadow(1)
    view.locator("summary", has_text="search_web").click()
    view.locator("p", has_text="That is").evaluate(
        "(p) => { const text = p.firstChild; getSelection().setBaseAndExtent(text, 0, text, 7) }"
    )
    view.locator("summary", has_text="search_web").evaluate("(row) => row.focus({preventScroll: true})")
    away = {"in view": 0, "above": 5_000, "half visible": 260}[place]
    book.page.mouse.move(0, 0)
    book.page.evaluate("y => { document.querySelector('.jp-WindowedPanel-outer').scrollTop = y }", away)
    book.page.wait_for_timeout(400)
    before = book.page.evaluate(READ)
    assert before["chosen"] == ["That is ", 0, 7]
    assert any("search_web" in row for row in before["open"])
    picture_before = picture(book.output(1)) if place == "in view" else None
    assert "Running" in book.seen(1), "the run rests before its end"

    book.page.wait_for_function(DONE)
    book.page.wait_for_timeout(500)
    assert "Done" in book.seen(1)
    after = book.page.evaluate(READ)
    assert [pair for pair in zip(before.pop("places"), after.pop("places"), strict=True) if pair[0] != pair[1]] == []
    assert after == before
    if picture_before is not None:
        later = picture(book.output(1))
        status = round(view.locator(".rv-status").first.evaluate(BELOW))
        assert changed(picture_before, later, top=status, bottom=picture_before.height - 12) == 0
        assert changed(picture_before, later, bottom=status) > 0, "the words of the status line are others now"
    outputs = book.save().cells[1].outputs
    assert [set(output.data) for output in outputs] == [{"text/html", "text/plain"}]
    assert "rv-done" in outputs[0].data["text/html"]
