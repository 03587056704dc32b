"""Full density: every step, every time, where each part lay in the run, and what each step cost."""

from __future__ import annotations

from typing import Any

from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node, wire
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.applier import copied, heard, shown
from tests.runs import chunk, step_finish

FULL = Look(density="full")
INNER = {"type": "text-delta", "runId": "n", "from": "AGENT", "payload": {"id": "t", "text": "inside"}}
RUN: list[tuple[float, dict[str, Any]]] = [
    (0.0, chunk("start")),
    (0.0, chunk("step-start")),
    (1.0, chunk("reasoning-start", id="r")),
    (1.0, chunk("reasoning-delta", id="r", text="Two numbers are asked for.")),
    (3.0, chunk("reasoning-end", id="r")),
    (3.0, chunk("tool-call", toolCallId="c", toolName="search", args={"q": "x"})),
    (4.0, chunk("tool-result", toolCallId="c", toolName="search", result=[1])),
    (4.0, step_finish("tool-calls", inputTokens=1204, outputTokens=96)),
    (4.0, chunk("step-start")),
    (5.0, chunk("tool-call", toolCallId="d", toolName="agent-expert", args={})),
    (6.0, chunk("tool-output", toolCallId="d", output=INNER)),
    (9.0, chunk("tool-result", toolCallId="d", result={"text": "inside"})),
    (9.0, step_finish("stop", inputTokens=2310, cachedInputTokens=1900, outputTokens=201)),
    (10.0, chunk("finish", stepResult={"reason": "stop"})),
]


def fed(until: int = len(RUN), *, end: bool = True) -> RunState:
    run = new_run()
    for at, one in RUN[:until]:
        reduce(run, one, at)
    if end:
        finish(run, 10.0)
    return run


def lanes(tree: Node) -> list[tuple[int, int] | None]:
    found = [node for node in tree.walk() if node.attrs.get("class") == "rv-lane"]
    bars = [next((kid for kid in lane.kids if isinstance(kid, Node)), None) for lane in found]
    return [None if bar is None else (bar.attrs["at"], bar.attrs["long"]) for bar in bars]


def test_steps_are_hairlines_with_their_figures() -> None:
    text = " ".join(transcript(fed(), FULL, 11.0).split())
    assert "step 1 · 4.0 s · 1 204 in · 96 out" in text
    assert "step 2 · 5.0 s · 2 310 in (1 900 cached) · 201 out" in text


def test_every_part_says_where_it_lay_in_the_run() -> None:
    assert lanes(RunDrawing(fed(), FULL).tree(11.0)) == [(100, 200), (300, 100), (500, 400)]


def test_lanes_take_their_place_from_the_start_and_are_filled_at_the_end() -> None:
    run = fed(8, end=False)
    drawing = RunDrawing(run, FULL)
    page = copied(wire(drawing.tree(9.0)))
    assert lanes(drawing.tree(9.0)) == [None, None]
    for at, one in RUN[8:]:
        reduce(run, one, at)
    finish(run, 10.0)
    assert heard(page, drawing.update(11.0)) == shown(drawing.snapshot())


def test_a_lane_is_figures_and_says_nothing() -> None:
    run = fed()
    html = to_html(RunDrawing(run, FULL).tree(11.0, saved=True), style=False)
    assert '<span class="rv-lane" aria-hidden="true"><i style="--rv-at:10%;--rv-long:20%"></i></span>' in html
    assert "rv-lane" not in to_html(RunDrawing(run).tree(11.0, saved=True), style=False)


def test_odd_times_stay_on_the_lane() -> None:
    run = new_run()
    for at, one in (
        (5.0, chunk("tool-call", toolCallId="c", toolName="f", args={})),
        (1.0, chunk("tool-result", toolCallId="c", result=1)),
    ):
        reduce(run, one, at)
    finish(run, 5.0)
    assert all(
        lane is not None and 0 <= lane[0] <= 1000 and lane[0] + lane[1] <= 1000 for lane in lanes(RunDrawing(run, FULL).tree(9.0))
    )


def test_times_are_figures_and_nested_runs_stand_open() -> None:
    drawing = RunDrawing(fed(), FULL)
    text = " ".join(drawing.tree(11.0).text().split())
    assert "Thought — 2.0 s" in text
    rows = {str(node.key): node for node in drawing.tree(11.0).walk() if node.tag == "details"}
    opened = [
        " ".join(row.kids[0].text().split()) for row in rows.values() if row.attrs.get("auto") and isinstance(row.kids[0], Node)
    ]
    assert [head.split(" ")[0] for head in opened] == ["Thought", "✓", "Usage"]


def test_what_each_step_cost_is_a_table() -> None:
    table = [line.split() for line in transcript(fed(), FULL, 11.0).splitlines()[-4:-1]]
    assert table[0] == ["Step", "Time", "Input", "Cached", "Output", "Ended", "by"]
    assert table[1] == ["1", "4.0", "s", "1", "204", "—", "96", "tool-calls"]
    assert table[2] == ["2", "5.0", "s", "2", "310", "1", "900", "201", "stop"]
