"""The comm between a view and the pages that draw it, as an anywidget model.

Displayed, it draws in its own element; as a rule it is not displayed at all: in JupyterLab and Notebook a model without a view is
enough for the page to run `initialize`, which finds the run's static output and draws over it.
"""

# pyright: basic
# (ipywidgets, traitlets and anywidget have no types of their own; mypy looks at the rest.)

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

__all__ = ["Widget"]

_STATIC = files("runview") / "static"


class Widget(anywidget.AnyWidget):
    """What the page gets: the run's id, the style sheet, and a snapshot that is made when the page asks for the state.

    Nothing that the kernel trusts is a synced trait: the page may set any of them by an `update` message.
    """

    _esm = (_STATIC / "widget.js").read_text("utf-8")
    run = traitlets.Unicode().tag(sync=True)
    css = traitlets.Unicode((_STATIC / "styles.css").read_text("utf-8")).tag(sync=True)
    snapshot = traitlets.Any(None, allow_none=True).tag(sync=True, to_json=lambda _value, widget: widget.take_snapshot())

    def __init__(self, run: str, snapshot: Callable[[], dict[str, Any]], heard: Callable[[dict[str, Any]], None]) -> None:
        self.take_snapshot = snapshot  # before super(): the first state is made there
        super().__init__(run=run)
        _route_as_asked(self.comm)
        self._heard = heard
        self.on_msg(self._on_message)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Takes nothing from the page: it has nothing to set, and `_esm` is among what it could."""

    def _on_message(self, _widget: object, content: object, _buffers: object) -> None:
        if type(content) is dict:
            self._heard(content)

    def tell(self, news: dict[str, Any]) -> None:
        """Sends a message to all pages."""
        self.send(news)

    def resend(self) -> None:
        """Sends the whole as it is now."""
        self.send_state("snapshot")

    def bundle(self) -> dict[str, Any]:
        """What a front end is given to display this widget."""
        data, _metadata = self._repr_mimebundle_() or ({}, {})
        return data

    def close(self) -> None:
        """Closes the comm, and that of the layout, which would otherwise stay in a saved widget state."""
        layout = self.layout
        super().close()
        layout.close()


def _route_as_asked(comm: Any) -> None:
    """Lets the page's messages go to the subshell that the front end sends them to, which a cell that blocks doesn't hold.

    ipykernel 7.4 hands what comes on a comm to the shell that last sent on it, for code that waits for a reply. Nothing here
    does, and Stop is to be heard while a cell waits. The hook is private; where there is none, all stays as it is.
    """
    if callable(getattr(comm, "_reply_subshell_for", None)):
        with suppress(AttributeError):
            comm._reply_subshell_for = _as_asked  # noqa: SLF001


def _as_asked(_data: object, asked: str | None) -> str | None:
    return asked
