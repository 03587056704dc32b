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


@pytest.fixture
def notebook(lab: Lab, page: Page, request: pytest.FixtureRequest) -> Iterator[Callable[..., Notebook]]:
    """Opens a new notebook with the given code cells."""

    def make(*cells: str, **options: Any) -> Notebook:
        name = lab.write(f"{request.node.name.split('[')[0]}.ipynb", *cells)
        return Notebook(lab, page, name).open(**options)

    yield make
    lab.end_kernels()
