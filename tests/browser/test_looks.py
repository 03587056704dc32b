"""What bar a view has to clear in any width, on paper, in high contrast and without motion; in a browser, for every scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.look.hosts import in_frame
from tests.browser.look.scenes import SCENES
from tests.browser.look.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

Set = Callable[..., Stage]
"""Gives a stage with every scene on it."""

EACH = """(look) => {
  const found = [];
  const roots = [...document.querySelectorAll("#output > div")].map((place) => place.shadowRoot ?? place);
  for (const root of roots) {
    const section = root.querySelector("section");
    look(section, (what, element) => found.push(`${what}: ${section.getAttribute("aria-label")} ` +
      `<${element.localName} class="${element.className}"> ${element.textContent.slice(0, 60)}`));
  }
  return found;
}"""


def each(stage: Stage, look: str) -> list[str]:
    """What `look` (a function of the run's section and of `say`) has to say about each run on the stage."""
    return list(stage.page.evaluate(f"() => ({EACH})({look})"))


OPENED = "(section) => section.querySelectorAll('details').forEach((row) => { row.open = true })"
CLOSED = "(section) => section.querySelectorAll('details').forEach((row) => { row.open = false })"


@pytest.fixture(scope="module")
def made(browser: Browser) -> Iterator[Set]:
    """Every scene on the page of a host, live or as its file: a stage for all tests that want the same."""
    stages: dict[tuple[str, bool], Stage] = {}

    def make(host: str, saved: bool) -> Stage:
        if (host, saved) not in stages:
            stage = stages[host, saved] = Stage(browser, host)
            for name, scene in SCENES.items():
                (stage.saved if saved else stage.live)(scene(), title=name)
        return stages[host, saved]

    yield make
    for stage in stages.values():
        assert stage.requests == []
        assert stage.errors == []
        stage.close()


@pytest.fixture
def stage(made: Set) -> Set:
    """Such a stage as it is to be looked at."""

    def make(host: str = "lab-light", *, saved: bool = False, opened: bool = True, width: int = 900, **media: Any) -> Stage:
        stage = made(host, saved)
        stage.page.set_viewport_size({"width": width, "height": 900})
        stage.page.emulate_media(
            **{"color_scheme": stage.host.theme, "forced_colors": "none", "reduced_motion": "no-preference"} | media
        )
        each(stage, OPENED if opened else CLOSED)
        return stage

    return make


WIDE = """(section, say) => {
  if (document.documentElement.scrollWidth > innerWidth) say(`page ${document.documentElement.scrollWidth}`, section);
  if (section.scrollWidth > section.clientWidth) say(`wide ${section.scrollWidth} > ${section.clientWidth}`, section);
  const { left, right } = section.getBoundingClientRect();
  const scrolls = (element) => element && (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
  for (const element of section.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    const isOut = box.width && (box.right > right + 1 || box.left < left - 1);
    if (isOut && !scrolls(element.parentElement)) say("beyond the edge", element);
  }
}"""


@pytest.mark.parametrize("saved", [False, True], ids=["live", "saved"])
@pytest.mark.parametrize("width", [320, *(pytest.param(width, marks=pytest.mark.slow) for width in (500, 1600))])
def test_nothing_is_wider_than_its_page(stage: Set, width: int, saved: bool) -> None:
    assert each(stage(width=width, saved=saved), WIDE) == []


def test_twice_as_large_it_fits_as_well(stage: Set) -> None:
    large = stage(width=640)
    large.page.evaluate("() => { document.documentElement.style.zoom = 2 }")
    found = each(large, WIDE)
    large.page.evaluate("() => { document.documentElement.style.zoom = 1 }")
    assert found == []


CUT = """(section, say) => {
  const shortened = ["rv-t", "rv-o", "rv-q", "rv-p", "rv-what", "rv-silent"];
  for (const element of section.querySelectorAll("*")) {
    const { overflowX, overflowY, display } = getComputedStyle(element);
    if (display === "inline" || display === "none" || !element.getClientRects().length) continue;
    const isCut = (overflow) => overflow === "hidden" || overflow === "clip";
    const tall = isCut(overflowY) && element.scrollHeight > element.clientHeight + 1;
    const wide = isCut(overflowX) && element.scrollWidth > element.clientWidth + 1;
    if ((tall || wide) && !shortened.some((name) => element.classList.contains(name))) say("cut", element);
    if (tall && element.clientHeight > 1) say(`cut off below ${element.scrollHeight} > ${element.clientHeight}`, element);
  }
}"""


@pytest.mark.parametrize("width", [320, 900])
def test_nothing_is_cut_off_but_what_a_row_shortens(stage: Set, width: int) -> None:
    assert each(stage(width=width), CUT) == []


BROKEN = """(section, say) => {
  for (const one of section.querySelectorAll("button, .rv-stept")) {
    const words = document.createRange();
    words.selectNodeContents(one);
    const boxes = [...words.getClientRects()].filter(({ width }) => width > 0);
    if (boxes.some(({ top }) => boxes.some(({ bottom }) => top >= bottom - 2))) say("broken", one);
  }
}"""


def test_a_button_keeps_its_words_on_one_line(stage: Set) -> None:
    assert each(stage(width=320), BROKEN) == []


def test_what_a_file_says_of_a_run_in_its_course_is_not_cut(stage: Set) -> None:
    said = """(section, say) => {
      const line = section.querySelector(".rv-what");
      if (section.matches(".rv-running")) say(line.scrollWidth > line.clientWidth ? "cut" : "whole", line);
    }"""
    found = each(stage(width=320, saved=True), said)
    assert len(found) > 3
    assert [one for one in found if not one.startswith("whole")] == []


HIDDEN = """(section, say) => {
  for (const row of section.querySelectorAll("details")) {
    const inside = row.lastElementChild;
    if (!inside.getClientRects().length || inside.getBoundingClientRect().height === 0) say("closed", row);
  }
  for (const element of section.querySelectorAll("*")) {
    if (getComputedStyle(element).overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1 &&
      element.clientHeight > 1) say(`clipped ${element.scrollHeight} > ${element.clientHeight}`, element);
  }
  for (const control of section.querySelectorAll("button")) if (control.getClientRects().length) say("control", control);
}"""


@pytest.mark.parametrize("saved", [False, True], ids=["live", "saved"])
def test_paper_shows_what_is_folded_and_what_scrolls(stage: Set, saved: bool) -> None:
    paper = stage(opened=False, saved=saved, width=700)
    assert each(paper, HIDDEN) != [], "on screen rows are closed"
    paper.page.emulate_media(media="print")
    found = each(paper, HIDDEN)
    paper.page.emulate_media(media="screen")
    assert found == []


MOVING = """(section, say) => {
  for (const one of section.getRootNode().getAnimations()) {
    if (one.animationName !== "rv-late") say(one.animationName, one.effect.target);
  }
}"""


def test_who_wants_no_motion_gets_none(stage: Set) -> None:
    assert each(stage(), MOVING) != []
    assert each(stage(reduced_motion="reduce"), MOVING) == []


SIGNS = """(section, say) => {
  const seen = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\\d.]+/g).map(Number);
    return (r + g + b) * (colour.startsWith("color") ? 255 : 1) * (a > 0 ? 1 : NaN);
  };
  const canvas = seen(getComputedStyle(section).backgroundColor);
  for (const sign of section.querySelectorAll(".rv-ring, .rv-stop, .rv-bars")) {
    const { borderTopColor, borderLeftColor, backgroundColor, width } = getComputedStyle(sign, "::before");
    const colour = sign.matches(".rv-ring") ? borderTopColor : sign.matches(".rv-bars") ? borderLeftColor : backgroundColor;
    if (!(parseFloat(width) >= 5 && Math.abs(seen(colour) - canvas) > 300)) say(`${colour} on ${canvas}`, sign);
  }
  const ink = getComputedStyle(section).color;
  for (const name of section.querySelectorAll(".rv-t")) {
    const { color } = getComputedStyle(name);
    if (color !== ink) say(`${color}, not ${ink}`, name);
  }
  for (const bar of section.querySelectorAll("progress")) if (bar.getBoundingClientRect().width < 20) say("no bar", bar);
}"""


@pytest.mark.parametrize("host", ["lab-light", pytest.param("lab-dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_signs_are_seen_in_forced_colours(stage: Set, host: str, scheme: str) -> None:
    """Whatever theme the host has: what counts is the colours that the reader's system forces."""
    assert each(stage(host, forced_colors="active", color_scheme=scheme), SIGNS) == []


def test_every_state_is_told_without_colour(stage: Set) -> None:
    """By a glyph and by a word, which is what greyscale and a reader's voice leave."""
    untold = """(section, say) => {
      for (const row of section.querySelectorAll(".rv-row")) {
        if (row.classList.contains("is-plain")) continue;
        const head = row.firstElementChild;
        const word = head.querySelector(".rv-s") ?? head.querySelector(".rv-t");
        if (!head.querySelector(".rv-g")?.textContent) say("no glyph", head);
        if (!/\\p{L}{3}/u.test(word.textContent)) say("no word", head);
      }
    }"""
    assert each(stage(), untold) == []


def test_what_is_read_from_the_right_begins_there(browser: Browser) -> None:
    stage = Stage(browser, "lab-light", 700)
    stage.live(SCENES["right_to_left"]())
    places = stage.page.evaluate("""() => {
      const head = document.querySelector(".rv-host").shadowRoot.querySelector(".rv-row.is-done > .rv-head");
      const middle = (element) => { const { left, right } = element.getBoundingClientRect(); return (left + right) / 2; };
      return [".rv-g", ".rv-t", ".rv-o", ".rv-p", ".rv-d"].map((name) => middle(head.querySelector(name)));
    }""")
    assert places == sorted(places, reverse=True)
    stage.close()


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_a_frame_of_its_own_shows_what_the_page_shows(browser: Browser, theme: str) -> None:
    """As in Colab: the frame's document carries the theme, and no script of the page around it helps."""
    stage = Stage(browser, f"colab-{theme}")
    stage.saved(SCENES["answered"]())
    page = stage.page.content()
    colours = """root => {
      const { color, backgroundColor } = getComputedStyle(root.querySelector("section"));
      return [color, backgroundColor, root.querySelector("section").innerText];
    }"""
    alone = stage.page.evaluate(f"() => ({colours})(document)")
    stage.page.set_content(in_frame(page.replace("<script", "<!--").replace("</script>", "-->")))
    stage.page.frames[-1].wait_for_selector("section")
    assert stage.page.frames[-1].evaluate(f"() => ({colours})(document)") == alone
    assert stage.requests == []
    stage.close()
