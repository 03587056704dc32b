"""Lists of records are tables once they are whole, full density has the JSON of an object, and images of Pillow are shown."""

from __future__ import annotations

import json
import sys
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from runview.draw.images import Picture
from runview.draw.json_form import json_text
from runview.draw.look import Look
from runview.draw.plain import plain
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.runs import chunk
from tests.unit.test_draw_files import PNG

READINGS = [{"t": "2026-01-01", "h": 9.84}, {"t": "2026-01-02", "h": 10.31}]


def object_run(value: Any, *, end: bool = True) -> RunState:
    run = new_run()
    reduce(run, {"type": "object", "runId": "r", "from": "AGENT", "object": value}, 1.0)
    if end:
        reduce(run, {"type": "object-result", "runId": "r", "from": "AGENT", "object": value}, 2.0)
        reduce(run, chunk("finish", stepResult={"reason": "stop"}), 3.0)
        finish(run, 3.0)
    return run


def tables(tree: Node) -> list[Node]:
    return [node for node in tree.walk() if node.attrs.get("class") == "rv-table"]


def test_records_in_an_object_are_a_table_when_it_is_whole() -> None:
    value = {"station": "Avonmouth", "readings": READINGS}
    assert tables(RunDrawing(object_run(value, end=False)).tree(9.0)) == []
    tree = RunDrawing(object_run(value)).tree(9.0)
    (table,) = tables(tree)
    assert [node.text() for node in table.walk() if node.tag == "tr"] == ["th", "2026-01-019.84", "2026-01-0210.31"]
    assert [node.attrs.get("auto") for node in tree.walk() if node.attrs.get("class") == "rv-node"] == ["open"]
    assert "2026-01-02  10.31" in transcript(object_run(value), None, 9.0)


def test_a_long_table_is_folded_and_says_what_is_left() -> None:
    tree = RunDrawing(object_run({"readings": READINGS * 200})).tree(9.0)
    (node,) = [node for node in tree.walk() if node.attrs.get("class") == "rv-node"]
    assert node.attrs.get("auto") is None
    assert node.text().startswith("[400]")
    assert node.text().endswith("more")


def test_records_inside_a_result_are_a_table() -> None:
    run = new_run()
    reduce(run, chunk("tool-call", toolCallId="c", toolName="f", args={}), 0.0)
    reduce(
        run, chunk("tool-result", toolCallId="c", result={"count": 2, "deep": {"rows": READINGS}, "odd": [{"a": [1]}, 2]}), 1.0
    )
    assert len(tables(RunDrawing(run).tree(9.0))) == 1


def test_full_density_has_the_json_of_an_object() -> None:
    run = object_run({"station": "Avonmouth", "api_key": "x", "deep": {"n": [1, None, True]}})
    shown = [
        node.text() for node in RunDrawing(run, Look(density="full")).tree(9.0).walk() if node.attrs.get("class") == "rv-pre"
    ]
    assert [json.loads(text) for text in shown] == [{"station": "Avonmouth", "api_key": "hidden", "deep": {"n": [1, None, True]}}]
    assert "JSON" not in RunDrawing(run).tree(9.0).text()


@pytest.mark.parametrize(
    ("value", "data"),
    [
        ([1, "a", None, 2.5], [1, "a", None, 2.5]),
        (float("nan"), "NaN"),
        (PNG, "png 480 × 200"),
        ({"a": [1] * 3_000}, None),
        ("x" * 30_000, None),
    ],
)
def test_json_is_whole_json_whatever_was_left_out(value: Any, data: Any) -> None:
    text = json_text(plain(value)[0])
    read = json.loads(text)
    assert data is None or read == data
    assert len(text) < 60_000


class Image:
    """As much of Pillow's image as is used."""

    def __init__(self, size: tuple[int, int] = (4_000, 2_000), mode: str = "CMYK") -> None:
        self.size, self.mode = size, mode

    def copy(self) -> Image:
        return Image(self.size, self.mode)

    def thumbnail(self, size: tuple[int, int]) -> None:
        self.size = size

    def convert(self, mode: str) -> Image:
        return Image(self.size, mode)

    def save(self, to: BytesIO, kind: str) -> None:
        assert (kind, self.mode, self.size) == ("PNG", "RGB", (480, 480))
        to.write(PNG)


def test_an_image_of_pillow_is_shown_where_pillow_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "PIL.Image", raising=False)
    assert not isinstance(plain(Image())[0], Picture)
    monkeypatch.setitem(sys.modules, "PIL.Image", SimpleNamespace(Image=Image))
    assert isinstance(plain(Image())[0], Picture)
    assert isinstance(plain({"plot": Image()})[0].items[0][1], Picture)  # type: ignore[union-attr]
    assert not isinstance(plain(Image((100_000, 100_000)))[0], Picture), "too many pixels to be made small"
