"""The first notebook as a newcomer meets it: live in JupyterLab, reopened with no kernel, and as HTML with no network."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.lab import SEEN, Lab, Notebook

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NAME = "01_quickstart.ipynb"
FINISHED = {
    "planets": ["Done", "planet-guide", "Thought for", "lookup_planet", "On Mercury"],
    "quartet": ["Done", "summarise", "farthest", "Object", "complete", "Goal met", "four different shapes"],
    "blocked": ["Blocked", "no-addresses", "The answer holds an e-mail address"],
}


@pytest.fixture
def quickstart(lab: Lab, page: Page) -> Iterator[Notebook]:
    shutil.copytree(NOTEBOOKS, lab.root / "quickstart", dirs_exist_ok=True)
    yield Notebook(lab, page, f"quickstart/{NAME}").open()
    lab.end_kernels()


def cell(book: Notebook, name: str) -> int:
    """The index of the cell that shows this run."""
    cells = book.lab.read(book.name).cells
    return next(index for index, each in enumerate(cells) if each.source.endswith(f"\n{name}"))


def test_it_is_seen_arriving_kept_and_reopened(quickstart: Notebook) -> None:
    book = quickstart
    cells = book.lab.read(book.name).cells
    for index, each in enumerate(cells):
        if each.cell_type == "code" and index <= cell(book, "blocked"):
            begun = time.monotonic()
            book.run(index)
            assert time.monotonic() - begun < 5, "every cell returns at once"
    planets, quartet, blocked = (cell(book, name) for name in FINISHED)
    book.await_seen(planets, "Running", "Stop")
    book.await_seen(quartet, "summarise", "running")
    book.await_seen(quartet, "Object", "writing")
    book.await_seen(quartet, "Goal", timeout=20)
    for name, words in FINISHED.items():
        text = book.await_seen(cell(book, name), *words, timeout=40)
        assert "Running" not in text
    for index, each in enumerate(cells):
        if each.cell_type == "code" and index > blocked:
            book.run(index)
    last = max(index for index, each in enumerate(cells) if each.cell_type == "code")
    book.await_seen(last, "success", "text", "object", "tool_calls")
    seen = {index: book.seen(index) for index in (planets, quartet, blocked)}
    book.page.wait_for_function("() => document.querySelectorAll('.rv-done').length === 3")
    book.save()

    book.lab.end_kernels()
    reopened = Notebook(book.lab, book.page, book.name).open(kernel=False)
    for index, before in seen.items():
        kept = reopened.await_seen(index, "step")
        assert "".join(kept.split()) == "".join(before.split()), "the file shows what was seen live"


@pytest.mark.slow  # tests/notebooks has its words
def test_as_html_it_shows_the_finished_runs_with_no_network(browser: Browser, tmp_path: Path) -> None:
    html = tmp_path / "quickstart.html"
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "--output", str(html), str(NOTEBOOKS / NAME)]
    subprocess.run(command, check=True, capture_output=True)
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(html.as_uri(), wait_until="domcontentloaded")
    for words in FINISHED.values():
        view = page.locator("section.rv.rv-done", has_text=words[0]).filter(has_text=words[-1])
        assert view.count() == 1
        text = str(view.evaluate(SEEN))
        assert [word for word in words if word not in text] == []
        assert view.locator(".rv-head").first.is_visible()
    assert page.locator("text=Run in progress").count() == 0
    context.close()
