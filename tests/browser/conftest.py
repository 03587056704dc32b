"""One JupyterLab and one Chromium for all browser tests; a page and a root of notebooks for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.lab import Lab, Notebook, chromium


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    server = Lab(tmp_path_factory.mktemp("lab"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-background-networking",
            "--disable-component-update",
        ]
        running = playwright.chromium.launch(executable_path=chromium(), args=flags)
        yield running
        running.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    fresh = browser.new_context(viewport={"width": 1200, "height": 900})
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Page]:
    """A page in which the tests of a file open their notebooks one after the other."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield context.new_page()
    context.close()


@pytest.fixture
def notebook(lab: Lab, request: pytest.FixtureRequest) -> Iterator[Callable[..., Notebook]]:
    """Opens a new notebook with the given code cells: in a page of its own if the test names it, else at the desk."""
    own = not {"page", "context"}.isdisjoint(request.fixturenames)
    page: Page = request.getfixturevalue("page" if own else "desk")
    made: list[Notebook] = []

    def make(*cells: str, **options: Any) -> Notebook:
        book = Notebook(lab, page, lab.write(f"{request.node.name.split('[')[0]}.ipynb", *cells))
        made.append(book)
        shown = not own and not options and page.evaluate("() => window.jupyterapp !== undefined")
        return book.open_here() if shown else book.open(**options)

    yield make
    if made and not own and not made[-1].put_away():
        page.goto("about:blank")
    lab.end_kernels()
