"""Every usual way to execute a notebook keeps the same of a run: its end when the notebook waits for it, the truth otherwise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.unit.test_saved_recordings import bare

pytestmark = [pytest.mark.notebooks, pytest.mark.kernel, pytest.mark.timeout(180)]

ROOT = Path(__file__).parents[2]
PROGRESS = "Run in progress when this was saved"
COUNT = "count, pause = 20, 0.02"
RUN = "stream_view(counting(count, pause)"
FAULT = "cut = stream_view(endless(), title='cut by a fault')\ndisplay(cut)\nraise ValueError('the cell failed')"
CELLS = (
    "from runview import stream_view\nfrom tests.browser.agents import counting, endless",
    COUNT,
    f"one = {RUN}, title='waited for at once')\ndisplay(one)\nawait one;",
    f"two = {RUN}, title='waited for later')\ndisplay(two)",
    "left = stream_view(endless(), title='left alone')\ndisplay(left)",
    "await two;",
    f"both = [{RUN}, title=f'view {{n}} of two') for n in (1, 2)]\ndisplay(*both)\nfor each in both: await each",
    f"three = {RUN}, title='ended before a fault')\ndisplay(three)\nawait three\n{FAULT}",
)
ENDED = {2: ["waited for at once"], 3: ["waited for later"], 6: ["view 1 of two", "view 2 of two"], 7: ["ended before a fault"]}
GOING = {4: ["left alone"], 7: ["cut by a fault"]}
"""The views that each cell shows."""

Execute = Callable[[Path, Path], None]


def by_command(*words: str) -> Execute:
    def execute(given: Path, kept: Path) -> None:
        filled = [word.format(given=given, kept=kept, name=kept.stem, folder=kept.parent) for word in words]
        path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        env = os.environ | {"PYTHONPATH": path, "IPYTHONDIR": str(kept.parent / "ipython")}
        done = subprocess.run([sys.executable, "-m", *filled], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        assert kept.is_file(), done.stdout + done.stderr

    return execute


def by_nbclient(given: Path, kept: Path) -> None:
    notebook = nbformat.read(given, as_version=4)
    resources = {"metadata": {"path": str(ROOT)}}
    NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True, resources=resources).execute()
    nbformat.write(notebook, kept)


ALONE: dict[str, Execute] = {
    "nbclient": by_nbclient,
    "jupyter execute": by_command("jupyter", "execute", "--allow-errors", "--output={kept}", "{given}"),
    "nbconvert": by_command(
        "nbconvert",
        "--execute",
        "--allow-errors",
        "--to",
        "notebook",
        "--output",
        "{name}",
        "--output-dir",
        "{folder}",
        "{given}",
    ),
    "papermill": by_command("papermill", "--no-progress-bar", "{given}", "{kept}"),
}
"""Papermill goes no further than a cell that fails, and keeps what there is."""


def written(folder: Path, *cells: str) -> Path:
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    notebook.cells[1].metadata["tags"] = ["parameters"]
    nbformat.write(notebook, folder / "given.ipynb")
    return folder / "given.ipynb"


def assert_keeps(notebook: NotebookNode, cells: list[NotebookNode]) -> None:
    for index, cell in enumerate(cells):
        shown = [output for output in cell.outputs if output.output_type not in ("error", "stream")]
        titles = [*ENDED.get(index, []), *GOING.get(index, [])]
        assert len(shown) == len(titles), "one output for each view"
        for output, title in zip(shown, titles, strict=True):
            assert set(output.data) == {"text/html", "text/plain"}
            assert title in output.data["text/plain"]
            assert_told(output.data["text/html"], output.data["text/plain"], is_over=title in ENDED.get(index, []))
    assert [output.ename for cell in cells for output in cell.outputs if output.output_type == "error"] == ["ValueError"]
    assert "widgets" not in notebook.metadata


def assert_told(markup: str, plain: str, *, is_over: bool) -> None:
    words = bare(markup)
    assert ("rv-done" in markup, PROGRESS in words, PROGRESS in plain) == (is_over, not is_over, not is_over)
    if is_over:
        assert plain.startswith("✓ Done")
        assert [word for word in (f"w{number}" for number in range(20)) if word not in plain.split() or word not in words] == []


@pytest.mark.parametrize(
    "executor",
    ["nbclient", "papermill", *(pytest.param(name, marks=pytest.mark.slow) for name in ("jupyter execute", "nbconvert"))],
)
def test_a_notebook_keeps_the_same_however_it_is_executed(executor: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept.ipynb"
    ALONE[executor](written(tmp_path, *CELLS), kept)
    notebook = nbformat.read(kept, as_version=4)
    given = [cell for cell in notebook.cells if "papermill-error-cell-tag" not in cell.metadata.get("tags", [])]
    assert [cell.source for cell in given] == list(CELLS)
    assert_keeps(notebook, given)


async def test_nbclient_on_a_loop_that_runs_already(tmp_path: Path) -> None:
    notebook = nbformat.read(written(tmp_path, *CELLS), as_version=4)
    resources = {"metadata": {"path": str(ROOT)}}
    client = NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True, resources=resources)
    await client.async_execute()
    assert_keeps(notebook, notebook.cells)


def test_papermill_gives_a_run_its_parameters(tmp_path: Path) -> None:
    cells = (*CELLS[:3], "late = stream_view(counting(count), title='with parameters')\ndisplay(late)", "await late;")
    kept = tmp_path / "kept.ipynb"
    by_command("papermill", "--no-progress-bar", "-p", "count", "3", "-p", "pause", "0.01", "{given}", "{kept}")(
        written(tmp_path, *cells), kept
    )
    notebook = nbformat.read(kept, as_version=4)
    assert notebook.cells[2].metadata["tags"] == ["injected-parameters"]
    said = [output.data["text/plain"] for cell in notebook.cells for output in cell.outputs]
    assert [text.split("—")[0].strip() for text in said] == ["✓ Done"] * 2
    assert [re.findall(r"\bw\d+", text) for text in said] == [["w0", "w1", "w2"]] * 2


def test_a_page_made_while_executing_tells_the_same(tmp_path: Path) -> None:
    kept = tmp_path / "kept.html"
    by_command(
        "nbconvert", "--execute", "--allow-errors", "--to", "html", "--output", "{name}", "--output-dir", "{folder}", "{given}"
    )(written(tmp_path, *CELLS), kept)
    page = kept.read_text("utf-8")
    words = bare(page)
    assert [title for titles in ENDED.values() for title in titles if not re.search(rf"Done\W*{title}", words)] == []
    assert words.count(PROGRESS) == sum(map(len, GOING.values()))
    assert "application/vnd.jupyter.widget" not in page
