"""What the attack harness of the kernel's side talks to: values, streams and messages of a page, through the real code."""

from __future__ import annotations

import asyncio
import sys
import time
import uuid
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2]))  # the harness may load this file from anywhere

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.draw.tree import wire
from runview.driver import Driver
from runview.run.ending import finish
from runview.run.log import ChunkLog
from runview.run.reduce import new_run, reduce
from runview.run.resting import waiting_calls
from runview.run.state import RunState, ToolPart
from runview.view.answers import Answers
from runview.view.inspector import Inspector
from runview.view.page import Page
from tests.attacks.neutral import Wires

__all__ = ["Session", "run_stream", "saved", "to_wire"]

saved: list[str] = []
"""HTML and text of what was drawn last."""


def _sent(run: RunState) -> Any:
    """The tree for pages. The forms for the file are drawn, too; the last ones are in `saved`."""
    drawing, now = RunDrawing(run), time.time()
    html = to_html(drawing.tree(now, saved=True), marker="rv-run-x", style=False)
    saved[:] = [html, written(drawing.text(now))]
    return wire(drawing.tree(now))


def to_wire(value: object) -> Any:
    """The value as the result of a call, drawn in every form."""
    run = new_run()
    call = {"toolCallId": "c", "toolName": "t", "args": {"value": value}}
    reduce(run, {"type": "tool-call", "payload": call}, time.time())
    reduce(run, {"type": "tool-result", "payload": {**call, "result": value}}, time.time())
    reduce(run, {"type": "data-x", "data": value}, time.time())
    finish(run, time.time())
    return _sent(run)


def run_stream(events: Any) -> dict[str, Any]:
    """A source of neutral events, driven to its end as a view drives it."""
    wires = Wires()

    def source() -> Any:
        for event in events:
            yield from wires.of(event)

    async def drive() -> Driver:
        driver = Driver(source)
        driver.start()
        await driver.wait()
        return driver

    driver = asyncio.run(drive())
    return {"text": "".join(driver.run.text_deltas), "wire": _sent(driver.run)}


class Session:
    """The comm of a view with one page, and what the page has brought about."""

    def __init__(self) -> None:
        self.stops = 0
        self.approved: set[str] = set()
        self.denied: set[str] = set()
        self._nonce = ""
        self._run = new_run()
        self._drawing = RunDrawing(self._run, None, lambda: ("approve", "decline"))
        inspector = Inspector(self._run, ChunkLog(), self._drawing.look)
        answers = Answers(lambda: self._nonce)
        self._page = Page(uuid.uuid4().hex, self._drawing, inspector, self, no_place=lambda: None, answers=answers)

    def waiting(self, id: str, nonce: str) -> None:
        """A call waits to be allowed."""
        self._nonce = nonce
        for kind in ("tool-call", "tool-call-approval"):
            payload = {"toolCallId": id, "toolName": "t", "args": {}}
            reduce(self._run, {"type": kind, "runId": "r", "from": "AGENT", "payload": payload}, time.time())
        self._drawing.tree(time.time())
        self._page.tell(time.time())

    def on_message(self, content: Any) -> None:
        """What a page sends, in the harness's words; the widget lets only dicts pass."""
        if type(content) is dict:
            self._page._answer(self._ours(content))

    def _ours(self, content: dict[str, Any]) -> dict[str, Any]:
        """The harness says `type` and `approve`, and names the call; our pages name the row that was drawn."""
        refs = {call.call_id: self._drawing.ref(call) for call in self.questions}
        words = {"type": "kind", "approve": "answer", **refs}

        def word(said: Any) -> Any:
            return words.get(said, said) if type(said) is str else said

        return {word(name): word(said) for name, said in content.items()}

    # What the page may ask for

    def stop(self) -> None:
        self.stops += 1

    @property
    def questions(self) -> list[ToolPart]:
        return waiting_calls(self._run)

    def give(self, call: ToolPart, allowed: bool) -> None:
        (self.approved if allowed else self.denied).add(call.call_id)
