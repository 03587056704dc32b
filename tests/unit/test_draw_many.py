"""What is very large or very many is drawn in bounded time and size, whatever it is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.markdown import render
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.draw.tree import wire
from runview.run.ending import finish
from runview.run.reduce import new_run, reduce
from tests.applier import copied, heard
from tests.timing import fair, linear


def chunk(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": "r", "from": "AGENT", "payload": payload}


@pytest.mark.parametrize("depth", [100, 1_000])
def test_deep_indentation_takes_linear_time(depth: int) -> None:
    def text(levels: int) -> str:
        return "".join("  " * level + "* a\n" for level in range(levels))

    linear(render, text(depth // 2), text(depth), times=len(text(depth)) / len(text(depth // 2)))


def test_of_very_many_rows_the_first_and_the_last_are_shown_and_every_text() -> None:
    run = new_run()
    drawing = RunDrawing(run)
    drawing.tree(0.0)
    for number in range(3_000):
        reduce(run, chunk("tool-call", toolCallId=f"c{number}", toolName=f"tool{number}", args={}), 0.0)
        reduce(run, chunk("tool-result", toolCallId=f"c{number}", result=number), 0.0)
        if number == 1_500:
            for piece in (chunk("text-start", id="t"), chunk("text-delta", id="t", text="halfway"), chunk("text-end", id="t")):
                reduce(run, piece, 0.0)
        if number % 100 == 0:
            drawing.update(0.0)
    finish(run, 1.0)
    drawing.update(1.0)
    for tree in (drawing.tree(1.0), drawing.tree(1.0, saved=True)):
        text = tree.text()
        for word in ("tool0", "tool249", "halfway", "tool2750", "tool2999", "2\u202f500 rows are not shown"):
            assert word in text
        assert "tool1000" not in text
        assert sum(1 for _ in tree.walk()) < 20_000


@pytest.mark.parametrize(
    ("middle", "where"),
    [
        (["tool-call", "tool-result"], "view.output.tool_results[250:350]"),
        (["tool-call"], "view.output.full_stream"),
        (["tool-call", "tool-error"], "view.output.full_stream"),
        (["file"], "view.output.full_stream"),
    ],
    ids=["results", "calls", "errors", "files"],
)
def test_where_the_rows_are_that_are_not_shown_is_told_live_and_saved(middle: list[str], where: str) -> None:
    run = new_run()
    for number in range(600):
        kinds = middle if 250 <= number < 350 else ["tool-call", "tool-result"]
        for kind in kinds:
            reduce(
                run,
                chunk(kind, toolCallId=f"c{number}", toolName=f"t{number}", args={}, result=number, error="no", data="AA"),
                0.0,
            )
    finish(run, 1.0)
    drawing = RunDrawing(run)
    said = f"100 rows are not shown · {where}"
    live, saved = drawing.tree(1.0), drawing.tree(1.0, saved=True)
    assert said in live.text()
    assert said in saved.text()
    assert f"<code>{where}</code>" in to_html(saved)
    assert said in written(drawing.text(1.0))


def test_a_number_of_many_digits_tells_calls_apart() -> None:
    run = new_run()
    reduce(run, chunk("tool-call", toolCallId="c", toolName="t", args={"id": 10**5_000}), 0.0)
    tree = RunDrawing(run).tree(0.0)
    assert "10^5000" in tree.text()


@pytest.mark.parametrize("value", [
    {f"key{number}": f"value {number}" for number in range(1_000)},
    {f"group{number}": {f"k{inner}": inner for inner in range(10)} for number in range(150)},
    {"rows": [{"id": number, "name": "Avonmouth"} for number in range(1_000)], "end": 1},
], ids=["flat", "nested", "rows"])  # fmt: skip
def test_an_object_that_grows_is_drawn_where_it_is_new(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the last tenth no more values are looked at than of the first."""
    from runview.draw import plain

    looked = 0
    take = plain._Bounds.take

    def counted(self: Any, *given: Any, **more: Any) -> Any:
        nonlocal looked
        looked += 1
        return take(self, *given, **more)

    monkeypatch.setattr(plain._Bounds, "take", counted)
    run = new_run({"type": "object"})
    drawing = RunDrawing(run)
    drawing.tree(0.0)
    text = json.dumps(value)
    marks = []
    for at in range(0, len(text), 40):
        reduce(run, chunk("text-delta", id="t", text=text[at : at + 40]), 0.0)
        drawing.update(0.0)
        marks.append(looked)
    tenth = len(marks) // 10
    assert marks[-1] - marks[-tenth] <= 1.5 * marks[tenth] + 50


def test_what_was_drawn_of_a_growing_object_is_what_a_new_drawing_shows() -> None:
    run = new_run({"type": "object"})
    drawing = RunDrawing(run)
    page = copied(wire(drawing.tree(0.0)))
    value = {
        "a": 1,
        "secret": "x",
        "token": "sk-1",
        "inner": {"b": [1, 2, {"c": None}], "d": "long " * 20},
        "e": {},
        "z": [[]],
    }
    for character in json.dumps(value):
        reduce(run, chunk("text-delta", id="t", text=character), 0.0)
        page = heard(page, drawing.update(0.0))
        assert page == copied(wire(RunDrawing(run).tree(0.0)))


def test_of_a_text_longer_than_a_message_may_be_the_rest_is_told() -> None:
    run = new_run()
    drawing = RunDrawing(run)
    drawing.tree(0.0)
    for _ in range(30):
        reduce(run, chunk("text-delta", id="t", text="word " * 10_000), 0.0)
        drawing.update(0.0)
    finish(run, 1.0)
    for tree in (drawing.tree(1.0), drawing.tree(1.0, saved=True), RunDrawing(run).tree(1.0), drawing.text(1.0)):
        assert "showing 900\u202fkB · view.output.text" in tree.text()
        assert 890_000 < len(tree.text()) < 910_000


@pytest.mark.parametrize("character", ["é", "\u202e", "字", "😀", "\ud83d"], ids=ascii)
def test_a_text_is_bounded_by_its_octets(character: str) -> None:
    run = new_run()
    reduce(run, chunk("text-delta", id="t", text=character * 2_000_000), 0.0)
    finish(run, 1.0)
    drawing = RunDrawing(run)
    octets = len(character.encode("utf-8", "surrogatepass"))
    for tree in (drawing.tree(1.0), drawing.tree(1.0, saved=True), drawing.text(1.0)):
        assert "showing 900\u202fkB · view.output.text" in tree.text()
        assert len(tree.text()) < 8 * (900_000 // octets) + 1_000


@pytest.mark.parametrize("kind", ["text-delta", "reasoning-delta"])
def test_the_texts_of_a_view_are_bounded_together(kind: str) -> None:
    run = new_run()
    drawing = RunDrawing(run)
    drawing.tree(0.0)
    for number in range(13):
        reduce(run, chunk(kind, id=f"t{number}", text="word " * 180_000), 0.0)
        drawing.update(0.0)
    finish(run, 1.0)
    for tree in (drawing.tree(1.0), drawing.tree(1.0, saved=True), drawing.text(1.0)):
        assert 9_900_000 < len(tree.text()) < 10_020_000
        assert "showing 0\u202fB · view.output.text" in tree.text()


GIANTS: dict[str, Any] = {
    "a text of 100 MB": lambda: "x" * 100_000_000,
    "a million rows": lambda: [{"id": number, "name": "row"} for number in range(1_000_000)],
    "ten thousand levels": lambda: _nested(10_000),
    "a file of 20 MB": lambda: {"data": "A" * 20_000_000, "mimeType": "application/octet-stream"},
}


def _nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", GIANTS)
@pytest.mark.parametrize("where", ["result", "args", "object", "data", "error"])
def test_a_giant_value_is_drawn_bounded(name: str, where: str) -> None:
    value = GIANTS[name]()
    run = new_run()
    wire = {
        "result": chunk("tool-result", toolCallId="c", toolName="t", result=value),
        "args": chunk("tool-call", toolCallId="c", toolName="t", args={"value": value}),
        "object": {**chunk("object-result"), "object": value},
        "data": {"type": "data-x", "data": value},
        "error": chunk("error", error={"message": value}),
    }[where]
    with fair() as spent:
        reduce(run, wire, 0.0)
        finish(run, 1.0)
        drawing = RunDrawing(run)
        live = drawing.tree(1.0)
        html = to_html(drawing.tree(1.0, saved=True))
        text = drawing.text(1.0).text()
    assert spent.seconds < 1
    assert sum(1 for _ in live.walk()) < 20_000
    assert len(live.text()) < 1_000_000
    assert len(html) < 1_000_000
    assert len(text) < 1_000_000


DENSE = {
    "a list": "- *a*\n" * 160_000,
    "a table": "|a|b|\n|-|-|\n" + "|1|2|\n" * 160_000,
    "a table of empty cells": "|a" * 100 + "|\n" + "|-" * 100 + "|\n" + "|x\n" * 250_000,
    "paragraphs": "a\n\n" * 300_000,
    "marks": "*a*\n\n**b** `c`\n\n" * 60_000,
    "quotes": ">\n>>\n>>>\n\n" * 90_000,
    "code": "```python\nx = 1 + 2\n```\n" * 40_000,
}


@pytest.mark.parametrize("text", DENSE.values(), ids=DENSE)
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "in pieces"])
def test_a_text_never_becomes_more_than_a_page_can_bear(text: str, whole: bool) -> None:
    run = new_run()
    drawing = RunDrawing(run)
    drawing.tree(0.0)
    reduce(run, chunk("text-start", id="t"), 1.0)
    for at in range(0, len(text), len(text) if whole else 20_000):
        reduce(run, chunk("text-delta", id="t", text=text[at : at + (len(text) if whole else 20_000)]), 1.0)
        ops = drawing.update(1.0)
        assert len(json.dumps(ops, ensure_ascii=False).encode()) <= 1_000_000
    tree = drawing.tree(2.0)
    assert 10_000 < tree.count() <= 20_000
    assert re.search("showing [0-9.]+\u202fk?B · view.output.text", tree.text())
    assert drawing.tree(2.0, saved=True).count() <= 20_000


def test_a_text_that_is_shown_whole_does_not_say_that_it_is_cut() -> None:
    run = new_run()
    reduce(run, chunk("text-start", id="t"), 1.0)
    reduce(run, chunk("text-delta", id="t", text="a\n\n" * 5_000), 1.0)
    assert "showing" not in RunDrawing(run).tree(2.0).text()
