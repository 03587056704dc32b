"""What stands for a value that was never given."""

from __future__ import annotations

from typing import Final

__all__ = ["ABSENT"]


class _Absent:
    """The value of what was never given; `None` is a value."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = _Absent()
