"""Every recorded run as the file keeps it: within its budget, and with every state and every word of the answer as bare text."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbconvert import HTMLExporter
from nbformat import v4

from runview.draw.html import saved_sheet, to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node
from runview.run.reduce import apply, finish, new_run
from runview.run.state import RunState, TextPart, ToolPart

FIXTURES = Path(__file__).parent.parent / "fixtures" / "mastra"
NAMES = sorted(str(path.relative_to(FIXTURES))[: -len(".jsonl")] for path in FIXTURES.rglob("*.jsonl"))

STATES = {
    "done": "done", "failed": "failed", "denied": "denied by", "cancelled": "cancelled", "stopped": "stopped",
    "no-result": "no result", "background": "in background", "needs-you": "needs you",
}  # fmt: skip
"""The word by which a row tells the state of its call, when all is over."""
STATUS = {
    "failed": "Failed", "canceled": "Stopped", "tripwire": "Blocked", "incomplete": "Ended early", "paused": "Paused",
    "suspended": "Needs you",
}  # fmt: skip
GOING = re.compile(r"\b(running|Running|writing…|Thinking|Waiting…|Stopping…)")
BLOCK = re.compile(r"</?(?!(?:a|b|bdi|br|code|del|em|i|span|strong|sub|sup)\b)[a-z0-9]+[^>]*>")


def recorded(name: str, upto: int | None = None) -> RunState:
    lines = [line for line in (FIXTURES / f"{name}.jsonl").read_text("utf-8").split("\n") if line]
    run = new_run()
    for at, line in enumerate(lines[:upto]):
        apply(run, json.loads(line), float(at))
    if upto is None:
        finish(run, 1e6)
    return run


def tree_of(run: RunState, **look: Any) -> Node:
    return RunDrawing(run, Look(**look)).tree(1e6, saved=True)


def bare(markup: str) -> str:
    """What is left when the tags go, as GitHub and a text browser have it."""
    without = re.sub(r"<style>.*?</style>", "", markup, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", BLOCK.sub(" ", without))).split())


def spoken(run: RunState) -> Iterator[str]:
    """The words of the answers in their order; what is Markdown's and no word of the reader's is left out.

    The JSON of an object is no answer: it is shown as the object.
    """
    for part in run.parts:
        if isinstance(part, TextPart) and not part.is_object:
            yield from re.findall(r"\w+", re.sub(r"\]\([^)]*\)|https?://\S+", " ", part.text))


def assert_in_order(words: Iterator[str], text: str) -> None:
    at = 0
    for word in words:
        found = text.find(word, at)
        assert found >= 0, f"{word!r} does not come after {text[max(0, at - 60) : at]!r}"
        at = found + len(word)


def assert_states(run: RunState, text: str) -> None:
    for part in run.parts:
        if isinstance(part, ToolPart):
            named = part.title or part.name or ""
            row = re.search(rf"{re.escape(' '.join(named.split())[:60])}.*?{STATES[part.state]}", text)
            assert row or part.role != "tool", f"{named} is not said to be {STATES[part.state]}"


def rows_and_fields(tree: Node) -> int:
    return sum(
        node.tag in ("summary", "tr", "li") or "rv-row" in str(node.attrs.get("class", "")).split() for node in tree.walk()
    )


@pytest.mark.parametrize("density", ["compact", "full"])
@pytest.mark.parametrize("name", NAMES)
def test_the_html_is_within_its_budget(name: str, density: Any) -> None:
    """18 kB, three times the text, and 450 B for each row and field."""
    tree = tree_of(recorded(name), density=density)
    text = len(tree.text().encode())
    assert len(to_html(tree).encode()) <= 18_000 + 3 * text + 450 * rows_and_fields(tree)
    assert len(saved_sheet()) <= 14_000


@pytest.mark.parametrize("name", NAMES)
def test_bare_words_tell_every_state_and_the_whole_answer(name: str) -> None:
    run = recorded(name)
    assert run.status != "running"
    text = bare(to_html(tree_of(run)))
    assert not GOING.search(text)
    assert text.split(" ", 1)[1].startswith(STATUS.get(run.status, "")), text[:60]
    assert_in_order(spoken(run), text)
    assert_in_order(spoken(run), " ".join(transcript(run, now=1e6).split()))
    assert_states(run, text)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_saved_at_any_moment_says_that_the_run_was_in_progress(name: str) -> None:
    count = sum(1 for line in (FIXTURES / f"{name}.jsonl").read_text("utf-8").split("\n") if line)
    for upto in {0, count // 3, count // 2, count - 1}:
        run = recorded(name, upto)
        if run.status != "running":
            continue
        text = bare(to_html(tree_of(run)))
        assert "Run in progress when this was saved" in text
        assert not re.search(r"(?<!was )\brunning\b|\bRunning\b|Thinking|Waiting…", text), text


def test_nbconvert_that_sanitises_keeps_states_and_answers() -> None:
    runs = [recorded(name) for name in NAMES]
    shown = [re.sub(r"<style>.*?</style>", "", to_html(tree_of(run)), flags=re.DOTALL) for run in runs]
    outputs = [v4.new_output("display_data", data={"text/html": one, "text/plain": "-"}) for one in shown]
    notebook = v4.new_notebook(cells=[v4.new_code_cell("run", outputs=[output]) for output in outputs])
    page, _ = HTMLExporter(sanitize_html=True).from_notebook_node(notebook)
    cells = page.split('data-mime-type="text/html"')[1:]
    assert len(cells) == len(runs)
    for run, cell in zip(runs, cells, strict=True):
        # The exporter writes the tags that it does not know as text; what is read here is what stands between them.
        text = " ".join(bare(html.unescape(cell.split('<div class="jp-Cell', 1)[0].partition(">")[2])).split())
        assert STATUS.get(run.status, "") in text
        assert_in_order(spoken(run), text)
        assert_states(run, text)
