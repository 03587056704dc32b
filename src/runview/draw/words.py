"""Words, numbers, sizes and times as a view writes them.

Everything a reader sees passes through here, so that a number looks the same in a row, in the footer and in the transcript,
and so that `labels=` can put the whole view into another language.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from runview.draw.characters import show

__all__ = ["THIN", "Words", "number", "one_line", "size"]

THIN = "\u202f"
"""A narrow space that never breaks: between digits, and between a figure and its unit."""

_UNITS = ("B", "kB", "MB", "GB", "TB")


def number(value: float) -> str:
    """A count with thin spaces between thousands: `4 812`. What is not finite is `—`."""
    if type(value) is float:
        if not math.isfinite(value):
            return "—"
        if value != int(value) or abs(value) >= 1e15:
            return repr(value)
    whole = int(value)
    if whole.bit_length() > 200:
        return f"≈10^{int(whole.bit_length() * 0.30103)}"
    return f"{whole:,}".replace(",", THIN)


def size(octets: int) -> str:
    """A size in bytes, decimal units, two figures: `3.1 kB`, `20 kB`."""
    value, unit = float(octets), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    text = f"{value:.1f}" if unit and value < 99.95 and round(value, 1) != int(round(value, 1)) else f"{value:.0f}"
    return f"{text}{THIN}{_UNITS[unit]}"


def one_line(text: str, limit: int = 160) -> str:
    """Text as it may stand in a row: one line, bounded, its odd characters made visible."""
    line = " ".join(text[: 4 * limit].split())
    if len(line) > limit:
        return show(line[: limit - 1]).rstrip() + "…"
    return show(line)


class Words:
    """The words of one view, in the language of its `labels`."""

    __slots__ = ("_labels",)

    def __init__(self, labels: Mapping[str, str]) -> None:
        self._labels = labels

    def told(self) -> dict[str, str]:
        """All labels, for what the page itself says (`js/src/words.ts`)."""
        return {str(word): show(str(said)) for word, said in self._labels.items()}

    def __call__(self, word: str) -> str:
        """The word as this view says it; the English form where `labels` has none."""
        said = self._labels.get(word)
        return word if said is None else show(str(said))

    def count(self, value: float, one: str, many: str | None = None) -> str:
        """`1 result`, `5 results`."""
        return f"{number(value)} {self(one if value == 1 else many or one + 's')}"

    def seconds(self, passed: float) -> str:
        """How long a finished thing took: `0.3 s`, `4.2 s`, `12 s`, `1 m 04 s`."""
        if passed < 0.05:
            return f"<0.1{THIN}{self('s')}"
        return f"{passed:.1f}{THIN}{self('s')}" if passed < 9.95 else self.clock(passed + 0.5)

    def clock(self, passed: float) -> str:
        """What a running clock shows: whole seconds. The page counts in the same form (`js/src/behaviour/clock.ts`)."""
        whole = max(0, int(passed))
        if whole < 60:
            return f"{whole}{THIN}{self('s')}"
        minutes, rest = divmod(whole, 60)
        if minutes < 60:
            return f"{minutes}{THIN}{self('m')} {rest:02d}{THIN}{self('s')}"
        hours, minutes = divmod(minutes, 60)
        return f"{hours}{THIN}{self('h')} {minutes:02d}{THIN}{self('m')}"

    def roughly(self, passed: float) -> str:
        """How long a thought took: `<1 s`, `6 s`."""
        return f"<1{THIN}{self('s')}" if passed < 1 else self.clock(passed)
