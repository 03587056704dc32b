"""`runview inspect` and `runview demo`, as one calls them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from runview.cli import DEMO, main

LINES = [
    {"type": "text-start", "runId": "r", "from": "AGENT", "payload": {"id": "t"}},
    {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": '{"n": 1}'}},
    {"type": "text-end", "runId": "r", "from": "AGENT", "payload": {"id": "t"}},
    {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {}}},
]


def run(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "runview.cli", *args], input=stdin, capture_output=True, timeout=30, check=False)


def jsonl(*lines: object) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def seen(capfdbinary) -> dict:
    out, err = capfdbinary.readouterr()
    assert err == b""
    return json.loads(out)


@pytest.fixture
def recording(tmp_path) -> Path:
    path = tmp_path / "run.jsonl"
    path.write_bytes(jsonl(*LINES))
    return path


def test_a_recording_as_json(recording, capfdbinary):
    assert main(["inspect", str(recording)]) == 0
    told = seen(capfdbinary)
    assert (told["status"], told["text"], told["textStream"]) == ("success", '{"n": 1}', ['{"n": 1}'])


def test_without_the_streams(recording, capfdbinary):
    assert main(["inspect", str(recording), "--no-streams"]) == 0
    assert not {"textStream", "objectStream", "elementStream"} & seen(capfdbinary).keys()


def test_with_a_schema(recording, tmp_path, capfdbinary):
    schema = tmp_path / "schema.json"
    schema.write_text('{"type": "object", "properties": {"n": {"type": "integer"}}}')
    assert main(["inspect", str(recording), "--schema", str(schema)]) == 0
    assert seen(capfdbinary)["object"] == {"n": 1}


def test_standard_input_in_each_form():
    sse = b"".join(b"data: " + line + b"\n\n" for line in jsonl(*LINES).splitlines()) + b"data: [DONE]\n\n"
    records = jsonl(*LINES).replace(b"\n", b"\x1e")
    for form, data in (("jsonl", jsonl(*LINES)), ("sse", sse), ("records", records)):
        for format_ in (form, "auto"):
            done = run("inspect", "-", "--format", format_, stdin=data)
            assert (done.returncode, done.stderr) == (0, b"")
            assert json.loads(done.stdout)["text"] == '{"n": 1}'


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", "incomplete"),
        (b"this is no JSON\n\xff\xfe\n", "incomplete"),
        (jsonl(LINES[0], LINES[1]), "incomplete"),
        (jsonl({"type": "error", "payload": {"error": "boom"}}), "failed"),
        (b"[" * 100_000 + b"\n", "incomplete"),
        (b'{"type": "x", "payload": ' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}\n", "incomplete"),
    ],
)
def test_whatever_can_be_read_is_no_error_of_the_command(data, status):
    done = run("inspect", "-", stdin=data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["status"] == status


def test_lone_surrogates_are_escapes_and_the_rest_is_utf_8():
    told = jsonl(
        LINES[0], {**LINES[1], "payload": {"id": "t", "text": "\ud83d"}}, {**LINES[1], "payload": {"id": "t", "text": "é"}}
    )
    done = run("inspect", "-", stdin=told)
    assert done.returncode == 0
    assert b"\\ud83d" in done.stdout
    assert "é".encode() in done.stdout
    assert json.loads(done.stdout)["textStream"] == ["\ud83d", "é"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["inspect", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["inspect", "."], "directory"),
        (["inspect", str(DEMO), "--schema", "nowhere.json"], "nowhere.json: No such file"),
        (["inspect", str(DEMO), "--schema", str(DEMO)], "demo.jsonl: "),
        (["inspect", str(DEMO), "--format", "xml"], "invalid choice"),
        (["inspect"], "RUN"),
        (["look"], "look"),
        ([], "COMMAND"),
        (["demo", "--speed", "0"], "above 0"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(args, words, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(args) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("runview: ")
    assert words in err


def test_a_schema_that_is_no_object(tmp_path, capfd):
    schema = tmp_path / "schema.json"
    schema.write_text("[1]")
    assert main(["inspect", str(DEMO), "--schema", str(schema)]) == 2
    assert capfd.readouterr().err == f"runview: {schema}: a JSON Schema is an object\n"


def test_a_reader_that_has_seen_enough(tmp_path):
    long = tmp_path / "long.jsonl"
    long.write_bytes(jsonl(LINES[0], {**LINES[1], "payload": {"id": "t", "text": "x" * 1_000_000}}))
    with subprocess.Popen(
        [sys.executable, "-m", "runview.cli", "inspect", str(long)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_the_demo_plays():
    done = run("demo", "--speed", "inf")
    assert done.returncode == 0
    assert done.stderr == b""
    told = done.stdout.decode()
    assert "**Yes, go.**" in told
    assert told.index("weather") < told.index("Yes, go")


def test_the_demo_is_a_whole_and_clean_recording(capfdbinary):
    assert main(["inspect", str(DEMO)]) == 0
    told = seen(capfdbinary)
    assert told["status"] == "success"
    assert told["chunks"]["notes"] == []
    assert told["chunks"]["unknown"] == 0
