"""Faults that users reported of software like this, taken the whole way: a source, the driver, the output, the page and the file.

What the cases call a card's state is here the word that its row says, a part is a row of the drawing, and what is rendered is
the text of the live tree, of the saved one, and of the transcript. Each case is also asked what holds for every run: whatever
is awaited settles, the source is closed, the operations lead from tree to tree, and nothing is running or left behind.

Two expectations are read as the drawing means them: case 061 looks for a string with the quotes of JSON, but a value is drawn
without them; in case 022 the one part that shows the answer is an object's row, since text that is an object is not drawn twice.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import logging
from typing import Any

import pytest

from runview import RunOutput, StreamError, StreamIncomplete
from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node, wire
from runview.driver import Driver
from runview.run.state import ObjectPart, ToolPart
from tests.applier import copied, heard, shown
from tests.cases import ERRORS, Opaque, assert_fits, load, pieces_of, python_value

AWAITABLES = [
    *("text", "reasoning", "reasoning_text", "object", "tool_calls", "tool_results", "tool_errors", "sources", "files"),
    *("warnings", "steps", "usage", "nested_usage", "finish_reason", "response", "request", "provider_metadata"),
    *("suspend_payload", "resume_schema"),
]
OF_WORKFLOWS = ["result", "steps", "usage", "nested_usage"]
STREAMS = ["full_stream", "text_stream", "object_stream", "element_stream"]
WORDS = {
    "queued": "pending",
    "needs you": "pending",
    "writing…": "input-streaming",
    "running": "running",
    "in background": "running",
    "done": "result",
    "failed": "error",
    "denied by policy": "error",
    "stopped": "incomplete",
    "no result": "incomplete",
}
"""What the row of a call says, and what the cases call it."""
AT_WORK = {"is-running", "is-writing", "is-background", "is-queued"}
NOTHING = ("", None, [], {})


class Source:
    """Yields the items of a case and does what its stage directions say; `seen` is called after each item."""

    def __init__(self, items: list[Any], seen: Any) -> None:
        self.items = items
        self.seen = seen
        self.iterations = 0
        self.closed = False

    def __aiter__(self) -> Any:
        self.iterations += 1
        return self._items()

    async def _items(self) -> Any:
        try:
            for number, item in enumerate(self.items, 1):
                if isinstance(item, dict) and "$raise" in item:
                    raise ERRORS[item["$raise"]["cls"]](item["$raise"]["message"])
                if isinstance(item, dict) and "$end" in item:
                    return
                yield item
                self.seen(number)
                await asyncio.sleep(0)
        finally:
            self.closed = True


class Page:
    """The live tree in a browser: built once, then only changed by operations that travel as strict JSON."""

    def __init__(self, driver: Driver) -> None:
        self.drawing = RunDrawing(driver.run)
        self.tree = copied(wire(self.drawing.tree(0.0)))
        self.now = 0.0
        driver.listen(self.update)

    def update(self) -> None:
        self.now += 0.01
        ops = self.drawing.update(self.now)
        json.dumps(ops, allow_nan=False, ensure_ascii=False).encode()
        self.tree = heard(self.tree, ops)
        assert self.tree == shown(self.drawing.snapshot())


class Played:
    """A case, and what it has led to."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.expect = case["expect"]
        self.points = {point["n"]: point for point in self.expect.get("after", [])}
        self.seen: dict[int, dict[str, Any]] = {}
        self.items = python_value(case["input"])
        self.source = Source(self.items, self._look)
        self.driver = Driver(self.source)
        self.output = RunOutput(self.driver)
        self.page = Page(self.driver)

    def _look(self, number: int) -> None:
        if number in self.points:
            self.page.update()
            self.seen[number] = {
                **self.facts(),
                "text": self.output.partial.text,
                "source_still_consumed": not self.source.closed,
            }

    def facts(self) -> dict[str, Any]:
        """What is drawn."""
        tree = self.page.drawing.tree(self.page.now)
        kids = [kid for node in tree.kids if isinstance(node, Node) for kid in ungrouped(node)]
        calls = {part.key: part.call_id for part in self.driver.run.parts if isinstance(part, ToolPart)}
        objects = {part.key for part in self.driver.run.parts if isinstance(part, ObjectPart)}
        rows = [row for node in kids if (row := row_of(node, calls))]
        return {
            "tool_states": [
                {"toolCallId": row["toolCallId"], "state": row.pop("state")} for row in rows if row["kind"] == "tool"
            ],
            "parts": rows,
            "text_parts_count": sum(row["kind"] == "text" for row in rows) + sum(node.key in objects for node in kids),
            "messages_rendered": sum("rv" in classes(node) for node in tree.walk()),
        }

    def rendered(self) -> list[str]:
        """The words that people see: in the page, in the file, in a terminal."""
        drawing = RunDrawing(self.driver.run)
        file = drawing.tree(1e9, saved=True)
        return [told(self.page.drawing.tree(self.page.now)), told(file), " ".join(transcript(self.driver.run).split())]


def told(node: Node) -> str:
    return " ".join(node.text().split())


def classes(node: Node) -> list[str]:
    return str(node.attrs.get("class", "")).split()


def ungrouped(node: Node) -> list[Node]:
    """The rows of a group of calls; any other node by itself."""
    body = node.kids[-1] if "rv-group" in classes(node) else None
    return [kid for kid in body.kids if isinstance(kid, Node)] if isinstance(body, Node) else [node]


def find(node: Node, name: str) -> Node | None:
    return next((inner for inner in node.walk() if name in classes(inner)), None)


def row_of(node: Node, calls: dict[str, str]) -> dict[str, Any] | None:
    """A row as the cases speak of it; None for what they call no part."""
    node = node.opened()
    if "rv-text" in classes(node):
        return {"kind": "text", "text": node.text()}
    if "rv-thought" in classes(node):
        body = find(node, "rv-body")
        return {"kind": "reasoning", "text": body.text() if body is not None else ""}
    if node.key in calls:
        word = find(node, "rv-s")
        assert word is not None
        return {"kind": "tool", "toolCallId": calls[node.key], "state": WORDS[word.text()]}
    return None


@pytest.fixture
async def played(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Any:
    """The case at its end: every value awaited from the start, every stream read, and nothing left behind."""
    caplog.set_level(logging.WARNING)
    case = Played(request.param)
    case.awaited = {name: asyncio.ensure_future(settle(case, name)) for name in (*AWAITABLES, *STREAMS, "whole", "full")}
    async with asyncio.timeout(2):
        await asyncio.gather(*case.awaited.values())
    case.page.update()
    yield case
    del case
    for _ in range(3):
        await asyncio.sleep(0)
    assert {task for task in asyncio.all_tasks() if task.get_name() == "runview"} == set()
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == []


async def settle(case: Played, name: str) -> Any:
    """The value of something that one awaits or reads to its end, or the exception that it raises."""
    output = case.output
    try:
        if name in STREAMS:
            return [item async for item in getattr(output, name)]
        if name == "whole":
            return await output
        if name == "full":
            return await output.get_full_output()
        return await getattr(output, name)
    except Exception as error:
        return error


cases = pytest.mark.parametrize("played", load("chunks"), indirect=True)


@cases
async def test_what_is_drawn(played: Played) -> None:
    expect, found = played.expect, played.facts()
    for name in found.keys() & expect.keys():
        assert_fits(found[name], expect[name], name)
    for text in played.rendered():
        for words in expect.get("rendered_contains", []):
            assert words.strip('"') in text
        for words in expect.get("rendered_not_contains", []):
            assert words not in text
    for number, point in played.points.items():
        then = played.seen[number]
        for name in then.keys() & point.keys():
            assert_fits(then[name], point[name], f"after {number}: {name}")


@cases
async def test_nothing_turns_when_it_is_over(played: Played) -> None:
    resting = played.output.status == "suspended"
    for saved in (False, True):
        tree = played.page.drawing.tree(1e9, saved=saved)
        for node in tree.walk():
            assert not AT_WORK & set(classes(node))
            assert resting or "since" not in node.attrs
    assert played.page.tree == copied(wire(RunDrawing(played.driver.run).tree(played.page.now)))
    to_html(tree)


@cases
async def test_every_value_settles(played: Played) -> None:
    got = {name: future.result() for name, future in played.awaited.items()}
    status = played.output.status
    workflow = played.output.kind == "workflow"
    expect = played.expect.get("awaits", {})
    for name in AWAITABLES if not workflow else OF_WORKFLOWS:
        if status == "failed" and not workflow:
            with pytest.raises(StreamError):
                await getattr(played.output, name)
        elif status == "incomplete":
            with pytest.raises(StreamIncomplete):
                await getattr(played.output, name)
        else:
            value = await getattr(played.output, name)
            assert repr(value) == repr(getattr(played.output, name).value)
            if name in got:
                assert repr(got[name]) == repr(value)
    if expect.get("outcome") == "resolve":
        for name in expect["names"]:
            assert not isinstance(got[name], Exception)
            assert got[name] in NOTHING or name == "usage"
    if "text_if_resolved" in played.expect:
        assert isinstance(got["text"], Exception) or got["text"] == played.expect["text_if_resolved"]
        assert got["full"].text == played.expect["text_if_resolved"]
    assert not isinstance(got["full"], Exception)
    assert got["full"].status == status


@cases
async def test_what_the_values_are(played: Played) -> None:
    expect, full = played.expect, played.output.partial
    plain = {"status": played.output.status, "run_id": played.output.run_id, "tripwire": played.output.tripwire}
    assert_fits(plain, {name: expect[name] for name in plain.keys() & expect.keys()}, "output")
    if played.output.kind != "workflow":
        values = {name: getattr(full, name) for name in ("text", "reasoning", "finish_reason", "usage", "object")}
        assert_fits(values, {name: expect[name] for name in values.keys() & expect.keys()}, "output")
        for name in ("tool_calls", "tool_results"):
            if name in expect:
                assert_fits([chunk.to_dict()["payload"] for chunk in getattr(full, name)], expect[name], name)
        assert all(words not in full.text for words in expect.get("text_not_contains", []))
    if "elements" in expect:
        assert played.awaited["element_stream"].result() == expect["elements"]


@cases
async def test_the_source_is_read_once_and_closed(played: Played) -> None:
    assert played.source.closed
    assert played.source.iterations == played.expect.get("source_iterations", 1)
    given = [item for item in played.items if not (isinstance(item, dict) and item.keys() & {"$raise", "$end"})]
    stream = played.awaited["full_stream"].result()
    again = [chunk async for chunk in played.output.full_stream]
    assert [chunk.to_dict() for chunk in stream] == [chunk.to_dict() for chunk in again]
    assert len(stream) == sum(isinstance(item, dict) for item in given)


@pytest.mark.parametrize("played", [case for case in load("chunks") if "await_calls" in case.values[0]["expect"]], indirect=True)
async def test_awaiting_again_gives_the_same(played: Played) -> None:
    for call in played.expect["await_calls"]:
        for _ in range(call["times"]):
            value = (
                (await played.output.get_full_output()).text
                if call["expr"].startswith("get_full_output")
                else await getattr(played.output, call["expr"])
            )
            assert_fits(value, call.get("value_subset", call.get("value")), call["expr"])


@pytest.mark.parametrize("case", [case for case in load("chunks") if "142" in str(case.id)])
async def test_awaiting_one_value_moves_the_run(case: dict[str, Any]) -> None:
    played = Played(case)
    assert played.source.iterations == 0
    for call in case["expect"]["await_calls"]:
        assert_fits(await getattr(played.output, call["expr"]), call["value_subset"], call["expr"])
    assert await played.output.text == case["expect"]["text"]
    assert played.source.iterations == 1


@pytest.mark.parametrize("played", [case for case in load("chunks") if "126" in str(case.id)], indirect=True)
async def test_results_keep_the_very_objects(played: Played) -> None:
    given = [item["payload"]["result"] for item in played.items if item["type"] == "tool-result"]
    got = [chunk.payload.result for chunk in await played.output.tool_results]
    assert opaque(given)
    assert list(map(id, opaque(given))) == list(map(id, opaque(got)))


def opaque(value: Any) -> list[Opaque]:
    """The objects in a value of which nothing is known."""
    if isinstance(value, (list, dict)):
        return [thing for item in (value.values() if isinstance(value, dict) else value) for thing in opaque(item)]
    return [value] if isinstance(value, Opaque) else []


# Partial JSON, as the text of an object and as the arguments of a call


def chunk(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": "r", "from": "AGENT", "payload": payload}


@pytest.mark.parametrize("case", load("partial-json"))
async def test_an_object_that_is_being_written(case: dict[str, Any]) -> None:
    expect = case["expect"]
    deltas = [chunk("text-delta", id="t", text=piece) for piece in pieces_of(case)]
    driver = Driver(
        Source([*deltas, chunk("finish", stepResult={"reason": "stop"}, output={})], lambda _: page.update()), schema={}
    )
    page, output = Page(driver), RunOutput(driver)
    seen = [partial async for partial in output.object_stream]
    for before, after in itertools.pairwise(seen):
        if isinstance(before, dict):
            assert before.keys() <= after.keys()
    page.update()
    if "final" in expect:
        assert await output.object == expect["final"]
        assert all(str(key) in told(page.drawing.tree(9.0)) for key in expect["final"] if isinstance(expect["final"], dict))
    assert output.status == "success"


@pytest.mark.parametrize("case", load("partial-json"))
async def test_arguments_that_are_being_written(case: dict[str, Any]) -> None:
    expect = case["expect"]
    call = {"toolCallId": "c", "toolName": "t"}
    deltas = [chunk("tool-call-delta", **call, argsTextDelta=piece) for piece in pieces_of(case)]
    ends = [chunk("tool-call-input-streaming-end", **call), chunk("finish", stepResult={"reason": "stop"}, output={})]
    source = Source([chunk("tool-call-input-streaming-start", **call), *deltas, *ends], lambda _: page.update())
    driver = Driver(source)
    page, output = Page(driver), RunOutput(driver)
    (made,) = await output.tool_calls
    if "final" in expect:
        assert made.payload.args == expect["final"]
    else:
        accepted = [repr(python_value(value)) for value in expect["final_any_of"]]  # NaN equals nothing
        assert repr(made.payload.args) in accepted or output.inspect()["chunks"]["notes"]
    page.update()
