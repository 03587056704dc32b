"""Answering a run that waits, by the buttons of the page: in a real JupyterLab, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "import asyncio, time\nfrom runview import stream_view\nfrom tests.browser.asking import *"
OPEN = "view => [...view.querySelectorAll('details:not([rv-plain])')].map(row => row.open)"


def shown(notebook: Open, *agents: str, more: tuple[str, ...] = ()) -> Notebook:
    """A notebook in which the first agent waits in cell 1; the others stand in the cells below, and then `more`."""
    cells = [f"agent = {agent}\nview = stream_view(agent)\ndisplay(view)" for agent in agents]
    book = notebook(SETUP, *cells, *more)
    book.run(0)
    wait(book, 1)
    return book


def wait(book: Notebook, cell: int) -> str:
    """Runs a cell whose agent asks something."""
    book.run(cell)
    return book.await_seen(cell, "Needs you")


def buttons(book: Notebook, name: str, cell: int = 1) -> Any:
    return book.shadow(cell).get_by_role("button", name=name)


def focused(book: Notebook) -> str:
    return str(book.shadow(1).evaluate("view => view.getRootNode().activeElement?.innerText ?? ''"))


def test_allow_once_and_deny(notebook: Open) -> None:
    book = shown(notebook, "Tidies()", "Tidies(pause=0.3)", "Tidies(2)", more=("print(agent.answers)",))
    text = book.await_seen(1, "delete_file", "old/tides.csv", "needs you", "asked")
    assert text.index("Deny") < text.index("Allow once")
    buttons(book, "Allow once").click()
    text = book.await_seen(1, "Done", "All answered.")
    assert "needs you" not in text
    assert "Deny" not in text
    assert book.shadow(1).evaluate(OPEN) == [True], "the reader has been in the row"

    wait(book, 2)
    buttons(book, "Deny", 2).click()
    book.await_seen(2, "denying…")
    book.await_seen(2, "denied by you", "All answered.", "Done")

    wait(book, 3)
    book.await_seen(3, "delete_file", "rename_file")
    assert buttons(book, "Deny", 3).count() == 2
    buttons(book, "Allow once", 3).nth(1).click()
    book.await_seen(3, "done with it", "Needs you")
    assert buttons(book, "Deny", 3).count() == 1
    buttons(book, "Deny", 3).click()
    book.await_seen(3, "denied by you", "Done")
    assert all(book.shadow(3).evaluate(OPEN)), "the rows that the reader was in, and the one around both"
    book.run(4)
    book.await_seen(4, "['allowed c2', 'denied c1']")


def test_by_keyboard_the_safe_answer_comes_first_and_enter_on_a_row_answers_nothing(notebook: Open) -> None:
    book = shown(notebook, "Tidies()", more=("print(agent.answers)",))
    keyboard = book.page.keyboard
    buttons(book, "Deny").click(trial=True)  # which waits until it can be pressed
    book.shadow(1).locator("summary:visible").first.focus()
    for _ in range(2):  # closes and opens the row
        keyboard.press("Enter")
    book.run(2)
    book.await_seen(2, "[]")
    book.shadow(1).locator("summary:visible").first.focus()
    keyboard.press("Tab")
    assert focused(book) == "Deny"
    keyboard.press("Tab")
    assert focused(book) == "Allow once"
    keyboard.press("Enter")
    book.await_seen(1, "Done", "All answered.")
    assert focused(book).startswith("✓"), "the focus stays in the row"
    book.run(2)
    book.await_seen(2, "['allowed c1']")


def test_an_answer_on_its_way_is_told_at_once(notebook: Open) -> None:
    cells = ("time.sleep(4)", "await asyncio.sleep(3)\nprint('over')")
    book = shown(notebook, "Tidies(open_for=4)", "Tidies()", "Tidies()", more=cells)
    buttons(book, "Allow once").click()
    book.await_seen(1, "allowing…", "Allowing…", "Running")
    assert buttons(book, "Deny").is_disabled()
    book.await_seen(1, "Done", "All answered.")

    wait(book, 2)
    buttons(book, "Allow once", 2).click(trial=True)
    book.run(4, wait=False)
    book.page.wait_for_function("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'")
    buttons(book, "Allow once", 2).click()
    book.await_seen(2, "Allowing…", "Your answer waits for the running cell.")
    text = book.await_seen(2, "Done", "All answered.")
    assert "waits for the running cell" not in text

    wait(book, 3)
    buttons(book, "Allow once", 3).click(trial=True)
    book.run(5, wait=False)
    buttons(book, "Allow once", 3).click()
    book.await_seen(3, "Done", "All answered.")
    book.await_seen(5, "over")


def test_the_buttons_work_in_every_place_and_after_a_reload_and_are_in_no_file(notebook: Open) -> None:
    book = shown(notebook, "Tidies(2)", more=("display(view)", "print(agent.answers)"))
    book.run(2)
    book.await_seen(2, "Needs you", "Allow once")
    buttons(book, "Deny", 2).first.click()
    for cell in (1, 2):
        book.await_seen(cell, "denied by you", "Needs you")
    saved = book.save().cells[1].outputs[0].data
    for form in saved.values():
        assert "Was waiting for approval" in form
        assert "Allow once" not in form
    book.page.reload()
    book.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    book.await_seen(1, "Needs you", "Allow once", timeout=30)
    buttons(book, "Allow once").click()
    book.await_seen(1, "Done", "All answered.")
    book.run(3)
    book.await_seen(3, "['denied c1', 'allowed c2']")


def test_without_a_kernel_the_buttons_go(notebook: Open) -> None:
    book = shown(notebook, "Tidies()", more=("import os\nos._exit(1)",))
    book.await_seen(1, "Allow once")
    book.run(2, wait=False)
    text = book.await_seen(1, "nobody can answer this run any more", "Was waiting for you", "was waiting", timeout=30)
    for word in ("Allow once", "Deny", "ago", "Stop"):
        assert word not in text


def test_what_can_not_be_answered_by_a_button_says_what_to_do(notebook: Open) -> None:
    resume = 'view.resume({"depth": 3, "unit": "m"}, "c1")'
    book = shown(notebook, "Unmoved()", "Wants()", "Delegates()", "Fails()", more=(resume,))
    text = book.await_seen(1, "the source of this run has no method approve(run_id, tool_call_id)")
    assert "Allow once" not in text
    buttons(book, "Stop").click()
    book.await_seen(1, "Stopped")

    wait(book, 2)
    text = book.await_seen(2, "need", "a depth", 'Answer in Python: view.resume({"depth": …, "unit": …}, "c1")')
    assert "Allow once" not in text
    book.run(5)
    book.await_seen(2, "Done", "2 keys")

    wait(book, 3)
    text = book.await_seen(3, "harbour", "Asks to run delete_file", "old/tides.csv", "Allow once")
    assert text.count("Allow once") == 1
    assert "Deny" not in text, "the source has no way to refuse"
    buttons(book, "Allow once", 3).click()
    book.await_seen(3, "Done", "tidied")

    wait(book, 4)
    buttons(book, "Allow once", 4).click()
    book.await_seen(4, "The answer could not be passed on: the server is away", "Allow once", "Needs you")
    buttons(book, "Allow once", 4).click()
    text = book.await_seen(4, "Done", "All answered.")
    assert "the server is away" not in text


def test_more_of_a_long_result_is_shown_in_place_and_stays(notebook: Open) -> None:
    book = notebook(SETUP, "view = stream_view(Digs())\ndisplay(view)")
    book.run(0)
    book.run(1)
    book.await_seen(1, "w5 ")
    head = book.shadow(1).locator("summary:visible").first
    head.click()
    for size in (20, 80):
        text = book.await_seen(1, f"showing {size}\u202fkB of 3.5\u202fMB · view.output.tool_results[0]Show more")
        buttons(book, "Show more").click()
    book.await_seen(1, "showing 140\u202fkB of")
    assert book.shadow(1).locator("pre").inner_text().count("\n") > 10_000
    text = book.await_seen(1, "Done", "w159", timeout=30)
    assert "showing 140\u202fkB of 3.5\u202fMB · view.output.tool_results[0]" in text
    assert "Show more" not in text
    assert head.evaluate("head => head.parentElement.open")
    book.page.wait_for_function("() => document.querySelector('.rv-done') !== null")
    saved = book.save().cells[1].outputs[0].data["text/html"]
    assert "showing 4\u202fkB of 3.5\u202fMB" in saved
    assert "Show more" not in saved
