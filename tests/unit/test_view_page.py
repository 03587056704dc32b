"""What pages are told, what they may ask, and that the end is told until a page has confirmed it."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from runview.draw.html import to_html
from runview.draw.run import RunDrawing
from runview.draw.text_form import written
from runview.run.log import ChunkLog
from runview.run.reduce import finish, new_run, reduce
from runview.run.resting import answered, waiting_calls
from runview.run.state import ToolPart
from runview.view import ending, page
from runview.view.ending import Ending
from runview.view.inspector import Inspector
from runview.view.page import ANSWERS, Page
from runview.view.widget import Widget, _route_as_asked


async def test_the_end_is_told_again_until_it_is_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ending.REPEATS[0] <= 1
    assert len(ending.REPEATS) >= 3
    assert ending.REPEATS[-1] < ending.GIVE_UP
    monkeypatch.setattr(ending, "REPEATS", (0.01, 0.02, 0.2))
    told: list[str] = []
    end = Ending(asyncio.get_running_loop(), lambda: told.append("again"), lambda: told.append("close"))
    await asyncio.sleep(0.1)
    assert told == ["again", "again"]
    end.over()
    end.over()
    await asyncio.sleep(0.2)
    assert told == ["again", "again", "close"]


async def test_the_comm_closes_in_the_end_though_no_page_has_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "REPEATS", ())
    monkeypatch.setattr(ending, "GIVE_UP", 0.01)
    told: list[str] = []
    Ending(asyncio.get_running_loop(), lambda: told.append("again"), lambda: told.append("close"))
    await asyncio.sleep(0.1)
    assert told == ["close"]


class Opened:
    """A page's connection to a run with one word of text, and all that went out on it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[dict[str, Any]] = []
        self.asked: list[str] = []
        monkeypatch.setattr(Widget, "tell", lambda _widget, news: self.told.append(news))
        monkeypatch.setattr(Widget, "resend", lambda _widget: self.asked.append("resend"))
        self.run = new_run()
        drawing = RunDrawing(self.run, None, lambda: ("approve", "decline"))
        self.log = ChunkLog()
        inspector = Inspector(self.run, self.log, drawing.look)
        self.page = Page("f" * 32, drawing, inspector, self, no_place=lambda: self.asked.append("no place"))
        self.widget = self.page.open(asyncio.get_running_loop())

    def say(self, text: str) -> None:
        wire = {"type": "text-delta", "runId": "r", "from": "AGENT", "payload": {"id": "t", "text": text}}
        reduce(self.run, self.log.append(wire), 1.0)
        self.page.tell(2.0)

    def stop(self) -> None:
        self.asked.append("stop")

    @property
    def questions(self) -> list[ToolPart]:
        return [call for call in waiting_calls(self.run) if call.answer is None]

    def give(self, call: ToolPart, allowed: bool) -> None:
        self.asked.append(f"{'allow' if allowed else 'deny'} {call.call_id} {call.args}")
        answered(self.run, 9.0, call, "allow" if allowed else "deny")

    def ask(self, call_id: str, **args: Any) -> None:
        for kind in ("tool-call", "tool-call-approval"):
            payload = {"toolCallId": call_id, "toolName": "dig", "args": args}
            reduce(self.run, {"type": kind, "runId": "r", "from": "AGENT", "payload": payload}, 1.0)
        self.page.tell(2.0)

    @property
    def asks(self) -> dict[str, str]:
        """The nonces that were told last."""
        told: dict[str, str] = next(news["asks"] for news in reversed(self.told) if "asks" in news)
        return told

    async def hear(self, **content: Any) -> None:
        self.page.heard(content)
        await asyncio.sleep(0.01)


@pytest.fixture
async def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    there = Opened(monkeypatch)
    await asyncio.sleep(0.01)
    assert [news["kind"] for news in there.told] == ["beat"], "a page knows from the start that the run is alive"
    there.told.clear()
    return there


async def test_news_are_numbered_and_nothing_new_is_not_told(opened: Opened) -> None:
    opened.say("a")
    opened.say("b")
    opened.page.tell(3.0)
    assert [(news["kind"], news["seq"]) for news in opened.told] == [("ops", 1), ("ops", 2)]
    opened.page.close()


async def test_only_a_page_whose_file_holds_the_end_closes_the_comm(opened: Opened) -> None:
    opened.say("a")
    finish(opened.run, 3.0)
    opened.page.end(3.0, again=lambda: None)
    assert opened.told[-1]["kind"] == "end"
    seq = opened.told[-1]["seq"]
    for answer in ({"seq": seq, "fileDone": False}, {"seq": seq - 1, "fileDone": True}, {"seq": seq, "fileDone": 1}, {}):
        await opened.hear(kind="ended", **answer)
        assert opened.page.widget is opened.widget
    await opened.hear(kind="ended", seq=seq, fileDone=True)
    assert opened.page.widget is None


async def test_a_widget_on_display_stays_after_the_end(opened: Opened) -> None:
    opened.page.kept = True
    finish(opened.run, 3.0)
    opened.page.end(3.0, again=lambda: None)
    await opened.hear(kind="ended", seq=opened.told[-1]["seq"], fileDone=True)
    assert opened.page.widget is opened.widget


async def test_a_page_may_stop_and_ask_for_the_whole(opened: Opened) -> None:
    await opened.hear(kind="stop")
    await opened.hear(kind="resync", have=0)
    await opened.hear(kind="mounted")
    await opened.hear(kind="no place")
    assert opened.asked == ["stop", "resend"], "a page that draws elsewhere has the output already"
    assert opened.page.mounted
    opened.page.close()


async def test_a_page_answers_what_it_was_shown(opened: Opened) -> None:
    opened.ask("c", depth=1)
    opened.ask("d", depth=2)
    (first, nonce), (second, other) = opened.asks.items()
    assert nonce != other
    await opened.hear(kind="answer", id=first, approved=True, nonce=other)
    await opened.hear(kind="answer", id=second, approved=False, nonce=other)
    await opened.hear(kind="answer", id=second, approved=True, nonce=other)
    assert opened.asked == ["deny d {'depth': 2}"]
    opened.page.tell(3.0)
    assert opened.asks == {first: nonce}, "what has been answered is asked no more, and the rest stays as it was"
    await opened.hear(kind="answer", id=first, approved=True, nonce=nonce)
    assert opened.asked[1:] == ["allow c {'depth': 1}"]
    opened.page.close()


async def test_an_answer_to_what_has_changed_since_is_none(opened: Opened) -> None:
    opened.ask("c", path="/tmp/x")
    ((ref, nonce),) = opened.asks.items()
    payload = {"toolCallId": "c", "toolName": "dig", "args": {"path": "/"}}
    reduce(opened.run, {"type": "tool-call", "runId": "r", "from": "AGENT", "payload": payload}, 1.0)
    await opened.hear(kind="answer", id=ref, approved=True, nonce=nonce)
    assert opened.asked == []
    opened.page.tell(3.0)
    assert opened.asks.keys() == {ref}
    assert opened.asks[ref] != nonce
    await opened.hear(kind="answer", id=ref, approved=True, nonce=opened.asks[ref])
    assert opened.asked == ["allow c {'path': '/'}"]
    opened.page.close()


async def test_a_page_that_comes_later_is_told_what_it_may_answer(opened: Opened) -> None:
    opened.ask("c")
    told = opened.asks
    for request in ({"kind": "mounted"}, {"kind": "resync", "have": 0}):
        opened.told.clear()
        await opened.hear(**request)
        assert opened.asks == told
    opened.page.close()


async def test_nonces_are_in_nothing_that_is_kept(opened: Opened) -> None:
    opened.ask("c", path="x")
    (nonce,) = opened.asks.values()
    drawing = opened.page._drawing
    kept = [json.dumps(opened.widget.get_state()), json.dumps([news for news in opened.told if news["kind"] != "beat"])]
    kept += [to_html(drawing.tree(3.0, saved=True)), written(drawing.text(3.0)), json.dumps(drawing.snapshot())]
    assert [nonce in text for text in kept] == [False] * 5
    assert "deny" in kept[1], "the buttons were told"
    assert "Deny" not in kept[2] + kept[3]
    opened.page.close()


async def test_a_page_may_ask_for_more_of_what_is_cut(opened: Opened) -> None:
    payload = {"toolCallId": "c", "toolName": "dig", "result": "0123456789\n" * 50_000}
    reduce(opened.run, {"type": "tool-result", "runId": "r", "from": "AGENT", "payload": payload}, 1.0)
    opened.page.tell(2.0)
    (ref,) = set(re.findall(r'"ref": "([^"]+)"', json.dumps(opened.told)))
    opened.told.clear()
    for id_ in ("p0.1", "view.output", None, 0, [ref], {"ref": ref}, True):
        await opened.hear(kind="more", id=id_)
    assert opened.told == []
    await opened.hear(kind="more", id=ref)
    await opened.hear(kind="more", id=ref)
    (news,) = opened.told
    assert news["kind"] == "ops"
    assert 60_000 < len(json.dumps(news)) < 100_000
    finish(opened.run, 3.0)
    opened.page.end(3.0, again=lambda: None)
    opened.told.clear()
    await opened.hear(kind="more", id=ref.replace(".0", ".1"))
    assert opened.told == [], "after the end the file and Python have the whole"
    opened.page.close()


async def test_a_run_that_rests_says_nothing_more(opened: Opened) -> None:
    opened.ask("c")
    opened.told.clear()
    for _ in range(5):
        opened.page.tell(3.0)
    assert opened.told == []
    opened.page.close()


async def test_the_page_can_set_nothing_in_the_kernel(opened: Opened) -> None:
    before = opened.widget._esm
    opened.widget.set_state({"run": "other", "css": "evil", "snapshot": {}, "_esm": "evil"})
    assert opened.widget.run == "f" * 32
    assert opened.widget.css != "evil"
    assert opened.widget._esm == before
    opened.page.close()


ALL = {"type": "", "part": "", "from": 0}


async def test_a_page_gets_chunks_and_the_answer_when_it_asks(opened: Opened) -> None:
    opened.say("a *b*")
    await opened.hear(kind="chunks", **ALL)
    await opened.hear(kind="chunk", at=0)
    await opened.hear(kind="markdown")
    assert [news["kind"] for news in opened.told[-3:]] == ["chunks", "chunk", "markdown"]
    assert opened.told[-3]["total"] == 1
    assert opened.told[-1]["text"] == "a *b*"
    opened.page.close()


@pytest.mark.parametrize("character", ["a", "é", "😀"])
async def test_what_a_page_is_told_of_a_giant_answer_stays_below_a_megabyte(opened: Opened, character: str) -> None:
    opened.say(character * 3_000_000)
    for question in ({"kind": "markdown"}, {"kind": "chunks", **ALL}, {"kind": "chunk", "at": 0}):
        await opened.hear(**question)
        assert opened.told[-1]["kind"] == question["kind"]
        assert len(json.dumps(opened.told[-1], ensure_ascii=False).encode()) <= 1_000_000
    opened.page.close()


async def test_questions_beyond_a_bound_get_no_answer(opened: Opened) -> None:
    for _ in range(3 * ANSWERS):
        opened.page.heard({"kind": "chunks", **ALL})
    await asyncio.sleep(0.05)
    assert len([news for news in opened.told if news["kind"] == "chunks"]) == ANSWERS
    opened.page.close()


async def test_the_end_brings_the_answer_to_be_copied(opened: Opened) -> None:
    opened.say("a *b*")
    finish(opened.run, 3.0)
    opened.page.end(3.0, again=lambda: None)
    assert opened.told[-1]["answer"] == "a *b*"
    opened.page.close()


async def test_the_comm_stays_open_while_somebody_looks_at_the_chunks(opened: Opened) -> None:
    await opened.hear(kind="chunks", **ALL)
    finish(opened.run, 3.0)
    opened.page.end(3.0, again=lambda: None)
    await opened.hear(kind="ended", seq=opened.told[-1]["seq"], fileDone=True)
    assert opened.page.widget is opened.widget
    await opened.hear(kind="chunks", **ALL)
    assert opened.told[-1]["kind"] == "chunks"
    await opened.hear(kind="chunks closed")
    assert opened.page.widget is None


async def test_the_comm_does_not_wait_for_ever_for_who_looked_at_the_chunks(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "LINGER", 0.05)
    await opened.hear(kind="chunks", **ALL)
    finish(opened.run, 3.0)
    opened.page.end(3.0, again=lambda: None)
    await opened.hear(kind="ended", seq=opened.told[-1]["seq"], fileDone=True)
    await asyncio.sleep(0.2)
    assert opened.page.widget is None


async def test_closing_a_view_waits_for_nobody_who_looks(opened: Opened) -> None:
    await opened.hear(kind="chunks", **ALL)
    finish(opened.run, 3.0)
    opened.page.end(3.0, again=lambda: None)
    await opened.hear(kind="ended", seq=opened.told[-1]["seq"], fileDone=True)
    opened.page.close()
    assert opened.page.widget is None


class Routed:
    """A comm of ipykernel 7.4, which sends what comes from the page to the shell that last sent on it."""

    def _reply_subshell_for(self, data: object, default: str | None) -> str | None:
        return "last"


class Sealed(Routed):
    """One that lets nothing be changed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(name)


def test_messages_go_to_the_shell_that_the_front_end_names() -> None:
    comm = Routed()
    _route_as_asked(comm)
    assert [comm._reply_subshell_for({"content": {}}, asked) for asked in ("sub", None)] == ["sub", None]


def test_other_kernels_are_left_as_they_are() -> None:
    for comm in (None, object(), sealed := Sealed()):
        _route_as_asked(comm)
    assert sealed._reply_subshell_for({}, "sub") == "last"
