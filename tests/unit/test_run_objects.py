"""Structured output: objects of the stream, objects read from the text, validation, and text that need not be drawn twice."""

from __future__ import annotations

import enum
import json
from typing import Any

import pydantic
import pytest

from runview.run.inspect import inspect
from runview.run.reduce import new_run
from runview.run.state import ABSENT, ObjectPart, RunState, TextPart
from tests.runs import chunk, feed, finish_chunk, run_of, step_finish

ITEM = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"], "title": "Item"}


def partial(value: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "runId": "r", "from": "AGENT", "object": value, **more}


def result(value: Any) -> dict[str, Any]:
    return {"type": "object-result", "runId": "r", "from": "AGENT", "object": value}


def text(said: str, id_: str = "t") -> dict[str, Any]:
    return chunk("text-delta", id=id_, text=said)


def object_of(run: RunState) -> ObjectPart:
    (part,) = (part for part in run.parts if isinstance(part, ObjectPart))
    return part


def shown(run: RunState) -> list[str]:
    """The texts that are drawn as text."""
    return [part.text for part in run.parts if isinstance(part, TextPart) and not part.is_object]


# Objects of the stream


def test_partials_then_the_result() -> None:
    run = new_run()
    feed(run, partial({}), partial({"a": 1}), partial({"a": 1.0}), partial({"a": True}))
    assert (object_of(run).state, object_of(run).value) == ("writing", {"a": True})
    assert list(run.object_partials) == [{}, {"a": 1}, {"a": True}]
    assert run.object_partials[1:] == [{"a": 1}, {"a": True}]
    with pytest.raises(IndexError):
        run.object_partials[3]
    feed(run, result({"a": 2}), result({"a": 3}))
    assert (object_of(run).state, object_of(run).open, run.object) == ("complete", False, {"a": 3})


@pytest.mark.parametrize(
    ("end", "value", "state"),
    [
        ([finish_chunk()], {"a": 1}, "complete"),
        ([finish_chunk("length")], ABSENT, "unfinished"),
        ([chunk("abort")], ABSENT, "unfinished"),
        ([], ABSENT, "unfinished"),
        ([chunk("error", error={"message": "m", "code": "STRUCTURED_OUTPUT_SCHEMA_VALIDATION_FAILED"})], ABSENT, "invalid"),
    ],
)
def test_without_a_result_the_last_partial_counts_after_a_good_end(end: list[Any], value: Any, state: str) -> None:
    run = run_of(partial({"a": 1}), *end)
    assert (run.object, object_of(run).state) == (value, state)


def test_an_element_goes_out_when_the_next_one_has_begun() -> None:
    run = new_run()
    seen = []
    for wire in (partial([]), partial([{"n": 1}]), partial([{"n": 1}, {}]), partial([{"n": 9}, {"n": 2}, 0])):
        feed(run, wire)
        seen.append(list(run.elements))
    assert seen == [[], [], [{"n": 1}], [{"n": 1}, {"n": 2}]]
    feed(run, result([{"n": 1}, {"n": 2}, None]))
    assert run.elements == [{"n": 1}, {"n": 2}, None]


def test_the_last_element_never_comes_after_an_abort() -> None:
    assert run_of(partial([1, 2]), chunk("abort")).elements == [1]


# Text that is the object


@pytest.mark.parametrize(
    ("stream", "texts"),
    [
        ([chunk("text-start", id="t"), partial({}), text('{"a":'), partial({"a": 1}), text("1}")], []),
        ([text('{"a":'), partial({}), text("1}"), partial({"a": 1})], []),
        ([text('```json\n{"a":1}\n```'), result({"a": 1})], []),
        ([text('{"a":'), partial({}), text('1} and "more"')], ['{"a":1} and "more"']),
        ([chunk("text-start", id="t"), partial({"a": 1}), text('It is {"a":1}')], ['It is {"a":1}']),
        ([text("John is 30."), partial({"a": 1}, metadata={"from": "structured-output"})], ["John is 30."]),
        ([text('{"a":1}')], ['{"a":1}']),
        ([text('{"a":"}'), partial({}), text('{\\"')], []),
    ],
)
def test_text_that_is_only_the_objects_json_is_not_drawn(stream: list[Any], texts: list[str]) -> None:
    assert shown(run_of(*stream, finish_chunk())) == texts


def test_json_text_is_never_shown_for_a_moment() -> None:
    run = new_run()
    feed(run, chunk("text-start", id="t"), partial({}))
    for said in ("  ", "{", '"a":1', "}"):
        feed(run, text(said))
        assert shown(run) == []


def test_prose_before_an_object_is_shown_at_once() -> None:
    run = new_run()
    feed(run, chunk("text-start", id="t"), partial({}), text("It"))
    assert shown(run) == ["It"]


# Objects read from the text


def test_text_is_read_when_a_schema_is_given() -> None:
    run = run_of(text('{"n":'), text("1"), text("2"), text("}"), finish_chunk(), schema={"type": "object"})
    assert (list(run.object_partials), run.object) == ([{}, {"n": 1}, {"n": 12}], {"n": 12})
    assert (shown(run), object_of(run).state) == ([], "complete")


@pytest.mark.parametrize(
    "said",
    [
        '{"n": 1}',
        '```json\n{"n": 1}\n```',
        '```\n{"n": 1}',
        '``` {"n": 1}```',
        'Sure! {"n": 7} or rather {"n": 1} it is.',
        '<|channel|>final<|message|>{"n": 1}',
        '{"n": 1} and so on',
        '{"n": 1',
        '\n\t {"n": 1}\n',
    ],
)
@pytest.mark.parametrize("cut", [1, 3, 1000])
def test_json_is_found_wherever_it_stands_and_however_it_is_cut(said: str, cut: int) -> None:
    pieces = [text(said[at : at + cut]) for at in range(0, len(said), cut)]
    run = run_of(*pieces, finish_chunk(), schema=ITEM)
    assert (run.object, run.object_error, run.status) == ({"n": 1}, None, "success")
    assert object_of(run).name == "Item"


@pytest.mark.parametrize(
    ("said", "reason", "state", "words"),
    [
        ('{"n": 10}', "stop", "invalid", "n must be ≤ 9"),
        ('{"m": 1}', "stop", "invalid", "n is missing"),
        ("no JSON", "stop", "invalid", "the text holds no object"),
        ('{"n": 1]', "stop", "complete", None),
        ('{"n": 1}', "length", "unfinished", "the object was cut off: the model finished with reason 'length'"),
    ],
)
def test_an_object_that_is_not_valid_leaves_the_run_a_success(said: str, reason: str, state: str, words: str | None) -> None:
    run = run_of(text(said), finish_chunk(reason), schema=ITEM)
    assert (run.status, object_of(run).state, object_of(run).error) == ("success", state, words)
    assert (run.object is ABSENT) is (words is not None)
    assert str(run.object_error or "") == (words or "")


def test_no_text_is_no_fault() -> None:
    run = run_of(text("  "), finish_chunk(), schema=ITEM)
    assert (run.object, run.object_error) == (ABSENT, None)


def test_the_last_step_with_text_counts() -> None:
    run = run_of(text('{"n":1}'), step_finish(), text('{"n":2}'), step_finish(), finish_chunk(), schema=ITEM)
    assert run.object == {"n": 2}
    assert list(run.object_partials) == [{"n": 1}, {"n": 2}]


def test_objects_of_the_stream_go_before_the_text() -> None:
    run = run_of(partial({"n": 1}), text('{"n":'), result({"n": 2}), text("3}"), finish_chunk(), schema=ITEM)
    assert (run.object, list(run.object_partials)) == ({"n": 2}, [{"n": 1}])
    invalid = run_of(result({"n": 20}), finish_chunk(), schema=ITEM)
    assert (invalid.object, str(invalid.object_error)) == (ABSENT, "n must be ≤ 9")
    last = run_of(partial({"n": 4}), finish_chunk(), schema=ITEM)
    assert last.object == {"n": 4}


ARRAY = {"type": "array", "items": {"type": "object"}}


@pytest.mark.parametrize("wrapped", ['{"elements":[%s]}', "[%s]"])
def test_an_array_and_its_elements(wrapped: str) -> None:
    said = wrapped % '{"n":1},{"n":22}'
    run = new_run(ARRAY)
    counts = []
    for character in said:
        feed(run, text(character))
        counts.append(len(run.elements))
    assert list(run.object_partials) == [[], [{"n": 1}], [{"n": 1}, {"n": 2}], [{"n": 1}, {"n": 22}]]
    assert run.elements == [{"n": 1}, {"n": 22}]
    assert counts[said.index("}")] == 1


def test_scalars_of_an_array_count_when_something_follows() -> None:
    run = new_run({"type": "array"})
    feed(run, *[text(piece) for piece in ('["al', 'pha"', ',"be', 'ta"', "]")])
    assert list(run.object_partials) == [[], ["alpha"], ["alpha", "beta"]]


def test_a_choice_is_known_as_soon_as_it_is_the_only_one() -> None:
    schema = {"type": "string", "enum": ["sunny", "sunday", "rainy"]}
    run = run_of(*[text(piece) for piece in ('{"result":"s', "un", "n", 'y"}')], finish_chunk(), schema=schema)
    assert (list(run.object_partials), run.object) == (["s", "sun", "sunny"], "sunny")
    assert list(run_of(text('"snow"'), schema=schema).object_partials) == []


def test_a_number_can_be_the_object() -> None:
    assert run_of(text("4"), text("2"), finish_chunk(), schema={"type": "integer"}).object == 42


class Item(pydantic.BaseModel):
    n: int
    label: str = "none"


class Weather(enum.Enum):
    SUNNY = "sunny"
    RAINY = "rainy"


@pytest.mark.parametrize(
    ("schema", "said", "value", "plain"),
    [
        (Item, '{"n": "1"}', Item(n=1), {"n": 1, "label": "none"}),
        (list[Item], '{"elements":[{"n":1}]}', [Item(n=1)], [{"n": 1, "label": "none"}]),
        (pydantic.TypeAdapter(list[Item]), '[{"n":1}]', [Item(n=1)], [{"n": 1, "label": "none"}]),
        (Weather, '{"result":"rainy"}', Weather.RAINY, "rainy"),
        (dict[str, int], '{"a": 1}', {"a": 1}, {"a": 1}),
    ],
)
def test_types_that_pydantic_checks(schema: Any, said: str, value: Any, plain: Any) -> None:
    run = run_of(text(said), finish_chunk(), schema=schema)
    assert run.object == value
    assert type(run.object) is type(value)
    assert json.loads(json.dumps(inspect(run)))["object"] == plain


def test_the_reason_of_pydantic_is_one_sentence() -> None:
    run = run_of(text('{"n": "x"}'), finish_chunk(), schema=Item)
    assert isinstance(run.object_error, pydantic.ValidationError)
    assert object_of(run).error == "n: Input should be a valid integer, unable to parse string as an integer"


@pytest.mark.parametrize("schema", [5, "Item", object(), [int]])
def test_what_is_no_schema(schema: Any) -> None:
    with pytest.raises(TypeError, match="schema should be"):
        new_run(schema)


def test_partials_can_be_read_again_from_anywhere() -> None:
    said = json.dumps({"rows": [{"n": number, "text": "é" * number} for number in range(20)]})
    run = run_of(*[text(said[at : at + 2]) for at in range(0, len(said), 2)], finish_chunk(), schema={"type": "object"})
    partials = run.object_partials
    everything = list(partials)
    assert everything[-1] == json.loads(said)
    assert [partials[at] for at in range(len(partials))] == everything
    assert [partials[at] for at in reversed(range(len(partials)))] == everything[::-1]
    assert partials[-3:] == everything[-3:]


def test_an_element_that_grows_in_the_piece_that_begins_the_next_is_a_partial() -> None:
    run = new_run({"type": "array"})
    feed(run, text('[{"a": 1'), text(', "b": 2}, []'))
    assert list(run.object_partials) == [[{"a": 1}], [{"a": 1, "b": 2}]]
