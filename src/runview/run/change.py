"""What a chunk changed, as the reducer tells it."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Change"]


class Change(NamedTuple):
    """To the part with this key, or to the run itself (key `""`)."""

    what: Literal["opened", "changed", "closed", "run"]
    key: str
