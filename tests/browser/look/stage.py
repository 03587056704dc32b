"""A page of some host with runs on it: live, fed by messages as by a kernel, or as their file's HTML. It makes no request."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Route

import runview
from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.run.ending import finish
from runview.run.reduce import new_run, reduce
from runview.run.state import ToolPart
from tests.browser.look.hosts import HOSTS, Host, at_level
from tests.browser.look.story import Story

__all__ = ["Show", "Stage"]

STATIC = Path(runview.__file__).parent / "static"
ORIGIN = "http://stage.localhost"
MODULE = (
    "<script type=module>import widget from '/widget.js'; Object.assign(window, { widget, models: {}, places: {} });</script>"
)

OPEN = """
({ run, css, snapshot, html, title }) => {
  const output = document.getElementById("output");
  if (title) {
    const heading = document.createElement("h2");
    heading.textContent = title;
    heading.style = "font: 600 15px sans-serif; margin: 28px 0 8px 4px";
    output.append(heading);
  }
  const place = document.createElement("div");
  place.className = output.dataset.class;
  place.innerHTML = html;
  output.append(place);
  if (!snapshot) return;
  const state = { run, css, snapshot };
  const hears = {};
  window.models[run] = hears;
  window.places[run] = place;
  widget.initialize({ model: {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    send: () => {},
    on: (event, hear) => { (hears[event] ??= []).push(hear); },
  } });
}
"""
FILE = "([run, html]) => { window.places[run].innerHTML = html }"
"""What a host does when the output is updated: the light children change, the shadow root above them stays."""
NEWS = "([run, news]) => window.models[run]['msg:custom'].forEach((hear) => hear(news))"


class Show:
    """One live run on a stage, and the kernel's half of it."""

    def __init__(self, stage: Stage, story: Story, at: int, title: str) -> None:
        self._stage = stage
        self._story = story
        self._id = uuid.uuid4().hex
        self._run = new_run()
        self._drawing = RunDrawing(self._run, story.look, lambda: ("approve", "decline", "resume"))
        self._seq = 0
        self._take(at)
        self._drawing.tree(self._at)
        snapshot = {"seq": 0, "now": self._at, "tree": self._drawing.snapshot(), "ended": False}
        css = (STATIC / "styles.css").read_text("utf-8")
        given = {"run": self._id, "css": css, "snapshot": snapshot, "html": self._file(self._at), "title": title}
        stage.page.evaluate(OPEN, given)
        self.box = stage.page.locator(".rv-live").last

    @property
    def _at(self) -> float:
        return self._story.told[self._taken - 1][0] if self._taken else self._story.now

    def _take(self, upto: int) -> None:
        self._taken = upto
        for at, chunk in self._story.told[:upto]:
            reduce(self._run, chunk, at)

    def feed(self, chunks: Iterable[dict[str, Any]], now: float | None = None) -> None:
        """What came between two flushes."""
        at = self._story.now if now is None else now
        for chunk in chunks:
            reduce(self._run, chunk, at)
        self._tell("ops", at)

    def end(self, *, error: BaseException | None = None, stopped: bool = False) -> None:
        finish(self._run, self._story.now, error=error, stopped=stopped)
        self._tell("end" if self._run.is_done else "ops", self._story.now)
        self._stage.page.evaluate(FILE, [self._id, self._file(self._story.now)])

    def stopping(self) -> None:
        """The kernel has heard Stop, and the source has not."""
        self._run.stopping = True
        self._tell("ops", self._story.now)

    def _file(self, now: float) -> str:
        return to_html(self._drawing.tree(now, saved=True), marker=f"rv-run-{self._id}")

    def ask(self) -> None:
        """Tells the page what it may answer, as the kernel's beat does; the buttons can be pressed a little later."""
        calls = [part for part in self._run.parts if isinstance(part, ToolPart) and part.state == "needs-you"]
        asks = {ref: uuid.uuid4().hex for call in calls if (ref := self._drawing.ref(call)) is not None}
        news = {"kind": "beat", "seq": self._seq, "now": self._at, "asks": asks}
        self._stage.page.evaluate(NEWS, [self._id, news])

    @property
    def is_over(self) -> bool:
        return self._run.is_done

    def drop(self) -> None:
        """The kernel is gone."""
        self._stage.page.evaluate("run => window.models[run]['comm_live_update'].forEach((hear) => hear())", self._id)

    def _tell(self, kind: str, now: float) -> None:
        self._seq += 1
        news = {"kind": kind, "seq": self._seq, "now": now, "ops": self._drawing.update(now)}
        self._stage.page.evaluate(NEWS, [self._id, json.loads(json.dumps(news))])


class Stage:
    """One page of one host. `requests` are those that should not have been made; `script` runs before all others."""

    def __init__(self, browser: Browser, host: Host | str, width: int = 900, *, script: str = "", **context: Any) -> None:
        self.host = HOSTS[host] if isinstance(host, str) else host
        self.requests: list[str] = []
        self.errors: list[str] = []
        scheme = {"color_scheme": self.host.theme} if "color_scheme" not in context else {}
        self._context: BrowserContext = browser.new_context(viewport={"width": width, "height": 900}, **scheme, **context)
        self._context.route("**/*", self._route)
        self._context.add_init_script(script)
        self.page: Page = self._context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.clear()

    def clear(self) -> None:
        """An empty page."""
        self.page.goto(ORIGIN + "/")
        self.page.wait_for_function("() => !!window.widget")

    def close(self) -> None:
        self._context.close()

    def live(self, story: Story, upto: int | None = None, title: str = "") -> Show:
        """The run as it is drawn live: after `upto` chunks, or after all of them, ended if its story is over."""
        show = Show(self, story, len(story.told) if upto is None else upto, title)
        if upto is None and story.over:
            show.end()
        else:
            show.ask()
        return show

    def saved(self, story: Story, level: int = 2, title: str = "") -> None:
        """The run as a file shows it."""
        drawing = story.drawing()
        html = to_html(drawing.tree(story.now, saved=True), marker="rv-run-0")
        self.page.evaluate(OPEN, {"html": at_level(html, level), "title": title})

    def _route(self, route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/" and route.request.is_navigation_request():
            route.fulfill(body=self.host.page(MODULE), content_type="text/html")
        elif path == "/widget.js":
            route.fulfill(body=(STATIC / "widget.js").read_text("utf-8"), content_type="text/javascript")
        else:
            self.requests.append(route.request.url)
            route.abort()
