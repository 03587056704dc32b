"""Faults that users reported of software like this, each as a small input with the right values.

Only what concerns a run's values is checked here; `test_cases_whole.py` takes the same inputs the whole way to the page. One
expectation is not ours: case 105 wants every partial value to be encodable as UTF-8, but strings may hold half a surrogate pair
until the other half comes, and what stays alone is replaced only when text leaves for UTF-8. So there the encoding is checked
after that replacement.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from runview.run import values
from runview.run.absent import ABSENT
from runview.run.partial_json import PartialJSON
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import ReasoningPart, RunState, TextPart, ToolPart
from tests.cases import ERRORS, Opaque, assert_fits, load, pieces_of, python_value

STATES = {
    "ready": "pending",
    "needs-you": "pending",
    "writing": "input-streaming",
    "running": "running",
    "background": "running",
    "done": "result",
    "failed": "error",
    "denied": "error",
    "stopped": "incomplete",
    "no-result": "incomplete",
}


def facts(run: RunState) -> dict[str, Any]:
    """What the cases may ask of a run."""
    tools = values.tool_parts(run)
    return {
        "text": values.text(run),
        "reasoning": values.reasoning_text(run) or "",
        "object": None if run.object is ABSENT else run.object,
        "elements": run.elements,
        "finish_reason": run.finish_reason,
        "status": run.status,
        "usage": run.usage,
        "tripwire": run.tripwire,
        "tripwire_final": run.tripwire,
        "tool_calls": [chunk["payload"] for chunk in values.tool_calls(run)],
        "tool_results": [chunk["payload"] for chunk in values.tool_results(run)],
        "tool_results_contains": [chunk["payload"] for chunk in values.tool_results(run)],
        "tool_states": [{"toolCallId": part.call_id, "state": STATES[part.state]} for part in tools],
        "tool_output_items": {part.call_id: part.outputs for part in tools},
        "steps": [{"text": step.text, "tool_calls": step.tool_calls, "tool_results": step.tool_results} for step in run.steps],
        "parts": [described for part in run.parts if (described := describe(part))],
        "text_parts_count": sum(isinstance(part, TextPart) for part in run.parts),
        "tasks": {task.task_id: {"status": task.status, "result": task.result} for task in run.tasks},
        "data_parts": values.data(run),
    }


def describe(part: object) -> dict[str, Any] | None:
    if isinstance(part, ToolPart):
        return {"kind": "tool", "toolCallId": part.call_id}
    if isinstance(part, (TextPart, ReasoningPart)) and part.text:
        return {"kind": "text" if isinstance(part, TextPart) else "reasoning", "text": part.text}
    return None


def check(run: RunState, expect: dict[str, Any]) -> int:
    """Checks all that is asked about values; gives how much that was."""
    found = facts(run)
    for name in found.keys() & expect.keys():
        assert_fits(found[name], expect[name], name)
    if "finish_reason_not" in expect:
        assert run.finish_reason != expect["finish_reason_not"]
    if "error" in expect:
        check_error(run, expect["error"])
    if "workflow" in expect:
        check_workflow(run, expect["workflow"])
    if expect.get("usage_pending"):
        assert run.usage == {}
    asked = found.keys() | {"finish_reason_not", "error", "workflow", "usage_pending", "no_exception"}
    return len(asked & expect.keys())


def check_error(run: RunState, expect: dict[str, Any] | None) -> None:
    if expect is None:
        assert run.error is None
        return
    assert run.error is not None
    assert all(words in run.error["message"] for words in expect["contains"])
    if "cls" in expect:
        assert type(run.exception).__name__ == expect["cls"]


def check_workflow(run: RunState, expect: dict[str, Any]) -> None:
    steps = {id_: part.status for id_, part in run.book.workflow_steps.items()}
    assert_fits(steps, expect["steps"], "workflow.steps")
    if "status" in expect:
        assert run.status == expect["status"]
    if "status_not" in expect:
        assert run.status != expect["status_not"]


@pytest.mark.parametrize("case", load("chunks"))
def test_chunks(case: dict[str, Any]) -> None:
    run = new_run()
    error: BaseException | None = None
    points = {point["n"]: point for point in case["expect"].get("after", [])}
    checked = 0
    for number, item in enumerate(case["input"], 1):
        if isinstance(item, dict) and "$raise" in item:
            error = ERRORS[item["$raise"]["cls"]](item["$raise"]["message"])
        elif not (isinstance(item, dict) and "$end" in item):
            reduce(run, python_value(item), float(number))
        if number in points:
            checked += check(run, points[number])
    finish(run, 1000.0, error=error)
    checked += check(run, case["expect"])
    assert checked > 0


def test_python_values_are_the_very_objects() -> None:
    thing = Opaque()
    run = new_run()
    reduce(run, {"type": "tool-result", "payload": {"toolCallId": "c", "toolName": "t", "result": {"thing": thing}}}, 0.0)
    assert values.tool_results(run)[0]["payload"]["result"]["thing"] is thing


# Partial JSON


@pytest.mark.parametrize("case", load("partial-json"))
def test_partial_json(case: dict[str, Any]) -> None:
    expect = case["expect"]
    parser = PartialJSON()
    partials: list[Any] = []
    for piece in pieces_of(case):
        parser.feed(piece)
        partials.append(parser.value)
    if "final" in expect:
        assert parser.state == "successful-parse"
        assert parser.value == expect["final"]
    if "final_any_of" in expect:
        outcome = parser.value if parser.state == "successful-parse" else "error"
        assert outcome in expect["final_any_of"]
    if "partials" in expect:
        assert partials == expect["partials"]
    for at, partial in expect.get("partials_at", {}).items():
        assert partials[int(at)] == partial
    for before, after in itertools.pairwise(partials):
        if isinstance(before, dict):  # whether the case asks for `key-vanishes` and `partials_keys_monotonic` or not
            assert before.keys() <= after.keys()
    if expect.get("partials_prefix_of_final"):
        assert all(expect["final"][key].startswith(text) for partial in partials for key, text in partial.items())
    characters = {never for never in expect.get("never", []) if len(never) == 1}
    assert not characters & set(str(partials))
    if expect.get("partials_encodable"):
        for partial in partials:
            assert partial["m"].encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")
