"""Every chunk of every recording has a model that fits, and comes back exactly as it came."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from runview import chunks
from runview.chunks import base, parse_chunk
from runview.chunks.parse import MODELS, model_of
from runview.chunks.wire import KNOWN_PREFIXES, KNOWN_TYPES, is_known

FIXTURES = Path(__file__).parent.parent / "fixtures" / "mastra"
RECORDINGS = sorted(FIXTURES.glob("*.jsonl"))
MADE_UP = sorted((FIXTURES / "synthetic").glob("*.jsonl"))
"""What a server would not send; some of it is malformed on purpose."""


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").split("\n") if line]


def test_there_are_recordings():
    assert len(RECORDINGS) > 100
    assert len(MADE_UP) > 30


@pytest.mark.parametrize("path", RECORDINGS + MADE_UP, ids=lambda path: path.stem)
def test_every_line_comes_back(path: Path):
    for line in lines(path):
        wire = json.loads(line)
        from_text, from_dict = parse_chunk(line), parse_chunk(wire)
        assert json.dumps(from_text.to_dict()) == json.dumps(wire)  # order of keys included
        assert from_text.to_json() == line
        assert json.dumps(from_dict.to_dict()) == json.dumps(wire)
        assert json.loads(from_dict.to_json()) == wire
        assert from_dict == parse_chunk(wire)
        assert repr(from_dict).startswith(type(from_dict).__name__)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_real_chunks_fit_their_models(path: Path):
    for line in lines(path):
        chunk = parse_chunk(line)
        assert parse_chunk(json.loads(line)).to_json() == line  # as JavaScript spelled it
        assert chunk.notes == (), line
        assert isinstance(chunk, chunks.UnknownChunk) == (not is_known(chunk.type))


def test_models_and_known_types_are_the_same_list():
    whole = {type_ for type_ in MODELS if not type_.startswith(KNOWN_PREFIXES)}
    assert whole == KNOWN_TYPES
    for prefix in KNOWN_PREFIXES:
        assert model_of(prefix + "anything") is not chunks.UnknownChunk
        assert is_known(prefix + "anything")


@pytest.mark.parametrize("type_", ["agent-thing", "dat-a", "", "text-delta ", "constructor", None, 7, ["text-delta"]])
def test_unknown_types_are_kept_whole(type_: object):
    wire = {"type": type_, "__proto__": {"x": 1}, "payload": {"constructor": 0}}
    chunk = parse_chunk(wire)
    assert type(chunk) is chunks.UnknownChunk
    assert not is_known(type_)
    assert chunk.to_dict() == wire
    assert chunk.payload == {"constructor": 0}
    assert chunk.__proto__ == {"x": 1}


def test_names_are_pythons_and_the_wire_keeps_its_own():
    chunk = parse_chunk(
        {"type": "tool-call", "runId": "r", "from": "AGENT", "payload": {"toolCallId": "c", "toolName": "t", "args": {"aB": 1}}}
    )
    assert isinstance(chunk, chunks.ToolCallChunk)
    assert (chunk.run_id, chunk.from_) == ("r", "AGENT")
    assert (chunk.payload.tool_call_id, chunk.payload.tool_name, chunk.payload.args) == ("c", "t", {"aB": 1})


def test_the_longest_prefix_decides():
    assert model_of("agent-execution-event-text-delta") is chunks.ExecutionEventChunk
    assert model_of("agent-execution-start") is chunks.ExecutionStartChunk
    assert model_of("agent-execution-novelty") is chunks.NetworkChunk
    assert model_of("data-signal") is chunks.DataSignalChunk
    assert model_of("data-signals") is chunks.DataChunk


@pytest.mark.parametrize("value", [0, "", False, None, [], {}])
def test_falsy_values_are_values(value: object):
    result = parse_chunk({"type": "tool-result", "payload": {"toolCallId": "c", "toolName": "t", "result": value}})
    assert result.payload.result == value
    assert "result" in result.payload.model_fields_set
    assert result.notes == ()
    data = parse_chunk({"type": "data-x", "data": value})
    assert data.data == value
    assert "data" in data.model_fields_set
    assert "data" not in parse_chunk({"type": "data-x", "status": "flat"}).model_fields_set


@pytest.mark.parametrize(
    ("wire", "notes"),
    [
        ({"type": "text-delta"}, ("payload is missing",)),
        ({"type": "text-delta", "payload": None}, ("payload: it should",)),
        ({"type": "text-delta", "payload": "hi"}, ("payload: it should",)),
        ({"type": "text-delta", "payload": {"id": "t"}}, ("payload.text is missing",)),
        ({"type": "text-delta", "payload": {"id": 5, "text": None}}, ("payload.id: it should", "payload.text: it should")),
        ({"type": "text-delta", "runId": {}, "payload": {"id": "t", "text": "x"}}, ("runId: it should",)),
        ({"type": "text-delta", "payload": {"id": "t", "text": "x", 5: 6}}, ("payload has a key that is not text",)),
        (
            {"type": "goal", "payload": {"iteration": True, "passed": 1}},
            ("payload.iteration: it should", "payload.passed: it should"),
        ),
        (
            {"type": "finish", "payload": {"stepResult": [], "output": {"usage": {"inputTokens": "5", "outputTokens": 2}}}},
            ("payload.stepResult: it should", "payload.output.usage.inputTokens: it should"),
        ),
        ({"payload": {}}, ("type is missing",)),
        ({}, ("type is missing",)),
    ],
)
def test_what_does_not_fit_is_kept_and_noted(wire: dict[str, object], notes: tuple[str, ...]):
    chunk = parse_chunk(wire)
    assert len(chunk.notes) == len(notes)
    for told, expected in zip(chunk.notes, notes, strict=True):
        assert told.startswith(expected)
    assert chunk.to_dict() == wire


def test_one_bad_field_spoils_no_other():
    chunk = parse_chunk(
        {
            "type": "finish",
            "payload": {"stepResult": {"reason": 7}, "output": {"usage": {"inputTokens": "5", "outputTokens": 2}}, "x": 1},
        }
    )
    assert isinstance(chunk, chunks.FinishChunk)
    assert chunk.payload.step_result.reason == 7
    assert chunk.payload.output.usage is not None
    assert (chunk.payload.output.usage.input_tokens, chunk.payload.output.usage.output_tokens) == ("5", 2)
    assert chunk.payload.model_extra == {"x": 1}


def test_a_missing_payload_has_empty_fields():
    chunk = parse_chunk({"type": "text-delta"})
    assert isinstance(chunk, chunks.TextDeltaChunk)
    assert chunk.payload.text is None
    assert parse_chunk({"type": "abort"}).notes == ()


def test_keys_that_are_names_of_the_models_are_data():
    odd = {"_fields_set": 1, "cls": 2, "self": 3, "notes": 4, "to_dict": 5, "model_fields": 6, "_wire": 7, "__class__": 8}
    for wire in (
        {"type": "text-delta", "payload": {"id": "t", "text": "x", **odd}, **odd},
        {"type": "text-delta", "payload": odd, **odd},
    ):
        chunk = parse_chunk(wire)
        assert chunk.to_dict() == wire
        assert chunk.model_extra == odd
        assert all(isinstance(told, str) for told in chunk.notes)


def test_lone_surrogates_survive():
    line = '{"type":"text-delta","payload":{"id":"t\\udfff","text":"\\ud83d","\\ud800":"\\udc00"},"runId":"\\ud83d"}'
    wire = json.loads(line)
    chunk = parse_chunk(line)
    assert chunk.payload.text == "\ud83d"
    assert chunk.payload.id == "t\udfff"
    assert chunk.to_dict() == wire
    assert parse_chunk(wire).to_json() == line
    assert parse_chunk(line.encode()).to_dict() == wire


def test_later_changes_do_not_reach_a_chunk_nor_leave_it():
    wire = {"type": "tool-call", "payload": {"toolCallId": "c", "toolName": "t", "args": {"list": [1]}}}
    chunk = parse_chunk(wire)
    wire["payload"]["args"]["list"].append(2)
    assert chunk.payload.args == {"list": [1]}
    chunk.payload.args["list"].append(3)
    chunk.to_dict()["payload"]["args"].clear()
    assert chunk.to_dict()["payload"]["args"] == {"list": [1]}


def test_chunks_are_frozen():
    chunk = parse_chunk({"type": "text-delta", "payload": {"id": "t", "text": "x"}})
    with pytest.raises(ValueError, match="frozen"):
        chunk.run_id = "other"
    with pytest.raises(ValueError, match="frozen"):
        chunk.payload.text = "other"


def test_a_chunk_made_in_python_has_a_wire_form():
    chunk = chunks.TextDeltaChunk(run_id="r", payload=chunks.TextPayload(id="t", text="x"))
    assert chunk.to_dict() == {"type": "text-delta", "runId": "r", "payload": {"id": "t", "text": "x"}}
    assert chunk.to_json() == '{"type":"text-delta","runId":"r","payload":{"id":"t","text":"x"}}'
    assert parse_chunk(chunk) is chunk
    assert parse_chunk(chunk.to_dict()).payload == chunk.payload


def test_text_that_is_no_chunk_raises():
    for text in ("", "nope", "[1]", "5", '"text"', "null", b"{"):
        with pytest.raises(ValueError, match=r"JSON|Expecting|character"):
            parse_chunk(text)
    for thing in (5, None, [{"type": "start"}], object()):
        with pytest.raises(TypeError, match=r"^a chunk is a dict, a Chunk, or the JSON text of one, not \w+$"):
            parse_chunk(thing)  # pyright: ignore[reportArgumentType]


def test_text_comes_back_as_the_very_text():
    text = ' { "type" : "raw", "payload" : {"a": 1.0, "b": 1e3, "a": 2} }\n'
    assert parse_chunk(text).to_json() == text.strip()


def test_every_field_is_documented():
    """A model's docstring and the string under each field say what the protocol means by it."""
    undocumented = []
    for name in dir(chunks):
        model = getattr(chunks, name)
        if not isinstance(model, type) or model in (base.Chunk, base.Payload):
            continue
        source = Path(sys.modules[model.__module__].__file__ or "").read_text("utf-8")
        body = source.partition(f"class {name}(")[2].partition("\n\n\nclass ")[0]
        if not model.__doc__:
            undocumented.append(name)
        for field in model.__annotations__:
            after = body.partition(f"\n    {field}: ")[2].partition("\n")[2]
            if field not in ("type", "payload", "prefixes") and not after.lstrip().startswith('"""'):
                undocumented.append(f"{name}.{field}")
    assert undocumented == []


def test_models_load_only_when_asked_for():
    import subprocess

    code = "import sys; from runview.chunks.wire import to_wire; print('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "False"
    with pytest.raises(AttributeError, match="no attribute 'NoSuchChunk'"):
        _ = chunks.NoSuchChunk
