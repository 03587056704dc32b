"""Feeds attacks to the built widget in a browser and gathers what must never happen.

`harness.js` runs in the page: it turns an attack into events, delivers them through `adapter.js`, looks at the drawing after each
and clicks on what can be clicked. Out here everything is seen that leaves the page: requests, navigations, dialogs, frames. Every
request is answered here or refused; none leaves the browser.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Route

import runview
from tests.browser.attacks import bridge

HERE = Path(__file__).parent
STATIC = Path(runview.__file__).parent / "static"
CORPUS = HERE.parents[1] / "fixtures" / "attacks" / "page.jsonl"
ORIGIN = "http://localhost:8899"
POLICY = "script-src 'nonce-h' 'unsafe-eval' 'strict-dynamic'; require-trusted-types-for 'script'"
PAGE = """<!doctype html><html><head><meta charset=utf-8><title>harness</title></head><body><div id=harness-host></div>
<script nonce=h src=/harness.js></script><script nonce=h type=module src=/adapter.js></script></body></html>"""
NEVER = (
    "script network dialog navigation frame outside clobber proto lab-command unsafe-href forbidden-element style opener "
    "data-attr remote-resource crash"
).split()
"""What no attack may bring about; the corpus names only what it forbids besides."""


@functools.cache
def corpus() -> list[dict[str, Any]]:
    """All attacks, as the harness takes them."""
    lines = CORPUS.read_text("utf-8").splitlines()
    return [{"delivered": [], **item, "must_not": NEVER + item["must_not"]} for item in map(json.loads, lines)]


def sample(each: int) -> list[dict[str, Any]]:
    """So many attacks of each kind at each place, spread over the corpus; none that takes long."""
    by_kind: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for item in corpus():
        if not item.get("heavy") and not item["kind"].startswith("md-pathological"):
            by_kind.setdefault((item["kind"], item["where"]), []).append(item)
    return [item for items in by_kind.values() for item in items[:: -(-len(items) // each)]]


class Arena:
    """One browser context with the widget in it."""

    def __init__(self, browser: Browser) -> None:
        self.saved: dict[str, list[str]] = {}
        """What the file would keep of each run, in its course and at its end."""
        self.sinks = 0
        """Uses of HTML sinks that the browser counted."""
        self._seen: list[str] = []
        self._armed = False
        self._runs: dict[str, bridge.Run] = {}
        self._context: BrowserContext = browser.new_context(accept_downloads=False, service_workers="block")
        self._context.route("**/*", self._route)
        self._context.expose_function("__bridge", self._bridge)
        self._page = self._context.new_page()
        self._context.on("page", self._opened)
        self._watch(self._page)
        self._fresh()

    def close(self) -> None:
        self._context.close()

    def fight(self, items: list[dict[str, Any]], mode: str = "given") -> list[str]:
        """Delivers the attacks and gives the findings, a line each."""
        return [line for item in items for line in self._one(item, mode)]

    def _one(self, item: dict[str, Any], mode: str) -> Iterator[str]:
        self._seen.clear()
        self._runs.clear()
        try:
            result = self._page.evaluate("([item, options]) => __run(item, options)", [item, {"mode": mode, "settle": 5}])
        except Exception as error:  # the page went away under it
            result = {"findings": [{"rule": "navigation", "detail": str(error)[:160], "at": "?"}], "tt": 0}
        self.sinks += result["tt"]
        for run in self._runs.values():
            self.saved[item["id"]] = run.saved
        found = [f"{one['rule']}: {one['detail']} (at {one['at']})" for one in result["findings"]] + self._seen
        yield from (f"{item['id']} {mode}: {line}" for line in found)
        if found:
            self._fresh()

    def _fresh(self) -> None:
        self._armed = False
        self._page.goto(ORIGIN + "/")
        self._page.wait_for_function("!!(window.__adapter && window.__run)")
        self._page.evaluate("window.__adapter.setup()")
        self._armed = True

    def _bridge(self, what: str, key: str, events: str = "") -> str:
        if what == "open":
            self._runs[key] = bridge.open_run()
            return self._runs[key].start()
        return self._runs[key].feed(events) if what == "feed" else self._runs[key].end()

    def _route(self, route: Route) -> None:
        files = {
            "/harness.js": HERE / "harness.js",
            "/adapter.js": HERE / "adapter.js",
            "/static/widget.js": STATIC / "widget.js",
        }
        path = route.request.url.removeprefix(ORIGIN)
        if self._armed:
            self._seen.append(f"network: {route.request.resource_type} {route.request.url[:200]}")
            route.abort()
        elif path == "/":
            route.fulfill(body=PAGE, content_type="text/html", headers={"content-security-policy-report-only": POLICY})
        elif path in files:
            route.fulfill(body=files[path].read_text("utf-8"), content_type="text/javascript")
        else:
            route.fulfill(status=404)

    def _watch(self, page: Page) -> None:
        def saw(what: str) -> Any:
            return lambda it: self._seen.append(f"{what}: {it}"[:200]) if self._armed else None

        def dialog(it: Any) -> None:
            self._seen.append(f"dialog: {it.message}"[:200])
            it.dismiss()

        page.on("dialog", dialog)
        page.on("frameattached", saw("frame"))
        page.on("framenavigated", saw("navigation"))
        page.on("websocket", saw("network"))
        page.on("download", saw("navigation"))

    def _opened(self, page: Page) -> None:
        self._seen.append(f"navigation: new page {page.url}"[:200])
        page.close()
