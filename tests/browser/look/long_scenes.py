"""The scenes that try what a layout finds hard: deep nesting, other scripts, formulas, wide code and tables, endless words."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any

from runview.draw.look import Look
from tests.browser.look.story import Story

__all__ = ["PICTURE", "SCENES"]


def _png(width: int, height: int) -> bytes:
    """A picture of waves."""

    def piece(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(
        b"\0" + b"".join(b"\x33\x66\x99" if (x * 7 + y * y // 9) % 40 < 6 else b"\xff\xff\xff" for x in range(width))
        for y in range(height)
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + piece(b"IHDR", head) + piece(b"IDAT", zlib.compress(lines)) + piece(b"IEND", b"")


PICTURE = base64.b64encode(_png(480, 200)).decode()


def _chunk(run: str, type_: str, /, **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": run, "from": "AGENT", "payload": payload}


def nested(*, over: bool = False, look: Look | None = None) -> Story:
    """An agent in an agent in an agent, at work."""
    story = (
        Story(over=over, look=look or Look())
        .start("coordinator")
        .call("a1", "agent-harbour-expert", {"prompt": "Ask the harbour"})
    )
    story.inside("a1", "agent-harbour-expert", _chunk("r2", "start", id="harbour-expert"))
    story.inside("a1", "agent-harbour-expert", _chunk("r2", "redacted-reasoning", id="x", data="x"))
    story.inside(
        "a1",
        "agent-harbour-expert",
        _chunk("r2", "tool-call", toolCallId="i1", toolName="lookup_station", args={"name": "Avonmouth"}),
    )
    story.wait(0.3)
    story.inside(
        "a1",
        "agent-harbour-expert",
        _chunk("r2", "tool-result", toolCallId="i1", toolName="lookup_station", result={"value": 12.2, "unit": "m"}),
    )
    story.inside(
        "a1",
        "agent-harbour-expert",
        _chunk("r2", "tool-call", toolCallId="i2", toolName="agent-tide-historian", args={"prompt": "1897?"}),
    )

    def deeper(chunk: dict[str, Any]) -> None:
        inner = _chunk("r2", "tool-output", toolCallId="i2", toolName="agent-tide-historian", output=chunk)
        story.inside("a1", "agent-harbour-expert", inner)

    deeper(_chunk("r3", "start", id="tide-historian"))
    deeper(_chunk("r3", "reasoning-start", id="q"))
    deeper(_chunk("r3", "reasoning-delta", id="q", text="Which survey?"))
    deeper(_chunk("r3", "reasoning-end", id="q"))
    deeper(_chunk("r3", "tool-call", toolCallId="j1", toolName="search_archive", args={"query": "Avonmouth 1897 survey"}))
    deeper(_chunk("r3", "text-delta", id="u", text="The survey of 1897 gives 12.0 m at springs"))
    return story.wait(9)


def nested_done() -> Story:
    story = nested(over=True, look=Look(density="full"))
    usage = {"usage": {"inputTokens": 1204, "outputTokens": 88}}
    story.inside(
        "a1", "agent-harbour-expert", _chunk("r2", "text-delta", id="v", text="Mean spring range at Avonmouth is 12.2 m.")
    )
    story.inside("a1", "agent-harbour-expert", _chunk("r2", "finish", stepResult={"reason": "stop"}, output=usage))
    story.tell(
        "tool-result",
        toolCallId="a1",
        toolName="agent-harbour-expert",
        result={"text": "Mean spring range at Avonmouth is 12.2 m."},
    )
    return story.write("It is **12.2 m**.").finish()


def right_to_left() -> Story:
    """A view in Arabic."""
    labels = {
        "Done": "تم", "steps": "خطوات", "step": "خطوة", "Thought for": "فكّر", "Sources": "المصادر",
        "tool": "أداة", "failed": "فشلت", "s": "ث", "numbers": "أعداد",
        "first text": "أول نص", "in": "دخل", "out": "خرج", "cached": "مخزن", "dir": "rtl",
    }  # fmt: skip
    story = Story(look=Look(labels=labels, title="مساعد المد")).start("tide").think("أبحث عن المحطة الأقرب.", 6)
    story.used("c1", "search_web", {"query": "المد في بريستول"}, [1, 2, 3], 1.2)
    story.failed("c2", "fetch_page", {"url": "https://ntslf.org/tides"}, {"message": "404 Not Found"})
    text = "مدى المد في **بريستول** من أكبر ما في العالم: `12.2 m`.\n\n- الأول\n- الثاني\n\n"
    return (
        story.write(text + "| محطة | متر |\n|---|---:|\n| أفونموث | 12.2 |\n")
        .tell("source", id="1", sourceType="url", title="المد والجزر", url="https://noc.ac.uk/a")
        .finish()
    )


def other_scripts() -> Story:
    """Chinese, Japanese and Korean, and Hebrew in the middle of an English run."""
    story = Story().start("潮汐助手").think("先查埃文茅斯的验潮站。", 3)
    story.used("c1", "検索", {"query": "ブリストルの潮差 干満"}, "平均大潮差は12.2メートルです。")
    text = "布里斯托尔的潮差是**世界上最大的**之一。平均大潮时达到`12.2`米，平均小潮时约为6.0米。\n\n"
    return story.write(text + "טווח הגאות הוא 12.2 מ׳ (springs).\n\n조차는 **12.2미터**에 이릅니다. 👩‍👩‍👧 ok").finish()


def maths() -> Story:
    text = (
        "A fraction in brackets $\\left(\\frac{a}{b}\\right)$ and one that costs $5 and $10.\n\n"
        "$$\\left(\\frac{\\sum_{i=1}^{n} x_i}{n}\\right)^2"
        " \\le \\left[ \\int_0^1 f(t)\\,dt \\right] + \\left| \\frac{p}{q} \\right|$$\n\n"
        "$$A = \\begin{pmatrix} 1 & 0 & 0 \\\\ 0 & 1 & 0 \\\\ 0 & 0 & 1 \\end{pmatrix},\\quad"
        " f(x) = \\begin{cases} 1 & x > 0 \\\\ 0 & x \\le 0 \\end{cases}$$\n\n"
        "$$\\sqrt{\\frac{1}{1+\\frac{1}{x}}} = \\lim_{n \\to \\infty} \\overline{z}_n \\cdot \\vec{v} \\times \\hat{u}$$\n\n"
        "$$" + " + ".join(f"a_{{{n}}} x^{{{n}}}" for n in range(40)) + "$$\n"
    )
    return Story().start("agent").write(text).finish()


def wide() -> Story:
    """Code, tables and words that are wider than any page."""
    row = " | ".join(f"column {n}" for n in range(14))
    text = (
        "```python\nprint('" + "a long line of code, " * 14 + "')\n" + "x = 1\n" * 40 + "```\n\n"
        f"| {row} |\n|{'---|' * 14}\n" + f"| {' | '.join(f'value {n}' for n in range(14))} |\n" * 3 + "\n"
        "https://example.com/" + "a" * 300 + "\n\n`" + "code" * 80 + "`\n\n" + "Donaudampfschifffahrt" * 20 + "\n"
    )
    story = Story().start("an-agent-with-a-name-that-is-much-longer-than-anybody-would-expect-of-a-name" * 2)
    long = {"query": "a long question about tides " * 12, "a_key_of_an_argument_that_is_very_long_indeed_and_longer": "x" * 400}
    story.used("c1", "a_tool_with_a_very_long_name_" * 4, long, "one line that goes on and on " * 30, 1.2)
    story.failed("c2", "fetch_page", {"url": "https://example.com/" + "b" * 300}, {"message": "the server said no, " * 20})
    rows = [{f"column_{n}": f"value {n} {'word ' * 6}" for n in range(10)} for _ in range(3)]
    return story.used("c3", "table", {}, rows).think("A thought that is long. " * 80, 4).write(text).finish()


def many_tools() -> Story:
    story = Story().start("agent").think("Twenty things.", 2)
    for n in range(20):
        story.used(f"c{n}", f"tool_{n % 4}", {"query": f"question {n}"}, f"needle {n}" if n == 17 else f"answer {n}", 0.3)
    return story.write("The answer is one line.").finish()


def side_by_side() -> Story:
    """Two sub-agents at the same time: the first says in its row what it is at, and pushes nothing down."""
    story = Story(over=False).start("coordinator")
    names = {"a1": "harbour-expert", "a2": "tide-historian"}
    for id_, name in names.items():
        story.call(id_, f"agent-{name}", {"prompt": "Springs?"})
    for id_, name in names.items():
        story.inside(id_, f"agent-{name}", _chunk(id_, "start", id=name))
    for nth in range(3):
        for id_, name in names.items():
            call = {"toolCallId": f"{id_}{nth}", "toolName": f"lookup_{nth}"}
            story.inside(id_, f"agent-{name}", _chunk(id_, "tool-call", **call, args={"name": "Avonmouth"})).wait(0.4)
            story.inside(id_, f"agent-{name}", _chunk(id_, "tool-result", **call, result=12.2 + nth))
    return story


def lanes() -> Story:
    """Full density: where each part lay in the run, a line between steps, a table of what they used."""
    story = Story(look=Look(density="full")).start("research-agent").think("Which gauge is the nearest?", 2.4)
    story.used("c1", "search_web", {"query": "tidal range Bristol"}, [{"title": f"Tides {n}"} for n in range(5)], 1.2)
    story.failed("c2", "fetch_page", {"url": "https://ntslf.org/tides/bris"}, {"message": "404 Not Found"}, 3.1)
    story.tell("step-finish", stepResult={"reason": "tool-calls"}, output={"usage": {"inputTokens": 1840, "outputTokens": 96}})
    story.tell("step-start", messageId="m2").used(
        "c3", "lookup_station", {"name": "Avonmouth"}, {"value": 12.2, "unit": "m"}, 0.3
    )
    return story.write("Mean spring range is **12.2 m**.").wait(1.5).finish()


def cited() -> Story:
    """Numbers in the text that lead to their sources, and one that leads nowhere."""
    story = Story().start("research-agent")
    for at, (title, url) in enumerate(
        (("Tides in the Severn estuary", "https://noc.ac.uk/severn"), ("Avonmouth gauge", "https://ntslf.org/a"))
    ):
        story.tell("source", id=str(at + 1), sourceType="url", title=title, url=url)
    return story.write("It reaches **12.2 m** at springs [1], at neaps about 6.0 m [2][1]. Others say 13 m [7].").finish()


def asking() -> Story:
    """Two calls that wait for their reader, one of them a sub-agent's; and a step that waits for data."""
    story = Story(over=False).start("research-agent").write("I can tidy up and tell the harbour.")
    for id_, name, args in (
        ("c1", "delete_file", {"path": "old/tides.csv", "reason": "replaced by tides-2026.csv"}),
        ("c2", "send_mail", {"to": "harbour@example.org", "text": "Dear all,\nthe springs are at noon."}),
    ):
        story.call(id_, name, args).tell("tool-call-approval", toolCallId=id_, toolName=name, args=args)
    story.call("c3", "agent-harbour-expert", {"prompt": "Ask"})
    story.tell("tool-call-approval", toolCallId="c3", toolName="close_lock", args={"lock": "north", "minutes": 20})
    story.call("c4", "ask_reader", {"about": "datum"})
    story.tell(
        "tool-call-suspended",
        toolCallId="c4",
        toolName="ask_reader",
        suspendPayload={"question": "Which datum?", "choices": ["chart", "ordnance"]},
    )
    return story.wait(8)


SCENES = (nested, nested_done, right_to_left, other_scripts, maths, wide, many_tools, side_by_side, lanes, cited, asking)
