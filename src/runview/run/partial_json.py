"""The best value of a JSON text that is not finished yet, in time that is linear in the text.

The parser keeps what is surely there: a number counts up to its last sure digit, an unambiguous beginning of a literal stands
for the whole of it, a key with no value is left out, an unfinished escape waits. What follows the first value is ignored.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Any, Final, Literal, TypeAlias

from runview.run.absent import ABSENT
from runview.run.kinds import is_dict, is_list

__all__ = ["PartialJSON", "State", "parse_partial"]

State: TypeAlias = Literal["successful-parse", "repaired-parse", "failed-parse"]

DEPTH: Final = 200
"""Texts nested deeper than this fail."""

SPACE: Final = " \t\n\r"
ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
LITERALS: Final[dict[str, tuple[str, Any]]] = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
PLAIN: Final = re.compile(r'[^"\\]+')
DIGITS: Final = re.compile(r"[0-9.eE+-]+")
BLANK: Final = re.compile(r"[ \t\n\r]+")


def parse_partial(text: str) -> tuple[State, Any]:
    """The state of a text and its value so far; `ABSENT` when the text cannot be read as it stands."""
    parser = PartialJSON()
    parser.feed(text)
    state = parser.state
    return state, ABSENT if state == "failed-parse" else parser.value


class _At(Enum):
    """What the parser expects or is inside of."""

    VALUE = auto()
    ELEMENT_OR_END = auto()
    KEY_OR_END = auto()
    KEY = auto()
    COLON = auto()
    AFTER_VALUE = auto()
    IN_KEY = auto()
    IN_STRING = auto()
    IN_NUMBER = auto()
    IN_LITERAL = auto()
    END = auto()


class PartialJSON:
    """A text that grows by `feed`. `value` is the best value so far, and stays when the text goes wrong."""

    __slots__ = (
        "_at",
        "_containers",
        "_escape",
        "_junk",
        "_keys",
        "_last_number",
        "_late",
        "_literal",
        "_number_text",
        "_pieces",
        "_root",
        "changes", "closed_at", "closed_before",
        "failed",
    )  # fmt: skip

    def __init__(self) -> None:
        self.changes = 0
        """Grows whenever `value` changes."""
        self.closed_at = 0
        """What `changes` was when the last element of a list was closed."""
        self.closed_before = 0
        """The same for the element before it."""
        self.failed = False
        """The text can never become JSON."""
        self._at = _At.VALUE
        self._containers: list[Any] = []
        """The open containers, with their closed values only."""
        self._keys: list[str] = []
        """Of each open object (and "" for each open array): the key whose value is being read."""
        self._root: Any = ABSENT
        self._pieces: list[str] = []
        """Of the open string or key."""
        self._escape = ""
        """An escape that is not whole."""
        self._number_text = ""
        """The open number."""
        self._last_number: Any = ABSENT
        self._late: tuple[Any, str, Any] | None = None
        """A number with `e+` in an object, which counts whole only when more is sure: object, key, number."""
        self._literal = ("", 0)
        """The open literal and how much of it was there."""
        self._junk = False
        """Something that does not belong was passed over; the text fails as soon as a value follows."""

    # What is known

    @property
    def state(self) -> State:
        if self.failed or self._escape.startswith("\\u"):
            return "failed-parse"
        if self._at is _At.END and not self._junk:
            return "successful-parse"
        if self._at is _At.IN_NUMBER and not self._containers and NUMBER.fullmatch(self._number_text):
            return "successful-parse"
        if self._at is _At.IN_LITERAL and not self._containers and self._literal[1] == len(self._literal[0]):
            return "successful-parse"
        return "failed-parse" if self.value is ABSENT else "repaired-parse"

    @property
    def value(self) -> Any:
        """A snapshot: closed values are shared, the open ones copied. `ABSENT` before the first value."""
        value = self._leaf()
        for container, key in zip(reversed(self._containers), reversed(self._keys), strict=True):
            copy: Any = container.copy()
            if value is not ABSENT:
                if is_list(copy):
                    copy.append(value)
                else:
                    copy[key] = value
            value = copy
        return self._root if value is ABSENT else value

    @property
    def has_value(self) -> bool:
        """Whether there is a value at all."""
        return bool(self._containers) or self._root is not ABSENT or self._leaf() is not ABSENT

    @property
    def complete(self) -> bool:
        """The first value is closed."""
        return self._at is _At.END

    def waits_in(self, array: list[Any]) -> bool:
        """Whether this array is open, with nothing behind its last element yet."""
        return self._at is _At.AFTER_VALUE and self._containers[-1] is array

    def writes_into(self, array: list[Any]) -> bool:
        """Whether an element of this open array is being written that is a container with something in it."""
        for depth, container in enumerate(self._containers[:-1]):
            if container is array:
                inner = self._containers[depth + 1]
                return bool(inner) or len(self._containers) > depth + 2 or self._leaf() is not ABSENT
        return False

    def closed_elements(self, *keys: str) -> list[Any] | None:
        """The closed elements of the array at the root, or under the keys; None when there is no array yet. Not to be changed."""
        open_ones = self._containers
        value: Any = open_ones[0] if open_ones else self._root
        for depth, key in enumerate(keys):
            if len(open_ones) > depth + 1 and value is open_ones[depth] and self._keys[depth] == key:
                value = open_ones[depth + 1]
            else:
                value = value.get(key) if is_dict(value) else None
        return value if is_list(value) else None

    def _leaf(self) -> Any:
        if self._at is _At.IN_STRING:
            if len(self._pieces) > 1:
                self._pieces = ["".join(self._pieces)]
            return self._pieces[0] if self._pieces else ""
        if self._at is _At.IN_NUMBER:
            return _sure_number(self._visible_number())
        if self._at is _At.IN_LITERAL:
            return LITERALS[self._literal[0][0]][1]
        return ABSENT

    # Growing

    def feed(self, text: str) -> None:
        at, end = 0, len(text)
        while at < end and not self.failed:
            at = self._step(text, at)
        if self._at is _At.IN_NUMBER:
            self._look_at_number()

    def _step(self, text: str, at: int) -> int:
        """Takes in one character, or as many as belong together; gives where to go on."""
        here = self._at
        if here is _At.IN_STRING or here is _At.IN_KEY:
            return self._in_string(text, at)
        if here is _At.IN_NUMBER:
            return self._in_number(text, at)
        if here is _At.IN_LITERAL:
            return self._in_literal(text, at)
        blank = BLANK.match(text, at)
        if blank is not None:
            return blank.end()
        character = text[at]
        if here is _At.VALUE:
            self._start_value(character)
        elif here is _At.ELEMENT_OR_END:
            if character == "]":
                self._close()
            else:
                self._start_value(character)
                self.failed = self.failed or self._junk
        elif here is _At.KEY_OR_END and character == "}":
            self._close()
        elif here is _At.KEY_OR_END or here is _At.KEY:
            self._expect(character == '"', _At.IN_KEY)
        elif here is _At.COLON:
            self._expect(character == ":", _At.VALUE)
        elif here is _At.AFTER_VALUE:
            self._after_value(character)
        elif character in "{[" and self._root in ({}, []) and not self._junk:
            # an empty placeholder came first, and now the value itself
            self._root = ABSENT
            self._start_value(character)
        else:
            self._junk = True
        return at + 1

    def _expect(self, found: bool, then: _At) -> None:
        if found:
            self._at = then
        else:
            self._junk = True

    def _start_value(self, character: str) -> None:
        if character == '"':
            self._at = _At.IN_STRING
        elif character in LITERALS:
            self._at = _At.IN_LITERAL
            self._literal = (LITERALS[character][0], 1)
        elif character == "-" or "0" <= character <= "9":
            self._at = _At.IN_NUMBER
            self._number_text = character
            self._last_number = ABSENT
            if character == "-":
                return
            self._last_number = int(character)
        elif character in "{[":
            self._containers.append({} if character == "{" else [])
            self._keys.append("")
            self._at = _At.KEY_OR_END if character == "{" else _At.ELEMENT_OR_END
            self.failed = len(self._containers) > DEPTH
        else:
            self._junk = True
            return
        self._advance()

    def _advance(self) -> None:
        """More of the text is sure."""
        self.failed = self.failed or self._junk
        if not self.failed:
            self.changes += 1
            if self._late is not None:
                container, key, number = self._late
                container[key] = number
                self._late = None

    def _after_value(self, character: str) -> None:
        inside_list = is_list(self._containers[-1])
        if character == ",":
            self._at = _At.VALUE if inside_list else _At.KEY
        elif character == ("]" if inside_list else "}"):
            self._close()
        else:
            self._junk = True
            self.failed = inside_list

    def _close(self) -> None:
        """The innermost container ends."""
        if self._late is not None or self._junk:
            self._advance()
        value = self._containers.pop()
        self._keys.pop()
        self._place(value)

    def _place(self, value: Any) -> None:
        """Puts a closed value where it belongs."""
        if not self._containers:
            self._root = value
            self._at = _At.END
            return
        container = self._containers[-1]
        if is_list(container):
            container.append(value)
            self.closed_before, self.closed_at = self.closed_at, self.changes
        else:
            container[self._keys[-1]] = value
        self._at = _At.AFTER_VALUE

    # Strings

    def _in_string(self, text: str, at: int) -> int:
        if self._escape:
            return self._in_escape(text, at)
        plain = PLAIN.match(text, at)
        if plain is not None:
            self._add(plain[0])
            return plain.end()
        if text[at] == "\\":
            self._escape = "\\"
            return at + 1
        string = "".join(self._pieces)
        self._pieces = []
        if self._at is _At.IN_KEY:
            self._keys[-1] = string
            self._at = _At.COLON
        else:
            self._place(string)
        return at + 1

    def _in_escape(self, text: str, at: int) -> int:
        escape = self._escape + text[at]
        if len(escape) == 2 and text[at] in ESCAPES:
            self._escape = ""
            self._add(ESCAPES[text[at]])
        elif (len(escape) == 2 and text[at] != "u") or (len(escape) > 2 and text[at] not in "0123456789abcdefABCDEF"):
            self.failed = True
        elif len(escape) == 6:
            self._escape = ""
            self._add(chr(int(escape.removeprefix("\\u"), 16)))
        else:
            self._escape = escape
        return at + 1

    def _add(self, text: str) -> None:
        """More of the open string. Halves of a surrogate pair join, whether they come as escapes or in two pieces."""
        pieces = self._pieces
        if pieces and "\udc00" <= text[0] <= "\udfff" and "\ud800" <= pieces[-1][-1] <= "\udbff":
            high, low = ord(pieces[-1][-1]) - 0xD800, ord(text[0]) - 0xDC00
            pieces[-1] = pieces[-1][:-1] + chr(0x10000 + (high << 10) + low)
            text = text[1:]
        if text:
            pieces.append(text)
        if self._at is _At.IN_STRING:
            self._advance()

    # Numbers and literals

    def _in_number(self, text: str, at: int) -> int:
        more = DIGITS.match(text, at)
        if more is not None:
            self._number_text += more[0]
            return more.end()
        self._look_at_number()
        if not NUMBER.fullmatch(self._number_text):
            self.failed = True
            return at
        visible = _sure_number(self._visible_number())
        self._place(visible)
        if visible != (number := _sure_number(self._number_text)):
            self._late = (self._containers[-1], self._keys[-1], number)
        return at

    def _look_at_number(self) -> None:
        """At the end of a piece: the number so far may be another one than before."""
        if self._number_text == "-":
            return
        number = _sure_number(self._visible_number())
        if number is ABSENT:
            self.failed = True
        elif self._last_number is ABSENT or number != self._last_number:
            self._last_number = number
            self._advance()

    def _visible_number(self) -> str:
        """As much of the open number as counts. In an object, `e+` and what follows wait until the text goes on."""
        inside_object = self._containers and is_dict(self._containers[-1])
        return self._number_text.partition("+")[0] if inside_object else self._number_text

    def _in_literal(self, text: str, at: int) -> int:
        word, have = self._literal
        if have < len(word):
            if text[at] == word[have]:
                self._literal = (word, have + 1)
                return at + 1
            self.failed = True
            return at
        self._place(LITERALS[word[0]][1])
        return at


def _sure_number(token: str) -> Any:
    """A number up to its last digit; `ABSENT` when that is none."""
    sure = token.rstrip(".eE+-")
    if not NUMBER.fullmatch(sure):
        return ABSENT
    if sure.lstrip("-").isdigit():
        try:
            return int(sure)
        except ValueError:  # longer than Python converts
            return float(sure)
    return float(sure)
