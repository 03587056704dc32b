"""Stop in a real JupyterLab while a cell runs: at once if the loop turns and the kernel has subshells, else after the cell."""

from __future__ import annotations

from collections.abc import Callable

import ipykernel
import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "import asyncio, time\nfrom runview import stream_view\nfrom tests.browser.agents import *"
SUBSHELLS = ipykernel.version_info[0] >= 7
WAITS = "Stopping when the running cell lets it."
BUSY = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'"


def stop_while(book: Notebook, cell: int, busy: int) -> None:
    """Runs an endless run, then the busy cell, and presses Stop."""
    book.run(cell)
    book.await_seen(cell, "word5")
    book.run(busy, wait=False)
    book.page.wait_for_function(BUSY)
    book.shadow(cell).get_by_role("button", name="Stop").click()


def test_stop_while_a_cell_runs(notebook: Open) -> None:
    run = "view = stream_view(endless())\ndisplay(view)"
    wait = "try:\n    view.output.wait(5)\nexcept TimeoutError:\n    pass\nprint('over', view.status)"
    book = notebook(
        SETUP, run, "await asyncio.sleep(5)\nprint('over', view.status)", run, wait, run, "time.sleep(4)\nprint('over')"
    )
    book.run(0)
    for cell in (1, 3):
        stop_while(book, cell, cell + 1)
        if SUBSHELLS:
            book.await_seen(cell, "after", "Stopped", timeout=4)
            book.await_seen(cell + 1, "over canceled")
        else:
            book.await_seen(cell, WAITS)
            book.await_seen(cell, "after", "Stopped")
    stop_while(book, 5, 6)
    book.await_seen(5, WAITS)
    text = book.await_seen(5, "after", "Stopped")
    assert WAITS not in text
    book.await_seen(6, "over")
