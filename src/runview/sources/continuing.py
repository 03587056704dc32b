"""How a source goes on when its run waits for somebody.

A source, or anything that it was opened from, may have these methods. Each gives another source, which is what the run does from
there, and is called with the id of the run and of the call that waits. A source whose stream stays open while it waits may give
None: it goes on by itself.

    approve(run_id, tool_call_id)          the call may be made
    decline(run_id, tool_call_id, reason)  it may not; `reason` is text or None
    resume(run_id, data, what)             the call or step `what` (None: the only one) gets what it waits for
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

__all__ = ["WAYS", "OneRun", "Relay", "Way", "can", "continues", "knows", "way_of"]

Way: TypeAlias = Literal["approve", "decline", "resume"]
WAYS: Final[tuple[Way, ...]] = ("approve", "decline", "resume")


class Relay:
    """A source that passes answers on to another, and so has every method whether it can go on or not."""

    def relays(self, way: Way) -> bool:
        """Whether the other one knows the way."""
        raise NotImplementedError


class OneRun:
    """A source that is one run itself, and so can be answered though the run has told no id; it is given an empty one."""


def can(source: object, way: Way) -> bool:
    """Whether a source has the method; nothing of the source is run to find out."""
    return inspect.getattr_static(source, way, None) is not None and callable(getattr(source, way, None))


def knows(sources: Sequence[object], way: Way) -> bool:
    """Whether one of some sources can go on in this way."""
    return any(can(source, way) and (not isinstance(source, Relay) or source.relays(way)) for source in sources)


def continues(source: object) -> bool:
    """Whether a source knows any way to go on."""
    return any(inspect.getattr_static(source, way, None) is not None for way in WAYS)


def way_of(sources: Sequence[object], way: Way) -> Any:
    """The method of the latest of some sources that has it, or None."""
    return next((getattr(source, way) for source in reversed(sources) if can(source, way)), None)
