"""The notebooks run from top to bottom with nobody watching, and keep what they show."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = [pytest.mark.notebooks, pytest.mark.kernel, pytest.mark.timeout(180)]

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
QUICKSTART = NOTEBOOKS / "01_quickstart.ipynb"


@pytest.fixture(scope="module")
def executed() -> nbformat.NotebookNode:
    notebook = nbformat.read(QUICKSTART, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    return notebook


def cell_of(notebook: nbformat.NotebookNode, code: str) -> nbformat.NotebookNode:
    """The one cell whose code ends with this line."""
    (found,) = [cell for cell in notebook.cells if cell.source.endswith(code)]
    return found


def words(markup: str) -> str:
    """What a page with this HTML says, without its style."""
    without_style = re.sub(r"<style>.*?</style>", "", markup, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", without_style)))


def test_no_cell_fails(executed: nbformat.NotebookNode) -> None:
    kinds = [output.output_type for cell in executed.cells for output in cell.get("outputs", [])]
    assert "error" not in kinds
    assert "stderr" not in [output.get("name") for cell in executed.cells for output in cell.get("outputs", [])]


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("planets", ["Done", "planet-guide", "Thought for", "lookup_planet", "solar_day", "On Mercury", "Planetary Fact Sheet"]),
        ("quartet", ["Done", "summarise", "farthest", "Goal", "Object", "four different shapes", "3.24 at x = 13"]),
        ("blocked", ["Blocked", "no-addresses", "The answer holds an e-mail address"]),
    ],
)
def test_a_run_is_one_finished_output(executed: nbformat.NotebookNode, name: str, seen: list[str]) -> None:
    (output,) = cell_of(executed, f"\n{name}").outputs
    assert output.output_type == "display_data"
    assert set(output.data) == {"text/html", "text/plain"}
    plain = re.sub(r"[\s*]+", " ", output.data["text/plain"])
    for text in seen:
        assert text in words(output.data["text/html"])
        assert text in plain
    for text in ("Running", "in progress", "writing…", "anscombe@example.com"):
        assert text not in words(output.data["text/html"])
        assert text not in plain
    assert "<script" not in output.data["text/html"]


def test_no_widget_state_is_saved(executed: nbformat.NotebookNode) -> None:
    assert not executed.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state")


def test_the_values_are_there(executed: nbformat.NotebookNode) -> None:
    def result(code: str) -> str:
        (output,) = cell_of(executed, code).outputs
        return str(output.get("text") or output.data["text/plain"])

    assert result("[planets.status, quartet.status, blocked.status]") == "['success', 'success', 'tripwire']"
    assert "solar_day(58.646, 87.969)    # 175.94: Mercury" in result("print(await planets.output.text)")
    assert result("await planets.output.tool_calls]").count("lookup_planet") == 3
    assert "2147" in result("await planets.output.usage")
    assert "'off by': 3.24" in result("await quartet.output.object")
    assert "no-addresses" in result("blocked.output.tripwire")
    assert "success" in result("quartet.output")


def test_cells_return_at_once(executed: nbformat.NotebookNode) -> None:
    """The runs go on side by side: no cell before the first `await` waits for one."""
    code = [cell for cell in executed.cells if cell.cell_type == "code"]
    before = code[: code.index(cell_of(executed, "[planets.status, quartet.status, blocked.status]"))]
    assert len(before) == 6
    assert max(seconds(cell) for cell in before[1:]) < 5


def seconds(cell: nbformat.NotebookNode) -> float:
    """How long the kernel was busy with a cell."""
    busy, idle = (datetime.fromisoformat(cell.metadata.execution[f"iopub.status.{state}"]) for state in ("busy", "idle"))
    return (idle - busy).total_seconds()


def test_nbconvert_makes_a_page_that_shows_everything(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", "--output-dir", str(tmp_path), str(QUICKSTART)]
    subprocess.run(command, check=True, capture_output=True, cwd=NOTEBOOKS)
    page = (tmp_path / "01_quickstart.html").read_text(encoding="utf-8")
    seen = words(page)
    for text in ("planet-guide", "Done", "On Mercury", "four different shapes", "Blocked"):
        assert text in seen
    assert "Error displaying widget" not in page
    assert "widget-view" not in page
