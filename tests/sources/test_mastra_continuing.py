"""Runs of a server that wait for somebody, and go on in the same view and output."""

from __future__ import annotations

from typing import Any

import pytest

from runview import FullOutput, MastraClient, MastraError, StreamError, StreamView, stream_view
from tests.sources.http_fixtures import cut, recorded
from tests.sources.loopback import loopback, ok

APPROVER = {
    "stream": (recorded("agent_approval"),),
    "approve-tool-call": (recorded("agent_approval_approved"),),
    "decline-tool-call": (recorded("agent_approval_declined"),),
}
ASK = {"stream": (recorded("wf_ask"),), "resume-stream": (recorded("wf_ask_resume_stream"),)}
JOINED = {"inputTokens": 20, "outputTokens": 40, "totalTokens": 60}


async def suspended(view: StreamView) -> FullOutput:
    full = await view
    assert (full.status, full.finish_reason, view.status) == ("suspended", "suspended", "suspended")
    assert not view.output.is_done
    return full


@pytest.mark.parametrize("seed", [None, 1, 2])
async def test_an_approved_call(seed: int | None):
    pieces = {end: cut(whole, seed) if seed else (whole,) for end, (whole,) in APPROVER.items()}
    async with loopback(paths=pieces) as server:
        view = stream_view(MastraClient(server.url).agent("approver").stream("hi", run_id="run-approve-1"))
        before = await suspended(view)
        assert before.tool_results == []
        assert "Needs you: danger" in view._repr_mimebundle_()["text/plain"]
        assert view.output.suspend_payload.value["toolCallId"] == "c1"
        view.approve()
        assert view.status == "running"
        assert "was running" in view._repr_mimebundle_()["text/plain"]
        assert not view.output.text.done
        assert await view.output.text == "Done."
        full = await view
    assert [asked.path for asked in server.asked] == ["/api/agents/approver/stream", "/api/agents/approver/approve-tool-call"]
    assert server.asked[1].body == {"runId": "run-approve-1", "toolCallId": "c1"}
    assert (full.status, full.finish_reason) == ("success", "stop")
    assert [call.payload.args for call in full.tool_calls] == [{"v": 7}]
    assert [result.payload.result for result in full.tool_results] == [{"did": 7}]
    assert full.usage == JOINED
    assert [(step.text, step.finish_reason) for step in full.steps] == [("", "tool-calls"), ("Done.", "stop")]
    assert full.suspend_payload is None
    seen = view.output.inspect()
    assert seen["chunks"]["total"] == 12
    assert seen["chunks"].get("notes", []) == []
    assert before.tool_results == []  # what was handed out keeps its value
    assert len([chunk async for chunk in view.output]) == 12
    transcript = view._repr_mimebundle_()["text/plain"]
    assert "Done." in transcript
    assert "needs you" not in transcript.lower()


async def test_a_call_that_is_refused():
    async with loopback(paths={**APPROVER, "stream": (recorded("agent_approval2"),)}) as server:
        view = stream_view(MastraClient(server.url).agent("approver").stream("hi"))
        await suspended(view)
        view.deny("c1", "too dear")
        full = await view
    assert server.asked[1].path == "/api/agents/approver/decline-tool-call"
    assert server.asked[1].body == {"runId": "run-approve-2", "toolCallId": "c1", "reason": "too dear"}
    assert (full.status, full.text, full.usage) == ("success", "Done.", JOINED)
    assert full.tool_results == []
    assert view.output.inspect()["denied"][0]["reason"] == "Tool call was not approved by the user"


@pytest.mark.parametrize("opened", ["function", "coroutine", "observed"])
async def test_the_answer_may_be_found_inside_of_what_was_shown(opened: str):
    async with loopback(paths=APPROVER) as server:
        agent = MastraClient(server.url).agent("approver")

        async def ask() -> Any:
            return await agent.stream("hi")

        view = {
            "function": lambda: stream_view(agent.stream, "hi"),
            "coroutine": lambda: stream_view(ask()),
            "observed": lambda: stream_view(agent.observe("run-approve-1")),
        }[opened]()
        if opened == "observed":
            server.answer = APPROVER["stream"]
        await suspended(view)
        view.approve("c1")
        assert (await view).text == "Done."


async def test_a_workflow_gets_what_it_waits_for():
    async with loopback(paths=ASK) as server:
        view = stream_view(MastraClient(server.url).workflow("ask").create_run("wfrun-4").stream({"v": 1}))
        assert (await view).status == "suspended"
        assert (await view.output.result).status == "suspended"
        with pytest.raises(RuntimeError, match=r"No call waits to be allowed; .* is given by resume\(data\)\.$"):
            view.approve()
        view.resume({"add": 100}, "q")
        assert view.status == "running"
        result = await view.output.result
    assert server.asked[1].path == "/api/workflows/ask/resume-stream?runId=wfrun-4"
    assert server.asked[1].body == {"step": "q", "resumeData": {"add": 100}}
    assert (result.status, result.result) == ("success", {"v": 102})
    assert {id_: step.status for id_, step in result.steps.items()} == {"a": "success", "q": "success"}


async def test_a_suspended_call_gets_data():
    waits = b'data: {"type":"tool-call-suspended","runId":"r","from":"AGENT","payload":{"toolCallId":"c","toolName":"t",'
    waits += b'"args":{},"suspendPayload":{"why":1},"resumeSchema":"{}"}}\n\ndata: [DONE]\n\n'
    result = b'data: {"type":"tool-result","runId":"r","from":"AGENT","payload":{"toolCallId":"c","toolName":"t","result":2}}\n\n'
    result += b'data: {"type":"finish","runId":"r","from":"AGENT","payload":{"stepResult":{"reason":"stop"},"output":{}}}\n\n'
    async with loopback(paths={"stream": (ok(waits),), "resume-stream": (ok(result),)}) as server:
        view = stream_view(MastraClient(server.url).agent("a").stream("hi"))
        await suspended(view)
        with pytest.raises(RuntimeError, match=r"^The call 'c' waits for data, which is given by resume\(data\)\.$"):
            view.approve()
        view.resume({"because": True})
        assert [chunk.payload.result for chunk in await view.output.tool_results] == [2]
    assert server.asked[1].body == {"runId": "r", "resumeData": {"because": True}, "toolCallId": "c"}
    assert view.status == "success"


async def test_a_server_that_refuses_the_answer():
    async with loopback(recorded("agent_unknown"), paths={"stream": APPROVER["stream"]}) as server:
        view = stream_view(MastraClient(server.url).agent("approver").stream("hi"))
        await suspended(view)
        view.approve()
        with pytest.raises(StreamError, match="404 Not Found: Agent with id nope not found") as caught:
            await view.output.text
    assert isinstance(caught.value.cause, MastraError)
    assert [call.payload.tool_call_id for call in caught.value.partial.tool_calls] == ["c1"]
    assert view.status == "failed"


def test_a_run_in_a_script_goes_on():
    """Without a loop: each blocking call runs one, and between two of them nothing moves."""
    import asyncio
    import threading

    ready, over = threading.Event(), threading.Event()
    urls: list[str] = []

    def serve() -> None:
        async def main() -> None:
            async with loopback(paths=APPROVER) as server:
                urls.append(server.url)
                ready.set()
                await asyncio.to_thread(over.wait, 30)

        asyncio.run(main())

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        assert ready.wait(10)
        view = stream_view(MastraClient(urls[0]).agent("approver").stream("hi"))
        assert view.output.wait(10).status == "suspended"
        view.approve()
        assert view.output.text.result(10) == "Done."
        assert view.output.wait(10).usage == JOINED
    finally:
        over.set()
        thread.join()
