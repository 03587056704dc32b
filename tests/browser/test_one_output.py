"""One output from the first moment to the last: nothing moves at the end, and the file shows the same picture again."""

from __future__ import annotations

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


def in_file(book: Notebook) -> str:
    return (book.lab.root / book.name).read_text("utf-8")


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
    first = in_file(book)
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
        book.lab.end_kernels()  # the one that Lab has started
        assert words(again, 1) == said
        assert "Error displaying widget" not in again.page.inner_text("body")
        if trusted:
            assert changed(live, kept) < 0.01
        else:
            assert again.output(1).locator("style").count() == 0, "this one is not trusted"
            untrusted = kept
        again.save()
        assert in_file(book) == first
    third = Notebook(book.lab, book.page, book.name).open(kernel=False)
    third.await_seen(1, "Done")
    assert changed(untrusted, picture(settled(third, 1))) < 0.01
    assert {urlsplit(url).hostname for url in asked if not url.startswith(("data:", "blob:"))} == {"127.0.0.1"}
    assert [problem for problem in problems if "runview" in problem or "widget" in problem.lower()] == []


@pytest.mark.parametrize("windowing", ["full", pytest.param("defer", marks=pytest.mark.slow)])
def test_a_file_of_a_run_in_its_course_reopens_without_an_error(notebook: Open, windowing: str) -> None:
    book = notebook(SETUP, "display(stream_view(endless()))")
    book.page.evaluate(WINDOWING, windowing)
    book.run(0)
    book.run(1)
    book.await_seen(1, "Running", "word9")
    assert "Run in progress when this was saved" in book.save().cells[1].outputs[0].data["text/plain"]
    first = in_file(book)
    book.lab.end_kernels()
    seen: list[str] = []
    for trusted in (True, False):
        if not trusted:
            forget_signatures(book)
        again = Notebook(book.lab, book.page, book.name).open(kernel=False)
        again.page.evaluate(WINDOWING, windowing)
        again.await_seen(1, "Run in progress when this was saved")
        seen.append(words(again, 1))
        assert (again.output(1).locator("style").count() == 1) == trusted
        page = again.page.inner_text("body")
        assert [problem for problem in ("Error displaying widget", "Loading widget") if problem in page] == []
        again.save()
        assert in_file(book) == first
    assert seen[0] == seen[1]


# Where the status line and the line of facts begin and end, with their margins, below the top of what the picture shows.
LINES = """
(view, shown) => {
  const top = shown.getBoundingClientRect().top;
  const [status, facts] = [".rv-status", ".rv-foot"].map((name) => [...view.querySelectorAll(name)]);
  return [status[0], facts.at(-1)].map((line) => line.getBoundingClientRect())
    .map((box) => [Math.floor(box.top - top), Math.ceil(box.bottom - top) + 6]);
}
"""
SHIFTS = """
() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      shifts.push([value, ...sources.map(({ node }) => (node?.parentElement ?? node)?.className)]);
    }
  }).observe({ type: "layout-shift" });
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


PLACES = [
    ("in view", "lab/tree", None),
    *(
        pytest.param(*each, marks=pytest.mark.slow)
        for each in (
            ("above", "lab/tree", None),
            ("half visible", "lab/tree", None),
            ("in view", "lab/tree", "full"),
            ("half visible", "lab/tree", "full"),
            ("in view", "notebooks", None),
            ("half visible", "notebooks", None),
        )
    ),
]


@pytest.mark.parametrize(("place", "app", "windowing"), PLACES)
def test_nothing_moves_at_the_end(notebook: Open, place: str, app: str, windowing: str | None) -> None:
    book = notebook(SETUP, "display(stream_view(everything_then_a_rest()))", FILLER, FILLER, app=app)
    if windowing:
        book.page.evaluate(WINDOWING, windowing)
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
    sight = book.output(1) if place == "in view" else book.page.locator(".jp-WindowedPanel-outer").first
    before_end = picture(sight)
    book.page.evaluate(SHIFTS)
    assert "Running" in book.seen(1), "the run rests before its end"

    book.page.wait_for_function(DONE)
    book.page.wait_for_timeout(500)
    assert "Done" in book.seen(1)
    after = book.page.evaluate(READ)
    assert [pair for pair in zip(before.pop("places"), after.pop("places"), strict=True) if pair[0] != pair[1]] == []
    assert after == before
    shifts = book.page.evaluate("() => shifts")
    assert [shift for shift in shifts if any(shift[1:])] == [], "what is named stands outside of the view"
    assert sum(shift[0] for shift in shifts) < 0.001, "the words of the status line may be longer or shorter"
    later = picture(sight)
    if place == "above":
        assert changed(before_end, later) == 0
    else:
        (_, status), (facts, end) = view.evaluate(LINES, sight.element_handle())
        assert (status > 0) == (place == "in view"), "the line of facts alone is in sight"
        assert 0 < facts < later.height
        assert changed(before_end, later, top=max(status, 0), bottom=facts) == 0
        assert later.height == before_end.height, "the line of facts had its place"
        assert changed(before_end, later, top=facts) > 0, "the line of facts is there now"
        if place == "in view":
            assert changed(before_end, later, bottom=status) > 0, "the words of the status line are others now"
        else:
            assert changed(before_end, later, top=end) == 0, "what is below has not moved"
    outputs = book.save().cells[1].outputs
    assert [set(output.data) for output in outputs] == [{"text/html", "text/plain"}]
    assert "rv-done" in outputs[0].data["text/html"]
