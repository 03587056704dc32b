"""Networks of a server: how they are asked, and how one that waits for somebody goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from runview import MastraClient, stream_view
from tests.compare import differences
from tests.sources.loopback import loopback, ok

MASTRA = Path(__file__).parent.parent / "fixtures" / "mastra"
MEMORY = {"thread": "n3", "resource": "r"}


def events(*chunks: Any) -> bytes:
    return ok(b"".join(b"data: " + json.dumps(each).encode() + b"\n\n" for each in chunks) + b"data: [DONE]\n\n")


def network(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": "run-n", "from": "NETWORK", "payload": payload}


WAITS = (
    network("routing-agent-start", networkId="router", runId="n1", inputData={"task": "tidy up"}),
    network("tool-execution-start", args={"toolName": "delete_file", "args": {"path": "old.csv"}}, runId="n1"),
    network(
        "tool-execution-approval",
        toolCallId="c1",
        toolName="delete_file",
        args={"path": "old.csv"},
        runId="n1",
        selectionReason="it is old",
    ),
)
GOES_ON = (
    network("tool-execution-end", task="tidy up", toolName="delete_file", toolCallId="c1", result={"gone": True}, runId="n1"),
    network("network-execution-event-finish", task="tidy up", result="It is gone.", iteration=1),
)


async def test_a_network_is_asked_and_read() -> None:
    lines = [line for line in (MASTRA / "network_agent.jsonl").read_text("utf-8").split("\n") if line]
    async with loopback(events(*map(json.loads, lines))) as server:
        view = stream_view(MastraClient(server.url).agent("router").network("Do the task", memory=MEMORY, max_steps=4))
        await view
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", "/api/agents/router/network")
    assert asked.body == {"messages": [{"role": "user", "content": "Do the task"}], "memory": MEMORY, "maxSteps": 4}
    wanted = json.loads((MASTRA / "network_agent.expected.json").read_text("utf-8"))
    assert differences(view.output.inspect(), wanted) == []


async def test_the_call_of_a_network_is_allowed() -> None:
    paths = {"network": [events(*WAITS)], "approve-network-tool-call": [events(*GOES_ON)]}
    async with loopback(paths=paths) as server:
        view = stream_view(MastraClient(server.url).agent("router").network("tidy up", memory=MEMORY))
        assert (await view).status == "suspended"
        assert "Needs you: delete_file" in view._repr_mimebundle_()["text/plain"]
        view.approve()
        full = await view
    assert server.asked[1].path == "/api/agents/router/approve-network-tool-call"
    assert server.asked[1].body == {"runId": "run-n"}
    assert full.status == "success"
    assert "delete_file" in (seen := view._repr_mimebundle_()["text/plain"])
    assert "needs you" not in seen.lower()


async def test_the_call_of_a_network_is_refused_with_a_reason() -> None:
    paths = {"network": [events(*WAITS)], "decline-network-tool-call": [events(GOES_ON[-1])]}
    async with loopback(paths=paths) as server:
        view = stream_view(MastraClient(server.url).agent("router").network("tidy up", memory=MEMORY))
        await view
        view.deny(reason="keep it")
        assert (await view).status == "success"
    assert server.asked[1].path == "/api/agents/router/decline-network-tool-call"
    assert server.asked[1].body == {"runId": "run-n", "reason": "keep it"}
