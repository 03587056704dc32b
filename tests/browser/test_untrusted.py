"""Files from others: JupyterLab's own sanitiser leaves every word and inline style of the saved form, for every recorded run."""

from __future__ import annotations

import re

import nbformat
import pytest
from playwright.sync_api import Page

from tests.browser.lab import SEEN, Lab, Notebook
from tests.unit.test_saved_recordings import NAMES, bare, recorded, to_html, tree_of

pytestmark = pytest.mark.browser

SHOWN = f"""
() => [...document.querySelectorAll("section.rv")].map((section) => [
  [section, ...section.querySelectorAll("[style]")]
    .flatMap((each) => (each.getAttribute("style") ?? "").split(";")).filter((each) => each.trim()).length,
  section.querySelectorAll("style, script, [id], [onerror]").length,
  ({SEEN.strip()})(section),
])
"""
ALL = """
() => {
  const { content } = window.jupyterapp.shell.currentWidget;
  if (content.notebookConfig.windowingMode === "none") return;  /* said again, it would begin all over */
  content.notebookConfig = { ...content.notebookConfig, windowingMode: "none" };
}
"""


def test_no_style_and_no_word_is_lost_in_an_untrusted_notebook(lab: Lab, page: Page) -> None:
    written = [to_html(tree_of(recorded(name))) for name in NAMES]
    cells = [
        nbformat.v4.new_code_cell(
            "run", outputs=[nbformat.v4.new_output("display_data", data={"text/html": html, "text/plain": "-"})]
        )
        for html in written
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), lab.root / "untrusted.ipynb")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    Notebook(lab, page, "untrusted.ipynb").open(kernel=False)
    # The notebook's settings may come after the first wish, and take it back.
    drawn = f"() => {{ ({ALL.strip()})(); return document.querySelectorAll('section.rv').length === {len(written)} }}"
    page.wait_for_function(drawn, polling=500, timeout=50_000)
    for name, html, (styles, unwanted, seen) in zip(NAMES, written, page.evaluate(SHOWN), strict=True):
        declared = [each for style in re.findall(r' style="([^"]*)"', html) for each in style.split(";") if each]
        assert (name, styles, unwanted) == (name, len(declared), 0)
        assert "".join(seen.split()) == "".join(bare(html).split()), name
    assert [url for url in asked if not url.startswith((lab.url, "data:", "blob:"))] == []
