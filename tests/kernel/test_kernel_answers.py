"""Answering a run that waits, in a real kernel: from a later cell, with `await` and without, and from another thread."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.kernel

ASKS = """
from runview import runs, stream_view

class Asks:
    async def __aiter__(self):
        yield {"type": "start", "runId": "r", "from": "AGENT", "payload": {"id": "digger"}}
        yield {"type": "tool-call-approval", "runId": "r", "from": "AGENT", "payload": {"toolCallId": "c", "toolName": "dig"}}

    def approve(self, run_id, call_id):
        return words(5, 0.02)

view = stream_view(Asks())
display(view)
"""


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        ("view.approve()", "await view.output.text"),
        ("view.approve('c')", "view.output.text.result()"),
        ("await asyncio.to_thread(view.approve)", "(await view).text"),
    ],
)
def test_a_run_is_answered_from_a_later_cell(kernel, answer, wait):
    kernel.ok(ASKS)
    assert kernel.ok("(await view).status, len(runs())").value == "('suspended', 1)"
    assert kernel.ok(f"{answer}; view.output.text.done").value == "False"
    told = kernel.ok(wait)
    assert told.value == "'w0 w1 w2 w3 w4 '"
    # The end is drawn with the next flush, which on a busy machine takes its time.
    assert kernel.ok("while runs():\n    await asyncio.sleep(0.02)\nview.status").value == "'success'"
    # Whoever waits in a cell has the final form published from it: executors with no front end take it from there only.
    updates = [message for message in told.messages if message["msg_type"] == "update_display_data"]
    assert "w0 w1 w2 w3 w4" in updates[-1]["content"]["data"]["text/plain"]


def test_an_answer_and_the_wait_for_it_in_one_cell(kernel):
    kernel.ok(ASKS)
    kernel.ok("view.output.wait()")
    assert kernel.ok("view.approve(); view.output.wait().text").value == "'w0 w1 w2 w3 w4 '"


def test_a_run_that_waits_can_be_stopped(kernel):
    kernel.ok(ASKS)
    kernel.ok("await view")
    assert kernel.ok("view.stop(); view.status").value == "'canceled'"
    refused = kernel.run("view.approve()")
    assert (refused.status, refused.ename) == ("error", "RuntimeError")
    assert "this one is canceled" in refused.stderr
