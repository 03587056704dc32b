"""An agent on a Mastra server, shown by the one line that the README has."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = """
from runview import MastraClient, stream_view
from tests.sources.loopback import loopback
from tests.sources.http_fixtures import recorded

servers = []  # a server lives as long as its context

async def serving(name):
    servers.append(loopback(recorded(name)))
    server = await servers[-1].__aenter__()
    return MastraClient(server.url).agent("weather")
"""
SHOW = "display(stream_view(agent.stream('What is the weather?')))"


def test_an_agent_of_a_server_is_shown(notebook: Open) -> None:
    book = notebook(SETUP, "agent = await serving('agent_tooler')", SHOW)
    for index in range(3):
        book.run(index)
    text = book.await_seen(2, "Done", "2 steps", "tooler")
    assert "Running" not in text


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("agent = await serving('agent_unknown')", "404"),
        pytest.param("agent = await serving('agent_bad_body')", "Invalid request body", marks=pytest.mark.slow),
        ("agent = MastraClient('http://127.0.0.1:9').agent('weather')", "127.0.0.1:9"),
    ],
    ids=["unknown agent", "bad request", "no server"],
)
def test_a_server_that_refuses_is_told_in_the_view_and_nowhere_else(notebook: Open, agent: str, reason: str) -> None:
    book = notebook(SETUP, agent, SHOW, "1 + 1")
    for index in range(3):
        book.run(index)
    book.await_seen(2, "Failed", reason)
    book.run(3)
    assert book.await_seen(3, "2").strip().endswith("2")
    kinds = [output.output_type for cell in book.save().cells for output in cell.outputs]
    assert kinds == ["display_data", "execute_result"], "no error and no traceback in any cell"
