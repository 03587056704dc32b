"""The transcript: one line a row, indentation for nesting, the answer as it came."""

from __future__ import annotations

from typing import Any

from runview.draw.text_form import transcript
from runview.run.reduce import finish, new_run, reduce


def chunk(type_: str, run: str = "r", **payload: Any) -> dict[str, Any]:
    return {"type": type_, "runId": run, "from": "AGENT", "payload": payload}


def inner(type_: str, **payload: Any) -> dict[str, Any]:
    """A chunk of the sub-agent's own call."""
    return chunk(
        "tool-output",
        toolCallId="c",
        toolName="agent-expert",
        output=chunk(type_, "n", toolCallId="d", toolName="look", **payload),
    )


def test_a_whole_run() -> None:
    answer = "# Title\n\n- **12.2 m**\n  - nested\n\n```py\nx = 1\n```"
    run = new_run()
    for at, one in enumerate(
        [
            chunk("start", id="helper"),
            chunk("reasoning-start", id="r"), chunk("reasoning-delta", id="r", text="Let me see."),
            chunk("reasoning-end", id="r"),
            chunk("tool-call", toolCallId="c", toolName="agent-expert", args={"prompt": "range?"}),
            inner("tool-call", args={"name": "Avonmouth"}), inner("tool-result", result={"value": 12.2, "unit": "m"}),
            chunk("tool-result", toolCallId="c", toolName="agent-expert", result={"text": "It is 12.2 m."}),
            chunk("text-start", id="t"), chunk("text-delta", id="t", text=answer), chunk("text-end", id="t"),
            chunk("finish", stepResult={"reason": "stop"}, output={"usage": {"inputTokens": 1200, "outputTokens": 34}}),
        ]
    ):  # fmt: skip
        reduce(run, one, float(at))
    finish(run, 12.0)
    assert (
        transcript(run, None, 12.0).replace("\u202f", " ").replace("\u00a0", " ")
        == f"""\
✓ Done — helper · 1 step · 12 s
Thought for 2 s
  Let me see.
✓ expert · sub-agent — It is 12.2 m. — done, 3.0 s
  Input — 1 field
    prompt  range?
  ✓ look “Avonmouth” — 12.2 m — done, 1.0 s
    name  Avonmouth
    Result · JSON
    value 12.2
    unit "m"
  Result — It is 12.2 m.
    Result
    It is 12.2 m.

{answer}

12 s · first text 9.0 s · 1 200 in · 34 out
"""
    )


def test_the_first_moment_is_a_line_that_says_so() -> None:
    assert transcript(new_run(), None, 5.0).replace("\u202f", " ") == "◌ Run in progress when this was saved — 0 s\n"


def test_no_character_steers_the_terminal() -> None:
    run = new_run()
    reduce(run, chunk("text-delta", id="t", text="a\x1b[31mb\u202ec\x07\ud800"), 0.0)
    text = transcript(run, None, 0.0)
    assert "ab⟨U+202E⟩c\ufffd\ufffd" in text
    text.encode("utf-8")
