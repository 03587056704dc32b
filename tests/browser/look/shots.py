"""Pictures of every scene in every host, width and form: `python -m tests.browser.look.shots [FOLDER] [WORD …]`.

A file a host, form and width (`lab-dark-live-700.png` …), with every scene under its name. Words choose among the file names.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.lab import chromium
from tests.browser.look.scenes import SCENES
from tests.browser.look.stage import Stage

TALLEST = 2400
"""Pixels of one picture; what is longer goes on in another."""


def wanted() -> Iterator[tuple[str, str, int, str, dict[str, Any]]]:
    """File name, host, width, form, and options of the browser's page."""
    for theme in ("light", "dark"):
        for width in (1200, 700, 320):
            for form in ("live", "open", "saved2", "saved1", "saved0"):
                yield f"lab-{theme}-{form}-{width}", f"lab-{theme}", width, form, {}
        for host in ("vscode", "colab", "marimo", "bare"):
            for form in ("live", "saved2", "saved1"):
                yield f"{host}-{theme}-{form}-900", f"{host}-{theme}", 900, form, {}
    yield "forced-colors-live-700", "bare-dark", 700, "live", {"forced_colors": "active"}
    yield "print-saved2-700", "lab-light", 700, "print", {}


def shoot(browser: Browser, out: Path, name: str, host: str, width: int, form: str, options: dict[str, Any]) -> None:
    stage = Stage(browser, host, width, **options)
    for title, scene in SCENES.items():
        if form in ("live", "open"):
            stage.live(scene(), title=title)
        else:
            stage.saved(scene(), level=int(form[-1]) if form[-1].isdigit() else 2, title=title)
    if form == "open":
        stage.page.evaluate("() => { for (const box of document.querySelectorAll('.rv-host')) "
                            "for (const row of box.shadowRoot.querySelectorAll('details')) row.open = true }")  # fmt: skip
    if form == "print":
        stage.page.emulate_media(media="print")
    height = stage.page.evaluate("() => document.documentElement.scrollHeight")
    stage.page.set_viewport_size({"width": width, "height": min(height, TALLEST)})
    for nth, top in enumerate(range(0, height, TALLEST)):
        clip = {"x": 0, "y": top, "width": width, "height": min(TALLEST, height - top)}
        stage.page.screenshot(path=out / f"{name}-{nth}.png", full_page=True, clip=clip)
    stage.close()


def main(folder: str = "out/shots", *words: str) -> None:
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, host, width, form, options in wanted():
            if not words or any(word in name for word in words):
                shoot(browser, out, name, host, width, form, options)
                print(name, flush=True)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
