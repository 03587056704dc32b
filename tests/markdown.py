"""What holds for every drawing of Markdown, whole or half: for tests that feed texts in pieces."""

from __future__ import annotations

import random
import re
from typing import Any

from runview.draw.markdown import Growing, render
from runview.draw.tree import ATTRIBUTES, HINTS, MATH_ATTRIBUTES, MATH_TAGS, TAGS, Node, Sealed, diff, h, wire

CLASS = re.compile(r"rv-[a-z0-9]+(?: rv-[a-z0-9]+)*")
ADDRESS = re.compile(r"https?://[a-z0-9._-]+(?::\d+)?(?:[/?#][\x21-\x7e]*)?|mailto:[\x21-\x7e]+@[a-z0-9.-]+(?:\?[\x21-\x7e]*)?")
PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*")
ODD = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e001f]")


def check_rules(tops: list[Node], *, links: bool = True) -> None:
    """Elements, attributes and values from the lists; addresses checked; nothing in the text that cannot be seen."""
    for node in (inner for top in tops for inner in top.walk()):
        math = node.tag in MATH_TAGS
        assert node.tag in TAGS or math
        for name, value in node.attrs.items():
            assert name in (MATH_ATTRIBUTES | {"display", "class"} if math else ATTRIBUTES | HINTS)
            if name == "class":
                assert CLASS.fullmatch(value)
            elif name == "href" and links:
                assert ADDRESS.fullmatch(value), value
            elif name == "src":
                assert PICTURE.fullmatch(value)
        assert not any(isinstance(kid, str) and ODD.search(kid) for kid in node.kids)


def check_pieces(pieces: list[str], *, links: bool = True) -> None:
    """After every piece the rules hold and what was final is the same node; at the end the text is as if it had come whole."""
    growing, page = Growing(), h("div")
    known: dict[str, Node] = {}
    for piece in pieces:
        growing.feed(piece)
        now = h("div", "", *growing.nodes())
        check_rules([kid for kid in now.kids if isinstance(kid, Node)], links=links)
        for node in now.walk():
            if isinstance(node, Sealed) and node.key is not None:
                assert known.setdefault(node.key, node) is node, "a final block was touched"
        diff(page, now)
        page = now
    growing.close()
    assert wires(growing.nodes()) == wires(render("".join(pieces)))


def cut(text: str, chance: random.Random) -> list[str]:
    """The text in a few pieces, cut anywhere."""
    most = min(len(text) - 1, chance.choice([1, 3, 12, 40]))
    places = sorted(chance.sample(range(1, len(text)), most)) if len(text) > 1 else []
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def wires(nodes: list[Node]) -> list[Any]:
    return [wire(node) for node in nodes]
