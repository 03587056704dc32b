"""Pages that stand for the hosts of an output: their variables and selectors, and what they do to the HTML of a file.

A real JupyterLab is tried, too (`tests/browser/lab.py`); here every host is quick enough to try everything in it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jupyter_core.paths import jupyter_path

__all__ = ["HOSTS", "Host"]


@cache
def _lab_css(theme: str) -> str:
    """JupyterLab's own variables and rules for outputs, as nbconvert carries them."""
    for folder in map(Path, jupyter_path("nbconvert", "templates")):
        static = folder / "lab" / "static"
        if static.is_dir():
            return (static / "index.css").read_text("utf-8") + (static / f"theme-{theme}.css").read_text("utf-8")
    raise RuntimeError("nbconvert's Lab template is not installed")


_VSCODE = {
    "light": {
        "editor-foreground": "#3b3b3b", "editor-background": "#ffffff", "errorForeground": "#f85149", "focusBorder": "#005fb8",
        "textLink-foreground": "#005fb8", "editorWarning-foreground": "#bf8803",
    },
    "dark": {
        "editor-foreground": "#cccccc", "editor-background": "#1f1f1f", "errorForeground": "#f85149", "focusBorder": "#0078d4",
        "textLink-foreground": "#4daafc", "editorWarning-foreground": "#cca700",
    },
}  # fmt: skip


def _vscode(theme: str) -> str:
    fixed = {"font-family": "system-ui", "font-size": "13px", "editor-font-family": "monospace"}
    values = "".join(f"--vscode-{name}:{value};" for name, value in (fixed | _VSCODE[theme]).items())
    return (
        f"html{{{values}}} body{{background:var(--vscode-editor-background);color:var(--vscode-editor-foreground);margin:0 20px}}"
    )


@dataclass(frozen=True)
class Host:
    """One host: how it marks its theme, its rules, and the element that holds an output's HTML."""

    name: str
    theme: str
    css: Callable[[str], str]
    html_attributes: str = ""
    body: str = ""
    output: str = "output"

    def page(self, script: str = "") -> str:
        """The host's page, with one empty output in it."""
        return (
            f"<!doctype html><html lang=en {self.html_attributes}><head><meta charset=utf-8><title>{self.name}</title>"
            f"<style>{self.css(self.theme)}</style></head><body {self.body}><main id=output data-class='{self.output}'></main>"
            f"{script}</body></html>"
        )


def _plain(theme: str) -> str:
    ground = "#fff;color:#222" if theme == "light" else "#1e1e1e;color:#eee"
    return f"html{{color-scheme:{theme}}} body{{background:{ground};margin:8px;font:14px sans-serif}}"


def _lab(theme: str) -> Host:
    classes = "jp-RenderedHTMLCommon jp-RenderedHTML"
    light = "true" if theme == "light" else "false"
    extra = "body{overflow:auto;margin:0 16px;background:var(--jp-layout-color0)} main{padding:8px 0}"
    return Host(
        f"lab-{theme}",
        theme,
        lambda theme: _lab_css(theme) + extra,
        "",
        f'class=jp-Notebook data-jp-theme-light="{light}"',
        classes,
    )


HOSTS: dict[str, Host] = {
    host.name: host
    for theme in ("light", "dark")
    for host in (
        _lab(theme),
        Host(f"vscode-{theme}", theme, _vscode, "", f'class=vscode-{theme} data-vscode-theme-kind="vscode-{theme}"'),
        Host(f"colab-{theme}", theme, _plain, f"theme={theme}"),
        Host(f"marimo-{theme}", theme, _plain, f'class="{theme} {theme}-theme" data-theme={theme}'),
        Host(f"bare-{theme}", theme, _plain),
    )
}
"""By name. `bare-dark` says nothing of its theme but the browser's preference."""

_STYLES = re.compile(r"<style>.*?</style>", re.DOTALL)
_MARKS = re.compile(r' (?:style|class|role|aria-[a-z]+)="[^"]*"')


def at_level(saved: str, level: int) -> str:
    """What is left of a file's HTML where the sheet is taken away (1), and every style, class and role with it (0)."""
    if level == 2:
        return saved
    without = _STYLES.sub("", saved)
    return without if level else _MARKS.sub("", without)


def in_frame(page: str) -> str:
    """A page whose output is in a frame of its own, as in Colab."""
    return f'<!doctype html><title>frame</title><iframe style="width:100%;height:90vh" srcdoc="{html.escape(page)}"></iframe>'
