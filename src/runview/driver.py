"""Owns what moves a run: opens the source, feeds the reducer, wakes listeners and waiters; stop, errors, the end.

The state changes on one loop only. Everything else asks from wherever it is: `start` and `stop` are thread-safe, listeners are
called on the loop, waiters are woken where they wait.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeGuard

from runview.answering import answer, expect_rest, questions, to_approve, ways
from runview.bell import Bell
from runview.blocking import SLICE, block, is_own
from runview.chunks.wire import is_note
from runview.host import home_loop, running_loop
from runview.interrupts import hold, release
from runview.pump import Pump, close_unopened
from runview.run.event import note
from runview.run.log import ChunkLog
from runview.run.reduce import finish, new_run, reduce
from runview.run.resting import Answer as Given
from runview.run.resting import answered, go_on, unheard, waiting_call
from runview.run.state import RunState, ToolPart, Wire
from runview.sources.answer import Answer
from runview.sources.continuing import Way
from runview.sources.detect import check_family
from runview.sources.opening import check_source

__all__ = ["Driver"]

log = logging.getLogger("runview")


class Driver:
    """Moves one run from its source to its end.

    `source` is anything that streams, `args` what it is called with if it is a callable, `schema` the type of the structured
    output; without one, that of a Mastra server's answer counts; `family` what the source's items are, if that is not to be found
    out. Raises TypeError when the source is nothing that can be opened, ValueError for a family that there is not. It starts
    nothing by itself.
    """

    _source: tuple[object, tuple[Any, ...]] | None = None
    """What is still to be opened."""

    def __init__(self, source: object, args: tuple[Any, ...] = (), *, schema: object = None, family: str | None = None) -> None:
        check_source(source)
        check_family(family)
        if schema is None and isinstance(source, Answer):
            schema = source.schema
        self.run: RunState = new_run(schema)
        self.log = ChunkLog()
        self.failure: BaseException | None = None
        """What the source raised."""
        self.loop: asyncio.AbstractEventLoop | None = None
        """Where the source is consumed; None before the start."""
        self.news = Bell()
        """Rings after each batch of changes."""
        self.ends = Bell()
        """Rings when the run comes to its end or to rest."""
        self._lock = threading.RLock()
        self._source = (source, args)
        self._family = family
        self._next: tuple[object, tuple[Any, ...], ToolPart | None, Given | None] | None = None
        """How the run goes on once the source that has said its last word has also ended."""
        self._continuing: list[object] = []
        """What was opened before the current pump and knows how to go on."""
        self._pump: Pump | None = None
        self._settled = False
        self._stop: str | bool = False
        self._listeners: dict[object, Callable[[], None]] = {}
        self._broken: set[object] = set()
        self._told = True

    def __del__(self) -> None:
        if self._source is not None:
            close_unopened(self._source[0])

    # Start and end -------------------------------------------------------------------------------------------------------

    def start(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        """Starts on `loop`, else in a kernel on its main loop, else on the running one; without any, nothing happens yet.

        Does nothing once it has started. May be called from any thread.
        """
        with self._lock:
            if self._source is None or self._settled:
                return
            if loop is None and self.loop is not None and not self.loop.is_closed():
                loop = self.loop
            loop = loop or home_loop()
            if loop is None:
                return
            self.loop = loop
            (source, args), self._source = self._source, None
            self._pump = pump = Pump(source, args, family=self._family, take=self._take, note=self._note, end=self._ended)
        hold(self)
        self._on_loop(pump.start)

    def go_on(
        self, source: object, args: tuple[Any, ...] = (), *, call: ToolPart | None = None, given: Given | None = None
    ) -> None:
        """Joins the continuation of a run that rests to this one; `call` is the call that was answered, `given` the answer.

        From now on values are waited for again. RuntimeError when the run does not rest, or goes on already.
        """
        check_source(source)
        with self._lock:
            expect_rest(self.run)
            self._expect_unanswered()
            self._next = (source, args, call, given)
            waits = not self._settled
            self._settled = False
        if not waits:
            self._on_loop(self._continue)
        elif call is not None:  # The source has said that it waits, but has not ended yet.
            self._on_loop(lambda: self._changed_by(answered(self.run, time.time(), call, given)))

    def approve(self, call_id: str | None = None) -> None:
        """Allows the call that waits: the one with the id, or the only one. RuntimeError, TypeError or ValueError say why not."""
        self._answer("approve", call := to_approve(self.run, call_id), call.call_id)

    def deny(self, call_id: str | None = None, reason: str | None = None) -> None:
        """Refuses the call that waits; the reason is for the model."""
        self._answer("decline", call := to_approve(self.run, call_id), call.call_id, reason)

    def resume(self, data: object, what: str | None = None) -> None:
        """Gives a suspended run what it waits for; `what` is the id of the call or the workflow's step, where several wait."""
        expect_rest(self.run)
        call = None if self.run.kind == "workflow" else waiting_call(self.run, what)
        self._answer("resume", call, data, what if call is None else call.call_id)

    def _answer(self, way: Way, call: ToolPart | None, *more: Any) -> None:
        self._expect_unanswered()
        then = answer(self.run, self._sources, way, call, *more, advice=self._pump.advice if self._pump else "")
        given: Given | None = "allow" if way == "approve" else "deny" if way == "decline" else None
        if then is not None:
            self.go_on(then, call=call, given=given)
        elif self._settled:
            raise TypeError(f"The source's {way}() gave None, but its stream has ended: it should give what comes next.")
        else:
            self._on_loop(lambda: self._changed_by(go_on(self.run, time.time(), call, given)))

    @property
    def _sources(self) -> list[object]:
        """Everything that was opened for this run and knows how it goes on."""
        return [*self._continuing, *(self._pump.continuing if self._pump else ())]

    @property
    def ways(self) -> frozenset[Way]:
        """What may be answered to this run at all."""
        return ways(self._sources)

    @property
    def questions(self) -> list[ToolPart]:
        """The calls that can be allowed or refused just now."""
        return [] if self._next is not None or self.run.stopping else questions(self.run, self._sources)

    def give(self, call: ToolPart, allowed: bool) -> None:
        """Answers one of the `questions` on the loop. Raises nothing: a call that still waits says why."""
        try:
            if allowed:
                self.approve(call.call_id)
            else:
                self.deny(call.call_id)
        except Exception as error:  # whatever the source's own method did
            self._changed_by(unheard(self.run, time.time(), call, str(error) or type(error).__name__))

    def _expect_unanswered(self) -> None:
        if self._next is not None:
            raise RuntimeError("The run goes on already: it was answered a moment ago.")

    def _changed_by(self, _changes: object) -> None:
        if running_loop() is not None:
            self._changed()

    def _continue(self) -> None:
        """Starts what is next; on the loop, or where there is none."""
        with self._lock:
            if self._next is None:
                return
            source, args, call, given = self._next
            self._next = None
            self._source = (source, args)
            if self._pump is not None:
                self._continuing += self._pump.continuing
            if self.loop is not None and self.loop.is_closed():
                self.loop = None
        self._changed_by(go_on(self.run, time.time(), call, given))
        self.start()

    def stop(self, reason: str | None = None) -> None:
        """Ends the run as `canceled`, within 0.2 s even when the source takes no notice. Later calls do nothing."""
        with self._lock:
            if self._stop or (self._settled and self.run.is_done):
                return
            self._stop = reason or True
            pump, waiting, later = self._pump, self._source, self._next
            self._source = self._next = None
        if waiting is not None:
            close_unopened(waiting[0])
        if later is not None:
            close_unopened(later[0])
        if pump is None or waiting is not None or self._settled or pump.over:
            self._on_loop(lambda: self._ended(error=None, stopped=True))
            return
        self.run.stopping = True
        self.run.version += 1
        loop = self.loop
        if loop is not None and loop.is_running():
            self._on_loop(self._changed)
            self._on_loop(pump.stop)
        else:
            # Nobody moves the loop now, and what was stopped is to have ended; the task goes when the loop runs next.
            pump.abandon()
            if loop is not None and not loop.is_closed():
                loop.call_soon_threadsafe(pump.stop)

    def abandon(self) -> None:
        """Ends a run whose loop has closed under it."""
        if self._pump is not None:
            self._pump.abandon()

    @property
    def settled(self) -> bool:
        """Whether the run has ended or rests, so that its values stand."""
        return self._settled

    async def wait(self) -> None:
        """Returns when the run has ended or rests, having started it if need be; never raises."""
        while not self._settled:
            rings = self.ends.rings
            if not self._settled:
                await self.hear(self.ends, rings)

    async def hear(self, bell: Bell, rings: int) -> None:
        """Waits until one of the run's bells has rung more than `rings` times, or for a moment."""
        self.start()
        loop = self.loop
        if loop is None or loop is running_loop():
            await bell.wait(rings)
        elif is_own(loop) and not loop.is_running():
            await asyncio.to_thread(block, self, None)
        else:
            # A loop elsewhere can close without a word.
            with suppress(TimeoutError):
                async with asyncio.timeout(SLICE):
                    await bell.wait(rings)
            if loop.is_closed() and not self._settled:
                self.abandon()

    def block(self, timeout: float | None) -> None:
        """The same for code that does not await. TimeoutError after `timeout` seconds."""
        block(self, timeout)

    # Listeners -----------------------------------------------------------------------------------------------------------

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls `callback` on the loop after each batch of changes and at the end. Gives a function that undoes it."""
        key = object()
        self._listeners[key] = callback

        def unlisten() -> None:
            self._listeners.pop(key, None)

        return unlisten

    def _changed(self) -> None:
        """One call of the listeners for all changes of this turn of the loop."""
        if self._told:
            self._told = False
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        if self._told:
            return
        self._told = True
        for key, callback in tuple(self._listeners.items()):
            try:
                callback()
            except Exception:
                if key not in self._broken:
                    self._broken.add(key)
                    log.exception("A listener of a run failed; its further failures are not reported.")
        self.news.ring()

    # What the pump hands over --------------------------------------------------------------------------------------------

    def _take(self, item: Any) -> None:
        now = time.time()
        if _is_chunk(item):
            # Whatever the producer does with its chunk later, the run goes on with the log's.
            item = self.log.append(item, now)
        reduce(self.run, item, now)
        self._changed()

    def _note(self, message: str) -> None:
        note(self.run, message)
        self.run.version += 1

    def _ended(self, *, error: BaseException | None, stopped: bool) -> None:
        with self._lock:
            if self._settled and self.run.is_done:
                return
            self.failure = error
            finish(self.run, time.time(), error=error, stopped=(self._stop or True) if stopped else False)
            self.run.stopping = False
            goes_on = self._next is not None and not self.run.is_done
            self._settled = not goes_on
            unwanted, self._next = (None, self._next) if goes_on else (self._next, None)
        if unwanted is not None:
            close_unopened(unwanted[0])
        if goes_on:
            self._continue()
            return
        release(self)
        self._told = False
        self._tell()
        self.ends.ring()

    def _on_loop(self, call: Callable[[], None]) -> None:
        """Calls now if this is the loop's thread or there is no loop that could, else on the loop."""
        if self.loop is None or self.loop is running_loop() or self.loop.is_closed():
            call()
            return
        try:
            self.loop.call_soon_threadsafe(call)
        except RuntimeError:
            call()  # It closed this very moment.


def _is_chunk(item: Any) -> TypeGuard[Wire]:
    return not is_note(item) and type(item) is dict
