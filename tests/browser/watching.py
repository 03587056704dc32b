"""What must not be left of a run that is over: errors on the console, timers and listeners, anything at work in the kernel."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.browser.lab import Notebook

__all__ = ["Watch", "nothing_left"]

# Counts what the script of a view (which anywidget loads from a blob) asks the browser to keep calling.
COUNT = """
(() => {
  const ours = () => new Error().stack.includes("blob:");
  const timers = new Set();
  const listeners = new Map();
  const { setInterval: every, clearInterval: clear } = window;
  window.setInterval = (call, ...more) => {
    const id = every(call, ...more);
    if (ours()) timers.add(id);
    return id;
  };
  window.clearInterval = (id) => {
    timers.delete(id);
    clear(id);
  };
  for (const target of [window, document, document.documentElement ?? document]) {
    const { addEventListener: add, removeEventListener: remove } = target;
    const key = (type, call, how) => `${type} ${typeof how === "object" ? !!how?.capture : !!how} ${id(call)}`;
    target.addEventListener = function (type, call, how) {
      if (ours()) listeners.set(key(type, call, how), type);
      return add.call(this, type, call, how);
    };
    target.removeEventListener = function (type, call, how) {
      listeners.delete(key(type, call, how));
      return remove.call(this, type, call, how);
    };
  }
  const known = new Map();
  const id = (call) => known.get(call) ?? (known.set(call, known.size), known.get(call));
  window.atWork = () => ({ timers: timers.size, listeners: [...listeners.values()].sort() });
})();
"""


class Watch:
    """Looks at a page from before it is opened."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self._page = page
        page.on("console", lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.add_init_script(COUNT)

    def at_work(self) -> dict[str, Any]:
        """Timers and listeners that scripts of views keep."""
        found: dict[str, Any] = self._page.evaluate("() => window.atWork()")
        return found

    def sees(self) -> None:
        """A run is going on, so there is a timer: what counts them would be noticed to count nothing."""
        assert self.at_work()["timers"] > 0

    def is_quiet(self, *theirs: str) -> None:
        """No error on the console but those with these words, which are the host's own, and no timer that ticks on."""
        errors = [error for error in self.errors if not any(word in error for word in theirs)]
        assert not errors, errors
        self._page.wait_for_function("() => window.atWork().timers === 0", timeout=20_000)


def nothing_left(book: Notebook, cell: int) -> None:
    """Nothing is at work in the kernel, by the cell `print("left", await left())`."""
    book.run(cell)
    found = book.await_seen(cell, "left", timeout=20).strip()
    assert found == "left []", found
