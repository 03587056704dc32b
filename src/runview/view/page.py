"""What the pages that draw a run are told, and what they ask.

News are numbered, so that a page knows when one was lost and asks for the whole. A page may be opened, reloaded or closed at any
time: the widget's snapshot is the run as it was last told.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runview.draw.run import RunDrawing
from runview.view.ending import Ending

if TYPE_CHECKING:
    from runview.view.widget import Widget

__all__ = ["Page"]

BEAT = 10.0
"""Seconds between two signs of life."""


class Page:
    """The comm of one view. Everything but `heard` happens on the loop of the run."""

    def __init__(self, run_id: str, drawing: RunDrawing, *, stop: Callable[[], None], no_place: Callable[[], None]) -> None:
        self._id = run_id
        self._drawing = drawing
        self._stop = stop
        self._no_place = no_place
        self._widget: Widget | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._ending: Ending | None = None
        self._seq = 0
        self._over = False
        self.mounted = False
        """A page has said that it draws over the static output."""
        self.kept = False
        """The widget itself is on display somewhere, so the comm stays open after the end."""

    @property
    def widget(self) -> Widget | None:
        return self._widget

    def open(self, loop: asyncio.AbstractEventLoop | None) -> Widget:
        """Opens the comm, if it is not open. From then on pages hear of every change."""
        if self._widget is None:
            from runview.view.widget import Widget

            self._loop = loop
            self._drawing.update(time.time())
            self._widget = Widget(self._id, self._snapshot, self.heard)
            if loop is not None and not self._over:
                loop.call_soon_threadsafe(self._tell_beat)
        return self._widget

    def tell(self, now: float) -> None:
        """Tells what has changed since the last time."""
        if self._widget is not None and (ops := self._drawing.update(now)):
            self._seq += 1
            self._widget.tell({"kind": "ops", "seq": self._seq, "now": now, "ops": ops})

    def end(self, now: float, again: Callable[[], None]) -> None:
        """Tells the end, and again until it is confirmed; `again` does the same for the file. Then the comm closes."""
        self._over = True
        self._seq += 1
        if self._beat is not None:
            self._beat.cancel()
        if self._widget is None:
            return
        ops = self._drawing.update(now)
        self._widget.tell({"kind": "end", "seq": self._seq, "now": now, "ops": ops})

        def repeat() -> None:
            if self._widget is not None:
                tree = self._drawing.snapshot()
                self._widget.tell({"kind": "end", "seq": self._seq, "now": time.time(), "tree": tree})
                again()

        if self._loop is not None:
            self._ending = Ending(self._loop, repeat, self._shut)

    def close(self) -> None:
        """Closes the comm without waiting for anybody. What is drawn stays."""
        if self._ending is not None:
            self._ending.over()
        elif self._over:
            self._shut()

    def heard(self, content: dict[str, Any]) -> None:
        """A request from a page, on whichever thread the kernel handles its messages."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._answer, content)

    def _answer(self, content: dict[str, Any]) -> None:
        match content.get("kind"):
            case "stop":
                self._stop()
            case "resync" if self._widget is not None:
                self._widget.resend()
            case "mounted":
                self.mounted = True
            case "no place" if not self.mounted and not self.kept:
                self._no_place()
            case "ended" if content.get("fileDone") is True and content.get("seq") == self._seq and self._ending is not None:
                self._ending.over()
            case _:
                pass  # not a request of ours, or one that came too late

    def _snapshot(self) -> dict[str, Any]:
        tree, labels = self._drawing.snapshot(), self._drawing.labels
        return {"seq": self._seq, "now": time.time(), "tree": tree, "ended": self._over, "labels": labels}

    def _tell_beat(self) -> None:
        if self._widget is None or self._over or self._loop is None:
            return
        self._widget.tell({"kind": "beat", "seq": self._seq, "now": time.time()})
        self._beat = self._loop.call_later(BEAT, self._tell_beat)

    def _shut(self) -> None:
        if self._widget is not None and not self.kept:
            self._widget.close()
            self._widget = None
