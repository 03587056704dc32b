"""What users of such views complain of, each with the smallest input that would show it here; live, in the file and as text."""

from __future__ import annotations

from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.draw.tree import Node
from runview.run.reduce import new_run, reduce
from runview.run.state import RunState
from tests.runs import chunk, finish_chunk, run_of, step_finish

START = chunk("start", id="agent")


def thought(text: str, **more: Any) -> list[Any]:
    pieces = [chunk("reasoning-delta", id="r", text=text)] if text else []
    return [chunk("reasoning-start", id="r", **more), *pieces, chunk("reasoning-end", id="r")]


def said(text: str, id_: str = "t") -> list[Any]:
    return [chunk("text-start", id=id_), chunk("text-delta", id=id_, text=text), chunk("text-end", id=id_)]


def used(call: str, result: Any, name: str = "f") -> list[Any]:
    asked = chunk("tool-call", toolCallId=call, toolName=name, args={})
    return [asked, chunk("tool-result", toolCallId=call, toolName=name, result=result)]


def forms(run: RunState) -> tuple[str, str]:
    """What a reader sees live, and what the transcript of the file says."""
    drawing = RunDrawing(run)
    live, saved = drawing.tree(1e6), drawing.tree(1e6, saved=True)
    assert to_html(live, style=False).replace("rv mathjax", "rv rv-done mathjax") == to_html(saved, style=False)
    return " ".join(live.text().split()), written(drawing.text(1e6))


def classes(run: RunState, name: str) -> list[Node]:
    return [node for node in RunDrawing(run).tree(1e6).walk() if name in str(node.attrs.get("class", "")).split()]


def test_a_signature_alone_is_no_thought() -> None:
    live, _ = forms(run_of(START, *thought("", signature="s"), *said("Hello."), finish_chunk()))
    assert "Thought" not in live
    assert "Hello." in live


def test_a_thought_that_nobody_ended_is_over_with_the_run() -> None:
    live, _ = forms(run_of(START, chunk("reasoning-start", id="r"), chunk("reasoning-delta", id="r", text="x"), finish_chunk()))
    assert "Thought" in live
    assert "Thinking" not in live


def test_tags_in_thoughts_and_answers_are_words() -> None:
    live, text = forms(run_of(START, *thought("<thinking>a</thinking>"), *said("<think>b</think>c"), finish_chunk()))
    for form in (live, text):
        assert "<thinking>a</thinking>" in form
        assert "<think>b</think>c" in form


@pytest.mark.parametrize("opened", ["```py\nx=1", "</details>", "<div>", "> quote", "| a |\n|---|"])
def test_no_thought_swallows_the_answer(opened: str) -> None:
    run = run_of(START, *thought(opened), *said("ANSWER"), finish_chunk())
    (answer,) = classes(run, "rv-text")
    assert answer.text().split() == ["ANSWER"]
    assert not any("ANSWER" in node.text() for node in classes(run, "rv-thought"))


def test_thoughts_calls_and_texts_stay_in_their_order() -> None:
    turns = [thought("a"), used("1", "one", "first"), said("t1", "x"), thought("b"), used("2", "two", "second"), said("t2", "y")]
    for form in forms(run_of(START, *(each for turn in turns for each in turn), finish_chunk())):
        at = [form.index(word) for word in ("Thought", "first", "t1", "second", "t2")]
        assert at == sorted(at)
        assert form.count("Thought") == 2


@pytest.mark.parametrize(("value", "shown"), [(0, "0"), (False, "false"), ("", '""'), (None, "null"), ([], "[]"), ({}, "{}")])
def test_results_that_are_nothing_are_shown(value: Any, shown: str) -> None:
    run = run_of(START, *used("1", value), finish_chunk())
    for form in forms(run):
        assert f"f — {shown} — done" in form.replace(" ,", ",")


def test_a_call_that_comes_twice_is_one_row() -> None:
    run = run_of(START, *used("1", "once"), *used("1", "once"), *said("End."), finish_chunk())
    assert len([row for row in classes(run, "rv-row") if "once" in row.text() and "rv-group" not in str(row.attrs["class"])]) == 1


def test_unknown_usage_is_no_number() -> None:
    live, _ = forms(run_of(START, *said("Hi."), chunk("finish", stepResult={"reason": "stop"}, output={})))
    assert "— in · — out" in live
    assert "0 in" not in live
    live, _ = forms(
        run_of(START, *said("Hi."), step_finish(inputTokens=10, outputTokens=5), finish_chunk(inputTokens=10, outputTokens=5))
    )
    assert "10 in · 5 out" in live


def test_a_field_once_shown_stays() -> None:
    partials: list[Any] = [{}, {"a": "x"}, {}, {"a": "xy", "b": [1]}]
    shown: list[str] = []
    run = new_run()
    drawing = RunDrawing(run)
    for at, partial in enumerate(partials):
        reduce(run, {"type": "object", "runId": "r", "from": "AGENT", "object": partial}, float(at))
        shown.append(drawing.tree(float(at)).text())
    assert ['"x' in each for each in shown] == [False, True, True, True]
    assert '"xy' in shown[-1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("costs $5 and $7, **$750 total**", "costs $5 and $7, $750 total"),
        ("use <channel> or <div>\nnext line", "use <channel> or <div> next line"),
        ("[call](tel:123) [f](sandbox:/a) ![c](sandbox:/b.png)", "call f c"),
    ],
)
def test_words_stay_as_they_are(text: str, words: str) -> None:
    run = run_of(START, *said(text), finish_chunk())
    (answer,) = classes(run, "rv-text")
    assert " ".join(answer.text().split()) == words
    assert not any("href" in node.attrs or node.tag == "math" for node in answer.walk())


def test_a_big_result_clips_itself_alone() -> None:
    run = run_of(START, *used("1", "x" * 18_000, "big"), *used("2", "y" * 20, "small"), finish_chunk())
    live, saved = RunDrawing(run).tree(1e6).text(), RunDrawing(run).tree(1e6, saved=True).text()
    assert "x" * 18_000 in live
    assert "x" * 18_000 not in saved, "a file keeps 4 kB of each"
    for form in (live, saved):
        assert "y" * 20 in form


@pytest.mark.parametrize("count", [3, 300, 50_000])
def test_records_are_a_table_however_many_they_are(count: int) -> None:
    run = run_of(START, *used("1", [{"n": n, "is": "ok"} for n in range(count)]), finish_chunk())
    (table,) = [node for node in RunDrawing(run).tree(1e6).walk() if node.tag == "table"]
    assert [node.text() for node in table.walk() if node.tag == "th"] == ["n", "is"]
    assert 3 <= len([node for node in table.walk() if node.tag == "tr"]) <= 60
