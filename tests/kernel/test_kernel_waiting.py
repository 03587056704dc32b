"""Waiting for a run in a real kernel: with `await` and without, while the run streams on the kernel's own loop."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.kernel

ALL = "".join(f"w{i} " for i in range(20))


def test_the_cell_returns_at_once_and_the_run_goes_on(kernel):
    first = kernel.ok("out = ModelOutput(words()); out.status")
    assert first.value == "'running'"
    assert kernel.ok("await out.text").value == repr(ALL)
    assert kernel.ok("out.text.done, out.text.value == await out.text").value == "(True, True)"


def test_wait_works_in_a_cell_while_the_run_streams_on_the_same_loop(kernel):
    kernel.ok("out = ModelOutput(words())")
    assert kernel.ok("out.wait().text").value == repr(ALL)
    assert kernel.ok("ModelOutput(words(3)).text.result()").value == "'w0 w1 w2 '"
    assert kernel.ok("out = ModelOutput(words(3)); await asyncio.sleep(0.01); out.wait().text").value == "'w0 w1 w2 '"
    assert kernel.ok("await asyncio.sleep(0.01); 'await still works'").value == "'await still works'"


def test_nothing_is_patched_until_a_blocking_call_asks_for_it(kernel):
    kernel.ok("out = ModelOutput(words(3))")
    kernel.ok("await out.text")
    assert kernel.ok("hasattr(asyncio, '_nest_patched')").value == "False"
    kernel.ok("out.wait()")
    assert kernel.ok("hasattr(asyncio, '_nest_patched')").value == "False"
    kernel.ok("ModelOutput(words(3)).wait()")
    assert kernel.ok("hasattr(asyncio, '_nest_asyncio2')").value == "True"


def test_cells_that_queue_up_while_one_waits_are_not_lost(kernel):
    ids = [
        kernel.send("out = ModelOutput(words())"),
        kernel.send("a = out.wait().text; a"),
        kernel.send("b = 'second'; b"),
        kernel.send("other = ModelOutput(words(3)); other.wait().text"),
        kernel.send("await out.text"),
    ]
    replies = kernel.collect(*ids)
    assert [reply.status for reply in replies] == ["ok"] * 5
    assert [reply.value for reply in replies] == [None, repr(ALL), "'second'", "'w0 w1 w2 '", repr(ALL)]


def test_messages_of_comms_sent_while_a_cell_waits_are_seen(kernel):
    kernel.ok(
        "from IPython import get_ipython\n"
        "seen = []\n"
        "def opened(comm, message):\n"
        "    comm.on_msg(lambda message: seen.append(message['content']['data']['n']))\n"
        "get_ipython().kernel.comm_manager.register_target('probe', opened)\n"
    )
    client = kernel.client
    client.shell_channel.send(client.session.msg("comm_open", {"comm_id": "c", "target_name": "probe", "data": {}}))
    kernel.ok("out = ModelOutput(words())")
    waits = kernel.send("out.wait().text")
    for n in range(5):
        client.shell_channel.send(client.session.msg("comm_msg", {"comm_id": "c", "data": {"n": n}}))
    after = kernel.send("seen")
    waited, seen = kernel.collect(waits, after)
    assert waited.value == repr(ALL)
    assert seen.status == "ok"
    assert kernel.ok("seen").value == "[0, 1, 2, 3, 4]"


def test_the_time_runs_out_and_the_run_goes_on(kernel):
    kernel.ok("out = ModelOutput(words())")
    assert kernel.run("out.wait(timeout=0.1)").ename == "TimeoutError"
    assert kernel.ok("out.status").value == "'running'"
    assert kernel.ok("await out.text").value == repr(ALL)


def test_from_a_thread_of_a_cell(kernel):
    kernel.ok("out = ModelOutput(words(5))")
    reply = kernel.ok("await asyncio.to_thread(lambda: out.text.result())")
    assert reply.value == "'w0 w1 w2 w3 w4 '"


def test_a_run_made_in_a_thread_starts_on_the_kernels_loop(kernel):
    kernel.ok(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "loops = []\n"
        "async def where():\n"
        "    loops.append(asyncio.get_running_loop())\n"
        "    async for chunk in words(3):\n"
        "        yield chunk\n"
        "out = ThreadPoolExecutor().submit(lambda: ModelOutput(where)).result()\n"
    )
    assert kernel.ok("await out.text").value == "'w0 w1 w2 '"
    assert kernel.ok("loops[0] is asyncio.get_running_loop()").value == "True"


def test_the_archived_nest_asyncio_is_told_apart(kernel):
    # What nest_asyncio.apply() leaves behind to be recognised by.
    kernel.ok("asyncio._nest_patched = True")
    kernel.ok("out = ModelOutput(words(5))")
    reply = kernel.run("out.wait()")
    assert reply.ename == "RuntimeError"
    assert "await" in reply.stderr
    assert kernel.ok("await out.text").value == "'w0 w1 w2 w3 w4 '"


def test_failures_raise_where_they_are_asked_for_and_nowhere_else(kernel):
    kernel.ok(
        "async def broken():\n"
        "    async for chunk in words(2):\n"
        "        if chunk['type'] == 'text-end':\n"
        "            raise ConnectionError('peer reset')\n"
        "        yield chunk\n"
        "out = ModelOutput(broken())\n"
    )
    kernel.ok("await asyncio.sleep(0.3); import gc; gc.collect()")
    assert kernel.ok("out.status").value == "'failed'"
    assert kernel.run("await out.text").ename == "StreamError"
    assert kernel.run("out.wait()").ename == "StreamError"
    assert kernel.ok("out.partial.text").value == "'w0 w1 '"
    kernel.ok("del out; gc.collect(); await asyncio.sleep(0.1)")


def test_the_output_as_the_last_line_of_a_cell(kernel):
    reply = kernel.ok("out = ModelOutput(words(3)); await out; out")
    assert "success" in reply.value
    assert "w0 w1 w2" in reply.value


def test_values_can_be_run_until_complete_where_the_notebook_has_nested_its_loop(kernel):
    kernel.ok("import nest_asyncio2; nest_asyncio2.apply()")
    kernel.ok("a, b = ModelOutput(words(5)), ModelOutput(words(3)); loop = asyncio.get_event_loop()")
    assert kernel.ok("loop.run_until_complete(a.text)").value == "'w0 w1 w2 w3 w4 '"
    assert kernel.ok("loop.run_until_complete(b.text)").value == "'w0 w1 w2 '"
    assert kernel.ok("ModelOutput(words(3)).wait().text").value == "'w0 w1 w2 '"


def test_two_waits_within_each_other(kernel):
    kernel.ok(
        "async def outer():\n"
        "    async for chunk in words(3):\n"
        "        if chunk['type'] == 'text-end':\n"
        "            chunk = {**chunk, 'payload': {'id': 't', 'inner': ModelOutput(words(2)).wait().text}}\n"
        "        yield chunk\n"
        "out = ModelOutput(outer)"
    )
    assert kernel.ok("out.wait().text").value == "'w0 w1 w2 '"
    assert kernel.ok("[chunk.payload.inner async for chunk in out if chunk.type == 'text-end']").value == "['w0 w1 ']"


def test_every_kind_of_source_with_and_without_await_and_nothing_patched_by_awaiting(kernel):
    kernel.ok(
        "def plain():\n"
        "    for word in ('Hello ', 'world'):\n"
        "        time.sleep(0.05)\n"
        "        yield word\n"
        "async def opening():\n"
        "    await asyncio.sleep(0.01)\n"
        "    return words(2)\n"
    )
    sources = {"words(2)": "'w0 w1 '", "plain()": "'Hello world'", "opening()": "'w0 w1 '"}
    for source, value in sources.items():
        assert kernel.ok(f"await ModelOutput({source}).text").value == value
    assert kernel.ok("hasattr(asyncio, '_nest_patched')").value == "False"
    for source, value in sources.items():
        assert kernel.ok(f"ModelOutput({source}).wait().text").value == value
    assert kernel.ok("[thread.name for thread in __import__('threading').enumerate() if 'runview' in thread.name]").value == "[]"
