"""Which keys look like those of credentials. Their values are masked wherever they would be shown, live and saved.

Messages of errors often quote what was sent (an address, a header, a key that was refused), so in them, and in notes, what looks
like a credential is masked by its form, too. The Python values keep everything.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

__all__ = ["HIDDEN", "address_spans", "is_credential", "mask_address", "mask_message"]

HIDDEN = "hidden"

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ALONE = frozenset(
    "password passwd passphrase pwd secret secrets credential credentials authorization bearer cookie cookies apikey accesskey "
    "privatekey secretkey authtoken accesstoken refreshtoken jwt otp".split()
)
_BEFORE_KEY = frozenset("api access private secret signing encryption account service ssh master".split())
_NOT_SECRET = frozenset("page next prev previous continuation sync first last max min cursor start end stop eos bos pad".split())


@lru_cache(maxsize=2_048)
def is_credential(key: str) -> bool:
    """Whether a value under this key is hidden: `api_key`, `password`, `accessToken`, `X-Auth-Token`; not `max_tokens`."""
    words = [word.lower() for word in _WORDS.findall(key[:200])]
    if any(word in _ALONE for word in words):
        return True
    if words[-1:] == ["token"]:
        return not (len(words) > 1 and words[-2] in _NOT_SECRET)
    return any(a in _BEFORE_KEY and b == "key" for a, b in pairwise(words))


_QUERY = re.compile(r"([?&;#])([\w.%-]{1,60})=([^&;#\s\"'<>]+)")


_USER = re.compile(r"(?<=://)[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})(?=@)")


def mask_address(text: str) -> str:
    """Text with the credentials in its addresses hidden: `?api_key=…&q=1`, `postgres://me:…@host`."""
    if "@" in text and "://" in text:
        text = _USER.sub(lambda m: m[0][: m.start(1) - m.start()] + HIDDEN, text)
    if "=" not in text or ("?" not in text and "&" not in text and "#" not in text):
        return text
    return _QUERY.sub(lambda m: f"{m[1]}{m[2]}={HIDDEN}" if is_credential(m[2]) else m[0], text)


def address_spans(text: str) -> list[tuple[int, int]]:
    """Where in a text `mask_address` hides something."""
    queries = [match.span(3) for match in _QUERY.finditer(text) if is_credential(match[2])]
    return queries + [match.span(1) for match in _USER.finditer(text)]


_TOKEN = re.compile(
    r"(?<![\w-])(?:(?:sk|pk|rk)[-_][\w-]{12,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{8,}|hf_\w{16,}"
    r"|AKIA[0-9A-Z]{12,}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?)"
)
"""Keys that say by their beginning whose they are."""
_SCHEME = re.compile(r"(?<!\w)(Bearer|Basic)(\s{1,4})[\w.~+/=-]{6,}", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"""(?<![\w.-])([A-Za-z][\w.-]{0,60})(["']?\s{0,4}[:=]\s{0,4})("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[^\s"'&,;(){}\[\]<>]+)"""
)
_DIGIT = re.compile(r"\d")


def mask_message(text: str) -> str:
    """A message with what looks like a credential hidden. Time is linear in the text."""
    text = _SCHEME.sub(rf"\1\2{HIDDEN}", _TOKEN.sub(HIDDEN, mask_address(text)))
    return _ASSIGNED.sub(_assigned, text)


def _assigned(match: re.Match[str]) -> str:
    name, sign, value = match.groups()
    if not is_credential(name) or HIDDEN in value:
        return match[0]
    if value[0] in "\"'":
        return f"{name}{sign}{value[0]}{HIDDEN}{value[0]}"
    if "=" not in sign and not (len(value) >= 8 and _DIGIT.search(value)):
        return match[0]  # `unexpected token: end of file` is prose
    return f"{name}{sign}{HIDDEN}"
