"""One line with people's own SDK code, in a real JupyterLab: seen while it streams, stopped by its button, kept in the file."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.browser.lab import Notebook

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


class Family(NamedTuple):
    """How one SDK is used."""

    prepare: str
    """Makes `client` with `{url}`."""
    body: str
    """What the server says."""
    line: str
    """The one line that a reader has to write."""
    words: tuple[str, ...]


FAMILIES = {
    "openai": Family(
        "import openai; client = openai.AsyncOpenAI(base_url=url + '/v1', api_key='x')",
        "body(events('openai_chat_tools_async'))",
        "client.chat.completions.create(model='m', messages=[], stream=True)",
        ("Let me look.", "weather", "Paris", "Rome"),
    ),
    "openai-responses": Family(
        "import openai; client = openai.OpenAI(base_url=url + '/v1', api_key='x')",
        "body(events('openai_responses_full_sync'))",
        "client.responses.create(model='m', input='hi', stream=True)",
        ("Sunny today", "Thought", "web_search", "Paris", "Example"),
    ),
    "openai-agents": Family(
        "import agents, openai; agents.set_tracing_disabled(True)\n"
        "model = agents.OpenAIResponsesModel(model='m', openai_client=openai.AsyncOpenAI(base_url=url + '/v1', api_key='x'))\n"
        "agent = agents.Agent(name='forecaster', model=model)",
        "body([event['data'] for event in events('agents_object') if event['type'] == 'raw_response_event'])",
        "agents.Runner.run_streamed(agent, 'hi')",
        ("forecaster", "Bob"),
    ),
    "anthropic": Family(
        "import anthropic; client = anthropic.Anthropic(base_url=url, api_key='x')",
        "body(events('anthropic_helper_think_tools'))",
        "client.messages.stream(model='m', max_tokens=9, messages=[{'role': 'user', 'content': 'hi'}])",
        ("I will check.", "Thought", "weather", "now"),
    ),
    "google-genai": Family(
        "from google import genai; client = genai.Client(api_key='x', http_options={'base_url': url})",
        "body([camel({'candidates': event['candidates'], 'usage_metadata': event['usage_metadata']})"
        " for event in events('google_tools')])[:-1]",
        "client.models.generate_content_stream(model='m', contents='hi')",
        ("Checking.", "Thought", "weather", "Paris"),
    ),
}


def test_one_line_shows_each(notebook: Callable[..., Notebook]) -> None:
    cells = ["from tests.packages.replaying import *\nfrom runview import stream_view"]
    for family in FAMILIES.values():
        cells += [
            f"manager = replaying({family.body}, gated=True); server = manager.__enter__(); url = server.url\n{family.prepare}",
            f"view = stream_view({family.line})\nview",
            "server.gate.set()",
        ]
    book = notebook(*cells)
    book.run(0)
    for at, family in enumerate(FAMILIES.values()):
        prepare, show, release = (at * 3 + offset for offset in (1, 2, 3))
        book.run(prepare)
        begun = time.monotonic()
        book.run(show)
        assert time.monotonic() - begun < 5
        book.await_seen(show, "Running", "Stop")
        book.run(release)
        text = book.await_seen(show, "Done", *family.words)
        assert "Running" not in text
        saved = outputs(book, show)
        assert all(word in saved for word in family.words)


def outputs(book: Notebook, index: int) -> str:
    """What the file has of a cell's output, when it has what the page shows."""
    deadline = time.monotonic() + 10
    while True:
        cell: Any = book.save().cells[index]
        kept = str(cell.outputs)
        if "Done" in kept or "Stopped" in kept or time.monotonic() > deadline:
            return kept
        time.sleep(0.2)


def test_stop_ends_both_of_two_that_hang_and_nothing_of_them_stays(notebook: Callable[..., Notebook]) -> None:
    said = "body(events('anthropic_create_error_mid'), hangs=True)"
    book = notebook(
        "from tests.packages.replaying import *\nfrom runview import stream_view\nimport anthropic, asyncio, threading\n"
        f"server = replaying({said}, {said}); url = server.__enter__().url\n"
        "asked = dict(model='m', max_tokens=9, messages=[{'role': 'user', 'content': 'hi'}], stream=True)\n"
        "one, two = anthropic.Anthropic(base_url=url, api_key='x'), anthropic.AsyncAnthropic(base_url=url, api_key='x')",
        "first = stream_view(one.messages.create(**asked))\nfirst",
        "second = stream_view(two.messages.create(**asked))\nsecond",
        "print([each.name for each in threading.enumerate() if each.name.startswith('runview')],"
        " [task.get_name() for task in asyncio.all_tasks() if task.get_name() == 'runview'])",
    )
    for index in range(3):
        book.run(index)
    for index in (1, 2):
        book.await_seen(index, "Running", "par")
        book.shadow(index).get_by_role("button", name="Stop").first.click()
        assert "par" in book.await_seen(index, "Stopped")
    time.sleep(0.5)
    book.run(3)
    book.await_seen(3, "[] []")


def test_allow_once_lets_an_agent_go_on(notebook: Callable[..., Notebook]) -> None:
    book = notebook(
        "from tests.packages.replaying import *\nfrom tests.packages.test_openai_agents import agent, delete, turns\n"
        "from runview import stream_view\n"
        "server = replaying(*turns('agents_approval')[:1], turns('agents_tools')[1]); url = server.__enter__().url",
        "stream_view(agent(url, tools=[delete]), 'hi')",
    )
    book.run(0)
    book.run(1)
    book.await_seen(1, "Needs you", "delete")
    book.shadow(1).get_by_role("button", name="Allow once").click()
    text = book.await_seen(1, "Done", "x gone", "Sunny in Paris.")
    assert "needs you" not in text
    assert "Sunny in Paris." in outputs(book, 1)
