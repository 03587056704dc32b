"""What a block of Markdown begins with, as regular expressions to be matched where a line's white space ends."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["BULLET", "DELIMITERS", "FENCE", "HEAD", "NUMBER", "RULE", "SPECIAL", "UNDERLINE"]

SPECIAL: Final = re.compile(r"[#`~*+_=>0-9$\\|:-]")
"""The first character of everything but a paragraph and indented code."""
RULE: Final = re.compile(r"(?:\*[ \t]*){3,}\Z|(?:_[ \t]*){3,}\Z|(?:-[ \t]*){3,}\Z")
HEAD: Final = re.compile(r"#{1,6}(?=[ \t]|\Z)")
UNDERLINE: Final = re.compile(r"(?:=+|-+)[ \t]*\Z")
FENCE: Final = re.compile(r"`{3,}(?=[^`]*\Z)|~{3,}")
BULLET: Final = re.compile(r"[*+-](?=[ \t]|\Z)")
NUMBER: Final = re.compile(r"(\d{1,9})([.)])(?=[ \t]|\Z)", re.ASCII)
DELIMITERS: Final = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
"""The second row of a table."""
