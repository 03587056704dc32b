"""What the pages that draw a run are told, and what they ask and answer.

News are numbered, so that a page knows when one was lost and asks for the whole. A page may be opened, reloaded or closed at any
time: the widget's snapshot is the run as it was last told.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from runview.draw.answer import answer
from runview.draw.run import RunDrawing
from runview.run.state import ToolPart
from runview.view.answers import Answers
from runview.view.ending import Ending
from runview.view.inspector import Inspector

if TYPE_CHECKING:
    from runview.view.widget import Widget

__all__ = ["Acts", "Page"]

BEAT = 10.0
"""Seconds between two signs of life."""
LINGER = 600.0
"""Seconds that the comm stays open after the end for somebody who is looking at the chunks, from the last question on."""
ANSWERS = 30
"""Questions of pages that are answered in a second; a page that hears nothing asks again."""
MESSAGE = 249_000
"""Characters of the answer that are sent when a page asks: at most 1 MB."""
ANSWER = 100_000
"""Characters of the answer that a page gets at the end, to be copied when the kernel can't be asked any more."""


class Acts(Protocol):
    """What a page can bring about."""

    def stop(self) -> None: ...

    @property
    def questions(self) -> list[ToolPart]:
        """The calls that can be allowed or refused just now."""
        ...

    def give(self, call: ToolPart, allowed: bool) -> None:
        """Answers one of them."""
        ...


class Page:
    """The comm of one view. Everything but `heard` happens on the loop of the run."""

    def __init__(
        self,
        run_id: str,
        drawing: RunDrawing,
        inspector: Inspector,
        acts: Acts,
        *,
        no_place: Callable[[], None],
        answers: Answers | None = None,
    ) -> None:
        self._id = run_id
        self._drawing = drawing
        self._inspector = inspector
        self._acts = acts
        self._no_place = no_place
        self._answers = answers or Answers()
        self._told_asks: dict[str, str] = {}
        self._widget: Widget | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._ending: Ending | None = None
        self._seq = 0
        self._over = False
        self._answered: deque[float] = deque(maxlen=ANSWERS)
        self._looked: float | None = None
        """When somebody last asked for chunks; None while nobody looks at them."""
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
        self._ask()
        if self._told_asks != self._answers.waits:
            self._tell_alive()

    def end(self, now: float, again: Callable[[], None]) -> None:
        """Tells the end, and again until it is confirmed; `again` does the same for the file. Then the comm closes."""
        self._over = True
        self._seq += 1
        if self._beat is not None:
            self._beat.cancel()
        if self._widget is None:
            return
        ops = self._drawing.update(now)
        said = answer(self._drawing.run)
        copied = {"answer": said} if len(said) <= ANSWER else {}
        self._widget.tell({"kind": "end", "seq": self._seq, "now": now, "ops": ops, **copied})

        def repeat() -> None:
            if self._widget is not None:
                tree = self._drawing.snapshot()
                self._widget.tell({"kind": "end", "seq": self._seq, "now": time.time(), "tree": tree})
                again()

        if self._loop is not None:
            self._ending = Ending(self._loop, repeat, self._shut)

    def over(self) -> None:
        """The run has ended before this: there is nothing to tell, and the comm stays open for whoever looks."""
        self._over = self.kept = self._drawing.explored = True

    def close(self) -> None:
        """Closes the comm without waiting for anybody. What is drawn stays."""
        self._looked = None
        if self._ending is not None and not self._ending.is_over:
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
                self._acts.stop()
            case "answer":
                self._hear_answer(content)
            case "more" if type(ref := content.get("id")) is str and self._drawing.extend(ref):
                self.tell(time.time())
            case "resync" if self._widget is not None:
                self._widget.resend()
                self._tell_alive()
            case "mounted":
                self.mounted = True
                self._tell_alive()
            case "no place" if not self.mounted and not self.kept:
                self._no_place()
            case "ended" if content.get("fileDone") is True and content.get("seq") == self._seq and self._ending is not None:
                self._ending.over()
            case "markdown":
                self._reply(lambda: {"kind": "markdown", "text": answer(self._drawing.run)[:MESSAGE]})
            case "chunks":
                self._looked = time.monotonic()
                self._reply(lambda: self._inspector.chunks(content))
            case "chunk":
                self._looked = time.monotonic()
                self._reply(lambda: self._inspector.chunk(content))
            case "chunks closed":
                self._looked = None
                if self._ending is not None and self._ending.is_over:
                    self._shut()
            case _:
                pass  # not a request of ours, or one that came too late

    def _reply(self, make: Callable[[], dict[str, Any] | None]) -> None:
        now = time.monotonic()
        if len(self._answered) == ANSWERS and now - self._answered[0] < 1:
            return
        self._answered.append(now)
        if self._widget is not None and (news := make()) is not None:
            self._widget.tell(news)

    def _snapshot(self) -> dict[str, Any]:
        tree, labels = self._drawing.snapshot(), self._drawing.labels
        return {"seq": self._seq, "now": time.time(), "tree": tree, "ended": self._over, "labels": labels}

    def _ask(self) -> dict[str, ToolPart]:
        """Brings the questions up to date. Each is about what is shown of it: when that changes, it is another question."""
        calls = {ref: call for call in self._acts.questions if (ref := self._drawing.ref(call)) is not None}
        self._answers.only(list(calls))
        for ref, call in calls.items():
            self._answers.ask(ref, call.name, call.title, call.args, call.approval, call.unheard)
        return calls

    def _hear_answer(self, content: dict[str, Any]) -> None:
        calls = self._ask()
        heard = self._answers.hear(content)
        if heard is not None:
            ref, allowed = heard
            self._acts.give(calls[ref], allowed)

    def _tell_beat(self) -> None:
        if self._widget is None or self._over or self._loop is None:
            return
        self._tell_alive()
        self._beat = self._loop.call_later(BEAT, self._tell_beat)

    def _tell_alive(self) -> None:
        """The last number, and what can be answered: nonces are told to pages that listen now, and nowhere else."""
        if self._widget is not None and not self._over:
            self._ask()
            self._told_asks = self._answers.waits
            self._widget.tell({"kind": "beat", "seq": self._seq, "now": time.time(), "asks": self._told_asks})

    def _shut(self) -> None:
        if self._widget is None or self.kept:
            return
        if self._looked is not None and self._loop is not None and not self._loop.is_closed():
            left = self._looked + LINGER - time.monotonic()
            if left > 0:
                self._loop.call_later(left, self._shut)
                return
        self._widget.close()
        self._widget = None
