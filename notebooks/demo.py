"""`make demo`: runs a notebook with no browser, prints what came out, writes it as HTML, and opens JupyterLab on it.

What is printed is the `text/plain` of every output: the same transcript that the saved file carries for git and terminals.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

OUT = Path(__file__).parent.parent / "out"


def execute(path: Path) -> nbformat.NotebookNode:
    """The notebook with its outputs; the file itself stays as it is."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    return notebook


def transcript(notebook: nbformat.NotebookNode) -> str:
    """What every cell gave, under the last line of its code."""
    out: list[str] = []
    for cell in notebook.cells:
        shown = [_plain(output) for output in cell.get("outputs", [])]
        if any(shown):
            out.append(f"── [{cell.execution_count}] {cell.source.rstrip().splitlines()[-1]}")
            out.extend(text.rstrip() for text in shown if text)
    return "\n\n".join(out)


def _plain(output: nbformat.NotebookNode) -> str:
    return output.get("text") or output.get("data", {}).get("text/plain", "")


def main(path: Path) -> None:
    print(f"Running {path} …", flush=True)
    notebook = execute(path)
    OUT.mkdir(exist_ok=True)
    page = OUT / path.with_suffix(".html").name
    html, _ = HTMLExporter().from_notebook_node(notebook)
    page.write_text(html, encoding="utf-8")
    nbformat.write(notebook, OUT / path.name)
    print(f"\n{transcript(notebook)}\n\nAs a page: {page}", flush=True)
    if os.environ.get("OPEN") == "0":
        return
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    print("Opening JupyterLab; Ctrl+C twice ends it.", flush=True)
    os.execv(sys.executable, [sys.executable, "-m", "jupyterlab", *root, str(path)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
