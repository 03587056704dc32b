"""A real ipykernel, spoken to through jupyter_client as a front end does."""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass, field

import pytest
from jupyter_client.manager import start_new_kernel

SOURCE = """
import asyncio, time
from runview import ModelOutput

async def words(n=20, pause=0.05, text="w{} "):
    yield {"type": "text-start", "runId": "r", "from": "AGENT", "payload": {"id": "t"}}
    for i in range(n):
        yield {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": text.format(i)}}
        await asyncio.sleep(pause)
    yield {"type": "text-end", "runId": "r", "from": "AGENT", "payload": {"id": "t"}}
    yield {"type": "finish", "runId": "r", "from": "AGENT", "payload": {"stepResult": {"reason": "stop"}, "output": {}}}
"""


@dataclass
class Reply:
    """What came of one cell."""

    status: str = ""
    stdout: str = ""
    stderr: str = ""
    value: str | None = None
    ename: str | None = None
    messages: list[dict] = field(default_factory=list)


class Kernel:
    def __init__(self, manager, client) -> None:
        self.manager = manager
        self.client = client

    def send(self, code: str) -> str:
        """Queues a cell; gives the id of its message."""
        return self.client.execute(code)

    def collect(self, *ids: str, timeout: float = 30.0) -> list[Reply]:
        """The replies to these cells, once all are idle."""
        replies = {id_: Reply() for id_ in ids}
        idle: set[str] = set()
        deadline = time.monotonic() + timeout
        while idle != set(ids):
            try:
                message = self.client.get_iopub_msg(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"cells are lost: {[r for i, r in replies.items() if i not in idle]}") from None
            id_ = message["parent_header"].get("msg_id")
            if id_ not in replies:
                continue
            reply, kind, content = replies[id_], message["msg_type"], message["content"]
            reply.messages.append(message)
            if kind == "stream":
                setattr(reply, content["name"], getattr(reply, content["name"]) + content["text"])
            elif kind == "execute_result":
                reply.value = content["data"]["text/plain"]
            elif kind == "error":
                reply.ename = content["ename"]
                reply.stderr += "\n".join(content["traceback"])
            elif kind == "status" and content["execution_state"] == "idle":
                idle.add(id_)
        waited: set[str] = set()
        while waited != set(ids):
            message = self.client.get_shell_msg(timeout=max(0.01, deadline - time.monotonic()))
            id_ = message["parent_header"].get("msg_id")
            if id_ in replies:
                replies[id_].status = message["content"]["status"]
                waited.add(id_)
        return list(replies.values())

    def run(self, code: str, timeout: float = 30.0) -> Reply:
        return self.collect(self.send(code), timeout=timeout)[0]

    def ok(self, code: str, timeout: float = 30.0) -> Reply:
        """Runs a cell that must work and must not complain."""
        reply = self.run(code, timeout)
        assert reply.status == "ok", reply.stderr
        assert reply.stderr == ""
        return reply

    def interrupt(self) -> None:
        self.manager.interrupt_kernel()


@pytest.fixture
def kernel():
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        it = Kernel(manager, client)
        it.ok(SOURCE)
        yield it
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
