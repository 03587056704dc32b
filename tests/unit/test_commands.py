"""`runview render` and `runview record`, as one calls them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runview.cli import DEMO, main
from runview.sources.recorded import read_recording
from tests.sources.loopback import loopback, ok

CHUNKS = [json.loads(line)["chunk"] for line in DEMO.read_text("utf-8").splitlines()]
COMMAND = [sys.executable, "-m", "runview.cli"]


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error."""
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("runview: ")
    return err


@pytest.mark.parametrize(
    ("ending", "begin", "words"),
    [
        ("html", "<!DOCTYPE html>", "<title>Run of harbour-guide</title>"),
        ("md", "# Run of harbour-guide\n", "\n| when | what |\n| --- | --- |\n"),
        ("TXT", "✓ Done — harbour-guide", "**Yes, go.**"),
    ],
)
def test_a_recording_is_drawn_in_the_form_that_the_ending_tells(ending: str, begin: str, words: str, tmp_path: Path) -> None:
    out = tmp_path / f"run.{ending}"
    assert main(["render", str(DEMO), "-o", str(out)]) == 0
    text = out.read_text("utf-8")
    assert text.startswith(begin)
    assert words in text
    assert "5.8 s" in text.replace("\u202f", " "), "times are those of the recording"


def test_a_recorded_stream_of_an_sdk_is_drawn_too(tmp_path: Path) -> None:
    chat = {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Hi *you*"}}]}
    (tmp_path / "chat.jsonl").write_text(json.dumps(chat) + "\n")
    assert main(["render", str(tmp_path / "chat.jsonl"), "-o", str(tmp_path / "chat.md"), "--title", "Chat", "--full"]) == 0
    assert "# Run of Chat\n" in (tmp_path / "chat.md").read_text("utf-8")
    assert "Hi *you*" in (tmp_path / "chat.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["render", str(DEMO), "-o", "run.pdf"], "the ending tells the form"),
        (["render", str(DEMO), "-o", "/no/such/place/run.md"], "No such file"),
        (["render", "no-such-file", "-o", "run.md"], "no-such-file: No such file"),
        (["render", str(DEMO)], "-o"),
        (["record", "ftp://example.org", "-o", "run.jsonl"], "begins with http"),
        (["record", "http://127.0.0.1:9/", "-o", "run.jsonl"], "no server answers at http://127.0.0.1:9"),
        (["record", "http://127.0.0.1:9/", "-o", "run.jsonl", "--json", "{"], "--json is no JSON"),
        (["record", "http://127.0.0.1:9/", "-o", "run.jsonl", "--json", "@none.json"], "none.json: No such file"),
        (["record", "http://127.0.0.1:9/", "-o", "run.jsonl", "--header", "x"], "'Name: value'"),
        (["record", "http://127.0.0.1:9/", "-o", "/no/such/place/run.jsonl"], "no directory /no/such/place"),
        (["record", "-", "-o", "run.jsonl", "--json", "1"], "are for an address"),
    ],
)
def test_what_can_not_be_done_is_told_in_one_sentence(
    args: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(args) == 2
    assert words in told(capsys)


async def test_an_address_is_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in CHUNKS) + b"data: [DONE]\n\n"
    out = tmp_path / "run.jsonl"
    (tmp_path / "ask.json").write_text('{"q": 1}')
    async with loopback(ok(body)) as server:
        args = ["record", f"{server.url}/run", "-o", str(out), "--json", f"@{tmp_path / 'ask.json'}", "--header", "X-Key: a: b"]
        assert await asyncio.to_thread(main, args) == 0
    assert server.asked[0].body == {"q": 1}
    assert server.asked[0].headers["x-key"] == "a: b"
    assert list(read_recording(out)) == CHUNKS
    assert f"{len(CHUNKS)} chunks in " in told(capsys)


async def test_a_refusal_is_told_in_the_servers_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = b'HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"error":"no key"}'
    async with loopback(said) as server:
        assert await asyncio.to_thread(main, ["record", server.url, "-o", str(tmp_path / "run.jsonl")]) == 2
    assert "401 Unauthorized: no key" in told(capsys)


def test_standard_input_is_recorded_whether_it_has_times_or_not(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    for given in (DEMO.read_bytes(), "\n".join(map(json.dumps, CHUNKS)).encode()):
        done = subprocess.run(
            [*COMMAND, "record", "-", "-o", str(out)], input=given, capture_output=True, timeout=30, check=False
        )
        assert (done.returncode, done.stdout) == (0, b"")
        assert list(read_recording(out)) == CHUNKS
    empty = subprocess.run([*COMMAND, "record", "-", "-o", str(out)], input=b"", capture_output=True, timeout=30, check=False)
    assert (empty.returncode, empty.stderr) == (2, b"runview: standard input gave no chunk\n")


def test_an_interrupt_keeps_what_has_come(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    process = subprocess.Popen([*COMMAND, "record", "-", "-o", str(out)], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(DEMO.read_bytes())
    process.stdin.flush()
    deadline = time.monotonic() + 20
    while not out.exists() or out.read_bytes().count(b"\n") < len(CHUNKS):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 0
    assert b"until it was interrupted" in said
    assert list(read_recording(out)) == CHUNKS
