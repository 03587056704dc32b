"""What a text that is still being written looks like: its open ends are shown as they will most likely be.

Bold, italic, struck and code that are open are closed at the end; a link is its words until its address is whole; a half
image is not shown; a marker that stands alone at the end is held back until the next character tells what it is. Only the
drawing of the open end goes through here, never a finished block.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from runview.draw.characters import settled

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

    from runview.draw.block import Block

__all__ = ["add", "holds", "trimmed"]

REACH: Final = 1500
"""How many characters back an opener may stand to be closed for display; an older one was most likely no markup."""
WORDS: Final = 300
"""How long the words of an unfinished link may be."""

_END: Final = re.compile(r"(?:\\?[*_~`]+|\\+|&(?:#\w{0,8}|a|am|amp|l|lt|g|gt|q|qu|quo|quot|n|nb|nbs|nbsp)?|<)\Z")
_LONE: Final = re.compile(
    r"(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]))*[ \t]*(?:\d{1,9}[.)]?|[-=_*:|~`$#\s]*|\\\[?|\[[ xX]?\]?)[ \t]*\Z", re.ASCII
)
_LINE: Final = re.compile(r"[-=_*:|~`\s]+\Z")
_FENCE: Final = re.compile(r"(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]))*[ \t]*(?:`{3,}[^`]*|~{3,}.*)\Z", re.ASCII)
_TARGET: Final = re.compile(r"\(\s*(?:<[^<>\n]*|[^\s()]*(?:\([^\s()]*\)?[^\s()]*)*)(?:\s+[\"'(][^\"')\n]*[\"')]?)?\s*\Z")
_AUTOLINK: Final = re.compile(r"<(?=(?:https?|mailto):[^\s<>]*\Z)", re.IGNORECASE)


def trimmed(text: str) -> str:
    """The text without what its last characters leave open."""
    return _END.sub("", settled(text).rstrip()).rstrip()


def holds(line: str, tip: Block) -> bool:
    """Whether a line that is not whole should wait: what it is depends on its next character."""
    bare = line.strip(" \t")
    if tip.kind == "fence":
        bare = bare.lstrip("> \t") if bare.startswith(">") else bare
        return not bare.strip(tip.mark[0])
    if tip.kind == "math":
        return bare.endswith(("$", "\\"))
    if tip.kind == "indented" and line.startswith(("    ", "\t")):
        return False
    if len(bare) <= 60:
        return _LONE.match(bare) is not None or _FENCE.match(bare) is not None
    return (_LINE.match(bare) or _FENCE.match(bare)) is not None


def add(md: MarkdownIt) -> None:
    """Teaches an inline parser to close what is open."""
    from markdown_it.rules_inline.backticks import backtick

    def code(state: StateInline, silent: bool) -> bool:
        start = state.pos
        if state.src[start] != "`":
            return False
        at = start
        while at < state.posMax and state.src[at] == "`":
            at += 1
        backtick(state, True)
        rest = state.src[at : state.posMax]
        if state.pos == at and state.posMax == len(state.src) and rest.strip() and len(rest) <= REACH:
            if not silent:
                state.push("code_inline", "code", 0).content = rest.replace("\n", " ").lstrip(" ")
            state.pos = state.posMax
            return True
        state.pos = start
        return backtick(state, silent)

    md.inline.ruler.at("backticks", code)
    md.inline.ruler.after("tex", "open_tex", _tex)
    md.inline.ruler.after("link", "open_link", _link)
    md.inline.ruler.after("image", "open_image", _image)
    md.inline.ruler.after("autolink", "open_autolink", _autolink)
    md.inline.ruler2.after("balance_pairs", "complete", _complete)


def _tex(state: StateInline, silent: bool) -> bool:
    source, at = state.src, state.pos
    if source[at : at + 2] not in ("\\(", "\\[", "$$") or state.posMax != len(source) or len(source) - at > REACH:
        return False
    body = source[at + 2 :].strip().rstrip("$\\")
    if not silent and body:
        state.push("tex_half", "code", 0).content = body
    state.pos = state.posMax
    return True


def _link(state: StateInline, silent: bool) -> bool:
    source, at, most = state.src, state.pos, state.posMax
    if silent or source[at] != "[" or most != len(source) or state.linkLevel:
        return False
    close = state.md.helpers.parseLinkLabel(state, at, True)
    if close < 0:
        rest = source[at + 1 :]
        if len(rest) > WORDS or (rest and rest.rstrip("]").isdigit()):
            return False
        state.pos = at + 1
        return True
    after = source[close + 1 :]
    if source[at + 1 : close].isdigit() and not after.startswith("("):
        return False
    if not (
        not after or (after[0] == "(" and _TARGET.match(after)) or (after[0] == "[" and "]" not in after and len(after) < WORDS)
    ):
        return False
    state.pos, state.posMax = at + 1, close
    state.linkLevel += 1
    state.md.inline.tokenize(state)
    state.linkLevel -= 1
    state.pos = state.posMax = most
    return True


def _image(state: StateInline, silent: bool) -> bool:
    source, at = state.src, state.pos
    if not source.startswith("![", at) or state.posMax != len(source):
        return False
    close = source.find("]", at + 2)
    after = source[close + 1 :] if close >= 0 else ""
    if len(source) - at > WORDS if close < 0 else after and not (after[0] == "(" and _half_target(after)):
        return False
    state.pos = state.posMax
    return True


def _half_target(after: str) -> bool:
    if after.startswith("(data:"):
        return not any(c in after for c in " \n)")
    return _TARGET.match(after) is not None


def _autolink(state: StateInline, silent: bool) -> bool:
    if silent or not _AUTOLINK.match(state.src, state.pos):
        return False
    state.pos += 1
    return True


def _complete(state: StateInline) -> None:
    """Closes the delimiters that are open at the end, the last one first."""
    from markdown_it.rules_inline.state_inline import Delimiter

    first, reach = len(state.tokens), REACH
    while first > 0 and reach > 0:
        first -= 1
        reach -= len(state.tokens[first].content)
    delimiters = state.delimiters
    open_: list[int] = []
    inside = -1
    for number, delimiter in enumerate(delimiters):
        if delimiter.end >= 0:
            inside = max(inside, delimiter.end)
        elif delimiter.open and number > inside and delimiter.token >= first and delimiter.token < len(state.tokens) - 1:
            open_.append(number)
    for number in reversed(open_):
        opener = delimiters[number]
        token = state.push("text", "", 0)
        token.content = state.tokens[opener.token].content
        opener.end = len(delimiters)
        delimiters.append(
            Delimiter(marker=opener.marker, length=opener.length, token=len(state.tokens) - 1, end=-1, open=False, close=True)
        )
