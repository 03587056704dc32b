"""`stream_view`: a run in a notebook, in one line; and `StreamView`, the object that it gives back."""

from __future__ import annotations

import asyncio
import difflib
import inspect
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.driver import Driver
from runview.full_output import FullOutput
from runview.host import in_kernel, kernel_loop, outputs_stand_apart, running_loop, someone_watches
from runview.output import RunOutput
from runview.run.state import Status
from runview.sources.opening import check_source
from runview.sources.url import asked
from runview.view.cells import current_cell, current_message, in_output_widget, on_rerun
from runview.view.clock import flush_clock
from runview.view.exports import as_html, as_jsonl, as_markdown
from runview.view.inspector import Inspector
from runview.view.page import Page
from runview.view.reading import Reading
from runview.view.static import StaticOutput, publish

if TYPE_CHECKING:
    from runview.view.widget import Widget

__all__ = ["StreamView", "runs", "stream_view"]

_live: dict[str, StreamView] = {}


def runs() -> list[StreamView]:
    """The views whose runs are still going on, oldest first."""
    return list(_live.values())


def stream_view(
    stream: Any,
    /,
    *args: Any,
    schema: Any = None,
    source: str | None = None,
    json: Any = None,
    headers: Mapping[str, str] | None = None,
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
        stream: what streams: what an agent's SDK gives for a streamed answer, in any state (coroutine, context manager, iterator,
            result); an iterable of chunks (dicts, JSON texts, `Chunk`s); a `MastraClient` stream; a recording; the address of a
            server; or a callable that gives one of these, or an agent.
        args: arguments for a callable or an agent.
        source: whose events they are (`"openai-chat"`, `"anthropic"`, …), if that is not to be found out.
        json: what is sent to an address, by POST.
        headers: what goes with it.
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
        TypeError: `stream` is nothing that streams, or a keyword is not known.
        ValueError: `source` is not known; the message has those that are.
    """
    if unknown:
        raise TypeError(_unknown(next(iter(unknown))))
    given = asked(stream, json, headers)
    check_source(given)
    look = Look(
        title=title,
        density=density,
        reasoning=reasoning,
        labels=labels or {},
        tool_labels=tool_labels or {},
        max_height=max_height,
    )
    return StreamView(Driver(given, args, schema=schema, family=source), look, live=live, stop_on_rerun=on_rerun == "stop")


def _unknown(name: str) -> str:
    known = [
        parameter.name
        for parameter in inspect.signature(stream_view).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    close = difflib.get_close_matches(name.replace("_", ""), [each.replace("_", "") for each in known], 1)
    hint = next((f"; did you mean {each}?" for each in known if close and each.replace("_", "") == close[0]), "")
    return f"stream_view() got an unknown keyword {name!r}{hint or '; it takes ' + ', '.join(known)}"


def _kept(text: str, path: str | PathLike[str] | None) -> str:
    """The text, written to a file if one is named."""
    if path is not None:
        with Path(path).open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
    return text


class StreamView:
    """One run and its view. Made by `stream_view`; displaying it shows the run, awaiting it waits for the run's end."""

    def __init__(self, driver: Driver, look: Look, *, live: bool | None = None, stop_on_rerun: bool = True) -> None:
        self.id = uuid.uuid4().hex
        """128 random bits; the run's name in pages and files."""
        self._driver = driver
        self._look = look
        self._wants_live = live
        self._output = RunOutput(Reading(driver, self._settled_here))
        self._drawing = RunDrawing(driver.run, look, lambda: driver.ways)
        self._static = StaticOutput(self._bundle)
        inspector = Inspector(driver.run, driver.log, look)
        self._page = Page(self.id, self._drawing, inspector, driver, no_place=self._show_widget)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._refresh: asyncio.TimerHandle | None = None
        self._settled_in: str | None = None
        self._rested = self._ended = self._closing = False
        self._forget_cell: Callable[[], None] | None = None
        self._unlisten = driver.listen(self._changed)
        again = driver.run.is_done
        if in_kernel():
            cell = current_cell()
            if again and cell is not None:
                self._forget_cell = on_rerun(cell, self.close)
            elif stop_on_rerun and cell is not None:
                self._forget_cell = on_rerun(cell, lambda: self.stop("the cell was run again"))
            if not again:
                _live[self.id] = self
            self._loop = kernel_loop()
        if again:
            self._page.over()
            self._unlisten()
        driver.start(self._loop)

    @property
    def output(self) -> RunOutput:
        """The values of the run, from the start: streams, awaitables, and what there is so far."""
        return self._output

    @property
    def status(self) -> Status:
        """`running`, or how the run has ended: see `RunOutput.status`."""
        return self._output.status

    def stop(self, reason: str | None = None) -> None:
        """Stops the run: the source is closed, what there is so far stays. Does nothing when the run is over."""
        self._driver.stop(reason)

    def approve(self, call_id: str | None = None) -> None:
        """Allows the tool call that waits for it (with the id, where several do). The run goes on in the same view and output.

        Raises RuntimeError when nothing waits to be allowed, ValueError when it is not clear which call is meant, and TypeError
        when the run's source has no way to go on: see `MastraClient`, or give your own source a method
        `approve(run_id, tool_call_id)` that gives what comes next.
        """
        self._driver.approve(call_id)

    def deny(self, call_id: str | None = None, reason: str | None = None) -> None:
        """Refuses the tool call that waits, with a reason for the model. Raises as `approve`; the method is `decline`."""
        self._driver.deny(call_id, reason)

    def resume(self, data: Any, id: str | None = None) -> None:
        """Gives a suspended tool call or workflow step (by its id, where several wait) the data that it waits for.

        Raises as `approve`; the method is `resume(run_id, data, id)`.
        """
        self._driver.resume(data, id)

    def close(self) -> None:
        """Stops the run if it is going on, and closes the connection to the page; what is drawn stays."""
        self._closing = True
        self._page.kept = False
        self.stop()
        self._page.close()
        if self._forget_cell is not None and self._driver.run.is_done:
            self._forget_cell()

    @property
    def widget(self) -> Widget:
        """The view as a widget that draws in its own element: for ipywidgets layouts, `Output` contexts, Colab."""
        self._page.kept = True
        return self._page.open(self._loop)

    def print(self) -> None:
        """Runs to the end and prints the transcript as it grows: for terminals and scripts. An interrupt stops the run."""
        from runview.view.terminal import Printer

        printer = Printer(self._driver, self._look, lambda text: print(text, end="", flush=True))
        unlisten = self._driver.listen(printer)
        try:
            self._driver.block(None)
        finally:
            unlisten()
            printer.end()

    def to_html(self, path: str | PathLike[str] | None = None, *, embed: Literal["small", "full"] = "small") -> str:
        """The run as a page of its own, also written to `path` if one is given: the saved form with keys, finding and copying.

        It needs no network, and asks for nothing. Pictures above 200 kB are named with their size; `embed="full"` takes all in.
        """
        if embed not in ("small", "full"):
            raise ValueError(f'embed is "small" or "full", not {embed!r}')
        return _kept(as_html(self._drawing, time.time(), whole=embed == "full"), path)

    def to_markdown(self, path: str | PathLike[str] | None = None) -> str:
        """The run as a Markdown document, also written to `path` if one is given: the answer as it came, the work as a list."""
        return _kept(as_markdown(self._drawing, time.time()), path)

    def to_jsonl(self, path: str | PathLike[str] | None = None, *, secrets: bool = False) -> str:
        """The chunks of the run so far with their times, also written to `path` if one is given: `replay(path)` plays them again.

        Request bodies, response headers, raw chunks, stacks and what looks like a credential are left out or hidden unless
        `secrets` is true.
        """
        return _kept("".join(as_jsonl(self._driver.log, secrets=secrets)), path)

    def explore(self) -> StreamView:
        """Another live view of this run, once it has ended: rows, keys and chunks ask the kernel again. Display it.

        Its connection stays open until its `close()` or until its cell is run again. RuntimeError while the run goes on.
        """
        if not self._driver.run.is_done:
            raise RuntimeError("The run has not ended yet, so its own view is live still.")
        return StreamView(self._driver, self._look, live=True)

    def __await__(self) -> Generator[Any, None, FullOutput]:
        """Waits for the run's end, and gives the values. Never raises for what happened in the run: see `FullOutput.error`."""
        return self._output.get_full_output().__await__()

    def __repr__(self) -> str:
        lines = self._transcript().rstrip().splitlines()
        return lines[-1].strip() if lines else "Waiting…"

    def _ipython_display_(self, **_options: Any) -> None:
        if not in_kernel():
            print(self._transcript())
        elif in_output_widget():
            publish(self.widget)
        else:
            if someone_watches(self._wants_live) and not self._ended:
                self._page.open(self._loop)
                if outputs_stand_apart():
                    self._static.instead = self.widget.bundle()
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

    def _show_widget(self) -> None:
        """A page found the output but can't draw over it: the widget takes the output's place until the end."""
        self._static.instead = self.widget.bundle()
        self._static.refresh()

    # What the run's loop calls ---------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        if self._loop is None:
            # Without a kernel there is no page. A run that is stopped before it starts has no loop either.
            self._loop = running_loop()
        if self._loop is None:
            return
        flush_clock(self._loop).mark(self._flush)

    def _flush(self) -> None:
        now = time.time()
        if not self._driver.settled:
            self._rested = False
        elif self._driver.run.is_done:
            self._end(now)
            return
        self._page.tell(now)
        if self._driver.settled and not self._rested:
            # A run that waits for its reader may wait for days, and the file is to say so.
            self._rested = True
            self._static.refresh()
        self._refresh_later()

    def _refresh_later(self) -> None:
        """What has changed reaches the file after a while, even if nothing changes any more until then."""
        if self._refresh is None and self._static.shown and self._loop is not None:
            self._refresh = self._loop.call_later(self._static.due_in(seen=not self._page.mounted), self._refresh_now)

    def _refresh_now(self) -> None:
        self._refresh = None
        if not self._ended and not self._static.refresh_if_due(seen=not self._page.mounted):
            self._refresh_later()

    def _end(self, now: float) -> None:
        if self._ended:
            return
        self._ended = True
        self._static.instead = None  # a file that held a widget would show an error when it is opened
        self._page.end(now, again=self._static.refresh)
        self._static.refresh()
        _live.pop(self.id, None)
        self._unlisten()
        if self._forget_cell is not None:
            self._forget_cell()
        if self._refresh is not None:
            self._refresh.cancel()
        if self._closing:
            self._page.close()
