"""The wire form, and JSON text that breaks other readers and writers."""

from __future__ import annotations

import json
import math
import time
from collections import OrderedDict, UserDict, defaultdict
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.chunks import parse_chunk
from runview.chunks.json_text import decode, encode
from runview.chunks.wire import copy_value, is_note, note, to_wire


def test_a_dict_is_its_own_wire_form():
    wire = {"type": "start"}
    assert to_wire(wire) is wire


def test_everything_that_carries_a_chunk_has_a_wire_form():
    wire = {"type": "start", "runId": "r"}
    for carrier in (
        json.dumps(wire),
        json.dumps(wire).encode(),
        bytearray(json.dumps(wire), "utf-8"),
        UserDict(wire),
        parse_chunk(wire),
    ):
        given_back = to_wire(carrier)
        assert given_back == wire
        assert type(given_back) is dict


def test_to_wire_costs_well_under_a_microsecond():
    wire = {"type": "text-delta", "payload": {"id": "t", "text": "x"}}
    best = math.inf
    for _ in range(5):
        begun = time.perf_counter()
        for _ in range(10_000):
            to_wire(wire)
        best = min(best, time.perf_counter() - begun)
    assert best / 10_000 < 0.5e-6


def test_notes_are_told_from_chunks():
    assert is_note(note("line 3 is odd"))
    for other in ({"type": "text-delta"}, {}, "runview-note", None):
        assert not is_note(other)


def test_a_copy_has_new_containers_and_the_same_values():
    leaf = object()
    value = {"a": [1, {"b": leaf}], "__proto__": {}}
    copy = copy_value(value)
    assert copy == value
    assert copy["a"] is not value["a"]
    assert copy["a"][1] is not value["a"][1]
    assert copy["a"][1]["b"] is leaf


def test_a_copy_keeps_cycles_and_any_depth():
    ring: list[object] = []
    ring.append({"ring": ring})
    copy = copy_value(ring)
    assert copy is not ring
    assert copy[0]["ring"] is copy
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]
    copied = copy_value(deep)
    for _ in range(100_000):
        copied, deep = copied[0], deep[0]  # type: ignore[index]  # unwound by hand: comparing or freeing it at once recurses
    assert copied == 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.dates() | st.just(object()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.none(), inner) | st.sets(st.text()),
)


@given(json_values)
def test_encode_always_gives_strict_json_that_utf8_can_carry(value: object):
    text = encode(value)
    text.encode("utf-8")
    json.loads(text, parse_constant=pytest.fail)


@given(st.text(st.characters(codec=None, exclude_categories=[])))
def test_any_text_comes_back(text: str):
    assert decode(encode({"text": text})) == {"text": json.loads(json.dumps(text))}


def test_encode_spells_as_javascript_does():
    assert encode({"b": 1, "a": [True, None, "é \U0001f600"]}) == '{"b":1,"a":[true,null,"é \U0001f600"]}'
    assert encode({"half": "\ud83d"}) == '{"half":"\\ud83d"}'


def test_what_json_cannot_carry_is_written_as_the_nearest_thing():
    class Thing:
        def __repr__(self) -> str:
            raise RuntimeError("hostile")

    class Sly(dict[str, int]):
        def items(self) -> None:  # type: ignore[override]
            raise RuntimeError("hostile")

    ring: list[object] = []
    ring.append(ring)
    carried = json.loads(
        encode(
            {
                "nan": math.nan,
                "inf": [-math.inf],
                "bytes": b"\x00\xff",
                "set": {1},
                "when": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
                "day": date(2026, 1, 2),
                "thing": Thing(),
                "sly": Sly(a=1),
                "huge": 10**5000,
                "kinds": (OrderedDict(a=1), defaultdict(int, b=2)),
                ("a", 1): "key",
                7: "seven",
            }
        )
    )
    assert carried == {
        "nan": None,
        "inf": [None],
        "bytes": "AP8=",
        "set": [1],
        "when": "2026-01-02T03:04:05+00:00",
        "day": "2026-01-02",
        "thing": "<Thing>",
        "sly": "<Sly>",
        "huge": "<int>",
        "kinds": [{"a": 1}, {"b": 2}],
        "<tuple>": "key",
        "7": "seven",
    }
    assert "nested too deeply" in encode(ring)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "character 1"),
        ("{", "character 2"),
        ('{"a":}', "character 6"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "digits"),
        (b"\xff\xfe", "character 1"),
    ],
)
def test_decode_says_in_short_what_is_wrong(text: str | bytes, reason: str):
    with pytest.raises(ValueError, match=reason) as caught:
        decode(text)
    assert len(str(caught.value)) < 200


def test_bytes_are_utf8_and_bad_ones_are_marked():
    assert decode('{"a":"é\u2028"}'.encode()) == {"a": "é\u2028"}
    assert decode(b'{"a":"\xff"}') == {"a": "\ufffd"}
