"""The chunks behind a run, in JupyterLab: a list fetched where the reader looks, tied to the run's parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view\nfrom tests.browser.agents import *"
FOCUSED = "view => view.getRootNode().activeElement?.textContent ?? ''"


def shown(notebook: Open, cell: str, *words: str) -> Notebook:
    book = notebook(SETUP, cell)
    book.run(0)
    book.run(1)
    book.await_seen(1, *words, timeout=30)
    return book


def rows(book: Notebook) -> Any:
    return book.shadow(1).locator("[role=option]")


def wait(book: Notebook, what: str, timeout: float = 30_000) -> None:
    """Waits until an expression about the view's shadow root `root` is true."""
    script = f"() => {{ const root = document.querySelector('.rv-host').shadowRoot; return {what} }}"
    book.page.wait_for_function(script, timeout=timeout)


def test_the_menu_is_worked_by_keys_and_gives_the_focus_back(notebook: Open) -> None:
    book = shown(notebook, "display(stream_view(everything(0)))", "Done", "both are there")
    keyboard = book.page.keyboard
    more = book.shadow(1).get_by_role("button", name="More")
    more.focus()
    keyboard.press("ArrowDown")
    menu = book.shadow(1).get_by_role("menu")
    assert menu.is_visible()
    assert [item.inner_text().split("\n")[0] for item in menu.get_by_role("menuitem").all()] == [
        "Chunks", "Expand all", "Collapse all", "Copy answer", "Find", "Keys",
    ]  # fmt: skip
    keyboard.press("ArrowDown")
    assert "Expand all" in book.shadow(1).evaluate(FOCUSED)
    keyboard.press("End")
    keyboard.press("ArrowDown")
    assert "Chunks" in book.shadow(1).evaluate(FOCUSED)
    keyboard.press("Escape")
    assert menu.is_hidden()
    assert book.shadow(1).evaluate(FOCUSED) == "⋯"
    keyboard.press("Enter")
    keyboard.press("ArrowDown")
    keyboard.press("Enter")
    assert menu.is_hidden()
    assert all(book.shadow(1).evaluate("view => [...view.querySelectorAll('section details')].map(row => row.open)"))
    more.click()
    book.shadow(1).locator("summary:visible").first.focus()
    assert menu.is_hidden(), "the menu goes when the focus does"


def test_the_answer_is_copied_as_it_came(notebook: Open) -> None:
    book = shown(notebook, "display(stream_view(everything(0)))", "Done", "both are there")
    book.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    book.shadow(1).get_by_role("button", name="More").click()
    book.shadow(1).get_by_role("menuitem", name="Copy answer").click()
    book.page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('**among the largest**')")
    assert "|---|---|" in book.page.evaluate("navigator.clipboard.readText()")
    opened = "view => [...view.querySelectorAll('section details')].map(row => row.open)"
    before = book.shadow(1).evaluate(opened)
    book.shadow(1).locator("summary", has_text="search_web").focus()
    book.page.keyboard.press("y")
    book.page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('Tides 4')")
    assert book.shadow(1).evaluate(opened) == before


def test_a_part_leads_to_its_chunks_and_a_chunk_to_its_part(notebook: Open) -> None:
    book = shown(notebook, "display(stream_view(endless()))", "word5")
    keyboard = book.page.keyboard
    book.shadow(1).locator("summary", has_text="search_web").focus()
    keyboard.press("r")
    wait(book, "root.querySelectorAll('[role=option]').length === 1")
    assert "tool-call" in rows(book).first.inner_text()
    book.shadow(1).get_by_role("button", name="show all").click()
    wait(book, "root.querySelectorAll('[role=option]').length > 5")
    wait(book, "[...root.querySelectorAll('[role=option].rv-lit')].some(row => row.textContent.includes('tool-call'))")
    rows(book).nth(5).click()
    wait(book, "root.querySelector('.rv-text.rv-lit') !== null")
    wait(book, "root.querySelector('.rv-raw .rv-tree')?.textContent.includes('text-delta')")
    book.shadow(1).get_by_role("combobox", name="Type").select_option("text-start")
    wait(book, "root.querySelectorAll('[role=option]').length === 1")
    book.shadow(1).locator("[role=listbox]").focus()
    keyboard.press("Escape")
    assert book.shadow(1).locator(".rv-raw").is_hidden()
    assert "search_web" in book.shadow(1).evaluate(FOCUSED)
    assert book.shadow(1).locator("section .rv-lit").count() == 0


def test_chunks_can_be_read_on_after_the_end_while_they_are_open(notebook: Open) -> None:
    held = (
        "import asyncio\ngo = asyncio.Event()\n"
        "async def held():\n"
        "    async for each in everything(0):\n"
        "        if each['type'] == 'step-finish':\n"
        "            await go.wait()\n"
        "        yield each\n"
        "display(stream_view(held()))"
    )
    book = notebook(SETUP, held, "go.set()")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Running", "both are there", timeout=30)
    book.shadow(1).locator("summary:visible").first.focus()
    book.page.keyboard.press("r")
    wait(book, "root.querySelectorAll('[role=option]').length > 3")
    book.run(2)
    book.await_seen(1, "Done", "both are there", timeout=30)
    book.page.wait_for_function("() => document.querySelector('.rv-done') !== null", timeout=30_000)
    book.shadow(1).get_by_role("button", name="show all").click()
    wait(book, "root.querySelectorAll('[role=option]').length > 3")  # all of them have come: none was there after the click
    book.shadow(1).locator("[role=listbox]").focus()
    book.page.keyboard.press("End")
    wait(book, "root.querySelector('.rv-raw .rv-tree')?.textContent.includes('finish')")
    book.shadow(1).get_by_role("button", name="Close").click()
    wait(book, "root.querySelector('.rv-raw').hidden")
    book.page.wait_for_timeout(500)
    book.shadow(1).locator("summary:visible").first.focus()
    book.page.keyboard.press("r")
    wait(book, "root.querySelector('.rv-raw').textContent.includes('view.explore()')")


def test_a_hundred_thousand_chunks_scroll_smoothly(notebook: Open) -> None:
    many = (
        "def many():\n"
        "    yield from opening()\n"
        "    yield chunk('text-start', id='t1')\n"
        "    for number in range(100_000):\n"
        "        yield chunk('text-delta', id='t1', text='w ' if number % 50 else f'line {number}\\n\\n')\n"
        "async def waiting():\n"
        "    for each in many():\n"
        "        yield each\n"
        "    await asyncio.sleep(600)\n"
        "import asyncio\n"
        "display(stream_view(waiting()))"
    )
    book = shown(notebook, many, "line 0")
    book.shadow(1).get_by_role("button", name="More").click()
    book.shadow(1).get_by_role("menuitem", name="Chunks").click()
    wait(book, "root.querySelector('option')?.textContent.includes('100003')", timeout=60_000)
    longest = book.page.evaluate(
        """async () => {
            const list = document.querySelector('.rv-host').shadowRoot.querySelector('[role=listbox]');
            let longest = 0, most = 0;
            for (let at = 0; at <= 60; at++) {
                const begun = performance.now();
                list.scrollTop = list.scrollHeight * at / 60;
                list.dispatchEvent(new Event('scroll'));
                longest = Math.max(longest, performance.now() - begun);
                most = Math.max(most, list.querySelectorAll('*').length);
                await new Promise(requestAnimationFrame);
            }
            return [longest, most];
        }"""
    )
    assert longest[0] < 50
    assert longest[1] < 400
    book.shadow(1).locator("[role=listbox]").focus()
    book.page.keyboard.press("End")
    wait(book, "[...root.querySelectorAll('[role=option]')].some(row => row.textContent.startsWith('100002'))")
    book.page.keyboard.press("ArrowUp")
    wait(book, "root.querySelector('.rv-raw .rv-tree')?.textContent.includes('text-delta')")
