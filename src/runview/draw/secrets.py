"""Which keys look like those of credentials. Their values are masked wherever they would be shown, live and saved."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

__all__ = ["is_credential", "mask_json"]

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


_MEMBER = re.compile(r'"((?:[^"\\]|\\.){1,200})"(\s*:\s*)"((?:[^"\\]|\\.)*)("|$)')


def mask_json(text: str) -> str:
    """JSON text that could not be read as such, with the strings under credential keys hidden."""
    return _MEMBER.sub(lambda m: f'"{m[1]}"{m[2]}"hidden"' if is_credential(m[1]) else m[0], text)
