"""The one public door: `from runview import …`."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import runview

ROOT = Path(__file__).parents[2]

NAMES = {
    "Chunk",
    "Deferred",
    "FullOutput",
    "MastraClient",
    "MastraError",
    "ModelOutput",
    "NotReady",
    "RunOutput",
    "StreamError",
    "StreamIncomplete",
    "StreamView",
    "WorkflowOutput",
    "WrongKind",
    "chunks",
    "parse_chunk",
    "record",
    "replay",
    "runs",
    "stream_view",
    "to_ai_sdk_messages",
    "to_ai_sdk_stream",
}

VIEW = {
    *("output", "status", "stop", "approve", "deny", "resume", "close", "widget", "print"),
    *("to_html", "to_markdown", "to_jsonl", "explore"),
}

OUTPUT = {
    *("full_stream", "text_stream", "object_stream", "element_stream", "text", "reasoning", "reasoning_text", "object"),
    *("tool_calls", "tool_results", "tool_errors", "sources", "files", "warnings", "steps", "usage", "nested_usage"),
    *("finish_reason", "response", "request", "provider_metadata", "suspend_payload", "resume_schema"),
    *("status", "error", "tripwire", "run_id", "goal", "is_done", "kind", "partial"),
    *("wait", "get_full_output", "consume_stream", "inspect"),
}


def test_exactly_these_names_are_public() -> None:
    assert set(runview.__all__) == NAMES
    assert list(runview.__all__) == sorted(runview.__all__)
    assert len(runview.__all__) == len(NAMES)


def test_every_public_name_is_there() -> None:
    namespace: dict[str, object] = {}
    exec("from runview import *", namespace)
    assert namespace.keys() >= NAMES
    assert set(dir(runview)) >= NAMES


@pytest.mark.parametrize(("owner", "members"), [("StreamView", VIEW), ("RunOutput", OUTPUT)])
def test_the_documented_members_are_there(owner: str, members: set[str]) -> None:
    assert sorted(members - set(dir(getattr(runview, owner)))) == []


@pytest.mark.parametrize("name", sorted(NAMES))
def test_what_is_public_says_what_it_is(name: str) -> None:
    """A docstring of its own on every public thing and on its public methods and properties."""
    thing = getattr(runview, name)
    assert thing.__doc__
    if not inspect.isclass(thing) or name == "Chunk":
        return
    bare = [
        member
        for member, value in inspect.getmembers(thing)
        if not member.startswith("_")
        and (callable(value) or isinstance(value, property))
        and getattr(value, "__module__", "runview").startswith("runview")
        and not inspect.getdoc(value)
    ]
    assert bare == []


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        runview.no_such_name  # noqa: B018


def test_the_readme_uses_only_what_there_is() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for names in re.findall(r"from runview import ([\w, ]+)", text):
        assert set(names.split(", ")) <= NAMES
    assert set(re.findall(r"view\.output\.(\w+)", text)) <= OUTPUT
    assert set(re.findall(r"\bview\.(\w+)", text)) <= VIEW
