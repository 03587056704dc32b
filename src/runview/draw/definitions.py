"""Link definitions, `[label]: https://…`, wherever in a text they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

__all__ = ["Known", "References", "definitions"]

_LABEL: Final = re.compile(r"\[((?:[^\[\]\\]|\\.){1,999})\]:[ \t]*\n?[ \t]*", re.DOTALL)
_END: Final = re.compile(r"[ \t]*(?:\n|\Z)")
_TITLE: Final = re.compile(
    r"(?:[ \t]*\n[ \t]*|[ \t]+)"
    r"(?:\"(?:[^\"\\]|\\.){0,1000}\"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\))[ \t]*(?:\n|\Z)",
    re.DOTALL,
)


class References(Mapping[str, Any]):
    """The definitions of a text, in their order. The first one of a label counts, so what is known never changes, only grows."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, str]] = {}

    def add(self, label: str, href: str) -> None:
        self._known.setdefault(label, (len(self._known), href))

    def forget(self, count: int) -> None:
        """Keeps only the first `count`."""
        while len(self._known) > count:
            self._known.popitem()

    def number(self, label: str) -> int:
        """Where in the order the label was defined; a label that is not defined comes after all."""
        known = self._known.get(label)
        return len(self._known) if known is None else known[0]

    def __getitem__(self, label: str) -> str:
        return self._known[label][1]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


class Known:
    """What the inline parser asks: the definitions that count for a drawing, and which labels it asked for in vain."""

    def __init__(self, references: References, count: int, missed: set[str]) -> None:
        self.count = count
        self.missed = missed
        self._references = references

    def get(self, label: str, default: Any = None) -> Any:
        if self._references.number(label) < self.count and label in self._references:
            return {"href": self._references[label], "title": ""}
        self.missed.add(label)
        return default

    def __contains__(self, label: str) -> bool:
        return self.get(label) is not None

    def __getitem__(self, label: str) -> Any:
        return self.get(label)


def definitions(lines: list[str], references: References) -> list[str]:
    """Takes the definitions off the top of a paragraph into `references`; what is left of its lines."""
    text = "\n".join(lines)
    at = 0
    while text.startswith("[", at):
        found = _definition(text, at)
        if found is None:
            break
        label, href, at = found
        references.add(label, href)
    if not at:
        return lines
    rest = text[at:]
    return rest.split("\n") if rest.strip() else []


def _definition(text: str, at: int) -> tuple[str, str, int] | None:
    match = _LABEL.match(text, at)
    if match is None or not match[1].strip():
        return None
    helpers, normalize = _markdown_it()
    place = match.end()
    if place >= len(text):
        return None
    target = helpers.parseLinkDestination(text, place, len(text))
    if not target.ok:
        return None
    end = _TITLE.match(text, target.pos) or _END.match(text, target.pos)
    if end is None:
        return None
    return normalize(match[1]), target.str, end.end()


@cache
def _markdown_it() -> tuple[Any, Any]:
    from markdown_it import helpers
    from markdown_it.common.utils import normalizeReference

    return helpers, normalizeReference
