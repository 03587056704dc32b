"""Sources, files and data, and the compared form of a run."""

from __future__ import annotations

from typing import Any

import pytest

from runview.run import values
from runview.run.content import content_of
from runview.run.inspect import inspect
from runview.run.state import DataPart, FilePart, SourcesPart
from tests.compare import differences
from tests.runs import chunk, finish_chunk, run_of


def test_all_sources_are_one_part_where_the_first_one_came() -> None:
    source = [chunk("source", id=str(number), url="https://example.org") for number in range(3)]
    run = run_of(source[0], chunk("text-delta", id="t", text="a"), *source[1:])
    (part,) = (part for part in run.parts if isinstance(part, SourcesPart))
    assert run.parts[0] is part
    assert [told["id"] for told in part.sources] == ["0", "1", "2"]
    assert values.sources(run) == source


@pytest.mark.parametrize(
    ("payload", "content", "url"),
    [
        ({"data": "AAEC", "base64": "AAEC"}, b"\x00\x01\x02", None),
        ({"base64": "AAEC"}, b"\x00\x01\x02", None),
        ({"data": "-_8"}, b"\xfb\xff", None),
        ({"data": "AA EC\n"}, b"\x00\x01\x02", None),
        ({"data": "plain text!"}, b"plain text!", None),
        ({"data": "data:image/png;base64,AAEC"}, b"\x00\x01\x02", None),
        ({"data": "data:text/plain,a%20b"}, b"a b", None),
        ({"data": "https://example.org/a.png"}, None, "https://example.org/a.png"),
        ({"data": {"0": 1, "1": 255}}, b"\x01\xff", None),
        ({"data": [1, 2]}, b"\x01\x02", None),
        ({"data": {"0": 256}}, None, None),
        ({"data": {"0": True}}, None, None),
        ({"data": b"\x01"}, b"\x01", None),
        ({"data": bytearray(b"\x01")}, b"\x01", None),
        ({"data": 5}, None, None),
        ({}, None, None),
    ],
)
def test_the_content_of_a_file(payload: dict[str, Any], content: bytes | None, url: str | None) -> None:
    found, told = content_of(payload)
    assert (None if found is None else found.whole(), told) == (content, url)
    if found is not None:
        assert found.size == len(found.whole())
        assert found.head(2) == found.whole()[:2]


def test_files_of_the_reasoning_are_apart() -> None:
    run = run_of(
        chunk("file", data="AAEC", mimeType="image/png", filename="a.png"),
        chunk("reasoning-file", data="AAEC", mimeType="image/png"),
        chunk("file", data="https://example.org/b", mimeType="text/plain"),
    )
    assert [part.reasoning for part in run.parts if isinstance(part, FilePart)] == [False, True, False]
    assert inspect(run)["files"] == [{"mimeType": "image/png", "filename": "a.png", "size": 3}, {"mimeType": "text/plain"}]
    assert len(values.files(run)) == 2


def test_data_with_and_without_data() -> None:
    run = run_of(
        {"type": "data-x", "data": None, "id": "i", "transient": True},
        {"type": "data-y", "status": "pending", "runId": "r", "from": "AGENT"},
    )
    assert values.data(run) == [
        {"type": "data-x", "data": None, "id": "i", "transient": True},
        {"type": "data-y", "data": {"status": "pending"}},
    ]
    assert all(not part.open for part in run.parts if isinstance(part, DataPart))


def test_inspect_leaves_out_what_has_no_value() -> None:
    always = "kind status text toolCalls toolResults toolErrors usage steps chunks".split()
    assert list(inspect(run_of(), streams=False)) == always


def test_inspect_is_a_copy() -> None:
    run = run_of(chunk("text-delta", id="t", text="a"), finish_chunk("stop", inputTokens=1))
    seen = inspect(run)
    seen["textStream"].clear()
    seen["usage"].clear()
    assert inspect(run)["textStream"] == ["a"]
    assert inspect(run)["usage"] == {"inputTokens": 1}


@pytest.mark.parametrize(
    ("got", "wanted", "paths"),
    [
        ({"text": "a"}, {"text": "b"}, ["$.text"]),
        ({"text": "\ud83d"}, {"text": "\ufffd"}, []),
        ({"goal": None}, {}, []),
        ({"object": None}, {}, ["$.object"]),
        ({"toolCalls": [{"args": {}}]}, {"toolCalls": [{"args": {"a": None}}]}, ["$.toolCalls[0].args.a"]),
        ({"toolCalls": []}, {"toolCalls": [1]}, ["$.toolCalls.length"]),
        ({"steps": [{"reasoningText": None}]}, {"steps": [{}]}, []),
        ({"usage": {"a": 1}}, {"usage": {"a": 1.0}}, []),
        ({"usage": {"a": 1}}, {"usage": {"a": True}}, ["$.usage.a"]),
        ({"chunks": {"notes": ["x"]}}, {"chunks": {"notes": []}}, []),
    ],
)
def test_the_rules_of_comparison(got: Any, wanted: Any, paths: list[str]) -> None:
    assert [path for path, _, _ in differences(got, wanted)] == paths
