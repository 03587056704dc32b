"""Everything that can be asked of a Mastra server: what is sent, and what a real one has answered."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

from runview import MastraClient, MastraError, ModelOutput, WorkflowOutput
from runview.chunks.wire import is_note
from tests.sources.http_fixtures import client_answer, cut, read, recorded
from tests.sources.loopback import loopback, ok

HI = {"messages": [{"role": "user", "content": "hi"}]}
Ask = Callable[[MastraClient], Any]

RECORDED: list[tuple[str, Ask, str, Any]] = [
    ("agent_filer", lambda c: c.agent("filer").stream("hi"), "/api/agents/filer/stream", HI),
    ("agent_dead", lambda c: c.agent("dead").stream("hi"), "/api/agents/dead/stream", HI),
    (
        "agent_bg_until_idle",
        lambda c: c.agent("bg").stream_until_idle("hi", memory={"thread": "h1", "resource": "r1"}),
        "/api/agents/bg/stream-until-idle",
        {**HI, "memory": {"thread": "h1", "resource": "r1"}},
    ),
    (
        "agent_bg_stream_untilidle_option",
        lambda c: c.agent("bg").stream("hi", memory={"thread": "h2", "resource": "r1"}, until_idle=True),
        "/api/agents/bg/stream",
        {**HI, "memory": {"thread": "h2", "resource": "r1"}, "untilIdle": True},
    ),
    (
        "agent_approval_approved",
        lambda c: c.agent("approver").approve_tool_call("run-approve-1", "c1"),
        "/api/agents/approver/approve-tool-call",
        {"runId": "run-approve-1", "toolCallId": "c1"},
    ),
    (
        "agent_approval_declined",
        lambda c: c.agent("approver").decline_tool_call("run-approve-2", "c1"),
        "/api/agents/approver/decline-tool-call",
        {"runId": "run-approve-2", "toolCallId": "c1"},
    ),
    (
        "durable_stream",
        lambda c: c.agent("durable").stream("hi", run_id="dur-1"),
        "/api/agents/durable/stream",
        {**HI, "runId": "dur-1"},
    ),
    ("durable_observe_after", lambda c: c.agent("durable").observe("dur-1"), "/api/agents/durable/observe", {"runId": "dur-1"}),
    ("durable_observe_live", lambda c: c.agent("durable").observe("dur-2"), "/api/agents/durable/observe", {"runId": "dur-2"}),
    (
        "wf_two",
        lambda c: c.workflow("two").create_run("wfrun-1").stream({"v": 1}),
        "/api/workflows/two/stream?runId=wfrun-1",
        {"inputData": {"v": 1}},
    ),
    (
        "wf_boom",
        lambda c: c.workflow("boom").create_run("wfrun-2").stream(input_data={"v": 1}),
        "/api/workflows/boom/stream?runId=wfrun-2",
        {"inputData": {"v": 1}},
    ),
    (
        "wf_bad_input",
        lambda c: c.workflow("two").create_run("wfrun-3").stream({"v": "x"}),
        "/api/workflows/two/stream?runId=wfrun-3",
        {"inputData": {"v": "x"}},
    ),
    (
        "wf_ask_resume_stream",
        lambda c: c.workflow("ask").create_run("wfrun-4").resume_stream("q", {"add": 100}),
        "/api/workflows/ask/resume-stream?runId=wfrun-4",
        {"step": "q", "resumeData": {"add": 100}},
    ),
    (
        "wf_slow_observe",
        lambda c: c.workflow("slowwf").create_run("wfrun-5").observe(),
        "/api/workflows/slowwf/observe?runId=wfrun-5",
        {},
    ),
    (
        "wf_two_observe_offset_query",
        lambda c: c.workflow("two").create_run("wfrun-1").observe(offset=3),
        "/api/workflows/two/observe?runId=wfrun-1&offset=3",
        {},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "ask", "path", "body"), RECORDED, ids=[each[0] for each in RECORDED])
async def test_recorded_calls(name: str, ask: Ask, path: str, body: Any):
    whole = recorded(name)
    async with loopback(whole) as server:
        expected = await read(ask(MastraClient(server.url)))
    (asked,) = server.asked
    assert (asked.method, asked.path, asked.body) == ("POST", path, body)
    assert len(expected) >= 2
    assert not any(map(is_note, expected))
    for seed in range(3):
        async with loopback(*cut(whole, seed)) as server:
            assert await read(ask(MastraClient(server.url))) == expected


VOLATILE = {"runId", "messageId", "startedAt", "endedAt", "createdAt", "timestamp", "stack", "id"}


def steady(value: Any) -> Any:
    """A value without what is another one in each run."""
    if isinstance(value, list):
        return [steady(item) for item in value]
    if isinstance(value, dict):
        return {name: steady(item) for name, item in value.items() if name not in VOLATILE}
    return value


@pytest.mark.parametrize("name", ["failing", "tooler"])
async def test_chunks_are_those_of_mastras_own_client(name: str):
    async with loopback(recorded(f"agent_{name}")) as server:
        chunks = await read(MastraClient(server.url).agent(name).stream("hi"))
    assert steady(chunks) == steady(client_answer(name)["chunks"])


async def test_a_refusal_says_what_mastras_own_client_says():
    threw = client_answer("unknown")["threw"]
    async with loopback(recorded("agent_unknown")) as server:
        with pytest.raises(MastraError) as caught:
            await read(MastraClient(server.url).agent("nope").stream("hi"))
    assert caught.value.status == threw["status"]
    assert str(caught.value).endswith(threw["body"]["error"])


# Observing


async def test_an_observed_agent_gives_the_chunks_of_its_stream():
    async with loopback(recorded("durable_stream")) as server:
        streamed = await read(MastraClient(server.url).agent("durable").stream("hi"))
    async with loopback(recorded("durable_observe_after")) as server:
        observed = await read(MastraClient(server.url).agent("durable").observe("dur-1"))
    assert steady(observed) == steady(streamed)
    async with loopback(recorded("durable_observe_live")) as server:
        output = ModelOutput(MastraClient(server.url).agent("durable").observe("dur-2", offset=0))
        assert await output.text == "".join(f"d{n} " for n in range(12))
    assert output.status == "success"
    assert (await output.usage)["totalTokens"] == 30
    assert server.asked[0].body == {"runId": "dur-2", "offset": 0}


def frames(*events: Any) -> bytes:
    return ok(b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events))


async def test_what_an_envelope_may_hold():
    bare = {"type": "data-x", "data": {"type": "inside"}}
    delta = {"type": "text-delta", "payload": {"id": "t", "text": "a"}}
    asks = {"type": "approval", "toolCallId": "c", "toolName": "t", "args": {}}
    waits = {**asks, "type": "suspension", "suspendPayload": 1}
    answer = frames(
        bare,
        delta,
        {"type": "chunk", "data": delta, "index": 4},
        {"type": "chunk", "data": delta, "index": 4, "deliveryAttempt": 2},
        {"type": "chunk", "data": delta, "index": 5},
        {"type": "error", "data": {"error": {"message": "no"}}, "index": 6},
        {"type": "suspended", "runId": "r", "data": asks, "index": 7},
        {"type": "suspended", "runId": "r", "data": waits, "index": 8},
        {"type": "odd"},
    )
    async with loopback(answer) as server:
        assert await read(MastraClient(server.url).agent("a").observe("r")) == [
            bare,
            delta,
            delta,
            delta,
            {"type": "error", "payload": {"error": {"message": "no"}}},
            {"type": "tool-call-approval", "runId": "r", "payload": asks},
            {"type": "tool-call-suspended", "runId": "r", "payload": waits},
            {"type": "odd"},
        ]


async def test_who_joins_a_workflow_in_progress_gets_its_past_once():
    async with loopback(recorded("wf_slow")) as server:
        streamed = await read(MastraClient(server.url).workflow("slowwf").create_run("wfrun-5").stream({"v": 1}))
    async with loopback(recorded("wf_slow_observe")) as server:  # 14 records, the first four of them twice
        observed = await read(MastraClient(server.url).workflow("slowwf").create_run("wfrun-5").observe())
    assert len(streamed) == 10
    assert observed == streamed


async def test_a_run_that_was_resumed_is_no_repetition():
    whole = recorded("wf_ask").split(b"\r\n\r\n", 1)[1] + recorded("wf_ask_resume_stream").split(b"\r\n\r\n", 1)[1]
    async with loopback(ok(whole, "text/plain")) as server:
        chunks = await read(MastraClient(server.url).workflow("ask").create_run("wfrun-4").observe())
    assert Counter(chunk["type"] for chunk in chunks)["workflow-start"] == 2
    assert len(chunks) == whole.count(b"\x1e")


# Structured output


class Weather(pydantic.BaseModel):
    city: str
    celsius: int = pydantic.Field(alias="temperature")


OBJECT = [
    {"type": "start", "runId": "r", "from": "AGENT", "payload": {"id": "a"}},
    {"type": "object-result", "runId": "r", "from": "AGENT", "object": {"city": "Bath", "temperature": 7}},
    {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {"usage": {}}}},
]


async def test_a_schema_is_sent_and_checks_the_object():
    async with loopback(frames(*OBJECT)) as server:
        agent = MastraClient(server.url).agent("a")
        output = ModelOutput(agent.stream("hi", schema=Weather, structured_output={"errorStrategy": "warn"}))
        assert await output.object == Weather(city="Bath", temperature=7)
        body = server.asked[0].body
        assert body["structuredOutput"] == {"schema": Weather.model_json_schema(), "errorStrategy": "warn"}
        assert "schema" not in body
        # What the output itself is told counts more.
        assert await ModelOutput(agent.stream("hi", schema=Weather), schema=dict[str, Any]).object == OBJECT[1]["object"]


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({"type": "string"}, {"type": "string"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (pydantic.TypeAdapter(bool), {"type": "boolean"}),
    ],
)
async def test_schemas_may_be_told_in_many_ways(schema: Any, sent: Any):
    async with loopback(ok(b"")) as server:
        await read(MastraClient(server.url).agent("a").stream_until_idle("hi", schema=schema))
    assert server.asked[0].body["structuredOutput"] == {"schema": sent}


def test_what_is_no_schema_is_refused_at_once():
    with pytest.raises(TypeError, match="schema should be a pydantic model, a type that pydantic can check, or a JSON Schema"):
        MastraClient().agent("a").stream("hi", schema=3)


# Other places of the server


async def test_what_else_agents_and_workflows_are_asked():
    async with loopback(ok(b"")) as server:
        client = MastraClient(server.url)
        agent, run = client.agent("a"), client.workflow("w/1").create_run()
        await read(agent.decline_tool_call("r", "c", reason="too dear"))
        await read(agent.resume_stream({"add": 1}, run_id="r", tool_call_id="c", max_steps=2))
        await read(run.stream(Weather(city="Bath", temperature=7), per_step=True))
        await read(run.resume_stream(("outer", "inner"), None))
        await read(run.resume_stream(resume_data=1))
        await read(client.background_tasks(agent_id="a b", task_id="t"))
        await read(client.background_tasks())
    assert [(asked.method, asked.path, asked.body) for asked in server.asked] == [
        ("POST", "/api/agents/a/decline-tool-call", {"runId": "r", "toolCallId": "c", "reason": "too dear"}),
        ("POST", "/api/agents/a/resume-stream", {"runId": "r", "resumeData": {"add": 1}, "toolCallId": "c", "maxSteps": 2}),
        (
            "POST",
            f"/api/workflows/w%2F1/stream?runId={run.run_id}",
            {"inputData": {"city": "Bath", "temperature": 7}, "perStep": True},
        ),
        (
            "POST",
            f"/api/workflows/w%2F1/resume-stream?runId={run.run_id}",
            {"step": ["outer", "inner"], "resumeData": None},
        ),
        ("POST", f"/api/workflows/w%2F1/resume-stream?runId={run.run_id}", {"resumeData": 1}),
        ("GET", "/api/background-tasks/stream?agentId=a%20b&taskId=t", None),
        ("GET", "/api/background-tasks/stream", None),
    ]
    assert len(run.run_id) == 36
    assert repr(run) == f"<run {run.run_id} of <workflow w/1>>"


async def test_background_tasks_are_a_source():
    task = {"taskId": "t", "toolName": "dig", "toolCallId": "c", "runId": "r", "agentId": "a"}
    events = [
        {"type": "background-task-running", "payload": {**task, "args": {}}},
        {"type": "background-task-completed", "payload": {**task, "result": 7}},
    ]
    body = b": connected\n\n" + frames(*events).partition(b"\r\n\r\n")[2]
    async with loopback(ok(body)) as server:
        assert await read(MastraClient(server.url).background_tasks()) == events


async def test_a_workflow_is_a_source():
    async with loopback(recorded("wf_two")) as server:
        output = WorkflowOutput(MastraClient(server.url).workflow("two").create_run("wfrun-1").stream, {"v": 1})
        result = await output.result
    assert (result.status, result.result) == ("success", {"v": 20})
    async with loopback(recorded("wf_bad_input")) as server:
        output = WorkflowOutput(MastraClient(server.url).workflow("two").create_run("wfrun-3").stream({"v": "x"}))
        assert (await output.get_full_output()).status == "failed"


async def test_lists():
    told = {"weather": {"name": "Weather", "tools": {}}}
    answer = ok(json.dumps(told).encode(), "application/json")
    async with loopback(answer) as server:
        client = MastraClient(server.url, headers={"x-key": "k"})
        agents = client.agents()
        assert server.asked == []
        assert repr(agents) == f"<listing of {server.url}/api/agents: await it, or call .result()>"
        assert await agents == told
        assert await client.workflows() == told
    assert [(asked.method, asked.path, asked.body) for asked in server.asked] == [
        ("GET", "/api/agents", None),
        ("GET", "/api/workflows", None),
    ]
    assert server.asked[0].headers["x-key"] == "k"
    assert "content-type" not in server.asked[0].headers


async def test_a_list_without_await():
    async with loopback(ok(b'{"a":{}}', "application/json")) as server:
        client = MastraClient(server.url)
        assert await asyncio.to_thread(client.agents().result) == {"a": {}}
    async with loopback(recorded("agent_unknown")) as server:
        with pytest.raises(MastraError, match="404 Not Found"):
            await asyncio.to_thread(MastraClient(server.url).agents().result)


@pytest.mark.parametrize("body", [b"[]", b"<html>", b""])
async def test_a_list_that_is_none(body: bytes):
    async with loopback(ok(body, "application/json")) as server:
        with pytest.raises(MastraError, match=r"/api/agents was answered with something else than a JSON object$"):
            await MastraClient(server.url).agents()


async def test_a_list_of_a_server_that_is_not_there():
    with pytest.raises(MastraError, match=r"no server answers at http://127\.0\.0\.1:1: "):
        await MastraClient("http://127.0.0.1:1", retries=0).agents()


# Requests that are sent again


def busy(status: str, more: str = "") -> bytes:
    return (
        f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{more}connection: close\r\n\r\n".encode() + b'{"error":"later"}'
    )


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("runview.sources.request._PAUSE", 0.01)


@pytest.mark.parametrize("status", ["503 Busy", "429 Too Many Requests"])
async def test_a_busy_server_is_asked_again(status: str):
    async with loopback(busy(status)) as server:

        async def recover() -> None:
            if len(server.asked) == 2:
                server.answer = (ok(b'data: {"type":"start","payload":{}}\n\n'),)

        server.answer = (recover, busy(status))
        assert len(await read(MastraClient(server.url).agent("a").stream("hi"))) == 1
    assert len(server.asked) == 3


async def test_retries_are_bounded():
    async with loopback(busy("503 Busy")) as server:
        for retries, asked in ((0, 1), (1, 3), (2, 6)):
            with pytest.raises(MastraError, match="503 Busy: later"):
                await read(MastraClient(server.url, retries=retries).agent("a").stream("hi"))
            assert len(server.asked) == asked


async def test_a_server_that_asks_for_a_long_pause_is_left_alone():
    async with loopback(busy("503 Busy", "retry-after: 3600\r\n")) as server:
        with pytest.raises(MastraError, match="503 Busy: later"):
            await read(MastraClient(server.url).agent("a").stream("hi"))
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "answer", [busy("500 Oh"), busy("502 Bad Gateway"), b"", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"]
)
async def test_nothing_is_sent_twice_that_may_have_done_something(answer: bytes):
    async with loopback(answer) as server:
        with pytest.raises(MastraError):
            await read(MastraClient(server.url).agent("a").stream("hi"))
    assert len(server.asked) == 1


async def test_every_issue_is_named():
    issues = [
        {"field": "messages", "message": "Invalid input"},
        {"field": "", "message": "odd"},
        {"field": "maxSteps", "message": "NaN"},
        3,
    ]
    body = json.dumps({"error": "Invalid request body", "issues": issues}).encode()
    async with loopback(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n" + body) as server:
        with pytest.raises(MastraError, match=r"Invalid request body \(messages: Invalid input; odd; maxSteps: NaN\)$") as caught:
            await read(MastraClient(server.url).agent("a").stream("hi"))
    assert caught.value.status == 400
    async with loopback(recorded("wf_two_no_runid")) as server:
        with pytest.raises(MastraError, match=r"Invalid query parameters \(runId: Invalid input: expected string"):
            await read(MastraClient(server.url).workflow("two").create_run().stream())
