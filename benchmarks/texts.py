"""Texts as models write them, of any length: paragraphs, lists, code, tables, maths, quotes, in about the usual parts."""

from __future__ import annotations

import random

__all__ = ["answer"]

WORDS = (
    "the tidal range at a gauge depends on the shape of its coast and because an estuary narrows towards the land water that "
    "comes in twice a day is pushed higher than anywhere else so people measure every hour and compare what they found"
).split()
FORMULAS = (
    "$$\n\\int_0^1 x^2 \\, dx = \\frac{1}{3}\n$$\n\n",
    "The bound is $O(n \\log n)$, and $\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}$ holds.\n\n",
)


def answer(length: int, chance: random.Random | None = None) -> str:
    """About `length` characters, always the same for the same `chance`."""
    chance = chance or random.Random(1)
    parts: list[str] = []
    have = 0
    while have < length:
        parts.append(_block(chance))
        have += len(parts[-1])
    return "".join(parts)[:length]


def _block(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.5:
        return " ".join(_sentence(chance, chance.randint(8, 16)) + "." for _ in range(chance.randint(2, 5))) + "\n\n"
    if kind < 0.6:
        return f"## {_sentence(chance, 4).capitalize()}\n\n"
    if kind < 0.75:
        return "".join(f"- {_sentence(chance, chance.randint(5, 10))}\n" for _ in range(chance.randint(3, 6))) + "\n"
    if kind < 0.83:
        lines = (f"    {_word(chance)}_{i} = {_word(chance)}({i}, '{_word(chance)}')  # {_word(chance)}\n" for i in range(6))
        return f"```python\n{''.join(lines)}```\n\n"
    if kind < 0.9:
        rows = (f"| {_word(chance)} | {chance.randrange(10_000)} | {_sentence(chance, 3)} |\n" for _ in range(5))
        return f"| name | value | note |\n|---|---:|---|\n{''.join(rows)}\n"
    return chance.choice(FORMULAS) if kind < 0.95 else f"> {_sentence(chance, 12)}\n\n"


def _sentence(chance: random.Random, count: int) -> str:
    words = [_word(chance) for _ in range(count)]
    at = chance.randrange(count)
    word = words[at]
    words[at] = chance.choice([f"**{word}**", f"*{word}*", f"`{word}`", f"[{word}](https://example.org/{word})", word, word])
    return " ".join(words)


def _word(chance: random.Random) -> str:
    return chance.choice(WORDS)
