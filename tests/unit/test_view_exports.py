"""A run as a file of its own: a page, a Markdown document, a recording."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from runview import replay, stream_view
from runview.chunks.json_text import encode
from runview.draw.look import Look
from runview.draw.run import RunDrawing
from runview.draw.tree import wire
from runview.run.log import ChunkLog
from runview.run.reduce import finish, new_run, reduce
from runview.view.exports import as_html, as_jsonl, as_markdown, as_text
from runview.view.inspector import Inspector
from tests.runs import chunk, finish_chunk, step_finish

ANSWER = "The range is **12.2 m**.\n\n| Station | Springs |\n|---|---|\n| Avonmouth | 12.2 |\n\n```python\nprint('<b>')\n```"

RUN = (
    chunk("start", id="tide-agent"),
    chunk("step-start"),
    chunk("reasoning-delta", id="r", text="Which *gauge*?"),
    chunk("tool-call", toolCallId="c", toolName="search_web", args={"q": "tides `x` ```"}),
    chunk("tool-result", toolCallId="c", toolName="search_web", result=[{"title": "Tides"}]),
    chunk("text-start", id="t"),
    *(chunk("text-delta", id="t", text=piece) for piece in re.findall(r"[\s\S]{1,7}", ANSWER)),
    chunk("text-end", id="t"),
    step_finish(),
    finish_chunk(),
)


async def shown(*chunks: Any) -> Any:
    view = stream_view(list(chunks or RUN))
    await view
    return view


async def test_a_page_has_everything_in_it_and_its_policy_forbids_requests(tmp_path: Path) -> None:
    view = await shown()
    text = view.to_html(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text("utf-8") == text
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert len(scripts) == 1
    assert policy[1].startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digest}'" in policy[1]
    assert not re.search(r"(?:src|href)=\"(?!data:)|url\(|@import", text)
    assert "search_web" in text


async def test_nothing_of_a_run_leaves_its_place_in_the_page() -> None:
    hostile = "</textarea></script></title><script>alert(1)</script><img src=x onerror=alert(1)>"
    run = [chunk("start", id=hostile), chunk("text-delta", id="t", text=hostile), finish_chunk()]
    view = stream_view(run, labels={"Find": hostile})
    await view
    text = view.to_html()
    assert text.count("<script") == 2
    assert text.count("</script>") == 2
    assert text.count("</textarea>") == 1
    assert "<img" not in text


async def test_large_pictures_are_taken_in_when_asked_for() -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01" + b"\0" * 300_000
    view = await shown(chunk("file", mimeType="image/png", data=base64.b64encode(png).decode()), finish_chunk())
    assert "data:image/png" not in view.to_html()
    assert "data:image/png" in view.to_html(embed="full")
    with pytest.raises(ValueError, match="embed is"):
        view.to_html(embed="all")


async def test_a_document_keeps_the_answer_as_it_came(tmp_path: Path) -> None:
    view = await shown()
    text = view.to_markdown(tmp_path / "run.md")
    assert (tmp_path / "run.md").read_text("utf-8") == text
    assert f"\n\n{ANSWER}\n\n" in text
    assert text.startswith("# Run of tide-agent\n\n**✓ Done")
    assert "\n- ✓ search\\_web “tides \\`x\\`" in text
    tokens = MarkdownIt("commonmark").parse(text)
    assert [token.content for token in tokens if token.type == "fence"][-1] == "print('<b>')\n"
    assert not [token for token in tokens if token.type == "html_block"]


async def test_what_follows_an_open_fence_does_not_fall_into_it() -> None:
    view = await shown(chunk("text-delta", id="t", text="```py\nx = 1"), chunk("error", error="boom"))
    tokens = MarkdownIt("commonmark").parse(view.to_markdown())
    assert next(token.content for token in tokens if token.type == "fence") == "x = 1\n"
    assert any("boom" in token.content for token in tokens if token.type == "inline")


async def test_the_words_of_rows_are_no_markdown() -> None:
    view = await shown(chunk("tool-call", toolCallId="c", toolName="# <b>*a*</b> [x](http://x) `y`", args={}), finish_chunk())
    tokens = MarkdownIt("commonmark").parse(view.to_markdown())
    kinds = {child.type for token in tokens for child in token.children or []}
    assert kinds <= {"text", "strong_open", "strong_close", "text_special"}


async def test_a_recording_plays_as_the_same_run(tmp_path: Path) -> None:
    view = await shown()
    text = view.to_jsonl(tmp_path / "run.jsonl", secrets=True)
    assert [json.loads(line)["chunk"] for line in text.splitlines()] == list(RUN)
    for secrets in (True, False):
        view.to_jsonl(tmp_path / "run.jsonl", secrets=secrets)
        again = stream_view(replay(tmp_path / "run.jsonl", speed=math.inf))
        await again
        assert await again.output.text == ANSWER
        timeless = re.compile(r"<?\d[\d.]*\u202fs")
        assert timeless.sub("", again.to_markdown()) == timeless.sub("", view.to_markdown())


async def test_the_chunks_of_a_view_are_covered_unless_their_secrets_are_asked_for() -> None:
    call = chunk("tool-call", toolCallId="c", toolName="t", args={"api_key": "SECRETKEY"})
    view = await shown(chunk("step-start", request={"messages": "SECRETKEY"}), call)
    assert "SECRETKEY" not in view.to_jsonl()
    assert view.to_jsonl(secrets=True).count("SECRETKEY") == 2


async def test_a_finished_run_is_explored_again_and_a_running_one_is_not() -> None:
    view = stream_view(list(RUN))
    with pytest.raises(RuntimeError, match="not ended"):
        view.explore()
    await view
    again = view.explore()
    assert again.id != view.id
    assert again.to_markdown() == view.to_markdown()
    assert await again.output.text == ANSWER


def secret(number: int) -> str:
    return f"SECRETKEY{number:02}abcdef"


PLANTED = [
    chunk("step-start", request={"body": secret(0), "headers": {"authorization": secret(1)}}),
    chunk("response-metadata", headers={"set-cookie": secret(2), "x-request": secret(2)}),
    chunk("raw", rawValue={"deep": [secret(3)]}),
    chunk("tool-call-input-streaming-start", toolCallId="d", toolName="login"),
    *(
        chunk("tool-call-delta", toolCallId="d", toolName="login", argsTextDelta=piece)
        for piece in ('{"user": "ann", "pass', 'word": "SECRET', 'KEY04abcdef", "n": 1}')
    ),
    chunk("tool-call", toolCallId="d", toolName="login", args={"user": "ann", "password": secret(4), "n": 1}),
    chunk(
        "tool-call", toolCallId="c", toolName="get", args={"url": f"https://a.example/?api_key={secret(5)}", "token": secret(6)}
    ),
    chunk("tool-error", toolCallId="c", toolName="get", error={"message": f"Bearer {secret(7)} refused", "stack": secret(8)}),
    chunk("tool-result", toolCallId="d", toolName="login", result={"session": {"accessToken": secret(9)}}),
    chunk("text-start", id="t", providerMetadata={"p": {"id": secret(10)}}),
    chunk("text-delta", id="t", text="hello"),
    step_finish(),
    chunk(
        "step-finish", metadata={"request": {"body": secret(11)}}, response={"headers": {"x": secret(11)}}, output={"usage": {}}
    ),
    chunk("error", error={"message": "no", "name": "E", "cause": {"message": f"api_key={secret(12)}", "traceback": secret(12)}}),
]


def test_no_planted_secret_is_in_a_page_a_file_or_an_export() -> None:
    run, log = new_run(), ChunkLog()
    drawing = RunDrawing(run)
    drawing.tree(0.0)
    told: list[Any] = []
    for at, each in enumerate(PLANTED):
        reduce(run, log.append(each, float(at)), float(at))
        told.append(drawing.update(float(at)))
        looking = Inspector(run, log, Look())
        told += [looking.chunk({"at": at}), looking.chunks({"type": "", "part": "", "from": 0})]
    finish(run, 99.0)
    told += [drawing.update(99.0), wire(drawing.tree(99.0)), *(looking.chunk({"at": at}) for at in range(len(log)))]
    exports = [as_html(drawing, 99.0), as_markdown(drawing, 99.0), as_text(drawing, 99.0), *as_jsonl(log)]
    for text in [encode(told), *exports]:
        assert "SECRET" not in text
        assert "KEY0" not in text
    assert all(secret(number) in "".join(as_jsonl(log, secrets=True)) for number in (*range(4), *range(5, 13)))
