"""Citations and sources: `[n]` is marked from the start, whatever sources come and when, and a source tells its quote."""

from __future__ import annotations

from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.markdown import Growing, render
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node, wire
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.applier import copied, heard, shown
from tests.runs import chunk


def cited(source: str) -> list[str]:
    return [node.text() for block in render(source) for node in block.walk() if node.attrs.get("class") == "rv-cite"]


def fed(*chunks: Any, end: bool = True) -> RunState:
    run = new_run()
    for at, one in enumerate(chunks):
        reduce(run, one, float(at))
    if end:
        finish(run, float(len(chunks)))
    return run


def source(**payload: Any) -> dict[str, Any]:
    return chunk("source", **{"id": "s", "sourceType": "url", "url": "https://example.org/a", "title": "A", **payload})


def text(words: str) -> list[dict[str, Any]]:
    return [chunk("text-start", id="t"), chunk("text-delta", id="t", text=words), chunk("text-end", id="t")]


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("High.[1] Low.[2]", ["[1]", "[2]"]),
        ("both[1][12]", ["[1]", "[12]"]),
        ("**bold[3]** and *[4]*", ["[3]", "[4]"]),
        ("| a |\n|---|\n| x[1] |", ["[1]"]),
        ("- item[2]", ["[2]"]),
        ("see https://example.org/a [3] there", ["[3]"]),
        ("`a[1]`", []),
        ("```\na[1]\n```", []),
        ("[1](https://example.org/)", []),
        ("[words [1]](https://example.org/)", []),
        ("[1]\n\n[1]: https://example.org/", []),
        ("[0] [01] [1234] [x] [1a] []", []),
    ],
)
def test_what_is_a_citation(written: str, found: list[str]) -> None:
    assert cited(written) == found


def test_it_is_one_from_the_moment_that_it_is_whole() -> None:
    growing = Growing()
    seen: list[str] = []
    for piece in "It is high.[1] Yes":
        growing.feed(piece)
        seen.append(str([wire(node) for node in growing.nodes()]))
    assert ["'[1]'" in now for now in seen] == [False] * 13 + [True] * 5


def test_late_sources_change_nothing_in_the_text() -> None:
    run = fed(*text("High.[1]"), end=False)
    drawing = RunDrawing(run)
    page = copied(wire(drawing.tree(1.0)))
    reduce(run, source(), 2.0)
    ops = drawing.update(3.0)
    assert [op[0] for op in ops] == ["insert"]
    reduce(run, source(title="B"), 4.0)
    late = drawing.update(5.0)
    assert all(op[1][:1] == [2] for op in late if op[1]), "the second joins its list where it stands"
    assert heard(heard(page, ops), late) == shown(drawing.snapshot())


def test_in_the_file_a_citation_is_plain_text() -> None:
    run = fed(*text("High.[1]"), source())
    html = to_html(RunDrawing(run).tree(9.0, saved=True), style=False)
    assert 'High.<span class="rv-cite">[1]</span>' in html
    assert "↑" not in html
    assert "High.[1]" in transcript(run, None, 9.0)


@pytest.mark.parametrize("name", ["quote", "snippet", "citedText"])
def test_a_source_tells_what_is_quoted(name: str) -> None:
    run = fed(source(**{name: "Mean values are averages\nover a nodal cycle. token=sk-abcdefghijklmnop"}))
    said = transcript(run, None, 9.0)
    assert "1. A example.org “Mean values are averages over a nodal cycle. token=hidden”" in said


def test_a_quote_is_bounded_and_one_line() -> None:
    run = fed(source(quote="x" * 5_000))
    (quoted,) = [node for node in RunDrawing(run).tree(9.0).walk() if "xxx" in node.text() and node.tag == "bdi"]
    assert len(quoted.text()) <= 302
    assert isinstance(quoted, Node)
