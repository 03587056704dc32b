"""Bytes cut anywhere, with any line ends, give the same chunks; what is malformed costs itself and nothing else."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.sources.framing import Format, Frames

A: dict[str, Any] = {"type": "text-delta", "payload": {"id": "t", "text": "ñ 日本 😀 \u2028\u2029\u0085\x0b: data: {\n\n"}}
B: dict[str, Any] = {"type": "finish", "runId": "r\ud83d"}
TEXT_A = json.dumps(A, ensure_ascii=False)
TEXT_B = json.dumps(B)


def read(*pieces: bytes, format: Format = "auto") -> list[Any]:
    frames = Frames(format)
    return [value for piece in pieces for value in frames.feed(piece)] + frames.end()


def note_in(value: Any) -> str:
    assert value["type"] == "runview-note"
    message: str = value["payload"]["message"]
    return message


EVENTS = (
    f": hello\n\nid: 7\nevent: message\nretry: 3\ndata: {TEXT_A}\n\ndata:\n\ndata\n\n: ping\n\ndata:{TEXT_B}\n\ndata: [DONE]\n\n"
)
LINES = f"{TEXT_A}\n\n  {TEXT_B} \n"
RECORDS = f"{TEXT_A}\x1e{TEXT_B}\x1e"
WHOLE = [EVENTS, LINES, RECORDS, f"\x1e{TEXT_A}\n\x1e{TEXT_B}\n", f"\ufeff{EVENTS}", f"\ufeff{LINES}", f"\n\n{LINES}"]


@pytest.mark.parametrize("text", WHOLE)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_framing_is_known_by_its_beginning(text: str, end: str):
    assert read(text.replace("\n", end).encode()) == [A, B]


@given(st.sampled_from(WHOLE), st.sampled_from(["\n", "\r\n", "\r"]), st.lists(st.integers(0, 600)))
def test_any_cut_gives_the_same(text: str, end: str, cuts: list[int]):
    whole = text.replace("\n", end).encode()
    places = [0, *sorted(min(cut, len(whole)) for cut in cuts), len(whole)]
    pieces = [whole[a:b] for a, b in pairwise(places)]
    assert read(*pieces) == [A, B]


@pytest.mark.parametrize("text", WHOLE)
def test_byte_by_byte(text: str):
    whole = text.replace("\n", "\r\n").encode()
    assert read(*(whole[i : i + 1] for i in range(len(whole)))) == [A, B]


@pytest.mark.parametrize(
    ("format", "text"), [("sse", f"data: {TEXT_A}\n\ndata: {TEXT_B}"), ("jsonl", LINES.rstrip()), ("records", RECORDS[:-1])]
)
def test_the_last_one_needs_no_end(format: Format, text: str):
    assert read(text.encode(), format=format) == [A, B]


def test_a_chunk_comes_as_soon_as_it_is_whole():
    frames = Frames("sse")
    assert frames.feed(f"data: {TEXT_A}".encode()) == []
    assert frames.feed(b"\n") == [A]
    assert frames.feed(b"\n") == []
    frames = Frames()
    assert frames.feed(TEXT_A.encode()) == []
    assert frames.feed(b"\x1e") == [A]


def test_several_data_lines_are_one_value():
    assert read(b'event: message\ndata: {"type":"x",\ndata: "a": [1,\ndata:2]}\n\n') == [{"type": "x", "a": [1, 2]}]


def test_a_sender_that_forgets_the_empty_lines_is_understood():
    assert read(f"data: {TEXT_A}\ndata: {TEXT_B}\n".encode()) == [A, B]
    bad, *good = read(f"data: nope\ndata: {TEXT_A}\ndata: {TEXT_B}\n\n".encode())
    assert "nope" in note_in(bad)
    assert good == [A, B]


def test_done_ends_the_reading():
    frames = Frames("sse")
    assert frames.feed(f"data: {TEXT_A}\n\ndata: [DONE]\n\ndata: {TEXT_B}\n\n".encode()) == [A]
    assert frames.done
    assert frames.feed(f"data: {TEXT_B}\n\n".encode()) == []
    assert frames.end() == []
    assert read(f"{TEXT_A}\n[DONE]\n{TEXT_B}\n".encode()) == [A]


@pytest.mark.parametrize(
    ("format", "text", "told"),
    [
        ("sse", "data: not json at all\n\n", "not json at all"),
        ("sse", 'data: {"type":"text-del', '{"type":"text-del'),
        ("sse", "Traceback: oh\n", "line 1 is no field of an event: Traceback: oh"),
        ("sse", "data: 5\n\n", "line 2 is not an object: 5"),
        ("jsonl", '{"type":\n', '{"type":'),
        ("jsonl", "[1]\n", "line 1 is not an object: [1]"),
        ("jsonl", "x" * 1000, "line 1 is not JSON (Expecting value at character 1): " + "x" * 80 + "…"),
        ("records", "{}\x1e{\x1e", "record 2 is not JSON"),
        ("jsonl", "[" * 100_000, "line 1 is not JSON (nested too deeply)"),
        ("jsonl", "1" * 5000, "line 1 is not JSON (a number has too many digits)"),
    ],
)
def test_malformed_frames_say_so(format: Format, text: str, told: str):
    assert told in note_in(read(text.encode(), format=format)[-1])


def test_a_malformed_frame_costs_only_itself():
    for text in (
        f"{TEXT_A}\nnope\n{TEXT_B}\n",
        f"nope\n{TEXT_A}\n{TEXT_B}\n",
        f"data: {TEXT_A}\n\ndata: nope\n\ndata: {TEXT_B}\n\n",
    ):
        values = read(text.encode())
        assert [value for value in values if value["type"] != "runview-note"] == [A, B]
        assert len(values) == 3
        assert "nope" in note_in(next(value for value in values if value["type"] == "runview-note"))


def test_lines_are_counted_as_an_editor_does():
    for end in ("\n", "\r\n", "\r"):
        text = f"{TEXT_A}{end}{end}oops{end}{TEXT_B}".encode()
        assert note_in(read(text)[1]).startswith("line 3 ")
        assert note_in(read(*(text[i : i + 1] for i in range(len(text))))[1]).startswith("line 3 ")


def test_bytes_that_are_no_utf8_are_marked():
    assert read(b'{"type":"\xff\xc3"}\n') == [{"type": "\ufffd\ufffd"}]


def test_empty_and_tiny_inputs():
    assert read() == []
    assert read(b"", b"\n", b" ") == []
    assert read(b"\xef\xbb\xbf") == []
    assert read(b"{}") == [{}]
    assert read(b":\n\n") == []


def test_a_long_line_in_small_pieces_is_joined_once():
    frames = Frames("jsonl")
    text = json.dumps({"type": "x", "text": "y" * 2_000_000}).encode()
    for start in range(0, len(text), 100):
        assert frames.feed(text[start : start + 100]) == []
    assert len(frames.feed(b"\n")[0]["text"]) == 2_000_000


HTTP = Path(__file__).parent.parent / "fixtures" / "http"


@pytest.mark.parametrize("name", ["agent_tooler", "agent_thinker", "agent_failing", "wf_two"])
def test_recorded_answers_of_a_server(name: str):
    body = (HTTP / f"{name}.txt").read_bytes().partition(b"\r\n\r\n")[2]
    types = [value["type"] for value in read(body)]
    assert types[0] in ("start", "workflow-start")
    assert types[-1] in ("finish", "workflow-finish")
    assert "runview-note" not in types
