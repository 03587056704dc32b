"""Values that are longer than what is shown: the reader may ask for more, in bounds, and what was shown once stays."""

from __future__ import annotations

import json
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.pen import FURTHEST, FURTHEST_TEXT
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.draw.tree import Node, wire
from runview.run.reduce import finish, new_run
from runview.run.state import RunState
from tests.applier import copied, heard, shown
from tests.runs import chunk, event, feed

CALL = chunk("tool-call", toolCallId="c", toolName="dig", args={})
LONG = "".join(f"line {number} of many\n" for number in range(230_000))
RECORDS = [{"n": number, "m": -number} for number in range(1_000)]
TREE = [{"a": [number], "b": {"c": number}} for number in range(5_000)]


def returned(value: Any) -> RunState:
    run = new_run()
    feed(run, CALL, chunk("tool-result", toolCallId="c", toolName="dig", result=value))
    return run


def offers(tree: Node) -> list[str]:
    return [str(node.attrs["ref"]) for node in tree.walk() if node.attrs.get("act") == "more"]


class Shown:
    """A page that is shown a run, and presses buttons for more."""

    def __init__(self, run: RunState, *, explored: bool = False) -> None:
        self.run = run
        self.drawing = RunDrawing(run)
        self.drawing.explored = explored
        self.page = copied(wire(self.drawing.tree(1.0)))
        self.bytes = 0

    def update(self) -> None:
        ops = self.drawing.update(2.0)
        self.bytes = len(json.dumps(ops, ensure_ascii=False).encode("utf-8", "replace"))
        self.page = heard(self.page, ops)
        assert self.page == shown(self.drawing.snapshot())

    def press(self) -> bool:
        refs = offers(self.tree)
        if not refs:
            return False
        assert self.drawing.extend(refs[0])
        self.update()
        return True

    @property
    def tree(self) -> Node:
        return self.drawing.tree(2.0)

    @property
    def text(self) -> str:
        return self.tree.text()


def test_a_long_text_is_shown_piece_by_piece() -> None:
    view = Shown(returned(LONG))
    assert "showing 20\u202fkB of 4.5\u202fMB · view.output.tool_results[0]" in view.text
    before = view.text
    assert view.press()
    assert "showing 80\u202fkB of 4.5\u202fMB" in view.text
    assert view.text.count("line ") > 3 * before.count("line ")
    assert view.bytes < 100_000, "only what is new is sent"
    presses = 1
    while view.press():
        presses += 1
        assert view.bytes <= 1_000_000
    assert presses == FURTHEST_TEXT
    assert "showing 980\u202fkB of" in view.text, "it says what is shown when no more is"


@pytest.mark.parametrize(
    "value", [RECORDS, TREE, list(range(50_000)), {str(number): number for number in range(50_000)}, [LONG[:30_000]] * 9]
)
def test_more_of_a_list_or_a_tree_stays_within_what_a_page_can_bear(value: Any) -> None:
    view = Shown(returned(value))
    least = len(view.text)
    presses = 0
    while view.press():
        presses += 1
        assert view.bytes <= 1_000_000
    assert 1 <= presses <= FURTHEST
    assert len(view.text) > 1.5 * least
    assert sum(1 for _ in view.tree.walk()) <= 20_000


@pytest.mark.parametrize("failed", ["tool-error", "error"])
def test_a_long_message_is_shown_piece_by_piece(failed: str) -> None:
    run = new_run()
    feed(run, CALL, chunk(failed, toolCallId="c", toolName="dig", error={"message": LONG}))
    view = Shown(run)
    where = "view.output.tool_errors" if failed == "tool-error" else "view.output.error"
    assert f"showing 20\u202fkB of 4.5\u202fMB · {where}" in view.text
    before = view.text
    assert view.press()
    assert "showing 80\u202fkB of 4.5\u202fMB" in view.text
    assert view.text.count("line ") > 3 * before.count("line ")
    saved = view.drawing.tree(2.0, saved=True).text()
    assert f"showing 4\u202fkB of 4.5\u202fMB · {where}" in saved


@pytest.mark.parametrize(
    "value",
    ["\u202e" * 3_000_000, "\x1b[2J" * 900_000, "😀" * 3_000_000, "\ud800" * 3_000_000],
    ids=["bidi", "escapes", "emoji", "surrogates"],
)
def test_more_of_a_hostile_text_is_bounded(value: str) -> None:
    view = Shown(returned(value))
    for _ in range(3):
        begun = time.process_time()
        view.press()
        assert time.process_time() - begun < 2
        assert view.bytes <= 1_000_000


def test_what_is_whole_offers_nothing() -> None:
    for value in ("short", list(range(50)), RECORDS[:20], {"a": {"b": 1}}):
        assert offers(Shown(returned(value)).tree) == []


def test_arguments_and_what_was_written_meanwhile() -> None:
    run = new_run()
    feed(run, chunk("tool-call", toolCallId="c", toolName="dig", args={"notes": LONG}))
    feed(run, *(chunk("tool-output", toolCallId="c", toolName="dig", output=f"{number}: {LONG[:900]}") for number in range(60)))
    view = Shown(run)
    assert len(offers(view.tree)) == 2
    assert "59: " in view.text
    assert "10: " not in view.text
    for ref in offers(view.tree):
        assert view.drawing.extend(ref)
    view.update()
    assert "10: " in view.text, "what was written first comes before what is shown"


def test_a_step_its_output_and_an_object() -> None:
    run = new_run()
    feed(
        run,
        event("workflow-step-start", id="s", stepName="s", payload={"text": LONG}),
        event("workflow-step-result", id="s", stepName="s", status="success", output=TREE),
    )
    assert len(offers(Shown(run).tree)) == 2
    run = new_run()
    feed(run, {"type": "object-result", "runId": "r", "from": "AGENT", "object": {"rows": TREE}})
    view = Shown(run)
    assert view.press()
    assert "view.output.object" in view.text


def test_the_stream_does_not_undo_what_the_reader_has_asked_for() -> None:
    view = Shown(returned(LONG))
    view.press()
    feed(view.run, chunk("tool-call", toolCallId="d", toolName="fill", args={}), chunk("text-delta", id="t", text="on"))
    view.update()
    assert "showing 80\u202fkB of" in view.text
    again = chunk("tool-result", toolCallId="c", toolName="dig", result=LONG + "!")
    feed(view.run, again)
    view.update()
    assert "showing 80\u202fkB of" in view.text


def test_after_the_end_there_is_the_size_and_the_place_and_no_button() -> None:
    view = Shown(returned(LONG))
    view.press()
    (stale,) = offers(view.tree)
    finish(view.run, 9.0)
    view.update()
    assert offers(view.tree) == []
    assert "showing 80\u202fkB of 4.5\u202fMB · view.output.tool_results[0]" in view.text
    assert stale.startswith("p")


def test_who_explores_a_run_that_has_ended_may_ask_again() -> None:
    run = returned(LONG)
    finish(run, 9.0)
    assert offers(Shown(run).tree) == []
    view = Shown(run, explored=True)
    assert view.press()
    assert "showing 80\u202fkB of" in view.text


def test_a_run_inside_that_has_ended_may_be_asked_while_the_one_around_it_goes_on() -> None:
    run = new_run()
    inner = [
        CALL,
        chunk("tool-result", toolCallId="c", toolName="dig", result=LONG),
        chunk("finish", stepResult={"reason": "stop"}),
    ]
    feed(run, chunk("tool-call", toolCallId="o", toolName="agent-sub", args={}))
    feed(run, *(chunk("tool-output", toolCallId="o", toolName="agent-sub", output={**one, "runId": "r2"}) for one in inner))
    feed(run, chunk("tool-result", toolCallId="o", toolName="agent-sub", result={"text": "dug"}))
    assert run.nested[0].is_done
    view = Shown(run)
    assert view.press()
    finish(run, 9.0)
    view.update()
    assert offers(view.tree) == []


def test_the_file_holds_its_own_measure_and_no_button() -> None:
    view = Shown(returned(LONG))
    view.press()
    html, text = to_html(view.drawing.tree(3.0, saved=True)), written(view.drawing.text(3.0))
    for form in (html, text, to_html(view.tree)):
        assert "Show more" not in form
    for form in (html, text):
        assert "showing 4 kB of 4.5 MB" in form.replace("\u202f", " ")
        assert len(form) < 40_000


def test_only_what_was_offered_can_be_asked_for_and_once() -> None:
    view = Shown(returned(LONG))
    (ref,) = offers(view.tree)
    for unknown in ("", "p0", "p0.1", "p1.0", "__proto__", "view.output", ref + " "):
        assert not view.drawing.extend(unknown)
    assert view.drawing.extend(ref)
    assert not view.drawing.extend(ref)
    view.update()
    assert "showing 80\u202fkB of" in view.text


def test_in_a_run_inside_a_run_too() -> None:
    run = new_run()
    inner = [{**wire_, "runId": "r2"} for wire_ in (CALL, chunk("tool-result", toolCallId="c", toolName="dig", result=LONG))]
    feed(run, chunk("tool-call", toolCallId="o", toolName="agent-sub", args={}))
    feed(run, *(chunk("tool-output", toolCallId="o", toolName="agent-sub", output=one) for one in inner))
    drawing = RunDrawing(run, Look(density="full"))
    drawing.tree(1.0)
    view = Shown(run)
    assert view.press()
    assert "showing 80\u202fkB of" in view.text


def test_a_frame_shows_more_of_its_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frame:
        """As much of a polars frame as is read."""

        columns = ("n",)
        height, width = 1_000, 1

        def head(self, most: int) -> Any:
            return SimpleNamespace(columns=self.columns, rows=lambda: [(number,) for number in range(most)])

    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=Frame))
    view = Shown(returned(Frame()))
    assert "first 20 of 1\u202f000 rows" in view.text
    assert view.press()
    assert "first 60 of 1\u202f000 rows" in view.text
