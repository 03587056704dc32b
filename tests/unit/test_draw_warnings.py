"""Warnings of the provider: counted in the status line, told in a row that does not push others down."""

from __future__ import annotations

from typing import Any

from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.runs import chunk

WARNING = {"type": "unsupported-setting", "setting": "topK"}
STEP_FINISH = chunk("step-finish", stepResult={"reason": "stop", "warnings": [WARNING]}, output={})
RUN = [
    chunk("start"),
    chunk("step-start"),
    chunk("tool-call", toolCallId="c", toolName="f", args={}),
    chunk("tool-result", toolCallId="c", result=1),
    STEP_FINISH,
    chunk("finish", stepResult={"reason": "stop"}),
]


def fed(until: int = len(RUN), *, end: bool = True) -> RunState:
    run = new_run()
    for at, one in enumerate(RUN[:until]):
        reduce(run, one, float(at))
    if end:
        finish(run, float(until))
    return run


def keys(tree: Node) -> list[Any]:
    return [kid.key for kid in tree.kids if isinstance(kid, Node)]


def test_a_late_warning_is_counted_at_once_and_moves_nothing() -> None:
    run = fed(4, end=False)
    drawing = RunDrawing(run)
    before = keys(drawing.tree(9.0))
    reduce(run, STEP_FINISH, 5.0)
    after = drawing.tree(9.0)
    assert keys(after) == before
    assert "1 warning" in after.text()
    assert not [node for node in after.walk() if node.attrs.get("act") == "jump"], "there is no row yet to go to"


def test_at_the_end_a_row_tells_it_and_the_count_leads_there() -> None:
    tree = RunDrawing(fed()).tree(9.0)
    (link,) = [node for node in tree.walk() if node.attrs.get("act") == "jump"]
    assert link.text() == "1 warning"
    (row,) = [node for node in tree.walk() if "rv-warned" in str(node.attrs.get("class"))]
    assert keys(tree)[-2:] == ["warnings", "foot"]
    assert "topK" in row.text()
    assert "1 warning" in transcript(fed(), None, 9.0).splitlines()[0]


def test_in_the_file_the_count_is_words() -> None:
    html = to_html(RunDrawing(fed()).tree(9.0, saved=True), style=False)
    assert "<button" not in html
    assert '<span class="rv-link">1 warning</span>' in html


def test_in_full_density_the_step_opens_to_them() -> None:
    tree = RunDrawing(fed(), Look(density="full")).tree(9.0)
    (row,) = [node for node in tree.walk() if "rv-warned" in str(node.attrs.get("class"))]
    assert row.text().startswith("step 1")
    assert "warnings" not in keys(tree)
