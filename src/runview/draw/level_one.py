"""Level 1: the few styles that survive where a style sheet does not, as in an untrusted notebook.

Greys and opacities only, so that text keeps the host's colour in light and dark; properties and values are from what JupyterLab's
sanitiser leaves alone. The sheet takes all of them away again (`all: revert-layer`), so the two levels never meet.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["inline_style"]

_QUIET = "opacity: .72"
_RAIL = "border-left: 1px solid rgba(128,128,128,.4); padding-left: 12px; margin: 2px 0 8px 4px"
_BLOCK = "background-color: rgba(128,128,128,.1); padding: 8px 12px; white-space: pre-wrap; overflow: auto; max-height: 320px"
_CELL = "text-align: left; vertical-align: top; background-color: transparent; padding: 2px 16px 2px 0"
_LABEL = "opacity: .72; font-size: .86em; margin: 4px 0 2px 0"

_BY_CLASS: dict[str, str] = {
    "rv-t": "font-weight: 600",
    "rv-o": _QUIET, "rv-q": _QUIET, "rv-p": _QUIET, "rv-d": _QUIET, "rv-who": _QUIET, "rv-meta": _QUIET, "rv-key": _QUIET,
    "rv-status": "margin: 0 0 4px 0",
    "rv-body": _RAIL, "rv-par": _RAIL,
    "rv-pre": _BLOCK, "rv-code": _BLOCK,
    "rv-label": _LABEL, "rv-step": _LABEL, "rv-one": "margin: 0",
    "rv-foot": "opacity: .72; font-size: .86em; margin: 12px 0 0 0",
    "rv-text": "margin: 12px 0; max-width: 680px",
    "rv-tree": "margin: 0; padding-left: 16px; list-style-type: none",
    "rv-fields": "border-collapse: collapse; margin: 2px 0 6px 0",
    "rv-table": "border-collapse: collapse; margin: 8px 0",
    "rv-h4": "font-size: 1.2em; font-weight: 600; margin: 20px 0 6px",
    "rv-h5": "font-size: 1.06em; font-weight: 600; margin: 16px 0 6px",
    "rv-h6": "font-size: 1em; font-weight: 600; margin: 12px 0 6px",
    "rv-img": "max-width: 240px; height: auto",
    "rv-quote": "border-left: 2px solid rgba(128,128,128,.4); padding: 0 0 0 12px; margin: 8px 0",
    "rv-num": "text-align: right; background-color: transparent; padding: 2px 16px 2px 0",
    "rv-scroll": "overflow: auto",
}  # fmt: skip
_BY_TAG: dict[str, str] = {"td": _CELL, "th": f"{_CELL}; font-weight: 400; opacity: .72", "tr": "background-color: transparent"}


@lru_cache(maxsize=512)
def inline_style(tag: str, classes: str) -> str:
    """The inline style of an element, or an empty string."""
    for name in classes.split():
        if name in _BY_CLASS:
            return _tight(_BY_CLASS[name])
    return _tight(_BY_TAG.get(tag, ""))


def _tight(style: str) -> str:
    return style.replace(": ", ":").replace("; ", ";")
