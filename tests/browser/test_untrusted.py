"""Files from others: JupyterLab's own sanitiser leaves every word and inline style of the saved form, for every recorded run."""

from __future__ import annotations

import re

import nbformat
import pytest
from playwright.sync_api import Page

from tests.browser.lab import SEEN, Lab, Notebook
from tests.unit.test_saved_recordings import NAMES, bare, recorded, to_html, tree_of

pytestmark = pytest.mark.browser

PER_CELL = 40  # of more than 50 outputs in a cell JupyterLab shows the first 50
REACHED = """
([cell, count]) => {
  const { content } = window.jupyterapp.shell.currentWidget;
  content.scrollToItem(cell, "start").catch(() => {});  /* refused while an earlier wish is under way: wished again */
  return content.widgets[cell].node.querySelectorAll("section.rv").length === count;
}
"""
SHOWN = f"""
(cell) => [...window.jupyterapp.shell.currentWidget.content.widgets[cell].node.querySelectorAll("section.rv")].map((section) => [
  [section, ...section.querySelectorAll("[style]")]
    .flatMap((each) => (each.getAttribute("style") ?? "").split(";")).filter((each) => each.trim()).length,
  section.querySelectorAll("style, script, [id], [onerror]").length,
  ({SEEN.strip()})(section),
])
"""


def test_no_style_and_no_word_is_lost_in_an_untrusted_notebook(lab: Lab, page: Page) -> None:
    written = [(name, to_html(tree_of(recorded(name)))) for name in NAMES]
    groups = [written[start : start + PER_CELL] for start in range(0, len(written), PER_CELL)]
    cells = [
        nbformat.v4.new_code_cell(
            "run",
            outputs=[nbformat.v4.new_output("display_data", data={"text/html": html, "text/plain": "-"}) for _, html in group],
        )
        for group in groups
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), lab.root / "untrusted.ipynb")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    Notebook(lab, page, "untrusted.ipynb").open(kernel=False)
    for cell, group in enumerate(groups):
        # As a reader does: JupyterLab draws a cell when it comes near.
        page.wait_for_function(REACHED, arg=[cell, len(group)], polling=200)
        for (name, html), (styles, unwanted, seen) in zip(group, page.evaluate(SHOWN, cell), strict=True):
            declared = [each for style in re.findall(r' style="([^"]*)"', html) for each in style.split(";") if each]
            assert (name, styles, unwanted) == (name, len(declared), 0)
            assert "".join(seen.split()) == "".join(bare(html).split()), name
    assert [url for url in asked if not url.startswith((lab.url, "data:", "blob:"))] == []
