"""Credentials in JSON that is text: what a tool gave back as a string, arguments while they are written."""

from __future__ import annotations

import re
from typing import TypeAlias

from runview.draw.secrets import HIDDEN, address_spans, is_credential, mask_address

__all__ = ["Span", "mask_text", "secret_spans"]

Span: TypeAlias = "tuple[int, int, str]"
"""Begin and end of what is hidden, and what stands there instead."""

_KEY = re.compile(r'"((?:[^"\\]|\\.){1,80}+)"\s*:\s*')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}\"]*")
_BRACKET = re.compile(r'[\[{\]}]|"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_OPEN = frozenset("true false null".split())


def mask_text(text: str) -> str:
    """A value that is text without the credentials that it shows: in its addresses and, where it is JSON, under their keys."""
    if not text[:100].lstrip().startswith(("{", "[")) or '"' not in text:
        return mask_address(text)
    out: list[str] = []
    done = 0
    for first, last, instead in secret_spans(text):
        out += (text[done:first], instead)
        done = last
    return "".join(out) + text[done:] if done else text


def secret_spans(text: str) -> list[Span]:
    """Where in JSON text (whole or not) values stand that are to be hidden, and what stands there instead. Time is linear."""
    out: list[Span] = []
    at = 0
    while (match := _KEY.search(text, at)) is not None:
        at = match.end()
        key = _ESCAPE.sub(lambda m: chr(int(m[1], 16)), match[1])
        if not is_credential(key):
            continue
        first = text[at : at + 1]
        if first == '"':
            end = _end_of(_STRING, text, at)
            inside = end - 1 if end > at + 1 and text[end - 1] == '"' else end
            if inside > at + 1:
                out.append((at + 1, inside, HIDDEN))
        elif first and first in "[{":
            end = _closed(text, at)
            out.append((at, end, f'"{HIDDEN}"'))
        else:
            end = _end_of(_SCALAR, text, at)
            if end > at and text[at:end] not in _OPEN:
                out.append((at, end, f'"{HIDDEN}"'))
        at = max(at, end)
    return _merged(out, [(a, b, HIDDEN) for a, b in address_spans(text)])


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return len(text) if match is None else match.end()


def _closed(text: str, at: int) -> int:
    """Where the list or object that begins here ends."""
    depth = 0
    for match in _BRACKET.finditer(text, at):
        depth += 1 if match[0] in "[{" else -1 if match[0] in "]}" else 0
        if depth <= 0:
            return match.end()
    return len(text)


def _merged(first: list[Span], second: list[Span]) -> list[Span]:
    """Both in order; of two that overlap the earlier one."""
    out: list[Span] = []
    for span in sorted(first + second):
        if not out or span[0] >= out[-1][1]:
            out.append(span)
    return out
