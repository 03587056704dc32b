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
  const section = box.querySelector("section");
  const found = [];
  const word = new RegExp("^(running|writing…?|queued|in background|waiting|waiting for input|judging|needs you|retrying" +
    "|Thinking|Running|Needs you)$");
  for (const element of section.querySelectorAll(".rv-s, .rv-word, .rv-t")) {
    // "running, 1 failed" and "↻ retrying" say so, too; "Waiting…" and "Stopping…" are words of the whole run.
    const words = element.textContent.replace(/^↻ |, .*/g, "");
    if (word.test(words) || (element.matches(".rv-word") && words.endsWith("…"))) found.push(words);
  }
  const state = /\\bis-(running|writing|background|turning|queued|waiting|needs|asked|retrying)\\b/g;
  for (const element of section.querySelectorAll('[class*="is-"]')) found.push(...element.className.match(state) ?? []);
  if (section.matches("[aria-busy]")) found.push("busy");
  if (section.querySelector(".rv-caret")) found.push("caret");
  for (const button of section.querySelectorAll(".rv-btn")) found.push(`button: ${button.textContent}`);
  const moving = box.getRootNode().getAnimations().filter(({ effect }) => effect.target.checkVisibility());
  return found.concat(moving.map(({ animationName }) => `moves: ${animationName}`));
}"""
SIGNS: list[tuple[str, int, set[str]]] = [
    ("running", 0, {"Waiting…", "is-waiting", "is-turning", "busy", "button: Stop", "moves: rv-turn"}),
    ("running", 4, {"Running", "Thinking", "is-running"}),
    ("running", 12, {"running", "caret"}),
    ("stopped", 5, {"writing"}),
    ("tools", 5, {"in background", "is-background"}),
    ("tools", 12, {"needs you", "Needs you", "is-needs", "button: Deny", "button: Allow once"}),
    ("tools", 22, {"writing…", "is-writing"}),
    ("workflow", 11, {"waiting for input"}),
    ("workflow", 12, {"waiting"}),
    ("goals", 27, {"judging"}),
    ("retried", 6, {"retrying", "is-retrying"}),
    ("results", 6, {"button: Show more"}),
    ("queued", 4, {"queued", "is-queued"}),
]
"""Scenes, how many of their chunks have come, and what is then at work on the page."""


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


@pytest.mark.slow
@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_at_work_whenever_the_kernel_dies(stage: Stage, name: str) -> None:
    """Every other end is drawn by the kernel; of this one the page has to make something by itself, whatever is on it."""
    stage.clear()
    for upto in range(len(SCENES[name]().told) + 1):
        show = stage.live(SCENES[name](), upto)
        show.drop()
        assert at_work(show) == [], f"after {upto} chunks"
    assert ticking(stage) == 0


def queued() -> Story:
    story = Story(over=False).start("agent").tell("tool-call-input-streaming-start", toolCallId="c", toolName="look_up")
    return story.tell("tool-call-input-streaming-end", toolCallId="c")


@pytest.mark.parametrize(("scene", "upto", "signs"), SIGNS, ids=[f"{scene} {upto}" for scene, upto, _ in SIGNS])
def test_a_run_in_its_course_is_at_work(stage: Stage, scene: str, upto: int, signs: set[str]) -> None:
    """Every word, class and button that is looked for can be found: a look that sees nothing would pass everything."""
    stage.clear()
    show = stage.live((SCENES | {"queued": queued})[scene](), upto)
    assert signs - set(at_work(show)) == set()
    assert ticking(stage) > 0


def test_a_run_that_is_being_stopped_is_at_work(stage: Stage) -> None:
    stage.clear()
    show = stage.live(SCENES["running"](), 4)
    show.stopping()
    assert "Stopping…" in at_work(show)


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
    for path in paths:
        stage.clear()  # hundreds of views in one page take it longer than they take by themselves
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
        assert ticking(stage) == 0, path.name
