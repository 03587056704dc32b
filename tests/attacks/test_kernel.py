"""Hostile Python values, streams and messages of a page: what leaves the kernel is bounded and strict, nothing leaks or runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.attacks import hostile, kernel_adapter
from tests.timing import fair

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parents[1] / "fixtures/attacks/kernel.jsonl").read_text("utf-8").splitlines()
]
KEPT = {"raises_midway": "one two", "yields_none": "ok", "yields_bad_types": "ok", "aliasing": "abcdef", "out_of_order": "ok"}


def of(kind: str) -> Any:
    return pytest.mark.parametrize("case", [case for case in CASES if case["kind"] == kind], ids=lambda case: case["name"])


def limit(case: dict[str, Any], name: str, default: int) -> int:
    return next((int(rule.partition(":")[2]) for rule in case["must_not"] if rule.startswith(f"{name}:")), default)


def check(case: dict[str, Any], sent: Any) -> None:
    text = json.dumps(sent, allow_nan=False, ensure_ascii=False)
    text.encode("utf-8")
    assert len(text) <= limit(case, "size", 2_000_000)
    for form in (text, *kernel_adapter.saved):
        form.encode("utf-8")
        assert hostile.SECRET not in form
        assert "\x1b" not in form


@of("kernel-object")
def test_value(case: dict[str, Any]) -> None:
    hostile.MARK.update(dict.fromkeys(hostile.MARK, 0))
    value = hostile.VALUES[case["name"]]()
    with fair() as spent:
        sent = kernel_adapter.to_wire(value)
    assert spent.seconds < limit(case, "hang", 2_000) / 1000
    check(case, sent)
    assert not any(hostile.MARK.values()), "the value's own code was run"


@of("kernel-stream")
def test_stream(case: dict[str, Any]) -> None:
    name = case["name"]
    with fair() as spent:  # a stream that hangs takes no time of the processor: the test's own limit ends it
        told = kernel_adapter.run_stream(hostile.STREAMS[name]())
    assert spent.seconds < limit(case, "hang", 10_000) / 1000
    check(case, told["wire"])
    assert KEPT.get(name, "one" if name.startswith("raises") else "") in told["text"]


@of("kernel-message")
def test_message(case: dict[str, Any]) -> None:
    session = kernel_adapter.Session()
    session.waiting("t1", "N")
    session.on_message(hostile.MESSAGES[case["name"]])
    assert (session.stops, session.approved, session.denied) == (0, set(), set())
    session.on_message({"kind": "stop"})
    session.on_message({"type": "approve", "id": "t1", "approved": True, "nonce": "N"})
    assert (session.stops, session.approved, session.denied) == (1, {"t1"}, set()), "the good messages still work"


@pytest.mark.parametrize("field", ["kind", "id", "approved", "nonce"])
def test_a_message_that_is_off_in_any_field_answers_nothing(field: str) -> None:
    good = {"kind": "answer", "id": "t1", "approved": True, "nonce": "N"}
    odd: list[Any] = [None, 0, 1, 1.0, "", "t1", "N", "true", "N\ud800", "п", "N" * 1_000_000, True, False, [], ["N"], {}, b"N"]
    for value in odd:
        if value == good[field] and type(value) is type(good[field]):
            continue
        session = kernel_adapter.Session()
        session.waiting("t1", "N")
        session.on_message({**good, field: value})
        assert session.approved == set()
        session.on_message({name: value for name, value in good.items() if name != field})
        assert session.approved == set()
        if field != "approved" or value is not False:
            session.on_message(good)
            assert (session.approved, session.denied) == ({"t1"}, set())


def test_the_first_answer_wins() -> None:
    session = kernel_adapter.Session()
    session.waiting("t1", "N")
    session.on_message({"kind": "answer", "id": "t1", "approved": False, "nonce": "N"})
    session.on_message({"kind": "answer", "id": "t1", "approved": True, "nonce": "N"})
    assert (session.approved, session.denied) == (set(), {"t1"})


def test_only_a_request_to_stop_stops() -> None:
    session = kernel_adapter.Session()
    for content in (
        {"kind": "Stop"},
        {"kind": ["stop"]},
        {"kind": {"stop": 1}},
        {"kind": True},
        {},
        {"stop": True},
        None,
        "stop",
    ):
        session.on_message(content)
    assert session.stops == 0
    session.on_message({"kind": "stop"})
    assert session.stops == 1
