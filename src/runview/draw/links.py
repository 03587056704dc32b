"""Where a link may lead: checked addresses only, and the host in plain sight."""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple
from urllib.parse import quote

__all__ = ["Link", "check", "found", "says"]

MAX_LENGTH: Final = 2048

_WEB: Final = re.compile(r"(https?)://([^/?#]*)(.*)\Z", re.IGNORECASE | re.DOTALL)
_MAIL: Final = re.compile(r"mailto:([A-Za-z0-9.!#$%&'*+/=^_{|}~-]{1,64})@([^?#@/]{1,253})(\?[^#]*)?\Z", re.IGNORECASE)
_REFUSED: Final = re.compile("[\0- \x7f-\xa0\\\\\u2028\u2029\ud800-\udfff]")
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\Z")
_NUMERIC: Final = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)\Z")
_QUAD: Final = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|\Z)){4}\Z", re.ASCII)
_HOST: Final = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_BARE: Final = re.compile(r"(?<![\w/])https?://[^\s<>\"`\\^{}|\x00-\x1f]{1,2048}", re.IGNORECASE)
_SAFE: Final = "/?#[]@!$&'()*+,;=:%-._~"


class Link(NamedTuple):
    """An address that may be followed."""

    href: str
    host: str
    """What the reader is shown if the link's text does not say it: the host (in ASCII), or a mail address."""


def check(href: str) -> Link | None:
    """The address as it may be followed, or None: http, https and mailto, no user name, no host of the reader's own machine."""
    if len(href) > MAX_LENGTH:
        return None
    href = href.strip(" \t\n")
    inner = href.replace(" ", "%20")
    if _REFUSED.search(inner):
        return None
    web = _WEB.match(inner)
    if web is not None:
        scheme, place, rest = web[1].lower(), web[2], web[3]
        name, colon, port = place.partition(":")
        host = _host(name)
        if host is None or (colon and not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65536)):
            return None
        return _within(f"{scheme}://{host}{colon}{port}{quote(rest, safe=_SAFE)}", host)
    mail = _MAIL.match(inner)
    if mail is not None:
        host = _host(mail[2])
        if host is None:
            return None
        return _within(f"mailto:{mail[1]}@{host}{quote(mail[3] or '', safe=_SAFE)}", f"{mail[1]}@{host}")
    return None


def says(text: str, host: str) -> bool:
    """Whether a link's text tells the truth: the first thing in it that looks like a host is the host."""
    text = text[:MAX_LENGTH].lower()
    if "@" in host:
        return host.lower() in text
    first = _HOST.search(text)
    if first is None:
        return text.strip() == host
    return first[0].removeprefix("www.") == host.removeprefix("www.")


def found(text: str) -> list[tuple[int, int]]:
    """Where addresses stand in plain text, as start and end; what ends a sentence is not part of them."""
    if "://" not in text:
        return []
    out: list[tuple[int, int]] = []
    for match in _BARE.finditer(text):
        address = match[0]
        while True:
            kept = address.rstrip(".,;:!?'*_~…。，、）」』】")
            if kept.endswith((")", "]")):
                opener, closer = ("(", ")") if kept[-1] == ")" else ("[", "]")
                if kept.count(closer) > kept.count(opener):
                    kept = kept[:-1]
            if kept == address:
                break
            address = kept
        if len(address) > len("https://"):
            out.append((match.start(), match.start() + len(address)))
    return out


def _within(href: str, host: str) -> Link | None:
    return Link(href, host) if len(href) <= MAX_LENGTH else None


def _host(name: str) -> str | None:
    """A host name in ASCII, as a browser would ask for it; None for what is no plain name or is the reader's own machine."""
    labels: list[str] = []
    for label in name.removesuffix(".").split("."):
        if not label.isascii():
            folded = unicodedata.normalize("NFKC", label.casefold())
            if not folded or not all(unicodedata.category(c)[0] in "LMN" or c == "-" for c in folded):
                return None
            label = folded if folded.isascii() else "xn--" + folded.encode("punycode").decode("ascii")
        label = label.lower()
        if not _LABEL.match(label):
            return None
        labels.append(label)
    host = ".".join(labels)
    if len(host) > 253 or labels[-1] == "localhost":
        return None
    if _NUMERIC.match(labels[-1]) and (not _QUAD.match(host) or labels[0] in ("0", "127")):
        return None
    return host
