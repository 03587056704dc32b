"""axe-core looks at every kind of part in every state, in every theme: live, with all rows open, and as the file shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.look.hosts import HOSTS
from tests.browser.look.scenes import SCENES
from tests.browser.look.stage import Stage
from tests.browser.look.story import Story

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
OPEN_ALL = """() => {
  const roots = [document, ...[...document.querySelectorAll(".rv-host")].map((host) => host.shadowRoot)];
  for (const root of roots) for (const row of root.querySelectorAll("details")) row.open = true;
}"""
NATIVE = "scrollable-region-focusable"
"""A file has no script that could tell which of its boxes scroll; browsers let the keyboard into those by themselves."""
RUN = """async () => {
  const { violations, passes } = await axe.run("#output", { resultTypes: ["violations"] });
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const lines = grave.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary, html }) =>
    `${id}: ${html.slice(0, 200)} ${target.flat().at(-1)} ${failureSummary.split("\\n")[1]}`));
  return { lines: [...new Set(lines)], rules: passes.map(({ id }) => id) };
}"""


def findings(stage: Stage) -> tuple[list[str], list[str]]:
    """What is wrong and grave, and the rules that found something to look at and nothing wrong with it."""
    stage.page.evaluate(AXE.read_text("utf-8"))
    found = stage.page.evaluate(RUN)
    return found["lines"], found["rules"]


@pytest.mark.parametrize("host", [pytest.param(name, marks=[] if name.startswith("lab") else pytest.mark.slow) for name in HOSTS])
@pytest.mark.timeout(180)
def test_no_grave_finding_in_any_part(browser: Browser, host: str) -> None:
    stage = Stage(browser, host)
    for name, scene in SCENES.items():
        stage.live(scene(), title=name)
    stage.page.evaluate(OPEN_ALL)
    wrong, looked = findings(stage)
    assert wrong == []
    assert {"color-contrast", "button-name", "summary-name", "link-name"} <= set(looked)
    stage.clear()
    for name, scene in SCENES.items():
        stage.saved(scene(), title=name)
    stage.page.evaluate(OPEN_ALL)
    wrong = [line for line in findings(stage)[0] if not line.startswith(NATIVE)]
    assert wrong == []
    stage.close()


def test_axe_sees_what_it_looks_for(browser: Browser) -> None:
    """A fault made by hand inside the shadow root: without it, an axe that does not look there would pass everything."""
    stage = Stage(browser, "lab-light")
    stage.live(SCENES["running"]())
    stage.page.evaluate(
        """() => {
          const { shadowRoot } = document.querySelector(".rv-host");
          shadowRoot.querySelector("button").replaceChildren();
          shadowRoot.querySelector(".rv-who").style.setProperty("color", "#ccc", "important");
        }"""
    )
    wrong = " ".join(findings(stage)[0])
    assert "button-name" in wrong
    assert "color-contrast" in wrong
    stage.close()


def test_what_can_not_wait_is_said_at_once(browser: Browser) -> None:
    """One voice, three hundred pieces of text: few words. That a call failed, asks, or that the run has ended always comes."""
    stage = Stage(browser, "lab-light")
    show = stage.live(Story(over=True).start("agent"))
    voice = show.box.locator("[role=status]")
    heard: list[str] = []

    def told(story: Story) -> None:
        show.feed(chunk for _, chunk in story.told)
        if (said := voice.inner_text()) and said not in heard[-1:]:
            heard.append(said)

    for n in range(300):
        told(Story().tell("text-delta", id="t", text=f"word {n} "))
    assert len(heard) <= 3
    told(Story().failed("c1", "fetch_page", {}, {"message": "404"}))
    assert "fetch_page failed" in heard[-1]
    told(Story().call("c2", "delete_file", {}).tell("tool-call-approval", toolCallId="c2", toolName="delete_file"))
    assert "delete_file" in heard[-1]
    assert "Needs you" in heard[-1]
    told(Story().tell("tool-result", toolCallId="c2", toolName="delete_file", result="ok").finish())
    show.end()
    assert voice.inner_text().startswith("Finished in")
    stage.close()
