"""Every word of a view can be said in another language: what `labels=` does not replace comes from the stream."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import pytest

from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.run.reduce import finish, new_run, reduce
from runview.run.state import RunState
from tests.runs import chunk, event
from tests.unit.test_draw_run import NAMES, recorded


class EveryWord(Mapping[str, str]):
    """A language in which every word is the same."""

    def __getitem__(self, word: str) -> str:
        if word == "dir":
            raise KeyError(word)
        return "◆"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


NAMED = re.compile(r"view\.output[\w.\[\]]*|JSON|true|false|null|NaN|<[\w ]+>|\b[kMGT]B\b")
"""Names of Python and JSON and signs of units, which are the same in every language."""


def english(run: RunState, sent: str, *, density: Literal["compact", "full"] = "compact") -> set[str]:
    """The words of all forms of a drawing that neither the stream nor the labels brought."""
    look = Look(labels=EveryWord(), density=density)
    drawing = RunDrawing(run, look)
    found: set[str] = set()
    for tree in (drawing.tree(1e6), drawing.tree(1e6, saved=True), drawing.text(1e6)):
        told = [str(tree.attrs.get("say", ""))]
        for node in tree.walk():
            told += [kid for kid in node.opened().kids if isinstance(kid, str)]
            told += [str(node.attrs.get(name, "")) for name in ("aria-label", "alt")]
        for text in told:
            found |= {word for word in re.findall(r"[A-Za-z]{2,}", NAMED.sub(" ", text)) if word.lower() not in sent}
    return found


@pytest.mark.parametrize("name", NAMES)
def test_of_a_recorded_run_only_its_own_words_stay(name: str) -> None:
    chunks = recorded(name)
    sent = json.dumps(chunks, ensure_ascii=False).lower()
    half, whole = new_run(), new_run()
    for at, one in enumerate(chunks):
        reduce(whole, one, float(at))
        if at < len(chunks) // 2:
            reduce(half, one, float(at))
    finish(whole, float(len(chunks)))
    assert english(half, sent) == set()
    whole.notes.clear()  # what is said of a faulty stream is for whoever made it, as the messages of exceptions are
    assert english(whole, sent, density="full") == set()


@pytest.mark.parametrize(
    "value",
    [10**5000, b"\0" * 2_000, [{"password": "1"}], list(range(5_000)), "9" * 50_000, {"9": {"9": [{}] * 100}}, ["9" * 300] * 500],
    ids=["figure", "bytes", "hidden", "list", "text", "tree", "texts"],
)
def test_values_have_no_words_of_their_own(value: Any) -> None:
    run = new_run()
    for one in (
        chunk("tool-call", toolCallId="1", toolName="2", args={"3": value}),
        chunk("tool-result", toolCallId="1", result=value),
    ):
        reduce(run, one, 1.0)
    assert english(run, "password") == set()
    inside: list[Any] = []
    inside.append(inside)
    reduce(run, chunk("tool-call", toolCallId="4", toolName="5", args=inside), 2.0)
    finish(run, 3.0)
    assert english(run, "password") == set()


@pytest.mark.parametrize(
    "status", ["running", "success", "bailed", "failed", "suspended", "waiting", "skipped", "paused", "canceled", "incomplete"]
)
def test_the_states_of_a_step_are_said_in_the_same_language(status: str) -> None:
    run = new_run()
    reduce(run, event("workflow-step-start", id="1", stepName="1", payload={"1": 2}), 1.0)
    reduce(run, event("workflow-step-result", id="1", stepName="1", status=status, output={"1": 2}), 2.0)
    assert english(run, "") == set()
