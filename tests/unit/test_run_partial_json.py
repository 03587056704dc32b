"""Unfinished JSON: the value of every prefix, and the same value however the text is cut."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.run.absent import ABSENT
from runview.run.equality import same
from runview.run.partial_json import PartialJSON, parse_partial

DOCS = json.loads((Path(__file__).parent.parent / "fixtures/mastra/partial_json.json").read_text("utf-8"))["docs"]
HUGE = 2**53


def as_recorded(value: Any) -> Any:
    """Values as JavaScript writes them: infinity is null, and what is beyond 2^53 is not exact."""
    if isinstance(value, dict):
        return {key: as_recorded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_recorded(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return None
    return float(value) if type(value) is int and abs(value) > HUGE else value


@pytest.mark.parametrize("doc", [pytest.param(doc, id=repr(doc["text"][:30])) for doc in DOCS])
def test_every_prefix(doc: dict[str, Any]) -> None:
    growing, before = PartialJSON(), ""
    for recorded in doc["prefixes"]:
        state, value = parse_partial(recorded["prefix"])
        assert state == recorded["state"], recorded["prefix"]
        assert as_recorded(value) == as_recorded(recorded.get("value", ABSENT)), recorded["prefix"]
        growing.feed(recorded["prefix"].removeprefix(before))
        before = recorded["prefix"]
        assert growing.state == state
        assert value is ABSENT or growing.value == value


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(json_values, st.booleans(), st.integers(1, 9))
def test_a_whole_text_is_its_value_however_it_is_cut(value: Any, ascii_only: bool, cut: int) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    parser, changes = PartialJSON(), 0
    for at in range(0, len(text), cut):
        before = parser.value
        parser.feed(text[at : at + cut])
        assert parser.changes > changes or same(parser.value, before)
        changes = parser.changes
    assert parser.state == "successful-parse"
    assert parser.value == value


@given(st.text(alphabet='{}[]":,\\untrfalse0123456789.eE+- \n\x00é\ud83d\ude00', max_size=30))
def test_any_text_gives_a_state_and_agrees_with_json(text: str) -> None:
    state, value = parse_partial(text)
    try:
        whole = json.loads(text, strict=False)
    except ValueError:
        return
    assert state == "successful-parse"
    assert repr(value) == repr(whole) or value == whole


def test_a_snapshot_does_not_change_later() -> None:
    parser = PartialJSON()
    parser.feed('{"a":[1,{"b":"x')
    snapshot = parser.value
    parser.feed('y"},2]}')
    assert snapshot == {"a": [1, {"b": "x"}]}
    assert parser.value == {"a": [1, {"b": "xy"}, 2]}


def test_ids_of_javascript_are_ordinary_keys() -> None:
    assert parse_partial('{"__proto__":1,"constructor":')[1] == {"__proto__": 1}


def test_big_integers_stay_exact_and_endless_ones_do_not_raise() -> None:
    assert parse_partial("12345678901234567890")[1] == 12345678901234567890
    assert parse_partial("9" * 5000)[1] == math.inf


def test_nesting_without_end_fails() -> None:
    assert parse_partial("[" * 100_000)[0] == "failed-parse"


@pytest.mark.parametrize(
    ("text", "keys", "elements"),
    [
        ('{"elements":[1,{"a":', ("elements",), [1]),
        ('{"elements":[1,{"a":2}', ("elements",), [1, {"a": 2}]),
        ('{"elements":[1],"more":[2', ("elements",), [1]),
        ('{"elements":[1]}', ("elements",), [1]),
        ('{"other":[1', ("elements",), None),
        ("[[1],[2", (), [[1]]),
        ("[1]", (), [1]),
        ("1", (), None),
    ],
)
def test_closed_elements(text: str, keys: tuple[str, ...], elements: list[Any] | None) -> None:
    parser = PartialJSON()
    parser.feed(text)
    assert parser.closed_elements(*keys) == elements


def test_long_texts_take_time_in_proportion() -> None:
    """Counted in characters that are looked at, not in seconds: a string is scanned once, wherever it is cut."""
    text = json.dumps(["x" * 50_000, list(range(10_000))])
    parser = PartialJSON()
    steps = 0
    step = PartialJSON._step

    class Counting(PartialJSON):
        def _step(self, text: str, at: int) -> int:
            nonlocal steps
            steps += 1
            return step(self, text, at)

    parser = Counting()
    for at in range(0, len(text), 4):
        parser.feed(text[at : at + 4])
    assert parser.state == "successful-parse"
    assert steps < 1.5 * len(text)
