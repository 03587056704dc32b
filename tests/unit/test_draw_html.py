"""The saved form: complete at each of its levels, escaped, without a script, an id or a request."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from runview.draw import html
from runview.draw.html import to_html
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.tree import ATTRIBUTES, MATH_TAGS, TAGS, Node, Sealed, h
from runview.run.reduce import finish, new_run, reduce

EVIL = "<img src=x onerror=alert(1)>\"'&</pre></details><script>alert(1)</script>\u202e\x1b[31m"


def chunk(type_: str, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": "r", "from": "AGENT", "payload": payload}


def hostile() -> list[dict[str, Any]]:
    """A run in which every word is hostile."""
    return [
        chunk("start", id=EVIL),
        chunk("step-start", warnings=[EVIL]),
        chunk("reasoning-start", id=EVIL),
        chunk("reasoning-delta", id=EVIL, text=EVIL),
        chunk("tool-call", toolCallId=EVIL, toolName=EVIL, args={EVIL: EVIL, "list": [EVIL], "url": "javascript:alert(1)"}),
        chunk("tool-output", toolCallId=EVIL, toolName=EVIL, output={"message": EVIL, "done": 1, "total": 2}),
        chunk("tool-error", toolCallId=EVIL, toolName=EVIL, error={"message": EVIL, "name": EVIL, "stack": "STACK"}),
        chunk("tool-call", toolCallId="2", toolName=EVIL, args={"html": EVIL}),
        chunk("tool-result", toolCallId="2", toolName=EVIL, result=[{EVIL: EVIL}]),
        chunk("tool-call", toolCallId="3", toolName="agent-x", args={}),
        chunk("tool-output", toolCallId="3", toolName="agent-x", output=chunk("text-delta", id="n", text=EVIL) | {"runId": "n"}),
        chunk("source", id="s", sourceType="url", title=EVIL, url="javascript:alert(1)"),
        chunk("source", id="s", sourceType="url", title=EVIL, url="https://example.com/" + '"><script>'),
        chunk("file", data="PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+", mimeType="image/svg+xml", filename=EVIL),
        {"type": f"data-{EVIL}", "data": {EVIL: EVIL}},
        {"type": "object", "runId": "r", "from": "AGENT", "object": {EVIL: EVIL, "in": {EVIL: [EVIL]}}},
        chunk("goal", objective=EVIL, iteration=1, reason=EVIL, results=[{"scorerName": EVIL, "reason": EVIL}]),
        chunk("text-start", id="t"),
        chunk("text-delta", id="t", text=EVIL + "\n\n![x](https://h.invalid/p.png) [y](javascript:alert(1)) $x^2$ ```\n" + EVIL),
        chunk("tripwire", reason=EVIL, processorId=EVIL, metadata={EVIL: EVIL}),
        chunk("error", error={"message": EVIL, "name": EVIL, "cause": {"message": EVIL}}),
    ]  # fmt: skip


class Reader(HTMLParser):
    """Collects what a browser would make of it."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.tops = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tops += not self.open
        self.tags.append((tag, dict(attrs)))
        if tag not in ("br", "hr", "img", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] != "style":
            self.words.append(data)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("upto", [*range(1, 22), 1000])
@pytest.mark.parametrize("density", ["compact", "full"])
def test_nothing_hostile_becomes_markup_at_any_moment(upto: int, density: Any) -> None:
    run = new_run()
    for at, one in enumerate(hostile()[:upto]):
        reduce(run, one, float(at))
    if upto == 1000:
        finish(run, 100.0)
    reader = read(to_html(RunDrawing(run, Look(density=density)).tree(100.0, saved=True), marker="rv-run-0"))
    assert reader.tops == 1
    for tag, attrs in reader.tags:
        assert tag in TAGS - {"button"} or tag in MATH_TAGS or tag == "style"
        assert set(attrs) <= ATTRIBUTES | {"style", "open", "target", "rel", "referrerpolicy"}
        assert not [name for name in attrs if name == "id" or name.startswith(("data-", "on"))]
        assert "alert" not in (attrs.get("href") or "")
        assert (attrs.get("src") or "data:image/png;base64,").startswith("data:image/")
        assert re.fullmatch(r"[a-z0-9 _-]*", attrs.get("class") or "")
    text = "".join(reader.words)
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "STACK" not in text


def test_the_root_holds_everything_and_is_found_by_its_class() -> None:
    text = to_html(RunDrawing(new_run()).tree(0.0, saved=True), marker="rv-run-abc")
    assert text.startswith('<section class="rv rv-running rv-run-abc mathjax_ignore tex2jax_ignore" role="region"')
    assert text.endswith("</section>")


@pytest.mark.parametrize(("end", "state"), [("finish", "rv-done"), ("tool-call-approval", "rv-resting")])
def test_the_root_says_whether_more_is_to_come(end: str, state: str) -> None:
    run = new_run()
    reduce(run, chunk(end, toolCallId="c", toolName="f", args={}, stepResult={"reason": "stop"}), 0.0)
    finish(run, 1.0)
    assert f"rv {state} " in to_html(RunDrawing(run).tree(0.0, saved=True))


def test_what_is_live_is_left_out_and_a_fold_that_is_open_stays_so() -> None:
    tree = h(
        "section", "rv", h("span", "rv-caret", live=True), h("details", "", h("summary", "", "a"), "b", auto="open", key="k")
    )
    inside = "<details open><summary>a</summary>b</details>"
    assert to_html(tree, style=False) == f'<section class="rv mathjax_ignore tex2jax_ignore">{inside}</section>'


def test_links_and_pictures_are_looked_at_once_more() -> None:
    bad = Node("div", {}, [
        Node("a", {"href": "javascript:alert(1)"}, ["x"]), Node("a", {"href": "https://u:p@example.com"}, ["y"]),
        Node("img", {"src": "https://example.com/a.png", "alt": "z"}, []),
        Node("a", {"href": 'https://example.com/?a="b'}, ["w"]),
    ])  # fmt: skip
    text = to_html(bad)
    assert "javascript" not in text
    assert "<img" not in text
    assert text.count("<a ") == 1
    assert 'rel="noopener noreferrer nofollow"' in text


def test_what_is_final_is_written_once() -> None:
    drawn: list[int] = []

    def again() -> Node:
        drawn.append(1)
        return h("p", "rv-para", "final", key="b0")

    tree = h("section", "rv", Sealed(h("p", "", key="b0"), again))
    assert to_html(tree, style=False) == to_html(tree, style=False)
    assert drawn == [1]


def test_maths_is_saved_as_tex() -> None:
    run = new_run()
    for one in (chunk("text-start", id="t"), chunk("text-delta", id="t", text="so $x<y$ holds"), chunk("text-end", id="t")):
        reduce(run, one, 0.0)
    text = to_html(RunDrawing(run).tree(0.0, saved=True))
    assert "<code>x&lt;y</code>" in text
    assert "<math" not in text


def test_the_sheet_stands_inside_and_is_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "saved_sheet", lambda: ".rv{color:red}")
    tree = h("section", "rv", "x")
    assert "<style>.rv{color:red}</style>x" in to_html(tree)
    assert "<style>" not in to_html(tree, style=False)


def test_a_row_is_a_sentence_without_any_style() -> None:
    run = new_run()
    for at, one in enumerate([
        chunk("start", id="a"), chunk("tool-call", toolCallId="c", toolName="search", args={"q": "x"}),
        chunk("tool-result", toolCallId="c", toolName="search", result=[1, 2]),
        chunk("tool-call", toolCallId="d", toolName="fetch", args={}),
        chunk("tool-error", toolCallId="d", toolName="fetch", error={"message": "404 Not Found"}),
    ]):  # fmt: skip
        reduce(run, one, float(at))
    text = to_html(RunDrawing(run).tree(5.0, saved=True), style=False)
    summaries = [" ".join(re.sub(r"<[^>]*>", "", one).split()) for one in re.findall(r"<summary.*?</summary>", text)]
    group = "✗ 2 tools · search · fetch — 2 results — 1 failed, 2.0 s — fetch: 404 Not Found"
    assert summaries == [group, "✓ search “x” — 2 numbers — done, 1.0 s"]
    assert "✗ fetch — failed, 1.0 s — 404 Not Found" in " ".join(re.sub(r"<[^>]*>", "", text).split())
