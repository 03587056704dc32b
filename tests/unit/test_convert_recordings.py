"""Every recorded run gives the parts, and the parts the messages, that the AI SDK's own code gave for it.

`fixtures/aisdk/recorded.json.gz` has both, by the recording's name, the version, and `full` where reasoning, sources and
sub-agents were sent. `direct.json.gz` has the parts of workflows and networks whose chunks went straight into that code, and
those that versions and options change.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from runview.convert.converter import Converter
from runview.convert.messages import Folder
from runview.convert.parts import Options

FIXTURES = Path(__file__).parent.parent / "fixtures"
RECORDED: dict[str, Any] = json.loads(gzip.decompress((FIXTURES / "aisdk" / "recorded.json.gz").read_bytes()))
DIRECT: dict[str, Any] = json.loads(gzip.decompress((FIXTURES / "aisdk" / "direct.json.gz").read_bytes()))

GAVE_UP = {
    "tool_writer_custom",
    "synthetic/finish_no_payload_output",
    "synthetic/null_payload_delta",
    "synthetic/close_with_error",
}
"""Here the other conversion threw; what it gave until then has to be the beginning of ours, but for what it lost on the way."""

READ_BY_A_RUN = {"synthetic/parse_text_object", "synthetic/parse_text_invalid", "synthetic/tool_call_synthetic_empty_then_real"}
"""Here a run with a schema of its own stood before the conversion, and added chunks or kept some back."""


def chunks_of(name: str) -> list[Any]:
    lines = (FIXTURES / "mastra" / f"{name}.jsonl").read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def parts_of(chunks: list[Any], options: Options) -> list[Any]:
    converter = Converter(options)
    return [*(part for chunk in chunks for part in converter.feed(chunk)), *converter.end()]


def comparable(value: Any) -> Any:
    """The value without the times at which the conversion ran."""
    if isinstance(value, dict):
        return {name: "" if name == "timestamp" else comparable(item) for name, item in value.items()}
    return [comparable(item) for item in value] if isinstance(value, list) else value


def as_recorded(chunks: list[Any], wanted: list[Any]) -> list[Any]:
    """A workflow's chunks as they were recorded: between the start and the finish of a run that stood for it."""
    shell = {"runId": "run-1", "from": "WORKFLOW"}
    start = {**shell, "type": "workflow-start", "payload": {"workflowId": "wf"}}
    end = wanted[-2]["data"]
    finish = {**shell, "type": "workflow-finish", "payload": {"workflowStatus": end["status"], "output": end["output"]}}
    return [start, *(chunk for chunk in chunks if chunk["type"] not in ("workflow-start", "workflow-finish")), finish]


@pytest.mark.parametrize("key", sorted(RECORDED))
def test_the_parts_of_a_recording(key: str) -> None:
    name, version, *full = key.split(".")
    wanted = RECORDED[key]["parts"]
    chunks = chunks_of(name)
    if name.startswith("wf_"):
        chunks = as_recorded(chunks, wanted)
    everything = bool(full)
    options = Options(version=version, reasoning=everything, sources=everything, subagents=everything)  # type: ignore[arg-type]
    parts = parts_of(chunks, options)
    if name in READ_BY_A_RUN:
        kinds = {part["type"] for part in wanted} - {"data-structured-output", "error"}
        assert [part["type"] for part in parts] == [part["type"] for part in wanted if part["type"] in kinds]
        return
    if name in GAVE_UP:
        assert len(parts) > len(wanted)
        parts = parts[: len(wanted)]
    assert comparable(parts) == comparable(wanted)


@pytest.mark.parametrize("key", sorted(DIRECT))
def test_the_parts_of_chunks_that_came_straight(key: str) -> None:
    name, version, *full = key.split(".")
    everything = bool(full)
    options = Options(version=version, reasoning=everything, sources=everything, subagents=everything)  # type: ignore[arg-type]
    assert comparable(parts_of(chunks_of(name), options)) == comparable(DIRECT[key])


@pytest.mark.parametrize("key", sorted(key for key, recorded in RECORDED.items() if "messages" in recorded))
def test_the_messages_of_a_recording(key: str) -> None:
    folder = Folder(key.split(".")[1])  # type: ignore[arg-type]
    for part in RECORDED[key]["parts"]:
        folder.feed(part)
    assert folder.messages() == RECORDED[key]["messages"]


@pytest.mark.parametrize("key", sorted(key for key in RECORDED if not key.startswith("wf_") and key.endswith(".v5")))
def test_what_was_handed_out_never_changes(key: str) -> None:
    converter = Converter(Options(reasoning=True, sources=True, subagents=True))
    taken = [(part, json.dumps(part)) for chunk in chunks_of(key.removesuffix(".v5")) for part in converter.feed(chunk)]
    assert [json.dumps(part) for part, _ in taken] == [text for _, text in taken]
