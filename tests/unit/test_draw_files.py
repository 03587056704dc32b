"""Files: told by name, type and size; saved from the page as bytes under a plain name, and from nowhere else."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from runview.draw.files import MOST_OF_ALL, MOST_OF_ONE, file_name
from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.runs import chunk

PNG = (
    b"\x89PNG\r\n\x1a\n"
    + (13).to_bytes(4, "big")
    + b"IHDR"
    + (480).to_bytes(4, "big")
    + (200).to_bytes(4, "big")
    + b"\x08\x02\0\0\0" * 3
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'


def run_of(*files: dict[str, Any]) -> RunState:
    run = new_run()
    for at, payload in enumerate(files):
        reduce(run, chunk("file", **payload), float(at))
    finish(run, float(len(files)))
    return run


def given(data: bytes, filename: str | None = None, kind: str = "text/csv") -> dict[str, Any]:
    return {"data": base64.b64encode(data).decode(), "mimeType": kind, **({"filename": filename} if filename else {})}


def buttons(run: RunState) -> list[Node]:
    return [node for node in RunDrawing(run).tree(9.0).walk() if node.attrs.get("act") == "save"]


def test_a_file_is_told_and_can_be_saved() -> None:
    run = run_of(given(b"a,b\n" * 500, "tides.csv"))
    (button,) = buttons(run)
    assert base64.b64decode(button.attrs["save"]) == b"a,b\n" * 500
    assert button.attrs["name"] == "tides.csv"
    assert "tides.csv · file — csv · 2 kB · view.output.files[0]" in transcript(run, None, 9.0)


def test_a_picture_is_shown_and_saved_from_what_is_shown() -> None:
    run = run_of(given(PNG, "tide.png", "image/png"))
    tree = RunDrawing(run).tree(9.0)
    (picture,) = [node for node in tree.walk() if node.tag == "img"]
    assert picture.attrs["class"] == "rv-img"
    (button,) = buttons(run)
    assert "save" not in button.attrs
    assert button.attrs["name"] == "tide.png"
    assert "tide.png · image — png · 480 × 200" in transcript(run, None, 9.0)


@pytest.mark.parametrize("kind", ["image/svg+xml", "image/png", "text/html"])
def test_what_is_no_picture_is_bytes_whatever_it_is_called(kind: str) -> None:
    run = run_of(given(SVG, "x.svg", kind))
    tree = RunDrawing(run).tree(9.0)
    assert not [node for node in tree.walk() if node.tag == "img" or "href" in node.attrs]
    assert base64.b64decode(buttons(run)[0].attrs["save"]) == SVG


def test_the_file_of_the_notebook_holds_no_button_and_no_bytes() -> None:
    run = run_of(given(b"secret bytes", "a.bin"), given(PNG, "b.png", "image/png"))
    html = to_html(RunDrawing(run).tree(9.0, saved=True), style=False)
    assert "Save" not in html
    assert base64.b64encode(b"secret bytes").decode() not in html
    assert html == to_html(RunDrawing(run).tree(9.0), style=False).replace("rv mathjax", "rv rv-done mathjax")


def test_large_files_stay_in_the_kernel() -> None:
    run = run_of(given(b"x" * (MOST_OF_ONE + 1), "large.bin"), given(b"y", "small.bin"))
    assert [button.attrs["name"] for button in buttons(run)] == ["small.bin"]
    many = MOST_OF_ALL // 400_000 + 3
    run = run_of(*(given(b"x" * 400_000, f"{number}.bin") for number in range(many)))
    assert len(buttons(run)) == MOST_OF_ALL // 400_000
    assert f"view.output.files[{many - 1}]" in transcript(run, None, 9.0)


def test_large_pictures_are_words_in_the_file() -> None:
    run = run_of(given(PNG + b"\0" * 200_000, "large.png", "image/png"))
    drawing = RunDrawing(run)
    assert [node.tag for node in drawing.tree(9.0).walk() if node.tag == "img"] == ["img"]
    html = to_html(drawing.tree(9.0, saved=True), style=False)
    assert "<img" not in html
    assert "png · 480 × 200 · 200\u202fkB · too large to be shown here" in html


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("tides 2026 (final).csv", "tides 2026 (final).csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Windows\\evil.exe", "evil.exe"),
        (".bashrc", "bashrc"),
        ("a\u202egnp.exe", "a_gnp.exe"),
        ("a\0b\nc.txt", "a_b_c.txt"),
        ("größe–Ω.csv", "größe_Ω.csv"),
        ('"><img src=x>.html', "_img src=x_.html"),
        ("", "file"),
        (None, "file"),
        ("///", "file"),
        ("...", "file"),
        ("x" * 300 + ".csv", "x" * 80 + ".csv"),
        ("con/", "con"),
    ],
)
def test_a_file_is_saved_under_a_plain_name(told: str | None, name: str) -> None:
    assert file_name(told) == name


def test_a_picture_without_a_name_has_its_kind() -> None:
    assert file_name(None, "png") == "file.png"
