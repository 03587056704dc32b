"""The kernel's half for the attack harness: neutral events through the real reducer and drawing, as messages for the page.

What goes out is what `runview.view.page` would send: a snapshot, numbered operations, the end. `saved` holds the file's HTML of
the last run, as it was in its course and at its end.
"""

from __future__ import annotations

import json
import sys
import time
import uuid
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[3]))  # the harness may load this file from anywhere

import runview
from runview.chunks.json_text import decode
from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.run.ending import finish
from runview.run.reduce import new_run, reduce
from tests.attacks.neutral import Wires

_SHEET = (Path(runview.__file__).parent / "static" / "styles.css").read_text("utf-8")


def open_run() -> Run:
    """A run for one attack."""
    return Run()


class Run:
    """One run, and the page that watches it."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        self.run = new_run()
        self.drawing = RunDrawing(self.run)
        self.saved: list[str] = []
        self._wires = Wires()
        self._seq = 0

    def start(self) -> str:
        self.drawing.update(time.time())
        snapshot = {"seq": 0, "now": time.time(), "tree": self.drawing.snapshot(), "ended": False}
        return json.dumps({"run": self.id, "css": _SHEET, "snapshot": snapshot})

    def feed(self, text: str) -> str:
        """`text`: the JSON of the events between two flushes."""
        try:
            events = decode(text)
        except ValueError as error:  # a source says so and goes on
            events = [{"type": "runview-note", "message": str(error)}]
        now = time.time()
        for event in events:
            for wire in self._wires.of(event):
                reduce(self.run, wire, now)
        return self._told("ops", self.drawing.update(now))

    def end(self) -> str:
        now = time.time()
        self.saved.append(self.html(now))
        finish(self.run, now)
        self.saved.append(self.html(now))
        return self._told("end", self.drawing.update(now))

    def html(self, now: float) -> str:
        """What the file keeps."""
        return to_html(self.drawing.tree(now, saved=True), marker=f"rv-run-{self.id}")

    def _told(self, kind: str, ops: list[Any]) -> str:
        if kind == "ops" and not ops:
            return "[]"
        self._seq += 1
        return json.dumps([{"kind": kind, "seq": self._seq, "now": time.time(), "ops": ops}], allow_nan=False)
