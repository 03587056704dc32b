"""Whatever a run was doing when it ended, and however it ended: nothing on the page is at work any more, and no timer runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.look.scenes import SCENES
from tests.browser.look.stage import Show, Stage
from tests.browser.look.story import Story

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

FIXTURES = Path(__file__).parents[1] / "fixtures" / "mastra"
RECORDINGS = sorted(FIXTURES.rglob("*.jsonl"))
ENDS = [
    "finish",
    "exception",
    "kernel gone",
    *(pytest.param(how, marks=pytest.mark.slow) for how in ("abort", "error", "early", "stopped")),
]

TIMERS = """
window.ticking = new Set();
const [every, never] = [window.setInterval.bind(window), window.clearInterval.bind(window)];
window.setInterval = (...given) => { const id = every(...given); ticking.add(id); return id; };
window.clearInterval = (id) => { ticking.delete(id); never(id); };
"""
AT_WORK = """(box) => {
  const said = ["running", "writing", "writing…", "queued", "in background", "waiting", "judging", "Thinking", "Running",
    "Waiting…", "Stopping…",
    "needs you", "Needs you", "retrying", "waiting for input"];
  const found = [];
  for (const element of box.querySelectorAll(".rv-s, .rv-word, .rv-t, .rv-q, .rv-ask")) {
    if (said.includes(element.textContent)) found.push(element.textContent);
  }
  for (const element of box.querySelectorAll('[class*="is-"]')) {
    found.push(...element.className.match(/\\bis-(running|writing|background|turning|queued|waiting|needs)\\b/g) ?? []);
  }
  if (box.querySelector("[aria-busy]")) found.push("busy");
  if (box.querySelector(".rv-caret")) found.push("caret");
  if (box.querySelector("[data-act], .rv-ctl button")) found.push("button");
  const moving = box.getRootNode().getAnimations().filter(({ effect }) => effect.target.checkVisibility());
  return found.concat(moving.map(({ animationName }) => `moves: ${animationName}`));
}"""


@pytest.fixture(scope="module")
def stage(browser: Browser) -> Iterator[Stage]:
    made = Stage(browser, "lab-light", script=TIMERS)
    yield made
    assert made.requests == []
    assert made.errors == []
    made.close()


def end(show: Show, how: str) -> None:
    result = {"stepResult": {"reason": "stop"}, "output": {"usage": {}}}
    chunks: dict[str, Story] = {
        "finish": Story().tell("step-finish", **result).tell("finish", **result),
        "abort": Story().tell("abort", reason="enough"),
        "error": Story().tell("error", error={"message": "no more"}),
    }
    if how in chunks:
        show.feed(chunk for _, chunk in chunks[how].told)
    if how == "kernel gone":
        show.drop()
    else:
        show.end(error=RuntimeError("the line is dead") if how == "exception" else None, stopped=how == "stopped")


def at_work(show: Show) -> list[str]:
    return list(show.box.evaluate(AT_WORK))


def ticking(stage: Stage) -> int:
    return int(stage.page.evaluate("() => ticking.size"))


@pytest.mark.parametrize("how", ENDS)
def test_nothing_is_at_work_after_the_end(stage: Stage, how: str) -> None:
    """Each scene, cut off in its course and at its last chunk."""
    for name, scene in SCENES.items():
        stage.clear()
        length = len(scene().told)
        for upto in sorted({length // 2, length}):
            show = stage.live(scene(), upto)
            end(show, how)
            if not show.is_over and how != "kernel gone":
                show.drop()  # it waits for its reader, and keeps its question as long as there is a kernel
            assert at_work(show) == [], f"{name} after {upto} chunks"
        assert ticking(stage) == 0, name


def test_a_run_in_its_course_is_at_work(stage: Stage) -> None:
    """Without it, a look that sees nothing would pass everything."""
    stage.clear()
    seen = {word for name in ("running", "thinking", "tools", "nested") for word in at_work(stage.live(SCENES[name]()))}
    assert {"running", "Running", "Thinking", "is-turning", "busy", "caret", "button", "moves: rv-turn"} <= seen
    assert ticking(stage) > 0


def recorded(path: Path) -> Story:
    story = Story()
    for line in path.read_text("utf-8").split("\n"):
        if line:
            chunk: Any = json.loads(line)
            story.wait(0.3)
            story.told.append((story.now, chunk))
    return story


@pytest.mark.parametrize("paths", [RECORDINGS[::8], pytest.param(RECORDINGS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_every_recording_comes_to_rest(stage: Stage, paths: list[Path]) -> None:
    """As it was recorded, and cut off in the middle with its kernel gone."""
    stage.clear()
    for path in paths:
        story = recorded(path)
        show = stage.live(story, len(story.told) // 2)
        show.feed(chunk for _, chunk in story.told[len(story.told) // 2 :])
        show.end()
        if show.is_over:
            assert at_work(show) == [], path.name
        else:
            show.drop()
        gone = stage.live(story, len(story.told) // 2)
        gone.drop()
        assert at_work(gone) == [], path.name
    assert ticking(stage) == 0
