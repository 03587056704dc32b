"""A client of Mastra servers, against a real server on this machine that sends what real ones have sent."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from typing import Any

import pytest

from runview.chunks.wire import is_note
from runview.errors import MastraError
from runview.sources.mastra import MastraClient
from runview.sources.opening import check_source, open_source
from tests.sources.http_fixtures import cut, read, recorded
from tests.sources.loopback import loopback, ok


@pytest.mark.parametrize(
    "name", ["agent_plain_rawchunked", "agent_tooler", "agent_thinker", "agent_failing", "agent_approval", "wf_two"]
)
async def test_recorded_answers_in_any_pieces(name: str):
    whole = recorded(name)
    async with loopback(whole) as server:
        expected = await read(MastraClient(server.url).agent("a").stream("hi"))
    assert len(expected) > 3
    assert not any(map(is_note, expected))
    for seed in range(4):
        async with loopback(*cut(whole, seed)) as server:
            assert await read(MastraClient(server.url).agent("a").stream("hi")) == expected


async def test_what_is_asked():
    async with loopback(recorded("agent_plain_rawchunked")) as server:
        client = MastraClient(server.url + "/", headers={"Authorization": "Bearer key", "Accept": "text/event-stream;q=1"})
        answer = client.agent("the weather/ü").stream(
            ["hello", {"role": "assistant", "content": "hi"}],
            run_id="r1",
            max_steps=3,
            memory={"thread_id": "as it is"},
            model=None,
        )
        check_source(answer)
        await asyncio.sleep(0.01)
        assert server.asked == []  # nothing is sent before somebody reads
        await read(answer)
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", "/api/agents/the%20weather%2F%C3%BC/stream")
    assert asked.body == {
        "messages": [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}],
        "runId": "r1",
        "maxSteps": 3,
        "memory": {"thread_id": "as it is"},
    }
    assert asked.headers["authorization"] == "Bearer key"
    assert asked.headers["accept"] == "text/event-stream;q=1"
    assert asked.headers["content-type"] == "application/json"


@pytest.mark.parametrize("messages", ["hi", ["hi"], {"role": "user", "content": "hi"}, ({"role": "user", "content": "hi"},)])
async def test_messages_may_be_told_in_short(messages: Any):
    async with loopback(ok(b"")) as server:
        assert await read(MastraClient(server.url).agent("a").stream(messages)) == []
    assert server.asked[0].body == {"messages": [{"role": "user", "content": "hi"}]}


@pytest.mark.parametrize("messages", [5, [5], [{"role": "user"}], [None]])
def test_what_is_no_message_is_refused_at_once(messages: Any):
    with pytest.raises(TypeError):
        MastraClient().agent("a").stream(messages)


def test_what_is_no_json_is_refused_at_once():
    agent = MastraClient().agent("a")
    with pytest.raises(TypeError, match="not JSON serializable"):
        agent.stream("hi", memory=object())
    with pytest.raises(ValueError, match="not JSON compliant"):
        agent.stream("hi", temperature=float("nan"))
    with pytest.raises(ValueError, match="begins with http:// or https://, not 'localhost:4111'"):
        MastraClient("localhost:4111")


async def test_half_a_surrogate_pair_can_be_sent():
    async with loopback(ok(b"")) as server:
        await read(MastraClient(server.url).agent("a").stream("\ud83d"))
    assert server.asked[0].body["messages"][0]["content"] == "\ud83d"


BODY = (
    b': hi\r\n\r\ndata: {"type":"start","payload":{}}\r\r'
    b'data: {"type":"text-delta",\r\ndata: "payload":{"id":"t","text":"\xc3\xb1"}}\n\n'
)
READ = [{"type": "start", "payload": {}}, {"type": "text-delta", "payload": {"id": "t", "text": "ñ"}}]


async def test_an_end_without_done_is_an_end():
    async with loopback(ok(BODY)) as server:
        assert await read(MastraClient(server.url).agent("a").stream("hi")) == READ


async def test_done_ends_the_answer_though_the_server_goes_on():
    forever = asyncio.Event()
    async with loopback(ok(BODY + b"data: [DONE]\n\n"), forever.wait) as server:
        answer = MastraClient(server.url).agent("a").stream("hi")
        assert await asyncio.wait_for(read(answer), 5) == READ
        forever.set()


async def test_a_malformed_frame_is_a_note():
    async with loopback(ok(b"data: nope\n\n" + BODY)) as server:
        note, *chunks = await read(MastraClient(server.url).agent("a").stream("hi"))
    assert note == {"type": "runview-note", "payload": {"message": "line 2 is not JSON (Expecting value at character 1): nope"}}
    assert chunks == READ


@pytest.mark.parametrize(
    ("name", "status", "told"),
    [
        ("agent_unknown", 404, "404 Not Found: Agent with id nope not found"),
        ("agent_bad_body", 400, "400 Bad Request: Invalid request body (messages: Invalid input)"),
        (
            "agent_stream_ui",
            500,
            "500 Internal Server Error: This endpoint is deprecated. Please use the @mastra/ai-sdk package",
        ),
        (
            "wf_two_conflict",
            409,
            '409 Conflict: Workflow run wfrun-1 already finished with status "success". Use /observe to read its stream back',
        ),
    ],
)
async def test_refusals_are_told_in_the_servers_words(name: str, status: int, told: str):
    async with loopback(recorded(name)) as server:
        with pytest.raises(MastraError) as caught:
            await read(MastraClient(server.url).agent("nope").stream("hi"))
    assert str(caught.value).startswith(f"POST {server.url}/api/agents/nope/stream was answered with {told}")
    assert caught.value.status == status


def refusal(status: str, body: bytes, kind: str = "application/json", more: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\n{more}connection: close\r\n\r\n".encode() + body


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (refusal("401 Unauthorized", b'{"error":{"message":"no\\n key"}}'), "401 Unauthorized: no key"),
        (refusal("500 Oh", b'{"message":"broken"}'), "500 Oh: broken"),
        (refusal("500 Oh", b'{"odd":[]}'), "500 Oh"),
        (refusal("502 Bad Gateway", b"<html>nginx</html>", "text/html"), "502 Bad Gateway"),
        (refusal("503 Busy", b"come \n back", "text/plain"), "503 Busy: come back"),
        (refusal("500 Oh", b"x" * 500_000, "text/plain"), "500 Oh: " + "x" * 300 + "…"),
        (refusal("301 Moved", b"", more="location: https://elsewhere/\r\n"), "301 Moved: https://elsewhere/"),
        (ok(b"<html>", "text/html; charset=utf-8"), "text/html, which is not a stream of chunks"),
        (ok(b"{}", "application/json"), "application/json, which is not a stream of chunks"),
    ],
)
async def test_other_answers_that_are_no_stream(answer: bytes, told: str):
    async with loopback(answer) as server:
        with pytest.raises(MastraError) as caught:
            await read(MastraClient(server.url).agent("a").stream("hi"))
    assert str(caught.value) == f"POST {server.url}/api/agents/a/stream was answered with {told}"


async def test_no_server():
    with socket.socket() as taken:  # bound, but not listening
        taken.bind(("127.0.0.1", 0))
        url = f"http://user:secret@127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(MastraError, match=r"^no server answers at http://127\.0\.0\.1:\d+: \S") as caught:
            await read(MastraClient(url).agent("a").stream("hi"))
    assert caught.value.status is None
    assert "secret" not in str(caught.value)


async def test_a_server_that_cannot_be_reached_in_time():
    # A listener whose queue is full does not answer, and this one takes nobody out of it.
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        port = deaf.getsockname()[1]
        callers = [socket.socket() for _ in range(4)]
        for caller in callers:
            caller.setblocking(False)
            caller.connect_ex(("127.0.0.1", port))
        with pytest.raises(MastraError, match=rf"^no server answered at http://127\.0\.0\.1:{port} within 0\.2 s$"):
            await read(MastraClient(f"http://127.0.0.1:{port}", timeout=0.2).agent("a").stream("hi"))
        for caller in callers:
            caller.close()


async def test_a_stream_may_pause_longer_than_the_timeout():
    async def pause() -> None:
        await asyncio.sleep(0.3)

    async with loopback(ok(BODY[:30]), pause, BODY[30:]) as server:
        assert await read(MastraClient(server.url, timeout=0.1).agent("a").stream("hi")) == READ


@pytest.mark.parametrize(("part", "kept"), [(20, 0), (50, 1), (80, 1)])
async def test_a_connection_that_is_cut(part: int, kept: int):
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    async with loopback(head + b"%x\r\n" % len(BODY) + BODY[:part]) as server:
        seen: list[Any] = []
        with pytest.raises(MastraError, match=rf"^the connection to {server.url} was cut off: \S"):
            await read_into(seen, MastraClient(server.url).agent("a").stream("hi"))
    assert seen == READ[:kept]


async def read_into(seen: list[Any], source: object) -> None:
    async with open_source(source) as items:
        async for item in items:
            seen.append(item)


async def test_an_answer_that_is_no_http():
    async with loopback(b"SSH-2.0-OpenSSH\r\n\r\n") as server:
        with pytest.raises(MastraError, match=rf"^the request to {server.url} failed: \S"):
            await read(MastraClient(server.url).agent("a").stream("hi"))


async def test_an_answer_is_async_iterable_awaitable_and_a_context_manager():
    async with loopback(ok(BODY)) as server:
        agent = MastraClient(server.url).agent("a")
        assert [chunk async for chunk in agent.stream("hi")] == READ
        assert [chunk async for chunk in await agent.stream("hi")] == READ
        async with agent.stream("hi") as answer:
            assert [chunk async for chunk in answer] == READ
        assert len(server.asked) == 3
        assert repr(answer) == f"<answer to POST {server.url}/api/agents/a/stream>"


async def test_an_agents_stream_is_a_source_as_a_function_too():
    async with loopback(ok(BODY)) as server, open_source(MastraClient(server.url).agent("a").stream, ("hi",)) as items:
        assert [item async for item in items] == READ


async def test_awaiting_shows_a_refusal_early():
    async with loopback(recorded("agent_unknown")) as server:
        with pytest.raises(MastraError, match="Agent with id nope not found"):
            await MastraClient(server.url).agent("nope").stream("hi")


async def test_an_answer_is_read_once():
    async with loopback(ok(BODY)) as server:
        answer = MastraClient(server.url).agent("a").stream("hi")
        assert [chunk async for chunk in answer] == READ
        with pytest.raises(MastraError, match="was read already; ask again to get another"):
            answer.__aiter__()
        assert len(server.asked) == 1
        async with MastraClient(server.url).agent("a").stream("hi") as closed:
            pass
        with pytest.raises(MastraError, match="was closed before it was read"):
            await anext(aiter(closed))


async def test_a_stop_closes_the_connection():
    gone = asyncio.Event()

    async def forever() -> None:
        await gone.wait()

    async with loopback(ok(BODY), forever) as server:
        seen: list[Any] = []
        task = asyncio.create_task(read_into(seen, MastraClient(server.url).agent("a").stream("hi")))
        while len(seen) < 2:
            await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        gone.set()
        while server.open_connections:
            await asyncio.sleep(0.005)


def test_httpx_is_imported_with_the_first_request():
    code = (
        "import sys; from runview.sources.mastra import MastraClient; MastraClient().agent('a').stream('hi'); "
        "print('httpx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "False"
