"""Opens what the file keeps of a run as a page of its own, scripts allowed and no sanitiser behind it, and looks at all of it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Route

from runview.draw import level_one
from runview.draw.tree import ATTRIBUTES, MATH_TAGS, TAGS

STYLES = {level_one._tight(style) for style in (*level_one._BY_CLASS.values(), *level_one._BY_TAG.values())}
ORIGIN = "http://saved.example"
GUARD = """<!doctype html><meta charset=utf-8><script>
window.found = [];
Object.defineProperty(window, "__pwned", { set() { found.push("script: __pwned"); } });
for (const name of ["alert", "confirm", "prompt", "print", "open"]) window[name] = () => { found.push("script: " + name); };
addEventListener("submit", (event) => { event.preventDefault(); found.push("navigation: submit"); });
</script><body>"""

LOOK = """({ tags, attributes, styles }) => {
  const words = /^(?:(?:rv|is|mathjax|tex2jax)[-_][\\w-]+|rv|[lrc])$/;
  const extra = { a: ["href", "target", "rel", "referrerpolicy"], details: ["open"], math: ["xmlns"] };
  for (const element of document.body.querySelectorAll("*")) {
    const tag = element.localName;
    if (tag === "style" && element.parentElement.parentElement === document.body) continue; // the sheet, the first of the section
    if (!tags.includes(tag)) found.push("element: " + tag);
    for (const { name, value } of element.attributes) {
      if (name === "style" ? !styles.includes(value) : ![...attributes, ...(extra[tag] ?? [])].includes(name))
        found.push(`attribute: ${tag} ${name}=${value}`);
      if (name === "class" && !value.split(/ +/).every((word) => words.test(word))) found.push("class: " + value);
    }
    if (tag === "a" && element.hasAttribute("href")) {
      if (!["http:", "https:", "mailto:"].includes(element.protocol) || element.username || element.password)
        found.push("link: " + element.href);
      if (element.target !== "_blank" || element.rel !== "noopener noreferrer nofollow") found.push("opener: " + element.href);
    }
    if (tag === "img" && !/^data:image\\/(png|jpeg|gif|webp);base64,/.test(element.getAttribute("src") ?? ""))
      found.push("image: " + element.getAttribute("src"));
    if (tag === "input" && !(element.type === "checkbox" && element.disabled)) found.push("input");
  }
  for (const row of document.querySelectorAll("details")) row.open = true;
  for (const summary of document.querySelectorAll("summary")) summary.click();
  if (!document.body.textContent.trim()) found.push("nothing is shown");
  if (/[\\u202a-\\u202e\\u2066-\\u2069]/u.test(document.body.textContent)) found.push("a direction control");
  return found;
}"""


class Judge:
    """A browser context with nothing in it but the file's HTML."""

    def __init__(self, browser: Browser) -> None:
        self._context = browser.new_context(accept_downloads=False, service_workers="block")
        self._page = self._context.new_page()
        self._page.on("dialog", self._dialog)
        self._context.route("**/*", self._route)
        self._html = ""
        self._seen: list[str] = []

    def close(self) -> None:
        self._context.close()

    def findings(self, saved: dict[str, list[str]]) -> list[str]:
        """What is wrong with the saved forms, by the id of their attack."""
        assert saved
        out: list[str] = []
        lists = {"tags": sorted(TAGS | MATH_TAGS), "attributes": sorted(ATTRIBUTES), "styles": sorted(STYLES)}
        for id_, forms in saved.items():
            for self._html in forms:
                self._seen.clear()
                self._page.goto(ORIGIN + "/")
                found = self._page.evaluate(LOOK, lists)
                out += [f"{id_}: {line}"[:300] for line in [*found, *self._seen]]
        return out

    def _route(self, route: Route) -> None:
        if route.request.url == ORIGIN + "/" and route.request.is_navigation_request():
            route.fulfill(body=GUARD + self._html, content_type="text/html; charset=utf-8")
        else:
            self._seen.append(f"network: {route.request.url}")
            route.abort()

    def _dialog(self, dialog: Any) -> None:
        self._seen.append(f"dialog: {dialog.message}")
        dialog.dismiss()
