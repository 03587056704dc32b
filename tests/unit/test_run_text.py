"""Text and reasoning: which part a delta belongs to, and what each chunk changes."""

from __future__ import annotations

from runview.run import values
from runview.run.change import Change
from runview.run.reduce import finish, new_run
from runview.run.state import ReasoningPart, TextPart
from tests.runs import chunk, feed, finish_chunk, run_of, shape, step_finish


def text(id_: str, said: str) -> dict[str, object]:
    return chunk("text-delta", id=id_, text=said)


def test_a_plain_run_chunk_by_chunk() -> None:
    run = new_run()
    changes = feed(
        run,
        chunk("start", id="agent"),
        chunk("step-start", messageId="m"),
        chunk("text-start", id="t"),
        text("t", "Hel"),
        text("t", "lo"),
        chunk("text-end", id="t"),
        step_finish("stop", inputTokens=1, outputTokens=2),
        finish_chunk("stop", inputTokens=1, outputTokens=2),
    )
    assert changes == [
        (Change("run", ""),),
        (Change("opened", "p0"), Change("run", "")),
        (Change("opened", "p1"),),
        (Change("changed", "p1"),),
        (Change("changed", "p1"),),
        (Change("closed", "p1"),),
        (Change("closed", "p0"), Change("run", "")),
        (Change("run", ""),),
    ]
    part = run.parts[1]
    assert isinstance(part, TextPart)
    assert (part.started, part.ended, part.step, part.version) == (2.0, 5.0, 1, 4)
    assert (run.name, run.run_id, run.kind, run.status, run.first_text) == ("agent", "r", "agent", "running", 3.0)
    assert finish(run, 9.0) == (Change("run", ""),)
    assert (run.status, run.finish_reason, run.ended) == ("success", "stop", 9.0)
    assert run.usage == {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}


def test_a_delta_without_a_start_opens_a_part() -> None:
    run = run_of(text("t", "a"), text("u", "b"), text("t", "c"))
    assert shape(run) == ["Text ac", "Text b"]
    assert values.text(run) == "abc"


def test_a_start_with_an_open_id_closes_the_old_part() -> None:
    run = new_run()
    feed(run, text("t", "a"), chunk("text-start", id="t"), text("t", "b"))
    first, second = (part for part in run.parts if isinstance(part, TextPart))
    assert (first.text, first.open, second.text, second.open) == ("a", False, "b", True)


def test_a_late_delta_is_dropped_with_a_note() -> None:
    run = run_of(text("t", "a"), chunk("text-end", id="t"), text("t", "late"))
    assert values.text(run) == "a"
    assert run.text_deltas == ["a"]
    assert any("after the end of text 't'" in note for note in run.notes)


def test_after_a_step_or_a_start_an_ended_id_is_free_again() -> None:
    run = run_of(
        text("t", "a"), chunk("text-end", id="t"), chunk("text-start", id="t"), text("t", "b"), chunk("text-end", id="t"),
        step_finish(), text("t", "c"),
    )  # fmt: skip
    assert shape(run) == ["Text a", "Text b", "Text c"]
    assert [step.text for step in run.steps] == ["ab"]


def test_text_after_a_tool_row_goes_on_below_it() -> None:
    run = run_of(text("t", "Let me see. "), chunk("tool-call", toolCallId="c", toolName="see"), text("t", "Done."))
    assert shape(run)[1] == "c see stopped"
    assert [part.text for part in run.parts if isinstance(part, TextPart)] == ["Let me see. ", "Done."]


def test_a_source_does_not_split_a_text() -> None:
    run = run_of(text("t", "a"), chunk("source", id="s", sourceType="url"), text("t", "b"))
    assert shape(run) == ["Text ab", "Sources"]


def test_the_end_of_a_step_closes_text_and_reasoning() -> None:
    run = new_run()
    feed(run, text("t", "a"), chunk("reasoning-delta", id="r", text="hm"), step_finish())
    assert not any(part.open for part in run.parts)


def test_text_and_reasoning_ids_are_apart() -> None:
    run = run_of(chunk("reasoning-start", id="0"), chunk("reasoning-delta", id="0", text="hm"), text("0", "a"))
    assert shape(run) == ["Reasoning hm", "Text a"]
    assert values.reasoning_text(run) == "hm"


def test_reasoning_is_none_when_there_was_none() -> None:
    assert values.reasoning_text(run_of(text("t", "a"))) is None


def test_redacted_reasoning() -> None:
    run = run_of(
        chunk("reasoning-start", id="r", providerMetadata={"anthropic": {"redactedData": "x"}}),
        chunk("redacted-reasoning", id="q", data="x"),
    )
    assert [part.redacted for part in run.parts if isinstance(part, ReasoningPart)] == [True, True]


def test_a_text_that_never_ended_is_stopped_unless_the_run_went_well() -> None:
    broken, well = run_of(text("t", "a")), run_of(text("t", "a"), finish_chunk())
    assert [part.stopped for part in broken.parts if isinstance(part, TextPart)] == [True]
    assert [part.stopped for part in well.parts if isinstance(part, TextPart)] == [False]


def test_wrong_types_are_noted_and_empty_deltas_count() -> None:
    run = run_of(chunk("text-delta", id="t", text=5), chunk("text-delta", id="t"), {"type": "text-delta"}, text("t", ""))
    assert run.text_deltas == [""]
    assert run.chunk_count == 4
    assert len(run.notes) == 3


def test_halves_of_a_surrogate_pair_stay_as_they_came() -> None:
    run = run_of(text("t", "\ud83d"), text("t", "\ude00"))
    assert run.text_deltas == ["\ud83d", "\ude00"]


def test_the_text_stream_and_the_parts_share_their_strings() -> None:
    run = run_of(text("t", "a"), text("t", "longer than one character"))
    part = next(part for part in run.parts if isinstance(part, TextPart))
    assert part.pieces[1] is run.text_deltas[1]
