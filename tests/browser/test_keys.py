"""The view by keyboard alone, and finding words in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view\nfrom tests.browser.agents import *"
FOCUSED = "view => view.getRootNode().activeElement?.innerText ?? ''"
OPEN = "view => [...view.querySelectorAll('details:not([rv-plain])')].map(row => row.open)"


@pytest.fixture
def finished(notebook: Open) -> Notebook:
    book = notebook(SETUP, "display(stream_view(everything(0)))", "1 + 1")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "both are there")
    return book


def focused(book: Notebook) -> str:
    return str(book.shadow(1).evaluate(FOCUSED))


def test_rows_are_walked_opened_and_closed(finished: Notebook) -> None:
    book, keyboard = finished, finished.page.keyboard
    book.shadow(1).locator("summary:visible").first.focus()
    assert "Thought for" in focused(book)
    keyboard.press("ArrowDown")
    assert "search_web" in focused(book)
    keyboard.press("ArrowRight")
    assert book.shadow(1).evaluate(OPEN)[1] is True
    keyboard.press("ArrowLeft")
    assert book.shadow(1).evaluate(OPEN)[1] is False
    keyboard.press("Enter")
    assert book.shadow(1).evaluate(OPEN)[1] is True
    keyboard.press("End")
    assert "Goal met" in focused(book)
    keyboard.press("Home")
    assert "Thought for" in focused(book)


def test_all_rows_open_and_close_also_those_to_come(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(everything(0.05)))")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Thought for")
    book.shadow(1).locator("summary:visible").first.focus()
    book.page.keyboard.press("e")
    book.await_seen(1, "Done", timeout=30)
    assert all(book.shadow(1).evaluate(OPEN))
    book.page.keyboard.press("c")
    assert not any(book.shadow(1).evaluate(OPEN))


def test_the_notebook_keeps_its_cells_while_keys_are_pressed(finished: Notebook) -> None:
    book, keyboard = finished, finished.page.keyboard
    book.shadow(1).locator("summary:visible").first.focus()
    for key in ("d", "d", "x", "a", "b", "m", "y", "c", "v"):
        keyboard.press(key)
    assert book.page.locator(".jp-Notebook .jp-Cell").count() == 3
    assert book.page.locator(".jp-MarkdownCell").count() == 0
    keyboard.press("Escape")
    assert focused(book) == ""


def test_words_are_found_in_closed_rows(finished: Notebook) -> None:
    book, keyboard = finished, finished.page.keyboard
    book.shadow(1).locator("summary:visible").first.focus()
    keyboard.press("/")
    keyboard.type("tides 3")
    find = book.shadow(1).locator(".rv-find")
    assert "1 of 1" in find.inner_text()
    assert book.shadow(1).evaluate(OPEN)[1] is True, "the row with the hit opens"
    assert book.page.evaluate("() => CSS.highlights.get('rv-find').size") == 1
    keyboard.press("Escape")
    assert find.is_hidden()
    assert book.page.evaluate("() => CSS.highlights.has('rv-find')") is False


def test_a_run_is_stopped_by_its_key(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(endless()))")
    book.run(0)
    book.run(1)
    book.await_seen(1, "word5")
    book.shadow(1).locator("summary:visible").first.focus()
    book.page.keyboard.press("Control+.")
    book.await_seen(1, "Stopped")


def test_a_question_mark_shows_the_keys(finished: Notebook) -> None:
    finished.shadow(1).locator("summary:visible").first.focus()
    assert finished.shadow(1).locator(".rv-keys").is_hidden()
    finished.page.keyboard.press("?")
    assert "expand all" in finished.shadow(1).locator(".rv-keys").inner_text()


def test_steps_are_walked(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(steps()))")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "said in step 3")
    keyboard = book.page.keyboard
    book.shadow(1).locator("summary:visible").first.focus()
    assert "tool_1" in focused(book)
    keyboard.press("]")
    assert "tool_2" in focused(book)
    keyboard.press("]")
    assert "tool_3" in focused(book)
    keyboard.press("]")
    assert "tool_3" in focused(book), "there is no further step"
    keyboard.press("[")
    keyboard.press("[")
    assert "tool_1" in focused(book)
    keyboard.press("End")
    keyboard.press("[")
    assert "tool_2" in focused(book)


def test_every_key_of_the_table_is_in_the_table(finished: Notebook) -> None:
    finished.shadow(1).locator("summary:visible").first.focus()
    finished.page.keyboard.press("?")
    said = finished.shadow(1).locator(".rv-keys dt").all_inner_texts()
    assert said == ["↑ ↓", "→ or Enter", "←", "Home End", "[ ]", "e c", "/", "y", "r", "?", "Ctrl .", "Esc"]
    finished.page.keyboard.press("?")
    assert finished.shadow(1).locator(".rv-keys").is_hidden()


HEARD = """() => {
    window.heard = [];
    window.jupyterapp.commands.commandExecuted.connect((_, { id }) => window.heard.push(id));
}"""


def test_no_key_of_the_view_is_a_command_of_the_notebook(finished: Notebook) -> None:
    book, keyboard = finished, finished.page.keyboard
    book.page.evaluate(HEARD)
    ours = "ArrowDown ArrowRight Enter Enter ArrowLeft ArrowUp Home End [ ] e c y ? ? r ArrowDown Home End PageUp Escape / d d"
    others = "Enter Escape Control+. 0 0 i i l Shift+M Shift+L Shift+ArrowDown Shift+J j k h z m 1 f o t"
    back = "view => view.contains(view.getRootNode().activeElement) || view.querySelector('summary').focus()"
    for key in f"{ours} {others}".split():
        book.shadow(1).evaluate(back)
        keyboard.press(key)
    assert book.page.evaluate("window.heard") == []
    assert book.page.locator(".jp-Notebook .jp-Cell").count() == 3


def test_the_notebook_keeps_its_own_keys(finished: Notebook) -> None:
    book, keyboard = finished, finished.page.keyboard
    book.page.evaluate(HEARD)
    for key, command in (("Control+s", "docmanager:save"), ("Control+Shift+c", "apputils:activate-command-palette")):
        book.shadow(1).locator("summary:visible").first.focus()
        keyboard.press(key)
        book.page.wait_for_function("id => window.heard.includes(id)", arg=command)
    keyboard.press("Escape")
    book.shadow(1).locator("summary:visible").first.focus()
    keyboard.press("Shift+Enter")
    book.page.wait_for_function("window.heard.some(id => id.startsWith('notebook:run-cell'))")
    assert book.page.locator(".jp-Notebook .jp-Cell").count() == 3
