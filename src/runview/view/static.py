"""The one output of a view: static HTML and plain text, updated where it stands.

It is what the file keeps. While a page draws over it nobody sees it, so it is refreshed seldom; until a page has said that it
draws, this output is all that a reader has, so it is refreshed once a second.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

__all__ = ["StaticOutput", "publish"]

UNSEEN = 10.0
"""Least seconds between two refreshes under a live view; an eighth of the run's time where that is longer."""
BYTES = 3
"""All refreshes during a run weigh at most this many times the HTML as it stands; the last one comes on top."""
SEEN_RATE = 50_000
"""Bytes a second that refreshing a visible output may cost."""

Bundle = dict[str, Any]


class StaticOutput:
    """All outputs in which one run stands: a cell may show a view twice, or a later cell again."""

    def __init__(self, draw: Callable[[], Bundle]) -> None:
        self._draw = draw
        self._ids: list[str] = []
        self._begun = self._last = time.monotonic()
        self._weight = 0
        self._size = 0
        self.instead: Bundle | None = None
        """What stands in place of the static form, as long as it is set."""

    @property
    def shown(self) -> bool:
        """Whether the run has been displayed at all."""
        return bool(self._ids)

    def show(self) -> None:
        """Adds an output to the running cell."""
        display_id = uuid.uuid4().hex
        self._ids.append(display_id)
        self._publish(self.instead or self._draw(), [display_id], update=False)

    def refresh(self) -> None:
        """Brings every output up to date."""
        if self._ids:
            self._publish(self.instead or self._draw(), self._ids, update=True)
        self._last = time.monotonic()

    def due_in(self, seen: bool) -> float:
        """Seconds until the next refresh may be. `seen`: no page has said that it draws over the output."""
        return max(0.0, self._last + self.pause(seen) - time.monotonic())

    def refresh_if_due(self, seen: bool) -> bool:
        """Refreshes if it may, and says whether it was time to."""
        if self.due_in(seen):
            return False
        self._last = time.monotonic()
        if self._ids and self.instead is None:
            bundle = self._draw()
            size = _size(bundle) * len(self._ids)
            if seen or self._weight + size <= BYTES * size:
                self._publish(bundle, self._ids, update=True)
        return True

    def pause(self, seen: bool) -> float:
        """Seconds from one refresh to the next."""
        if seen:
            return max(1.0, self._size / SEEN_RATE)
        return max(UNSEEN, (time.monotonic() - self._begun) / 8)

    def _publish(self, bundle: Bundle, ids: list[str], *, update: bool) -> None:
        self._size = _size(bundle)
        for display_id in ids:
            self._weight += self._size
            publish(bundle, raw=True, display_id=display_id, update=update)


def publish(what: Any, **options: Any) -> None:
    """IPython's `display`."""
    from IPython import display

    show: Any = getattr(display, "display")  # noqa: B009 (it has no types)
    show(what, **options)


def _size(bundle: Bundle) -> int:
    return sum(len(text) for text in bundle.values() if isinstance(text, str))
