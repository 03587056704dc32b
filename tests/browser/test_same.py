"""Live is saved: for every recorded run the nodes that the page has drawn are those of the file's HTML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.lab import Notebook

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

Open = Callable[..., Notebook]

FIXTURES = Path(__file__).parent.parent / "fixtures" / "mastra"
FILES = sorted(str(path) for path in FIXTURES.rglob("*.jsonl"))

SHOW = """
import json, pathlib
from runview import stream_view
for path in {paths!r}:
    text = pathlib.Path(path).read_text("utf-8")
    view = stream_view([json.loads(line) for line in text.split("\\n") if line], title=pathlib.Path(path).stem)
    display(view)
    await view
"""
A_CELL = 10
"""So many runs are shown in one cell; of more than fifty outputs JupyterLab shows the first fifty."""

# Cells that are not in sight are drawn, too.
DRAW_ALL = """
() => {
  const { content } = window.jupyterapp.shell.currentWidget;
  content.notebookConfig = { ...content.notebookConfig, windowingMode: "none" };
}
"""

# The file's HTML comes to the page by another way than the live view's last change: each has to be at the end.
SETTLED = """
(count) => {
  const saved = [...document.querySelectorAll("section.rv-done, section.rv-resting")];
  const word = (section) => section?.querySelector(".rv-word")?.textContent;
  const same = (each) => word(each) === word(each.parentElement.shadowRoot?.querySelector("section"));
  return saved.length === count && saved.every(same);
}
"""

# The one normaliser. What is only live (buttons, the caret, the bar of a code block, notes, the voice) is left out, and of a
# group or rail of one only what is in it counts; a formula is MathML here and TeX there; the run's marks and the file's inline
# styles are its own. A run that waits for its reader asks in the page, and was asking in the file. The way to the warnings is a
# button in the page, and words in the file. A picture that is too large for the file stands there small, with a word about it.
COMPARE = """
() => {
  const own = /^(rv-run-.*|rv-running|rv-done|rv-resting|mathjax_ignore|tex2jax_ignore|mathjax_process|tex2jax_process)$/;
  const alone = ":scope > :is(span, a[download])";
  const plain = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.parentElement.matches(".rv-s") ? node.data.replace(/^was /, "") : node.data;
    if (!(node instanceof Element) || node.matches("style, button:not(.rv-link)")) return "";
    if (node.matches(".rv-caret, .rv-ctl, .rv-bar, a[download], [role=status]")) return "";
    if (node.matches(".rv-ask")) return "";
    if (node.matches(".rv-thumb")) return plain(node.querySelector("img"));
    if (node.matches(".rv-thumb img") || (node.matches("img") && node.src.length > 270_000)) return `[large: ${node.alt}]`;
    if (node.matches(".rv-label") && node.childNodes.length === 1 && node.querySelector(alone)) return "";
    if (node.matches(".rv-foot") && !node.textContent.trim()) return "";  // the place that is kept for it
    if (node.matches(".rv-math, .rv-imath")) return "[formula]";
    const inside = [...(node.matches("[rv-plain], div:not(.rv-parl):has(> .rv-par)") ? node.lastElementChild : node).childNodes];
    const words = inside.map(plain).join("");
    if (inside[0]?.parentElement !== node && inside.length) return words;
    const classes = [...node.classList].filter((name) => !own.test(name)).sort().join(".");
    const says = ["open", "href", "alt", "src", "start", "value", "max", "dir", "aria-label", "role"]
      .filter((name) => node.hasAttribute(name)).map((name) => `${name}=${node.getAttribute(name)}`).join(" ");
    const name = node.localName.replace("button", "span");
    return `<${name}.${classes} ${says}>${words}</>`;
  };
  const different = [];
  let compared = 0;
  for (const saved of document.querySelectorAll("section[class*=rv-run-]")) {
    const live = saved.parentElement.shadowRoot?.querySelector("section");
    const [one, other] = [live ? plain(live) : "not drawn live", plain(saved)];
    compared += 1;
    if (one === other) continue;
    let at = 0;
    while (one[at] === other[at]) at += 1;
    different.push([saved.getAttribute("aria-label"), ...[one, other].map((each) => each.slice(Math.max(0, at - 60), at + 80))]);
  }
  return [compared, different];
}
"""


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)], ids=["a sixth", "all"])
def test_the_page_and_the_file_have_the_same_nodes(notebook: Open, step: int) -> None:
    paths = FILES[::step]
    cells = [paths[at : at + A_CELL] for at in range(0, len(paths), A_CELL)]
    book = notebook(*(SHOW.format(paths=shown) for shown in cells))
    book.page.evaluate(DRAW_ALL)
    different: list[list[str]] = []
    for index, shown in enumerate(cells):
        book.run(index)
        book.page.wait_for_function(SETTLED, arg=len(shown), timeout=60_000)
        compared, found = book.page.evaluate(COMPARE)
        assert compared == len(shown)
        different += found
        # What two hundred runs leave in one page takes it longer than the runs themselves.
        book.command("notebook:clear-cell-output")
    assert different == [], "\n".join(map(str, different))


LARGE = """
import base64, io, os
from PIL import Image
from runview import stream_view
out = io.BytesIO()
Image.frombytes("RGB", (400, 300), os.urandom(360_000)).save(out, "PNG")
picture = {"data": base64.b64encode(out.getvalue()).decode(), "mimeType": "image/png"}
about = {"runId": "r", "from": "AGENT"}
view = stream_view([
    about | {"type": "file", "payload": picture | {"filename": "tide.png"}},
    about | {"type": "tool-call", "payload": {"toolCallId": "c", "toolName": "chart", "args": {}}},
    about | {"type": "tool-result", "payload": {"toolCallId": "c", "toolName": "chart", "result": picture}},
])
display(view)
await view;
"""


def test_large_pictures_are_whole_in_the_page_and_small_in_the_file(notebook: Open) -> None:
    book = notebook(LARGE)
    book.run(0)
    book.page.wait_for_function(SETTLED, arg=1, timeout=60_000)
    assert book.page.evaluate(COMPARE) == [1, []]
    (output,) = book.save().cells[0].outputs
    assert output.data["text/html"].count("<img") == 2
    assert len(output.data["text/html"]) < 80_000
    sizes = (
        book.shadow(0).locator("img").evaluate_all("(images) => images.map((each) => [each.naturalWidth, each.naturalHeight])")
    )
    assert sizes == [[400, 300], [400, 300]]
