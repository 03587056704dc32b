"""Nothing moves under the reader: while a run is written, when a row is opened, and what is selected stays selected."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from runview.draw.look import Look
from tests.browser.look.scenes import SCENES
from tests.browser.look.stage import Stage
from tests.browser.look.story import Story

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def stage(browser: Browser) -> Iterator[Stage]:
    made = Stage(browser, "lab-light")
    yield made
    assert made.requests == []
    made.close()


WATCH = """(box) => {
  const section = box.querySelector("section");
  const known = new Map();
  const place = (element) => {
    const { top, left, right } = element.getBoundingClientRect();
    return [top + scrollY, section.dir === "rtl" ? right : left];
  };
  // The footer's empty place is below what is being written.
  const all = () => [...section.querySelectorAll("p, summary, li, pre, tr, .rv-head, h4, h5, .rv-t, .rv-o, .rv-d, .rv-s, button")]
    .filter((element) => !element.matches(".rv-silent, .rv-foot"))
    .filter((element) => element.checkVisibility() && element.getClientRects().length);
  window.compare = () => {
    const moved = [];
    for (const [element, [top, near]] of known) {
      // Gone, gathered in a closed group, or a word that only a reader's voice says by now.
      if (!element.isConnected || !element.checkVisibility() || element.matches(".rv-silent")) continue;
      const now = place(element);
      // What stands at the far edge of a row moves when its words grow; what stands at the near one must not.
      const isFar = element.matches(".rv-e *, .rv-d, .rv-o");
      if (Math.abs(now[0] - top) > 0.5 || (!isFar && Math.abs(now[1] - near) > 0.5)) {
        moved.push(`${element.localName}.${element.className} ${element.textContent.slice(0, 40)}: ${[top, near]} -> ${now}`);
      }
    }
    known.clear();
    for (const element of all()) known.set(element, place(element));
    return moved;
  };
  window.compare();
}"""

IN_TURN = (
    "answered tools workflow tasks nested side_by_side lanes cited asking objects running thinking stopped results"
    " reasonings objects_done goals blocked retried files failed cut many_tools maths wide other_scripts right_to_left"
).split()
"""Scenes whose runs grow at their end alone. In full density, a run inside another that goes on above a row pushes it down."""


QUICK = ("answered", "tools", "workflow", "side_by_side", "results", "blocked", "failed", "many_tools", "wide")


@pytest.mark.parametrize("name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in IN_TURN])
def test_nothing_that_stands_moves_in_a_whole_run(stage: Stage, name: str) -> None:
    """From the first chunk to the end, text a word at a time, rows untouched."""
    stage.clear()
    story = by_the_word(SCENES[name]())
    show = stage.live(story, 0)
    show.box.evaluate(WATCH)
    for at, chunk in story.told:
        show.feed([chunk], at)
        assert stage.page.evaluate("compare()") == [], chunk
    if story.over:
        show.end()
        assert stage.page.evaluate("compare()") == [], "at the end"


def by_the_word(story: Story) -> Story:
    """The same run with its texts in pieces: at most forty of a text, for a test has to end."""
    told = []
    for at, chunk in story.told:
        text = chunk.get("payload", {}).get("text")
        if chunk["type"] not in ("text-delta", "reasoning-delta") or not isinstance(text, str):
            told.append((at, chunk))
            continue
        step = max(7, len(text) // 40)
        for start in range(0, len(text), step):
            told.append((at, {**chunk, "payload": {**chunk["payload"], "text": text[start : start + step]}}))
    story.told = told
    return story


TOGGLE = """(box) => {
  const jumps = [];
  for (const row of box.querySelectorAll("details")) {
    const summary = row.firstElementChild;
    if (!summary.checkVisibility()) continue;
    const before = summary.getBoundingClientRect();
    summary.click();
    const after = summary.getBoundingClientRect();
    summary.click();
    const again = summary.getBoundingClientRect();
    for (const now of [after, again]) {
      const isStill = Math.abs(now.top - before.top) <= 1 && Math.abs(now.height - before.height) <= 1;
      if (!isStill) jumps.push(`${summary.textContent}: ${now.top - before.top}`);
    }
  }
  return jumps;
}"""


@pytest.mark.parametrize("width", [320, 900])
def test_a_row_stays_where_it_is_when_it_opens_and_closes(stage: Stage, width: int) -> None:
    stage.clear()
    stage.page.set_viewport_size({"width": width, "height": 900})
    shows = [stage.live(scene()) for scene in SCENES.values()]
    assert [jump for show in shows for jump in show.box.evaluate(TOGGLE)] == []
    stage.page.set_viewport_size({"width": 900, "height": 900})


def test_a_row_that_the_reader_opens_in_a_box_is_not_scrolled_away(stage: Stage) -> None:
    stage.clear()
    story = Story(over=False, look=Look(max_height=200, density="full")).start("agent")
    for n in range(12):
        story.used(f"c{n}", "lookup", {"n": n, "text": "a long line\n" * 6}, f"result {n}", 0.3)
    show = stage.live(story.write("It begins.", ends=False))
    section = show.box.locator("section")
    assert section.evaluate("box => box.scrollHeight - box.scrollTop - box.clientHeight") <= 8
    row = show.box.locator("summary").nth(10)
    row.click()
    top = row.evaluate("row => row.getBoundingClientRect().top")
    for _ in range(5):
        show.feed(Story().tell("text-delta", id="t", text="Another line.\n\n").told[0][1:])
    assert abs(row.evaluate("row => row.getBoundingClientRect().top") - top) <= 1
    assert show.box.locator(".rv-new").is_visible()
    row.click()
    show.box.locator(".rv-new").click()
    show.feed(Story().tell("text-delta", id="t", text="The last line.\n\n").told[0][1:])
    assert section.evaluate("box => box.scrollHeight - box.scrollTop - box.clientHeight") <= 8, "it follows again"


SELECT = """(box) => {
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const at = text.data.indexOf("alpha");
    if (at >= 0) return getSelection().setBaseAndExtent(text, at, text, at + 5);
  }
}"""


@pytest.mark.parametrize(
    "opening", ["alpha\n\nbeta", "alpha ", "- alpha ", "> alpha ", "**alpha** ", "```\nalpha\n", "| alpha | b |\n|---|---|\n"]
)
def test_a_selection_survives_two_hundred_patches(stage: Stage, opening: str) -> None:
    """Also one in the very block that is being written."""
    stage.clear()
    show = stage.live(Story(over=False).start("agent").write(opening, ends=False))
    show.box.evaluate(SELECT)
    for n in range(200):
        show.feed(Story().tell("text-delta", id="t", text=f"x{n} ").told[0][1:])
    assert stage.page.evaluate("() => String(getSelection())") == "alpha"
    assert "x199" in show.box.inner_text()


def test_a_selection_in_a_thought_and_in_a_row_survives(stage: Stage) -> None:
    stage.clear()
    show = stage.live(Story(over=False).start("agent").think("alpha beta ", 1, ends=False))
    show.box.locator("summary").first.click()
    show.box.locator(".rv-body").first.evaluate(SELECT)
    for n in range(200):
        show.feed(Story().tell("reasoning-delta", id="r", text=f"word {n}. ").told[0][1:])
    assert stage.page.evaluate("() => String(getSelection())") == "alpha"
    assert show.box.locator("details").first.evaluate("row => row.open")
