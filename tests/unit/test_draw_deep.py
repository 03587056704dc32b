"""Runs past the third: a row that is read by itself in the page, and a fold with every word in the file."""

from __future__ import annotations

from typing import Any

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState


def chunk(depth: int, type_: str, **payload: Any) -> dict[str, Any]:
    """A chunk of the run that lies so deep, wrapped in the calls on the way to it."""
    wire: dict[str, Any] = {"type": type_, "runId": f"r{depth}", "from": "AGENT", "payload": payload}
    for above in range(depth - 1, -1, -1):
        wire = {
            "type": "tool-output",
            "runId": f"r{above}",
            "from": "AGENT",
            "payload": {"toolCallId": f"c{above}", "output": wire},
        }
    return wire


def deep_run(levels: int = 6) -> RunState:
    run = new_run()
    for depth in range(levels):
        reduce(run, chunk(depth, "start", id=f"agent-{depth}"), float(depth))
        reduce(run, chunk(depth, "tool-call", toolCallId=f"c{depth}", toolName=f"agent-level{depth + 1}", args={}), float(depth))
    reduce(run, chunk(levels, "text-delta", id="t", text="The deepest words."), float(levels))
    return run


def deep_rows(tree: Node) -> list[Node]:
    return [node for node in tree.walk() if node.attrs.get("deep")]


def test_past_the_third_run_a_row_is_read_by_itself() -> None:
    tree = RunDrawing(deep_run()).tree(9.0)
    rows = deep_rows(tree)
    assert [row.kids[0].text().split(" ")[1] for row in rows if isinstance(row.kids[0], Node)] == ["agent-4", "agent-5", "level6"]
    assert all("open here" in row.kids[0].text() for row in rows if isinstance(row.kids[0], Node))
    assert all(row.attrs.get("auto") is None for row in rows)


def test_the_file_tells_every_word_in_its_place() -> None:
    run = deep_run()
    finish(run, 9.0)
    drawing = RunDrawing(run)
    html = to_html(drawing.tree(10.0, saved=True), style=False)
    assert "open here" not in html
    assert "The deepest words." in html
    assert html.replace(" rv-done", "") == to_html(drawing.tree(10.0), style=False)
    lines = transcript(run, None, 10.0).splitlines()
    assert any(line.strip() == "The deepest words." for line in lines)
    assert next(line for line in lines if "4 deep" in line).strip().startswith("■ agent-4 · sub-agent, 4 deep")
