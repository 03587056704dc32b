"""Stars between Chinese, Japanese and Korean characters.

By CommonMark's rules `**记住：**明天` is not bold: a star between a punctuation mark and a letter can't close. Those scripts
put no blanks between words, so the rule makes much of their bold text fail. Here a run of stars beside such a character opens
if no blank follows it and closes if none is before it. Everything else is as it was.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

__all__ = ["add"]

_RUN: Final = re.compile(r"\*+")
_SCRIPT: Final = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)


def add(md: MarkdownIt) -> None:
    """Teaches an inline parser these stars."""
    md.inline.ruler.before("emphasis", "stars", _stars)


def _stars(state: StateInline, silent: bool) -> bool:
    from markdown_it.rules_inline.state_inline import Delimiter

    run = _RUN.match(state.src, state.pos)
    if silent or run is None:
        return False
    start, end = run.span()
    before, after = state.src[start - 1 : start], state.src[end : end + 1]
    if not _SCRIPT.match(before) and not _SCRIPT.match(after):
        return False
    opens, closes = bool(after.strip()), bool(before.strip())
    for _ in range(end - start):
        state.push("text", "", 0).content = "*"
        token = len(state.tokens) - 1
        state.delimiters.append(Delimiter(marker=ord("*"), length=end - start, token=token, end=-1, open=opens, close=closes))
    state.pos = end
    return True
