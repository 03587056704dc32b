"""What a page asks for, as a front end sends it: while the kernel is idle, while a cell awaits, waits for the run, or blocks.

Front ends send a page's messages to a subshell where the kernel has such; 6.x has none and handles them after the cell.
"""

from __future__ import annotations

import time

import ipykernel
import pytest

pytestmark = pytest.mark.kernel

SUBSHELLS = ipykernel.version_info[0] >= 7

ENDLESS = """
from runview import stream_view
view = stream_view(words(100_000), live=True)
display(view)
"""
ASKS = """
from runview import stream_view

class Asks:
    async def __aiter__(self):
        for kind in ("tool-call", "tool-call-approval"):
            yield {"type": kind, "runId": "r", "from": "AGENT", "payload": {"toolCallId": "c", "toolName": "dig", "args": {}}}

    def approve(self, run_id, call_id):
        return words(3, 0.02)

view = stream_view(Asks(), live=True)
display(view)
await view
await asyncio.sleep(0.3)
"""
STOP = "{'kind': 'stop'}"
ALLOW = "dict(kind='answer', approved=True, **[{'id': id, 'nonce': nonce} for id, nonce in view._page._answers.waits.items()][0])"
NOTE_THE_END = """
async def note_the_end():
    global ended
    while view.status in ("running", "suspended"):
        await asyncio.sleep(0.01)
    ended = time.time()

noting = asyncio.create_task(note_the_end())
"""


class Page:
    """What a front end sends for the page of `view`."""

    def __init__(self, kernel) -> None:
        self.kernel = kernel
        self.subshell = self._subshell() if SUBSHELLS else None

    def _subshell(self) -> str:
        client = self.kernel.client
        client.control_channel.send(client.session.msg("create_subshell_request"))
        while True:
            reply = client.control_channel.get_msg(timeout=20)
            if reply["msg_type"] == "create_subshell_reply":
                return str(reply["content"]["subshell_id"])

    def says(self, content: str) -> dict:
        """The message; `content` is Python, evaluated in the kernel."""
        comm, told = eval(self.kernel.ok(f"view._page.widget.comm.comm_id, {content}").value)
        message = self.kernel.client.session.msg("comm_msg", {"comm_id": comm, "data": {"method": "custom", "content": told}})
        if self.subshell is not None:
            message["header"]["subshell_id"] = self.subshell
        return message

    def send(self, message: dict) -> None:
        self.kernel.client.shell_channel.send(message)

    def say_while(self, cell: str, content: str) -> float:
        """Says it half a second after the cell has begun; gives the seconds from there to the end of the run."""
        message = self.says(content)
        self.kernel.ok(NOTE_THE_END)
        busy = self.kernel.send(f"begun = time.time()\n{cell}")
        time.sleep(0.5)
        self.send(message)
        self.kernel.collect(busy)
        self.kernel.ok("await asyncio.wait_for(noting, 5)")
        return float(self.kernel.ok("ended - begun").value)


def test_stop_in_an_idle_kernel(kernel):
    kernel.ok(ENDLESS)
    page = Page(kernel)
    page.send(page.says(STOP))
    assert kernel.ok("(await asyncio.wait_for(view.output.get_full_output(), 5)).status").value == "'canceled'"


@pytest.mark.parametrize("cell", ["await asyncio.sleep(2)", "time.sleep(2)", "view.output.wait(2)"])
def test_stop_while_a_cell_runs(kernel, cell):
    kernel.ok(ENDLESS)
    took = Page(kernel).say_while(cell if "wait(" not in cell else f"try: {cell}\nexcept TimeoutError: pass", STOP)
    if cell == "time.sleep(2)" or not SUBSHELLS:
        assert 1.9 < took < 6, "what holds the loop holds the run"
    else:
        assert took < 1.9
    assert kernel.ok("view.status").value == "'canceled'"


@pytest.mark.parametrize("cell", ["await asyncio.sleep(2)", "time.sleep(2)"])
def test_an_answer_while_a_cell_runs(kernel, cell):
    kernel.ok(ASKS)
    took = Page(kernel).say_while(cell, ALLOW)
    if cell == "time.sleep(2)" or not SUBSHELLS:
        assert 1.9 < took < 6
    else:
        assert took < 1.9
    assert kernel.ok("view.status, (await view).text").value == "('success', 'w0 w1 w2 ')"


def test_no_message_carries_bytes_apart(kernel) -> None:
    """Some hosts drop a message's buffers: pictures travel as text, in the output and on the comm."""
    cell = """
import base64, struct, zlib
from runview import stream_view

def piece(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

head = piece(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
made = bytes([137]) + b"PNG" + bytes([13, 10, 26, 10]) + head + piece(b"IDAT", zlib.compress(bytes(4))) + piece(b"IEND", b"")
png = base64.b64encode(made).decode()
shown = {"type": "file", "runId": "r", "from": "AGENT", "payload": {"base64": png, "data": png, "mimeType": "image/png"}}

async def pictures():
    yield shown
    async for chunk in words(5):
        yield chunk

view = stream_view(pictures(), live=True)
display(view)
await view
"""
    reply = kernel.run(cell)
    assert reply.status == "ok", reply.stderr
    kinds = {message["msg_type"] for message in reply.messages}
    assert {"display_data", "comm_open", "comm_msg"} <= kinds
    assert [message["msg_type"] for message in reply.messages if message["buffers"]] == []
    assert any("data:image/png;base64," in str(message["content"]) for message in reply.messages)
