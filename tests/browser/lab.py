"""A real JupyterLab server with real kernels on loopback, and a page of it in a real Chromium."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

TOKEN = "browser-tests"
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/completer-extension:manager": {"autoCompletion": False},
}


def chromium() -> str:
    """Path of the browser; CHROMIUM names another."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise RuntimeError("no Chromium found: apt-get install -y chromium (or set CHROMIUM)")
    return path


class Lab:
    """One server, with directories of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        settings = root / ".settings"
        settings.mkdir(parents=True)
        (settings / "overrides.json").write_text(json.dumps(SETTINGS))
        env = os.environ | {
            name: str(root / f".{name.lower()}")
            for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTERLAB_SETTINGS_DIR")
        }
        env["JUPYTERLAB_WORKSPACES_DIR"] = str(root / ".workspaces")
        env["PYTHONPATH"] = os.pathsep.join(filter(None, [env.get("PYTHONPATH"), str(Path(__file__).parents[2])]))
        env.pop("RUNVIEW_LIVE", None)
        self._log = (root / ".server.log").open("w")
        app = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={self.port}"]
        options = [
            f"--IdentityProvider.token={TOKEN}",
            f"--ServerApp.root_dir={root}",
            f"--LabApp.app_settings_dir={settings}",
            "--expose-app-in-browser",
            "--JupyterNotebookApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
            "--ServerApp.log_level=WARN",
        ]
        self._process = subprocess.Popen(
            [*app, *options], stdout=self._log, stderr=subprocess.STDOUT, env=env, cwd=root, start_new_session=True
        )
        self._await_start()

    def _await_start(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                self.api("/api/status")
                return
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError("JupyterLab did not start:\n" + (self.root / ".server.log").read_text()[-3000:]) from None
                time.sleep(0.2)

    def api(self, path: str, method: str = "GET") -> Any:
        request = urllib.request.Request(self.url + path, method=method, headers={"Authorization": f"token {TOKEN}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def write(self, name: str, *cells: str) -> str:
        """A notebook with these code cells; gives back its name."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        )
        nbformat.write(notebook, self.root / name)
        return name

    def read(self, name: str) -> Any:
        """The notebook as it is on disk."""
        return nbformat.read(self.root / name, as_version=4)

    def end_kernels(self) -> None:
        """Ends every session. A kernel that has just been killed can make the server stumble over it once: then again."""
        for left in reversed(range(3)):
            try:
                for session in self.api("/api/sessions"):
                    self.api(f"/api/sessions/{session['id']}", "DELETE")
                return
            except urllib.error.HTTPError:
                if not left:
                    raise
                time.sleep(1)

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


# All text of an output as the reader sees it: of a host with a shadow root, what the root draws. A formula is MathML in the page
# and TeX in the file; the bar of a code block, the menu and the ways back from sources are the page's own. These are left
# out, and so is what only a screen reader hears.
SEEN = """
(root) => {
  const seen = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (!(node instanceof Element) || ["STYLE", "SCRIPT"].includes(node.tagName)) return "";
    if (node.hidden || node.getAttribute("role") === "status") return "";
    if (["rv-math", "rv-imath", "rv-bar", "rv-act"].some((name) => node.classList.contains(name))) return "";
    return [...(node.shadowRoot ?? node).childNodes].map(seen).join("");
  };
  return seen(root);
}
"""


OPENED = """
(path) => {
  const shown = window.jupyterapp.shell.currentWidget;
  return shown?.context?.path === path && shown.context.isReady && shown.node.querySelector(".jp-Cell") !== null;
}
"""
PUT_AWAY = """
() => {
  if (!window.jupyterapp || !location.pathname.startsWith("/lab")) return false;
  for (const widget of [...window.jupyterapp.shell.widgets("main")]) widget.dispose();
  getSelection().removeAllRanges();
  return document.querySelector("dialog[open], .jp-Dialog") === null;
}
"""


class Notebook:
    """A notebook open in JupyterLab."""

    def __init__(self, lab: Lab, page: Page, name: str) -> None:
        self.lab, self.page, self.name = lab, page, name

    def open(self, *, kernel: bool = True, app: str = "lab/tree") -> Notebook:
        """Opens the notebook in a fresh workspace and waits until its kernel (if it is to have one) is idle.

        `app` is `notebooks` for Notebook 7, which the same server has.
        """
        self.page.goto(f"{self.lab.url}/{app}/{self.name}?token={TOKEN}&reset")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        if kernel:
            self._await_kernel()
        return self

    def open_here(self) -> Notebook:
        """Opens the notebook in the JupyterLab that the page shows already, which takes a tenth of the time."""
        self.page.evaluate("path => { window.jupyterapp.commands.execute('docmanager:open', { path }) }", self.name)
        self.page.wait_for_function(OPENED, arg=self.name, timeout=60_000)
        self._await_kernel()
        return self

    def put_away(self) -> bool:
        """Takes all documents from the page, and says whether another can be opened in it."""
        return bool(self.page.evaluate(PUT_AWAY))

    def _await_kernel(self) -> None:
        idle = "() => window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
        try:
            self.page.wait_for_function(idle, timeout=40_000)
        except PlaywrightTimeout:
            # A kernel that starts on a busy machine may have said that it is idle before this page listened.
            self.page.reload()
            self.page.wait_for_function(idle, timeout=60_000)

    def command(self, name: str) -> None:
        self.page.evaluate("name => window.jupyterapp.commands.execute(name)", name)

    def run(self, index: int, *, wait: bool = True) -> None:
        """Runs one cell; `wait` for the cell's end, which for a view is at once."""
        self.page.evaluate("i => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = i }", index)
        done = self.page.evaluate_handle(
            "() => { const box = {};"
            " window.jupyterapp.commands.execute('notebook:run-cell').then(() => { box.done = true }); return box }"
        )
        if wait:
            self.page.wait_for_function("box => box.done", arg=done, timeout=60_000)

    def output(self, index: int) -> Any:
        """The output area of a cell."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-OutputArea").first

    def seen(self, index: int) -> str:
        """What a reader sees in a cell's output."""
        area = self.output(index)
        return str(area.evaluate(SEEN)) if area.count() else ""

    def await_seen(self, index: int, *words: str, timeout: float = 15.0) -> str:
        """Waits until all words are seen in a cell's output."""
        deadline = time.monotonic() + timeout
        while True:
            text = self.seen(index)
            if all(word in text for word in words):
                return text
            if time.monotonic() > deadline:
                missing = [word for word in words if word not in text]
                raise AssertionError(f"not seen within {timeout} s: {missing}\n--- seen ---\n{text}")
            time.sleep(0.05)

    def save(self) -> Any:
        """Saves, and gives the notebook as it is on disk."""
        self.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.save()")
        return self.lab.read(self.name)

    def shadow(self, index: int) -> Any:
        """The live view in a cell's output (Playwright's locators pierce open shadow roots)."""
        return self.output(index).locator(".rv-live")
