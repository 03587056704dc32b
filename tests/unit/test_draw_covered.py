"""What of a chunk may leave the kernel, and that a covered log is still the same run."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from runview.chunks.json_text import encode
from runview.draw.covered import Covered
from runview.draw.run import RunDrawing
from runview.draw.secret_json import mask_text, secret_spans
from runview.run.log import ChunkLog
from runview.run.reduce import new_run, reduce
from tests.runs import chunk
from tests.timing import fair, linear

KEY = "sk-live-SECRETKEY123456"


def log_of(*chunks: Any) -> ChunkLog:
    log = ChunkLog()
    for each in chunks:
        log.append(each)
    return log


def covered(*chunks: Any, **options: Any) -> list[Any]:
    log = log_of(*chunks)
    reader = Covered(log, **options)
    return [reader.chunk(number) for number in range(len(log))]


@pytest.mark.parametrize(
    "wire",
    [
        chunk("step-start", request={"body": {"messages": [KEY], "n": "SECRETKEY"}}),
        *(
            chunk("step-start", **{name: {"messages": "SECRETKEY"}})
            for name in ("request", "requestBody", "rawRequest", "headers", "providerMetadata", "providerOptions", "traceback")
        ),
        chunk("step-finish", metadata={"request": {"body": "SECRETKEY"}, "headers": {"set-cookie": "SECRETKEY"}}),
        chunk("step-finish", output={"steps": [{"response": {"id": "x", "headers": {"x-id": "SECRETKEY"}}}]}),
        chunk("response-metadata", headers={"x-request-id": "SECRETKEY"}),
        chunk("raw", anything={"deep": ["SECRETKEY"]}),
        {"type": "raw", "payload": "SECRETKEY"},
        chunk("tool-output", toolCallId="c", output={"type": "raw", "from": "AGENT", "payload": {"a": "SECRETKEY"}}),
        chunk("error", error={"message": f"refused: {KEY}", "stack": "at SECRETKEY", "cause": {"stack": "SECRETKEY"}}),
        chunk("error", error=f"Authorization: Bearer {KEY}"),
        chunk("tool-call", toolCallId="c", toolName="t", args={"api_key": "SECRETKEY", "deep": [{"password": ["SECRETKEY"]}]}),
        chunk("tool-call", toolCallId="c", toolName="t", args={"url": "https://a.example/?api_key=SECRETKEY&x=1"}),
        chunk("tool-result", toolCallId="c", toolName="t", result={"accessToken": "SECRETKEY"}),
        chunk("tool-output", toolCallId="c", output={"client_secret": "SECRETKEY"}),
        chunk("tool-result", toolCallId="c", toolName="t", result=[{"type": "text", "text": '{"token": "SECRETKEY"}'}]),
        chunk("tool-call", toolCallId="c", toolName="t", args='{"a": [{"password": "SECRETKEY"}], "secrets": ["SECRETKEY"]}'),
        chunk("tool-call", toolCallId="c", toolName="t", args={"dsn": "postgres://me:SECRETKEY@db.example/x"}),
        chunk("error", error={"message": "refused", "requestBodyValues": {"a": "SECRETKEY"}, "responseBody": "SECRETKEY"}),
        chunk("error", error={"message": "can't reach redis://:SECRETKEY@db:6379/0"}),
        chunk("finish", response={"id": "r", "body": {"raw": "SECRETKEY"}}),
        chunk("text-start", id="t", providerMetadata={"openai": {"itemId": "SECRETKEY"}}),
        chunk("reasoning-start", id="t", providerMetadata={"p": {"redactedData": "SECRETKEY"}}),
        {"type": "object", "object": {"credentials": {"a": "SECRETKEY"}}},
        {"type": "data-x", "data": {"cookie": "SECRETKEY"}},
    ],
    ids=lambda wire: wire["type"],
)
def test_a_secret_does_not_leave(wire: Any) -> None:
    for options in ({}, {"limit": 20_000, "instead": "hidden"}):
        assert "SECRETKEY" not in encode(covered(wire, **options))


def test_the_users_own_values_stay() -> None:
    args = {"headers": {"accept": "x"}, "request": "a", "raw": [1, True, None, 1.5], "stack": "s", "max_tokens": 5}
    wire = chunk("tool-call", toolCallId="c", toolName="t", args=args)
    assert covered(wire) == [wire]
    hidden = chunk("reasoning-start", id="t", providerMetadata={"p": {"redactedData": "x", "other": 1}})
    assert covered(hidden)[0]["payload"] == {"id": "t", "providerMetadata": {"p": {"redactedData": "hidden"}}}


ARGUMENTS = [
    '{"api_key": "SECRETKEY with \\" quotes", "q": "tides"}',
    '{"q": "tides", "deep": {"password":"SECRETKEY","n":1},"credentials":{"a":["SECRETKEY","}"],"b":{"c":"SECRETKEY"}},"z":2}',
    '{"api\\u005fkey": "SECRETKEY", "token": 123456789123, "secret": null}',
    '{"q": "x", "password": "SECRETKEY and no end',
    '{"credentials": {"a": "SECRETKEY", ',
    '{"url": "https://a.example/?q=1&access_token=SECRETKEY&x=2"}',
]


@pytest.mark.parametrize("text", ARGUMENTS)
@pytest.mark.parametrize("kind", ["arguments", "object", "of a sub-agent"])
def test_a_secret_in_pieces_does_not_leave_however_it_is_cut(text: str, kind: str) -> None:
    random.seed(3)
    for _ in range(50):
        cuts = sorted(random.sample(range(1, len(text)), min(len(text) - 1, random.randint(1, 30))))
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        chunks = [chunk("text-start", id="other")]
        for at, piece in enumerate(pieces):
            if kind == "object":
                chunks.append(chunk("text-delta", id="t", text=piece))
            else:
                made = chunk("tool-call-delta", toolCallId="c", toolName="t", argsTextDelta=piece)
                chunks.append(made if kind == "arguments" else chunk("tool-output", toolCallId="o", output=made))
            if at % 3 == 0:
                chunks.append(chunk("text-delta", id="other", text="word "))
        out = covered(*chunks)
        said = "".join(_piece(wire) for wire in out if _piece(wire) != "word ")
        assert "SECRETKEY" not in said
        assert "123456789123" not in said
        assert not any(len(_piece(wire)) > 2 and "SECRETKEY".find(_piece(wire)) > 0 for wire in out)
        if text.endswith("}"):
            assert json.loads(said).keys() == json.loads(text).keys()
        assert said.count("hidden") >= 1


def _piece(wire: Any) -> str:
    payload = wire["payload"].get("output", wire)["payload"] if "output" in wire["payload"] else wire["payload"]
    return payload.get("argsTextDelta") or payload.get("text") or ""


def test_pieces_that_come_later_hide_what_they_must_as_the_log_grows() -> None:
    log = ChunkLog()
    reader = Covered(log)
    for at, piece in enumerate(['{"pass', 'word": "SEC', 'RETKEY", "q": "s', 'een"}']):
        log.append(chunk("tool-call-delta", toolCallId="c", toolName="t", argsTextDelta=piece))
        assert "RET" not in reader.chunk(at)["payload"]["argsTextDelta"]
    said = [reader.chunk(at)["payload"]["argsTextDelta"] for at in range(4)]
    assert said == [
        '{"pass',
        'word": "hidden',
        '", "q": "s',
        'een"}',
    ]


def test_prose_is_left_alone() -> None:
    chunks = [chunk("text-delta", id="t", text=text) for text in ("The", ' "password": "x', '"} and sk-live-SECRETKEY123456')]
    assert covered(*chunks) == chunks


def test_a_chunk_is_bounded_and_what_is_hostile_costs_little() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    with fair() as spent:
        for value in ("x" * 5_000_000, ["y"] * 1_000_000, deep, {str(n): n for n in range(200_000)}):
            (wire,) = covered(chunk("tool-result", toolCallId="c", result=value), limit=20_000)
            assert len(encode(wire)) < 400_000
    assert spent.seconds < 3


@pytest.mark.parametrize("unit", ['"a":', '"token":', '"token":{', '"token":"', '{"', '"\\', '"token":[1,', "?key="])
def test_looking_for_secrets_takes_linear_time(unit: str) -> None:
    count = 20_000 // len(unit)
    linear(secret_spans, unit * count, unit * (10 * count))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"api_key": "x", "q": "y"}', '{"api_key": "hidden", "q": "y"}'),
        ('[{"token": 12345, "n": null}', '[{"token": "hidden", "n": null}'),
        ('{"url": "https://a.example/?token=x"}', '{"url": "https://a.example/?token=hidden"}'),
        ("see https://me:pw@a.example/x and mail@a.example", "see https://me:hidden@a.example/x and mail@a.example"),
        ('he said "password": "x"', 'he said "password": "x"'),
        ("{not json}", "{not json}"),
        ("http://[::1]:80/@x", "http://[::1]:80/@x"),
    ],
)
def test_what_a_value_that_is_text_shows(text: str, shown: str) -> None:
    assert mask_text(text) == shown


def test_a_result_that_is_json_as_text_is_shown_without_its_credentials() -> None:
    run = new_run()
    for wire in (
        chunk("tool-call", toolCallId="c", toolName="t", args='{"password": "SECRETKEY"}'),
        chunk(
            "tool-result", toolCallId="c", toolName="t", result={"content": [{"type": "text", "text": '{"token":\n"SECRETKEY"}'}]}
        ),
    ):
        reduce(run, wire, 0.0)
    drawing = RunDrawing(run)
    for tree in (drawing.tree(1.0), drawing.tree(1.0, saved=True), drawing.text(1.0)):
        assert "SECRETKEY" not in repr(tree)
        assert "hidden" in tree.text()
