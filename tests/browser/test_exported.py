"""An exported page in Chromium, opened as a file: what it says, what its keys do, and that it asks for nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from runview.cli import DEMO, main
from runview.draw.run import RunDrawing
from runview.run.reduce import finish, new_run, reduce
from runview.view.exports import as_html, as_text
from tests.browser.lab import Notebook
from tests.runs import chunk, finish_chunk

pytestmark = pytest.mark.browser

ACTIVE = "() => document.activeElement.innerText"
OPEN = "() => [...document.querySelectorAll('section details')].map(row => row.open)"


class Opened:
    """A page, all that it asked for, and all that its console said."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.asked: list[str] = []
        self.said: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.goto(path.as_uri())


@pytest.fixture
def opened(page: Page, context: BrowserContext, tmp_path: Path) -> Opened:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert main(["render", str(DEMO), "-o", str(tmp_path / "run.html")]) == 0
    return Opened(page, tmp_path / "run.html")


def test_it_asks_for_nothing_and_says_what_the_transcript_says(opened: Opened) -> None:
    run = new_run()
    for line in DEMO.read_text("utf-8").splitlines():
        one = json.loads(line)
        reduce(run, one["chunk"], one["t"])
    finish(run, one["t"])
    opened.page.keyboard.press("e")
    text = opened.page.locator("section").inner_text()
    words = re.findall(r"[\w:]+", as_text(RunDrawing(run), one["t"]).replace("JSON", ""))
    assert [word for word in words if word not in text] == []
    assert [url for url in opened.asked if not url.startswith(("file:", "data:"))] == []
    assert len(opened.asked) == 1
    assert opened.said == []


def test_keys_finding_and_the_menu_work(opened: Opened) -> None:
    page, keyboard = opened.page, opened.page.keyboard
    keyboard.press("ArrowDown")
    assert "Thought" in page.evaluate(ACTIVE)
    keyboard.press("]")
    keyboard.press("End")
    assert "tide_times" in page.evaluate(ACTIVE)
    keyboard.press("ArrowRight")
    assert page.evaluate(OPEN).count(True) >= 1
    keyboard.press("c")
    assert not any(page.evaluate(OPEN))
    keyboard.press("/")
    keyboard.type("light cloud")
    assert "1 of 2" in page.locator(".rv-find").inner_text()
    assert any(page.evaluate(OPEN)), "the row with the hit opens"
    keyboard.press("Escape")
    keyboard.press("?")
    keys = page.locator(".rv-keys dt").all_inner_texts()
    assert "y" in keys
    assert not {"r", "Ctrl .", "Esc"} & set(keys), "there is no kernel and no cell"
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Expand all").click()
    assert all(page.evaluate(OPEN))
    assert opened.said == []


def test_the_answer_and_parts_are_copied(opened: Opened) -> None:
    page = opened.page
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Copy answer").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('**Yes, go.**')")
    assert "| when | what |" in page.evaluate("navigator.clipboard.readText()")
    page.locator("summary", has_text="weather").first.focus()
    page.keyboard.press("y")
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('12 km/h SW')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_light_and_dark(opened: Opened, scheme: Any) -> None:
    opened.page.emulate_media(color_scheme=scheme)
    numbers = "c => c.match(/[\\d.]+/g).slice(0, 3).map(Number)"
    look = f"e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor].map({numbers})"
    color, ground = opened.page.locator("section").evaluate(look)
    assert (sum(color) < sum(ground)) is (scheme == "light")
    body = opened.page.evaluate("() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert abs(sum(body) - sum(ground)) < 30


def test_a_hostile_run_runs_nothing(page: Page, tmp_path: Path) -> None:
    hostile = "</script><script>window.hit=1</script><img src=http://127.0.0.1:1/x onerror=window.hit=1></textarea><b onclick=x>"
    run = new_run()
    calls = chunk("tool-call", toolCallId="c", toolName=hostile, args={hostile: hostile})
    for wire in (chunk("start", id=hostile), calls, chunk("text-delta", id="t", text=hostile), finish_chunk()):
        reduce(run, wire, 0.0)
    finish(run, 0.0)
    path = tmp_path / "hostile.html"
    path.write_text(as_html(RunDrawing(run), 0.0), "utf-8")
    opened = Opened(page, path)
    page.keyboard.press("e")
    assert page.evaluate("window.hit") is None
    assert len(opened.asked) == 1
    assert opened.said == []


def test_a_finished_run_is_explored_again(notebook: Callable[..., Notebook]) -> None:
    book = notebook(
        "from runview import stream_view\nfrom tests.browser.agents import *",
        "view = stream_view(everything(0))\nawait view",
        "view.explore()",
    )
    book.run(0)
    book.run(1)
    book.run(2)
    book.await_seen(2, "Done", "both are there")
    book.shadow(2).locator("summary", has_text="search_web").focus()
    book.page.keyboard.press("r")
    book.shadow(2).locator("[role=option]").first.wait_for()
    assert "tool-call" in book.shadow(2).locator("[role=listbox]").inner_text()
    saved = book.save().cells[2].outputs[0].data
    assert "rv-done" in saved["text/html"]
    assert set(saved) == {"text/html", "text/plain"}
