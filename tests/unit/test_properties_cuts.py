"""However a stream is cut, it says the same: text, arguments, JSON, bytes, and the patches of a page."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from runview.chunks.parse import parse_chunk
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import wire
from runview.run.inspect import inspect
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from runview.sources.framing import Frames
from tests.applier import copied, heard, shown
from tests.runs import chunk, finish_chunk, run_of, step_finish
from tests.streams import chunks, streams

RECORDINGS = Path(__file__).parent.parent / "fixtures" / "mastra"
NAMES = sorted(path.stem for path in RECORDINGS.glob("*.jsonl") if path.stat().st_size < 20_000)
SPLIT = {"textStream", "objectStream", "chunks"}
"""What is told of the pieces themselves."""

places = st.lists(st.integers(0, 10_000), max_size=8)
words = st.text(st.sampled_from('abc \n*_`#|-[]()$<>1.\ud83d\ude00é\U0001f600{}"\\'), max_size=80)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def cut(whole: Any, at: list[int]) -> list[Any]:
    """The pieces of a text, bytes or a list that is cut in these places."""
    edges = sorted({0, len(whole), *(place % (len(whole) + 1) for place in at)})
    return [whole[start:end] for start, end in itertools.pairwise(edges)]


def told(run: RunState) -> dict[str, Any]:
    return {key: value for key, value in inspect(run).items() if key not in SPLIT}


def drawn(run: RunState) -> Any:
    return copied(wire(RunDrawing(run).tree(200.0)))


@given(words, words, places)
def test_text_and_reasoning(said: str, thought: str, at: list[int]) -> None:
    def of(texts: list[str], thoughts: list[str]) -> RunState:
        run = new_run()
        for piece in thoughts:
            reduce(run, chunk("reasoning-delta", id="r", text=piece), 1.0)
        for piece in texts:
            reduce(run, chunk("text-delta", id="t", text=piece), 1.0)
        for end in (step_finish(), finish_chunk()):
            reduce(run, end, 1.0)
        finish(run, 100.0)
        return run

    whole, pieces = of([said], [thought]), of(cut(said, at) or [""], cut(thought, at) or [""])
    assert told(pieces) == told(whole)
    assert drawn(pieces) == drawn(whole)
    assert transcript(pieces) == transcript(whole)
    assert "".join(inspect(pieces)["textStream"]) == said


@given(values, places, st.booleans())
def test_arguments(value: Any, at: list[int], broken: bool) -> None:
    text = json.dumps(value)[: -1 if broken else None]
    call = {"toolCallId": "c", "toolName": "t"}

    def of(pieces: list[str]) -> RunState:
        deltas = [chunk("tool-call-delta", **call, argsTextDelta=piece) for piece in pieces]
        run = new_run()
        for item in (
            chunk("tool-call-input-streaming-start", **call), *deltas, chunk("tool-call-input-streaming-end", toolCallId="c"),
            chunk("tool-result", **call, result=value), step_finish("tool-calls"), finish_chunk(),
        ):  # fmt: skip
            reduce(run, item, 1.0)
        finish(run, 100.0)
        return run

    whole, pieces = of([text]), of(cut(text, at))
    assert told(pieces) == told(whole)
    assert drawn(pieces) == drawn(whole)
    if isinstance(value, dict) and not broken:
        assert told(pieces)["toolCalls"][0]["args"] == value


@given(values, places, st.sampled_from([0, 1, 5]), st.sampled_from([{}, {"type": "object"}, {"type": "array"}]))
def test_objects_in_the_text(value: Any, at: list[int], lost: int, schema: dict[str, Any]) -> None:
    text = json.dumps(value)
    text = text[: len(text) - lost]

    def of(pieces: list[str]) -> RunState:
        return run_of(
            *(chunk("text-delta", id="t", text=piece) for piece in pieces), step_finish(), finish_chunk(), schema=schema
        )

    whole, pieces = of([text]), of(cut(text, at))
    assert told(pieces) == told(whole)
    partials = inspect(pieces)["objectStream"]
    assert partials[-1:] == inspect(whole)["objectStream"][-1:]
    assert all(one != other for one, other in itertools.pairwise(partials))


@given(st.sampled_from(NAMES), places, st.sampled_from([b"\n", b"\r\n", b"\r", b"\x1e"]), st.booleans())
def test_bytes_of_a_recording(name: str, at: list[int], end: bytes, events: bool) -> None:
    lines = [line for line in (RECORDINGS / f"{name}.jsonl").read_bytes().split(b"\n") if line]
    events = events and end != b"\x1e"
    data = b"".join(b"data: " + line + end + end for line in lines) if events else b"".join(line + end for line in lines)
    frames = Frames()
    got = [value for piece in cut(data, at) for value in frames.feed(piece)] + frames.end()
    assert got == [json.loads(line) for line in lines]


@given(chunks)
def test_a_chunk_comes_back_as_it_went_in(sent: dict[str, Any]) -> None:
    parsed = parse_chunk(sent)
    assert repr(parsed.to_dict()) == repr(sent)
    assert repr(parse_chunk(parsed.to_dict()).to_dict()) == repr(sent)
    assert parsed.type == sent["type"]


@given(streams, st.lists(st.booleans(), min_size=12, max_size=12), places, st.sampled_from(["compact", "full"]))
def test_patches(stream: list[Any], flushes: list[bool], at: list[int], density: Any) -> None:
    """A page that is brought up to date shows what was drawn, and at the end what a new one would, in any messages.

    In mid-run a new page may differ: clocks run from the first drawing, and what changes fast is drawn once a second.
    """
    run, look = new_run(), Look(density=density)
    drawing = RunDrawing(run, look)
    page, ops = copied(wire(drawing.tree(0.0))), []
    first = copied(page)
    for number, item in enumerate(stream):
        reduce(run, item, float(number))
        if flushes[number]:
            made = drawing.update(float(number))
            page = heard(page, made)
            ops += made
            assert page == shown(drawing.snapshot())
    finish(run, 50.0)
    made = drawing.update(50.0)
    page, ops = heard(page, made), ops + made
    assert page == copied(wire(RunDrawing(run, look).tree(50.0)))
    for piece in cut(ops, at):
        first = heard(first, piece)
    assert first == page
