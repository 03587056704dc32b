"""What a scanner has to know of each programming language that code is coloured in: its comments, strings and words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Final

__all__ = ["Language", "language", "named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language. What it does not say (operators, types, attributes) stays in the colour of text."""

    keywords: str = ""
    """Separated by blanks; of a language without case in lower case."""
    definers: str = ""
    """Keywords that are followed by the name that they define."""
    comment: tuple[str, ...] = ()
    """What begins a comment that ends with its line."""
    spans: tuple[tuple[str, str, str], ...] = ()
    """What may go on over line ends: opener, closer and class (`c` a comment, `str` a string)."""
    strings: str = r"\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?"
    """Strings that end with their line, as a regular expression."""
    prefixes: str = ""
    """Letters that may stand before a string and belong to it."""
    word: str = r"[^\W\d]\w*"
    """A name or keyword, as a regular expression."""
    caseless: bool = False
    keys: bool = False
    """Whether a name or string before a colon is a key, which is coloured as a name that is defined."""
    extra: str = ""
    """A regular expression of further keywords, such as `#include`."""
    words: frozenset[str] = field(init=False)
    defining: frozenset[str] = field(init=False)
    closers: dict[str, tuple[str, str]] = field(init=False)
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "words", frozenset(self.keywords.split()) | frozenset(self.definers.split()))
        put(self, "defining", frozenset(self.definers.split()))
        put(self, "closers", {opener: (closer, cls) for opener, closer, cls in self.spans})
        put(self, "pattern", re.compile(self._alternatives()))

    def _alternatives(self) -> str:
        prefix = f"(?<!\\w)[{self.prefixes}]{{0,2}}" if self.prefixes else ""
        out: list[str] = []
        if self.spans:
            openers = "|".join(re.escape(opener) for opener, _, _ in self.spans)
            out.append(f"(?P<span>{prefix}(?P<opener>{openers}))")
        if self.comment:
            out.append(f"(?P<c>(?:{'|'.join(self.comment)}).*)")
        out.append(f"(?P<str>{prefix}(?:{self.strings}))")
        if self.extra:
            out.append(f"(?P<extra>{self.extra})")
        out.append(r"(?P<n>(?:0[xX][0-9a-fA-F_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?)(?:[A-Za-z]{1,4}|%)?(?!\w))")
        out.append(f"(?P<word>{self.word})")
        return "|".join(out)


_DOUBLE: Final = r"\"(?:[^\"\\]|\\.)*\"?"
_C_COMMENTS: Final = ("/*", "*/", "c")
_C_WORDS: Final = (
    "auto bool break case char const continue default do double else enum extern false float for goto if inline int "
    "long register "
    "restrict return short signed sizeof static struct switch true typedef union unsigned void volatile while NULL"
)
_JS_WORDS: Final = (
    "abstract as async await break case catch const continue debugger declare default delete do else export extends "
    "false finally "
    "for from get if implements import in infer instanceof is keyof let namespace new null of private protected "
    "public readonly "
    "return satisfies set static super switch this throw true try typeof undefined var void while with yield"
)

_LANGUAGES: Final[dict[str, dict[str, object]]] = {
    "python": {
        "keywords": "False None True and as assert async await break case continue del elif else except finally for "
        "from global if "
        "import in is lambda match nonlocal not or pass raise return try while with yield self",
        "definers": "def class",
        "comment": ("#",),
        "spans": (('"""', '"""', "str"), ("'''", "'''", "str")),
        "prefixes": "rRbBfFuU",
        "extra": r"^[ \t]*@[\w.]+",
    },
    "javascript": {
        "keywords": _JS_WORDS,
        "definers": "function class interface type enum",
        "comment": ("//",),
        "spans": (_C_COMMENTS, ("`", "`", "str")),
        "word": r"[^\W\d][\w]*|\$[\w$]*",
    },
    "json": {"keywords": "true false null", "comment": ("//",), "spans": (_C_COMMENTS,), "strings": _DOUBLE, "keys": True},
    "bash": {
        "keywords": "if then else elif fi for while until do done case esac in return exit break continue local "
        "export readonly declare "
        "unset shift set source alias eval exec trap cd echo printf read test sudo true false",
        "definers": "function",
        "comment": (r"(?:^|(?<=[\s;&|(]))#",),
        "extra": r"\$(?:\w+|\{\w+\}?|[@#?*!$-])",
    },
    "sql": {
        "keywords": "select from where and or not in is null as on join inner left right full outer cross group by "
        "order having limit offset "
        "insert into values update set delete create alter drop table view index primary key foreign references "
        "unique default check "
        "constraint if exists case when then else end union all distinct with recursive returning begin commit "
        "rollback between like "
        "ilike asc desc using cast interval true false over partition window",
        "comment": ("--",),
        "spans": (_C_COMMENTS,),
        "caseless": True,
    },
    "css": {
        "keywords": "important",
        "spans": (_C_COMMENTS,),
        "word": r"-{0,2}[A-Za-z_][\w-]*",
        "extra": r"@[\w-]+|\#[0-9a-fA-F]{3,8}\b",
        "keys": True,
    },
    "java": {
        "keywords": "abstract assert boolean break byte case catch char const continue default do double else extends "
        "false final finally float "
        "for goto if implements import instanceof int long native new null package permits private protected public "
        "return sealed short "
        "static super switch synchronized this throw throws transient true try var void volatile while yield",
        "definers": "class interface enum record",
        "comment": ("//",),
        "spans": (_C_COMMENTS, ('"""', '"""', "str")),
        "extra": r"@\w+",
    },
    "c": {
        "keywords": f"{_C_WORDS} alignas alignof and asm bool catch class concept consteval constexpr const_cast "
        "co_await co_return decltype "
        "delete dynamic_cast explicit export final friend mutable namespace new noexcept not nullptr operator or "
        "override private protected "
        "public reinterpret_cast requires static_assert static_cast template this throw try typeid typename using virtual",
        "definers": "struct class enum union namespace",
        "comment": ("//",),
        "spans": (_C_COMMENTS,),
        "extra": r"^[ \t]*\#[ \t]*\w+",
    },
    "go": {
        "keywords": "break case chan const continue default defer else fallthrough false for go goto if import "
        "interface iota map nil package "
        "range return select struct switch true var any bool byte error float32 float64 int int32 int64 rune string uint uint8",
        "definers": "func type",
        "comment": ("//",),
        "spans": (_C_COMMENTS, ("`", "`", "str")),
    },
    "rust": {
        "keywords": "as async await break const continue crate dyn else extern false for if impl in let loop match "
        "move mut pub ref return self "
        "Self static super true unsafe use where while bool char f32 f64 i8 i16 i32 i64 isize str u8 u16 u32 u64 usize",
        "definers": "fn struct enum trait mod type union",
        "comment": ("//",),
        "spans": (_C_COMMENTS,),
        "strings": _DOUBLE + r"|'(?:[^'\\]|\\.)'",
        "extra": r"\#!?\[\w+",
    },
    "yaml": {
        "keywords": "true false null yes no on off",
        "comment": (r"(?:^|(?<=\s))#",),
        "word": r"[^\W\d][\w./-]*",
        "keys": True,
        "extra": r"^---|(?<![\w])[&*][\w-]+",
    },
}

_ALSO: Final = {
    "python": "py python3 py3 ipython sage",
    "javascript": "js jsx mjs cjs node ts tsx typescript",
    "json": "jsonc json5 jsonl ndjson",
    "bash": "sh shell zsh ksh",
    "sql": "postgres postgresql mysql sqlite plsql tsql",
    "css": "scss less",
    "java": "",
    "c": "h cpp c++ cc cxx hpp hh",
    "go": "golang",
    "rust": "rs",
    "yaml": "yml",
    "html": "xml xhtml svg htm vue",
}
_NAMES: Final = {name: known for known, also in _ALSO.items() for name in [known, *also.split()]}
_INFO: Final = re.compile(r"[A-Za-z0-9+#-]{1,20}(?=[\s{,:;]|\Z)")


def named(info: str) -> str | None:
    """The language that a fence's info string names, if it is one of those that are known."""
    match = _INFO.match(info)
    return _NAMES.get(match[0].lower()) if match else None


@cache
def language(name: str) -> Language:
    """The description of a language, by the name that `named` gives."""
    return Language(**_LANGUAGES[name])  # type: ignore[arg-type]
