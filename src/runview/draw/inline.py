"""The text inside a block: emphasis, code, links, images and maths, from markdown-it's inline rules and a few of our own.

Raw HTML is text. Every address is checked (`links.py`); an image is drawn only from its own checked bytes, any other is its
alternative text and a link. `half.py` adds the rules for a text that is still being written.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from runview.draw import emphasis, links, maths
from runview.draw.characters import show
from runview.draw.images import picture_of
from runview.draw.tree import Child, Node, h

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    from runview.draw.definitions import Known

__all__ = ["build", "lex", "parser", "plain"]

MAX_DEPTH: Final = 16
"""Elements inside one another; what is deeper is drawn without its markup."""
MAX_TEX: Final = 2000
MAX_DOLLAR: Final = 500
MAX_PICTURE: Final = 1_000_000

_DATA: Final = re.compile(r"!\[([^\[\]\n]{0,500})\]\((data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]*={0,2})\)")
_SAYS: Final = re.compile(r"\w")
_ORDINAL: Final = re.compile(r"(?:th|st|nd|rd|s)?(?![0-9A-Za-z_])")
_CITED: Final = re.compile(r"\[[1-9]\d{0,2}\]")
"""A number in brackets cites a source. Which one, the page looks for when it is followed: sources may come after the text."""
_ELEMENTS: Final = {"em_open": "em", "strong_open": "strong", "s_open": "del"}


_MARKED: Final = re.compile(r"[\n!\\`*_~\[<&$]|://")


def plain(source: str) -> bool:
    """Whether nothing in the text can be markup."""
    return _MARKED.search(source) is None


def lex(source: str, known: Known, *, half: bool = False) -> list[Token]:
    """The tokens of one text. `half`: it is still being written, and what is open in it is shown as it will be."""
    md = parser(half)
    return md.inline.parse(source, md, {"references": known}, [])


@cache
def parser(half: bool) -> MarkdownIt:
    """The inline parser, made when it is first needed."""
    from markdown_it import MarkdownIt

    md = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable("strikethrough")
    md.disable("html_inline")
    # The addresses are checked when the tokens are drawn; a refused one must not bring back the raw source.
    md.normalizeLink = _as_it_is  # type: ignore[method-assign]
    md.normalizeLinkText = _text_as_it_is  # type: ignore[method-assign]
    md.validateLink = _any  # type: ignore[method-assign]
    md.inline.ruler.before("escape", "tex", _tex)
    md.inline.ruler.at("image", _image)
    emphasis.add(md)
    if half:
        from runview.draw import half as rules

        rules.add(md)
    return md


def _as_it_is(url: str) -> str:
    return url


def _text_as_it_is(link: str) -> str:
    return link


def _any(url: str) -> bool:
    return True


def _tex(state: StateInline, silent: bool) -> bool:
    r"""`\(…\)`, `\[…\]`, `$$…$$`, and `$…$` where both dollars touch the formula and no digit follows."""
    source, at = state.src, state.pos
    opener = source[at : at + 2]
    if opener in ("\\(", "\\[", "$$"):
        closer = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}[opener]
        end = source.find(closer, at + 2, min(state.posMax, at + 2 + MAX_TEX))
        body = source[at + 2 : end] if end > 0 else ""
        after = end + 2
    elif opener[:1] == "$":
        end = _dollar(source, at, min(state.posMax, at + MAX_DOLLAR))
        body = source[at + 1 : end] if end > 0 else ""
        after = end + 1
    else:
        return False
    if not _SAYS.search(body):
        return False
    if not silent:
        token = state.push("tex_block" if opener in ("\\[", "$$") else "tex", "math", 0)
        token.content = body
    state.pos = after
    return True


def _dollar(source: str, at: int, most: int) -> int:
    """Where the dollar stands that closes the one at `at`, or -1."""
    if at + 1 >= most or source[at + 1].isspace() or (at and (source[at - 1].isalnum() or source[at - 1] == "$")):
        return -1
    end = at + 1
    while True:
        end = source.find("$", end, most)
        if end < 0 or "\n" in source[at:end]:
            return -1
        if source[end - 1] != "\\":
            break
        end += 1
    if end == at + 1 or source[end - 1].isspace() or not _ORDINAL.match(source, end + 1):
        return -1
    return end


def _image(state: StateInline, silent: bool) -> bool:
    """An image: like a link, its alternative text between two tokens. One made of data is matched whole, for it may be long."""
    source, at = state.src, state.pos
    if not source.startswith("![", at):
        return False
    data = _DATA.match(source, at, state.posMax)
    if data is not None:
        label, target, end = data.span(1), data[2], data.end()
    else:
        close = state.md.helpers.parseLinkLabel(state, at + 1, False)
        goal = _target(state, at + 2, close) if close >= 0 else None
        if goal is None:
            return False
        label, (target, end) = (at + 2, close), goal
    if not silent:
        most = state.posMax
        state.pos, state.posMax = label
        state.push("image_open", "img", 1).attrs = {"src": target}
        state.md.inline.tokenize(state)
        state.push("image_close", "img", -1)
        state.posMax = most
    state.pos = end
    return True


_SPACE: Final = re.compile(r"[ \t]*\n?[ \t]*")
_TITLE: Final = re.compile(r"\s+(?:\"(?:[^\"\\]|\\.){0,1000}\"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\))", re.DOTALL)


def _target(state: StateInline, start: int, close: int) -> tuple[str, int] | None:
    """What follows the `]` at `close`: `(address "title")` or a reference. The address and where it ends."""
    source, most, at = state.src, state.posMax, close + 1
    helpers = state.md.helpers
    if source.startswith("(", at, most):
        at = _SPACE.match(source, at + 1, most).end()  # type: ignore[union-attr]
        goal = helpers.parseLinkDestination(source, at, most)
        href = goal.str if goal.ok else ""
        at = goal.pos if goal.ok else at
        title = _TITLE.match(source, at, most)
        at = _SPACE.match(source, title.end() if title else at, most).end()  # type: ignore[union-attr]
        return (href, at + 1) if source.startswith(")", at, most) else None
    label = source[start:close]
    end = at
    if source.startswith("[", at, most):
        second = helpers.parseLinkLabel(state, at)
        if second >= 0:
            label = source[at + 1 : second] or label
            end = second + 1
    reference = state.env["references"].get(_normalize()(label))
    return (reference["href"], end) if reference else None


@cache
def _normalize() -> Any:
    from markdown_it.common.utils import normalizeReference

    return normalizeReference


class _Open:
    """An element whose end has not come yet."""

    __slots__ = ("kids", "token")

    def __init__(self, token: Token | None) -> None:
        self.token = token
        self.kids: list[Child] = []

    def text(self, text: str) -> None:
        if self.kids and isinstance(self.kids[-1], str):
            self.kids[-1] += text
        elif text:
            self.kids.append(text)


def build(tokens: list[Token], *, half: bool = False) -> list[Child]:
    """The children that the tokens say. `half`: an address that the text ends with may go on, so it is no link yet."""
    stack = [_Open(None)]
    for token in tokens:
        kind = token.type
        top = stack[-1]
        if kind in ("text", "text_special"):
            top.text(token.content)
        elif kind == "softbreak":
            top.text("\n")
        elif kind == "hardbreak":
            top.kids.append(h("br"))
        elif kind == "code_inline":
            top.kids.append(h("code", "", show(token.content)))
        elif kind == "tex":
            top.kids.append(maths.formula(token.content))
        elif kind == "tex_block":
            top.kids.append(maths.formula(token.content, block=True))
        elif kind == "tex_half":
            top.kids.append(h("code", "", show(token.content)))
        elif token.nesting > 0:
            stack.append(_Open(token))
        elif token.nesting < 0 and len(stack) > 1:
            stack.pop()
            _close(top, stack[-1], stack)
    while len(stack) > 1:
        top = stack.pop()
        _close(top, stack[-1], stack)
    return _shown(stack[0].kids, linked=True, half=half)


def _close(top: _Open, above: _Open, stack: list[_Open]) -> None:
    token = top.token
    if token is None:
        return
    inside = any(open_.token is not None and open_.token.type == "link_open" for open_ in stack)
    if token.type == "link_open":
        _link(top, above, str(token.attrs.get("href", "")), auto=token.markup == "autolink", inside=inside)
    elif token.type == "image_open":
        _picture(top, above, str(token.attrs.get("src", "")), inside=inside)
    elif len(stack) > MAX_DEPTH:
        _pour(top.kids, above)
    else:
        above.kids.append(Node(_ELEMENTS.get(token.type, "span"), {}, _shown(top.kids, linked=not inside)))


def _pour(kids: list[Child], into: _Open) -> None:
    for kid in kids:
        if isinstance(kid, str):
            into.text(kid)
        else:
            into.kids.append(kid)


def _link(top: _Open, above: _Open, href: str, *, auto: bool, inside: bool) -> None:
    link = None if inside else links.check(href)
    if link is not None:
        kids = _shown(top.kids)
        _anchor(link, kids, above)
        return
    bracketed = auto and not inside  # what looked like an address is a word in angle brackets, and the brackets belong to it
    if bracketed:
        above.text("<")
    _pour(top.kids, above)
    if bracketed:
        above.text(">")


def _picture(top: _Open, above: _Open, source: str, *, inside: bool) -> None:
    alt = show("".join(kid if isinstance(kid, str) else kid.text() for kid in top.kids)).replace("\n", " ").strip()
    picture = picture_of(source) if source.startswith("data:") and len(source) <= MAX_PICTURE else None
    if picture is not None:
        above.kids.append(h("img", "rv-img", src=picture.url, alt=alt or "image"))
        return
    link = None if inside else links.check(source)
    if link is None:
        above.text(alt or "image")
    else:
        _anchor(link, [alt or "image"], above)


def _anchor(link: links.Link, kids: list[Child], above: _Open) -> None:
    words = "".join(kid if isinstance(kid, str) else kid.text() for kid in kids)
    if not words.strip():
        kids = [link.host]
        words = link.host
    above.kids.append(Node("a", {"href": link.href}, kids))
    if not links.says(words, link.host):
        above.kids.append(h("span", "rv-host", f" ({link.host})"))


def _shown(kids: list[Child], *, linked: bool = False, half: bool = False) -> list[Child]:
    """The children with their texts made fit to be shown, and (`linked`) the addresses in them made links."""
    out: list[Child] = []
    last = len(kids) - 1
    for number, kid in enumerate(kids):
        if not isinstance(kid, str):
            out.append(kid)
        elif linked and "://" in kid:
            _with_links(kid, out, half=half and number == last)
        else:
            _words(kid, out, linked=linked)
    return out


def _words(text: str, out: list[Child], *, linked: bool) -> None:
    """A text with what it cites; in the words of a link nothing is cited."""
    at = 0
    if linked and "[" in text:
        for match in _CITED.finditer(text):
            if match.start() > at:
                out.append(show(text[at : match.start()]))
            out.append(Node("span", {"class": "rv-cite"}, [match[0]]))
            at = match.end()
    if rest := show(text[at:]):
        out.append(rest)


def _with_links(text: str, out: list[Child], *, half: bool) -> None:
    at = 0
    for start, end in links.found(text):
        link = links.check(text[start:end])
        if link is None or (half and end >= len(text.rstrip(".,;:!?'*_~)]"))):
            continue
        if start > at:
            _words(text[at:start], out, linked=True)
        holder = _Open(None)
        _anchor(link, [show(text[start:end])], holder)
        out.extend(holder.kids)
        at = end
    if at < len(text):
        _words(text[at:], out, linked=True)
