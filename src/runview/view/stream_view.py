"""`stream_view`: a run in a notebook, in one line; and `StreamView`, the object that it gives back."""

from __future__ import annotations

import asyncio
import difflib
import inspect
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.driver import Driver
from runview.host import in_kernel, kernel_loop, someone_watches
from runview.full_output import FullOutput
from runview.output import RunOutput
from runview.sources.opening import check_source
from runview.view.cells import current_cell, current_message, in_output_widget, on_rerun
from runview.view.clock import flush_clock
from runview.view.ending import Ending
from runview.view.reading import Reading
from runview.view.static import StaticOutput

if TYPE_CHECKING:
    from runview.view.widget import Widget

__all__ = ["StreamView", "runs", "stream_view"]

BEAT = 10.0
"""Seconds between two signs of life while nothing else is told."""

_live: dict[str, StreamView] = {}


def runs() -> list[StreamView]:
    """The views whose runs are still going on, oldest first."""
    return list(_live.values())


def stream_view(
    source: Any,
    *args: Any,
    schema: Any = None,
    title: str | None = None,
    density: Literal["compact", "full"] = "compact",
    reasoning: Literal["closed", "open", "hidden"] = "closed",
    labels: Mapping[str, str] | None = None,
    tool_labels: Mapping[str, Callable[[Any], object]] | None = None,
    max_height: int | None = None,
    live: bool | None = None,
    on_rerun: Literal["stop", "keep"] = "stop",
    **unknown: Any,
) -> StreamView:
    """Shows a run while it streams, and keeps it in the saved notebook.

    Returns at once: in a notebook the run goes on in the background, elsewhere it starts when it is waited for.

    Args:
        source: what streams: an async or sync iterable, generator, coroutine or context manager of chunks (dicts, JSON texts,
            `Chunk`s), a `MastraClient` stream, a recording, or a callable that gives one of these.
        args: arguments for a callable source.
        schema: a pydantic model, a type or a JSON Schema of the structured output.
        title: name in the status line; by default the agent's own.
        density: `"full"` shows every step, time and row.
        reasoning: whether reasoning stands open, closed or not at all.
        labels: the view's words in another language, by their English form.
        tool_labels: by tool name, what stands beside it, made from the call's arguments.
        max_height: height in CSS pixels of a view that scrolls in a box of its own.
        live: whether pages draw the run live; by default unless it is known that nobody watches (also `RUNVIEW_LIVE=0` or `1`).
        on_rerun: whether running the cell again stops the run.

    Raises:
        TypeError: `source` is nothing that streams, or a keyword is not known.
    """
    if unknown:
        raise TypeError(_unknown(next(iter(unknown))))
    check_source(source)
    look = Look(
        title=title,
        density=density,
        reasoning=reasoning,
        labels=labels or {},
        tool_labels=tool_labels or {},
        max_height=max_height,
    )
    return StreamView(Driver(source, args, schema=schema), look, live=live, stop_on_rerun=on_rerun == "stop")


def _unknown(name: str) -> str:
    known = [
        parameter.name
        for parameter in inspect.signature(stream_view).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    close = difflib.get_close_matches(name.replace("_", ""), [each.replace("_", "") for each in known], 1)
    hint = next((f"; did you mean {each}?" for each in known if close and each.replace("_", "") == close[0]), "")
    return f"stream_view() got an unknown keyword {name!r}{hint or '; it takes ' + ', '.join(known)}"


class StreamView:
    """One run and its view. Made by `stream_view`; displaying it shows the run, awaiting it waits for the run's end."""

    def __init__(self, driver: Driver, look: Look, *, live: bool | None = None, stop_on_rerun: bool = True) -> None:
        self.id = uuid.uuid4().hex
        """128 random bits; the run's name in pages and files."""
        self._driver = driver
        self._look = look
        self._wants_live = live
        self._output = RunOutput(Reading(driver, self._settled_here))
        self._drawing = RunDrawing(driver.run, look)
        self._static = StaticOutput(self._bundle)
        self._widget: Widget | None = None
        self._keeps_widget = False
        self._ending: Ending | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timers: list[asyncio.TimerHandle] = []
        self._seq = 0
        self._mounted = False
        self._settled_in: str | None = None
        self._ended = False
        self._forget_cell: Callable[[], None] | None = None
        self._unlisten = driver.listen(self._changed)
        if in_kernel():
            cell = current_cell()
            if stop_on_rerun and cell is not None:
                self._forget_cell = on_rerun(cell, lambda: self.stop("the cell was run again"))
            _live[self.id] = self
            self._loop = kernel_loop()
            driver.start(self._loop)
        else:
            driver.start()

    @property
    def output(self) -> RunOutput:
        """The values of the run, from the start: streams, awaitables, and what there is so far."""
        return self._output

    @property
    def status(self) -> str:
        """`running`, or how the run has ended: see `RunOutput.status`."""
        return self._output.status

    def stop(self, reason: str | None = None) -> None:
        """Stops the run: the source is closed, what there is so far stays. Does nothing when the run is over."""
        self._driver.stop(reason)

    def close(self) -> None:
        """Stops the run if it is going on, and closes the connection to the page; what is drawn stays."""
        self.stop()
        if self._ending is not None:
            self._ending.over()
        else:
            self._close_widget()

    @property
    def widget(self) -> Widget:
        """The view as a widget that draws in its own element: for ipywidgets layouts, `Output` contexts, Colab."""
        self._keeps_widget = True
        return self._make_widget()

    def print(self) -> None:
        """Runs to the end and prints the transcript as it grows: for terminals and scripts."""
        from runview.view.terminal import print_run

        print_run(self._driver, self._look)

    def __await__(self) -> Generator[Any, None, FullOutput]:
        """Waits for the run's end, and gives the values. Never raises for what happened in the run: see `FullOutput.error`."""
        return self._output.get_full_output().__await__()

    def __repr__(self) -> str:
        lines = self._transcript().rstrip().splitlines()
        return lines[-1].strip() if lines else "Waiting…"

    # --- displaying -----------------------------------------------------------------------------------------------------------

    def _ipython_display_(self, **_options: Any) -> None:
        if not in_kernel():
            print(self._transcript())
            return
        if in_output_widget():
            from IPython.display import display

            display(self.widget)
            return
        if someone_watches(self._wants_live) and not self._ended:
            self._make_widget()
        self._static.show()

    def _display_(self) -> Any:
        """What marimo shows: there, outputs are not updated from the background, widgets are."""
        return self.widget

    def _repr_mimebundle_(self, **_options: Any) -> dict[str, str]:
        return self._bundle()

    def _bundle(self) -> dict[str, str]:
        """What the file keeps of the run as it stands now."""
        now = time.time()
        tree = self._drawing.tree(now, saved=True)
        return {
            "text/html": to_html(tree, marker=f"rv-run-{self.id}"),
            "text/plain": written(self._drawing.text(now)),
        }

    def _transcript(self) -> str:
        return written(self._drawing.text(time.time()))

    def _settled_here(self) -> None:
        """A cell has seen the run settle: what its output is to be goes out from that cell, once."""
        message = current_message()
        if self._static.shown and message != self._settled_in:
            self._settled_in = message
            self._static.refresh()

    # --- the page -------------------------------------------------------------------------------------------------------------

    def _make_widget(self) -> Widget:
        if self._widget is None:
            from runview.view.widget import Widget

            self._drawing.update(time.time())
            self._widget = Widget(self.id, self._snapshot, self._heard)
            if self._loop is not None and not self._ended:
                self._loop.call_soon_threadsafe(self._beat)
        return self._widget

    def _snapshot(self) -> dict[str, Any]:
        return {"seq": self._seq, "now": time.time(), "tree": self._drawing.snapshot(), "ended": self._ended}

    def _changed(self) -> None:
        """Something in the run has changed. Called on the loop."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        flush_clock(self._loop).mark(self._flush)

    def _flush(self) -> None:
        now = time.time()
        if self._driver.settled and self._driver.run.is_done:
            self._end(now)
            return
        if self._widget is not None:
            ops = self._drawing.update(now)
            if ops:
                self._seq += 1
                self._widget.send({"kind": "ops", "seq": self._seq, "now": now, "ops": ops})
        self._static.refresh_if_due(seen=not self._mounted)

    def _end(self, now: float) -> None:
        if self._ended:
            return
        self._ended = True
        self._seq += 1
        ops = self._drawing.update(now)
        if self._widget is not None:
            self._widget.send({"kind": "end", "seq": self._seq, "now": now, "ops": ops})
        self._static.refresh()
        self._forget()
        if self._widget is not None and self._loop is not None:
            self._ending = Ending(self._loop, self._end_again, self._close_widget)

    def _end_again(self) -> None:
        if self._widget is None:
            return
        self._widget.send({"kind": "end", "seq": self._seq, "now": time.time(), "tree": self._drawing.snapshot()})
        self._static.refresh()

    def _forget(self) -> None:
        _live.pop(self.id, None)
        self._unlisten()
        if self._forget_cell is not None:
            self._forget_cell()
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    def _beat(self) -> None:
        """Tells the page every ten seconds what was told last, so that a page knows when it has missed something."""
        if self._widget is None or self._ended or self._loop is None:
            return
        if self._seq:
            self._widget.send({"kind": "beat", "seq": self._seq, "now": time.time()})
        self._timers = [self._loop.call_later(BEAT, self._beat)]
        self._static.refresh_if_due(seen=not self._mounted)

    def _close_widget(self) -> None:
        if self._widget is not None and not self._keeps_widget:
            self._widget.close()
            self._widget = None

    def _heard(self, content: dict[str, Any]) -> None:
        """A request from a page, on whichever thread the kernel handles its messages."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._answer, content)

    def _answer(self, content: dict[str, Any]) -> None:
        match content.get("kind"):
            case "stop":
                self.stop()
            case "resync":
                if self._widget is not None:
                    self._widget.send_state("snapshot")
            case "mounted":
                self._mounted = True
            case "no place":
                self._show_widget()
            case "ended":
                if content.get("fileDone") is True and content.get("seq") == self._seq and self._ending is not None:
                    self._ending.over()

    def _show_widget(self) -> None:
        """A page found the output but can't draw over it: the widget takes the output's place."""
        if self._mounted or self._widget is None or self._keeps_widget:
            return
        self._static.replace(self.widget._repr_mimebundle_()[0])
