"""Notebooks executed with nobody watching: what the file keeps depends only on whether the notebook waits for the run."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = [pytest.mark.notebooks, pytest.mark.kernel, pytest.mark.timeout(120)]

ROOT = Path(__file__).parents[2]
SETUP = "from runview import stream_view\nfrom tests.browser.agents import *"
SHOWN = "view = stream_view(counting(20, 0.02))\ndisplay(view)"
PROGRESS = "Run in progress when this was saved"


def executed(*cells: str) -> nbformat.NotebookNode:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in (SETUP, *cells)])
    NotebookClient(notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}).execute()
    return notebook


def kept(notebook: nbformat.NotebookNode, index: int = 1) -> dict[str, str]:
    (output,) = [output for output in notebook.cells[index].outputs if output.output_type == "display_data"]
    assert set(output.data) == {"text/html", "text/plain"}
    return dict(output.data)


@pytest.mark.parametrize(
    "cells",
    [
        (f"{SHOWN}\nawait view;",),
        (SHOWN, "await view;"),
        (SHOWN, "await view.output.text;"),
        (SHOWN, "view.output.wait();"),
        (SHOWN, "view.output.usage.result();"),
        (SHOWN, "async for word in view.output.text_stream: pass"),
        (SHOWN, "import asyncio\nawait asyncio.sleep(2)", "await view;"),
    ],
    ids=["same cell", "await view", "await a value", "wait()", "result()", "stream", "ended between cells"],
)
def test_a_notebook_that_waits_keeps_the_end(cells: tuple[str, ...]) -> None:
    notebook = executed(*cells)
    data = kept(notebook)
    assert "rv-done" in data["text/html"]
    assert PROGRESS not in data["text/html"]
    assert data["text/plain"].startswith("✓ Done — tide-agent")
    assert "w19" in data["text/plain"]
    assert "widgets" not in notebook.metadata


def test_a_notebook_that_does_not_wait_says_so() -> None:
    data = kept(executed("view = stream_view(endless())\ndisplay(view)"))
    assert PROGRESS in data["text/html"]
    assert PROGRESS in data["text/plain"]


def test_a_failed_run_is_kept_and_raises_only_where_its_value_is_asked_for() -> None:
    broken = "async def broken():\n    yield chunk('text-delta', id='t', text='so far')\n    raise ConnectionError('cut')"
    check = "from runview import StreamError\ntry:\n    await view.output.text\nexcept StreamError as error:\n    print(error)"
    notebook = executed(f"{broken}\nview = stream_view(broken())\ndisplay(view)", "await view;", check)
    plain = kept(notebook)["text/plain"]
    assert "Failed" in plain
    assert "so far" in plain
    assert "ConnectionError" in plain
    assert "ConnectionError: cut" in notebook.cells[3].outputs[0].text
