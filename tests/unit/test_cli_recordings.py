"""`runview inspect` on every recording, as it is typed: the whole way from the file's bytes to the printed JSON."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from runview.cli import main
from tests.compare import differences

FIXTURES = Path(__file__).parent.parent / "fixtures"
RECORDINGS = FIXTURES / "mastra"
NAMES = sorted(str(path.relative_to(RECORDINGS))[: -len(".expected.json")] for path in RECORDINGS.rglob("*.expected.json"))
STATUS = {
    "agent_approval": "suspended",
    "agent_approval_approved": "success",
    "agent_approval_declined": "success",
    "agent_bg_until_idle": "success",
    "agent_dead": "failed",
    "agent_failing": "failed",
    "agent_filer": "success",
    "agent_thinker": "success",
    "agent_tooler": "success",
    "wf_ask": "suspended",
    "wf_bad_input": "failed",
    "wf_boom": "failed",
    "wf_slow": "success",
    "wf_two": "success",
}
"""How the runs ended whose raw answers are kept."""
STREAMS = {"textStream", "objectStream", "elementStream"}


def inspected(capfdbinary: Any, *args: str) -> dict[str, Any]:
    assert main(["inspect", *args]) == 0
    out, err = capfdbinary.readouterr()
    assert err == b""
    assert out.endswith(b"}\n")
    assert out.count(b"\n") == 1
    told: dict[str, Any] = json.loads(out)
    return told


def expected(name: str) -> dict[str, Any]:
    wanted: dict[str, Any] = json.loads((RECORDINGS / f"{name}.expected.json").read_text("utf-8"))
    return wanted


@pytest.mark.parametrize("name", NAMES)
def test_a_recording(name: str, capfdbinary: Any) -> None:
    path = str(RECORDINGS / f"{name}.jsonl")
    told = inspected(capfdbinary, path)
    assert differences(told, expected(name)) == []
    short = inspected(capfdbinary, path, "--no-streams")
    assert short == {key: value for key, value in told.items() if key not in STREAMS}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x1e"])
@pytest.mark.parametrize("name", ["unicode_split", "wf_two_steps", "tool_args_streamed", "bg_output"])
def test_a_recording_in_each_framing(name: str, end: str, capfdbinary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for line in (RECORDINGS / f"{name}.jsonl").read_bytes().split(b"\n") if line]
    ending = end.encode()
    data = b"".join(line + ending for line in lines)
    frames = b"".join(b"data: " + line + ending * 2 for line in lines) + b"data: [DONE]" + ending * 2
    forms = {"records": data} if end == "\x1e" else {"jsonl": data, "sse": frames}
    for form, body in forms.items():
        for asked in (form, "auto"):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body)))
            told = inspected(capfdbinary, "-", "--format", asked)
            assert differences(told, expected(name)) == []
            assert told["chunks"]["notes"] == inspected(capfdbinary, str(RECORDINGS / f"{name}.jsonl"))["chunks"]["notes"]


@pytest.mark.parametrize("name", STATUS)
def test_an_answer_of_a_server(name: str, tmp_path: Path, capfdbinary: Any) -> None:
    head, _, body = (FIXTURES / "http" / f"{name}.txt").read_bytes().partition(b"\r\n\r\n")
    events = b"text/event-stream" in head.lower()
    raw, plain = tmp_path / "raw", tmp_path / "run.jsonl"
    raw.write_bytes(body)
    frames = body.split(b"\n\n" if events else b"\x1e")
    chunks = [frame.removeprefix(b"data: ") for frame in frames if frame.strip()]
    plain.write_bytes(b"\n".join(chunk for chunk in chunks if chunk != b"[DONE]"))
    told = inspected(capfdbinary, str(raw))
    assert told == inspected(capfdbinary, str(raw), "--format", "sse" if events else "records")
    assert told == inspected(capfdbinary, str(plain))
    assert told["chunks"]["total"] > 0
    assert told["chunks"]["notes"] == []
    assert told["status"] == STATUS[name]


def test_a_form_that_is_not_the_recordings_is_told_line_by_line(capfdbinary: Any) -> None:
    told = inspected(capfdbinary, str(RECORDINGS / "text_plain.jsonl"), "--format", "sse")
    assert (told["status"], told["text"], told["chunks"]["total"]) == ("incomplete", "", 0)
    assert told["chunks"]["notes"][0].startswith("line 1 is no field of an event")


# With a schema


NAME_AND_AGE = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "number"}, "email": {"type": "string"}},
    "required": ["name"],
}
READ_FROM_TEXT = """
    array_basic array_char_by_char array_scalars object_abort_mid object_basic object_char_by_char object_duplicate_states
    object_empty object_harmony object_not_json object_one_delta object_optional_partial object_reasoning_then_json
    object_tool_then_json object_trailing_garbage object_tripwire object_truncated_length object_truncated_stop
    object_two_text_blocks object_whitespace_escapes
""".split()


@pytest.mark.parametrize("name", READ_FROM_TEXT)
def test_the_text_alone_gives_the_objects_that_the_real_thing_sent(name: str, tmp_path: Path, capfdbinary: Any) -> None:
    """The recording has the partial objects that Mastra made of the text; without them, the schema makes the same."""
    lines = [json.loads(line) for line in (RECORDINGS / f"{name}.jsonl").read_text("utf-8").split("\n") if line]
    recording, schema = tmp_path / "run.jsonl", tmp_path / "schema.json"
    recording.write_text("".join(json.dumps(line) + "\n" for line in lines if not line["type"].startswith("object")))
    schema.write_text(
        json.dumps({"type": "array"} if name.startswith("array") else NAME_AND_AGE if name == "object_basic" else {})
    )
    told, wanted = inspected(capfdbinary, str(recording), "--schema", str(schema)), expected(name)
    for key in ("object", "objectStream", "elementStream", "text"):
        assert differences(told.get(key), wanted.get(key)) == [], key
    with_objects = inspected(capfdbinary, str(RECORDINGS / f"{name}.jsonl"), "--schema", str(schema))
    assert differences(with_objects, wanted) == []


def test_a_value_that_does_not_fit_is_no_object(tmp_path: Path, capfdbinary: Any) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text('{"type": "object", "properties": {"age": {"type": "string"}}}')
    lines = (RECORDINGS / "object_basic.jsonl").read_text("utf-8").split("\n")
    recording = tmp_path / "run.jsonl"
    recording.write_text("\n".join(line for line in lines if '"type":"object' not in line))
    told = inspected(capfdbinary, str(recording), "--schema", str(schema))
    assert told["status"] == "success"
    assert "object" not in told
