"""The drawing of one run: its whole tree, and what changed in it since the page last heard."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from runview.draw.footer import footer, notes
from runview.draw.look import Look
from runview.draw.packed import pack, packed_ops
from runview.draw.parts import rows
from runview.draw.pen import Form, Memory, Pen
from runview.draw.saying import saying
from runview.draw.status import status
from runview.draw.steps import usage_table, warnings
from runview.draw.tree import Node, Op, diff, h, wire
from runview.draw.words import Words, one_line
from runview.run.state import Part, ReasoningPart, RunState, TextPart

__all__ = ["RunDrawing"]


class RunDrawing:
    """How one view draws its run.

    It remembers what was last drawn live, so that a change costs what it changed and not the length of the run. Drawings for the
    file and for the transcript are made afresh and leave that memory alone.
    """

    def __init__(self, run: RunState, look: Look | None = None, ways: Callable[[], Collection[str]] | None = None) -> None:
        self.run = run
        self._ways = ways
        self.look = look or Look()
        self._words = Words(self.look.labels)
        self._memory = Memory()
        self.explored = False
        """Somebody looks at a run that has ended, with a kernel to ask."""
        self._born: float | None = None
        self._last: Node | None = None

    def tree(self, now: float, *, saved: bool = False, whole: bool = False) -> Node:
        """The whole `section`. `now` is in seconds since the epoch.

        With `saved` it is the form for the file: clocks as text, and words for a run that was still going on; `whole` takes
        large pictures in as well. Without, it becomes what was last drawn live.
        """
        if saved:
            return self._draw(now, "saved", whole=whole)
        self._last = self._draw(now, "live")
        return self._last

    def text(self, now: float) -> Node:
        """The form for the transcript: as saved, with texts as the Markdown that they came as."""
        return self._draw(now, "text")

    def update(self, now: float) -> list[Op]:
        """The operations that turn what was last drawn live into what the run is now. The first call must come after `tree`."""
        last = self._last
        new = self.tree(now)
        return packed_ops(diff(last, new)) if last is not None else []

    def ref(self, part: Part) -> str | None:
        """What the buttons of a part call it, if it has been drawn with any."""
        return self._memory.refs.get((part, ""))

    @property
    def asks(self) -> bool:
        """Whether the kernel can be asked for more: not after the end, when the comm may close at any time."""
        return self.explored or not self.run.is_done

    def extend(self, ref: str) -> bool:
        """Shows more of what a button offers; whether there is such a button. It is drawn with the next update."""
        piece = self._memory.offers.pop(ref, None) if self.asks else None
        if piece is None:
            return False
        self._memory.reaches[piece] = self._memory.reaches.get(piece, 0) + 1
        # The row of the piece is drawn again, and so are the rows around it. Texts, which cost most, hold no pieces.
        for part in [part for part in self._memory.drawn if not isinstance(part, TextPart | ReasoningPart)]:
            del self._memory.drawn[part]
        return True

    def snapshot(self) -> Any:
        """What was last drawn live, whole, as it travels. `tree` or `update` must have been called before."""
        if self._last is None:
            raise RuntimeError("nothing has been drawn yet: call tree() first")
        return pack(wire(self._last))

    @property
    def labels(self) -> dict[str, str]:
        """The view's words in another language, for the page's own."""
        return self._words.told()

    def _draw(self, now: float, form: Form, *, whole: bool = False) -> Node:
        if self._born is None:
            self._born = now
        run = self.run
        pen = Pen(
            look=self.look,
            words=self._words,
            now=now,
            form=form,
            memory=self._memory,
            over=run.is_done,
            ended=run.ended,
            ways=self._ways() if self._ways is not None else None,
            asks=form == "live" and self.asks,
            whole=whole,
        )
        if run.started is not None and run.ended is not None and run.is_done:
            pen.lanes = (run.started, run.ended)
        kids = [status(pen, run, self._born), *rows(pen, run)]
        kids += [
            node for node in (warnings(pen, run), usage_table(pen, run), notes(pen, run), footer(pen, run)) if node is not None
        ]
        name = self.look.title or run.name
        title = f"{self._words('Run of')} {one_line(name, 80)}" if name else self._words("Run of an agent")
        cls = "rv rv-full" if pen.full else "rv"
        if form == "saved":
            cls += " rv-running" if run.status == "running" else " rv-done" if run.is_done else " rv-resting"
        direction = self.look.labels.get("dir")
        live = form == "live"
        return h(
            "section",
            f"{cls} rv-boxed" if self.look.max_height is not None and form != "text" else cls,
            *kids,
            role="region",
            aria_label=title,
            aria_busy="true" if live and run.status == "running" else None,
            dir=direction if direction in ("ltr", "rtl") else None,
            height=self.look.max_height,
            say=saying(pen, run) if live else None,
        )
