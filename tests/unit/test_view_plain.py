"""A view where there is no notebook: what it accepts, and what it prints."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from runview import StreamView, stream_view
from tests.browser import agents


async def test_it_streams_and_is_awaited() -> None:
    view = stream_view(agents.everything(0), title="tides")
    assert isinstance(view, StreamView)
    assert view.status == "running"
    values = await view
    assert values.status == view.status == "success"
    assert values.object == {"station": "Avonmouth", "springs": 12.2}
    assert "204 in · 88 out" in repr(view)


async def test_it_does_not_raise_for_what_happened_in_the_run() -> None:
    async def broken() -> AsyncIterator[dict[str, Any]]:
        yield agents.chunk("text-delta", id="t", text="so far")
        raise ConnectionError("the line was cut")

    values = await stream_view(broken())
    assert (values.status, values.text) == ("failed", "so far")
    assert "the line was cut" in str(values.error)


@pytest.mark.parametrize(
    ("keyword", "meant"),
    [("maxheight", "max_height"), ("Title", "title"), ("tool_label", "tool_labels"), ("on_re_run", "on_rerun")],
)
def test_an_unknown_keyword_is_named_with_the_one_that_was_meant(keyword: str, meant: str) -> None:
    with pytest.raises(TypeError, match=f"unknown keyword '{keyword}'; did you mean {meant}\\?"):
        stream_view([], **{keyword: 1})


def test_a_keyword_that_is_like_none_is_answered_with_the_list() -> None:
    with pytest.raises(TypeError, match="it takes schema, source, json, headers, title"):
        stream_view([], zzz=1)


@pytest.mark.parametrize(("source", "got"), [(None, "got None"), (7, "got int"), (object(), "got object")])
def test_what_does_not_stream_is_refused(source: object, got: str) -> None:
    with pytest.raises(TypeError, match=f"{got}.* a run is read from an iterable or async iterable"):
        stream_view(source)


def test_print_writes_text_as_it_comes_and_rows_when_they_are_final(capsys: pytest.CaptureFixture[str]) -> None:
    stream_view(agents.blocked(0)).print()
    assert capsys.readouterr().out == (
        "\nYou can reach her at \n\n"
        "⊘ Blocked by pii-filter · e-mail address in the output\n"
        "  processor  pii-filter\n"
        "<0.1 s · first text <0.1 s · — in · — out\n"
        "⊘ Blocked — tide-agent · step 1 · <0.1 s\n"
    )


def test_print_tells_a_stop(capsys: pytest.CaptureFixture[str]) -> None:
    view = stream_view(agents.endless(0.01))

    async def soon() -> None:
        async for _ in view.output.text_stream:
            view.stop()
            return

    asyncio.run(soon())
    view.print()
    out = capsys.readouterr().out
    assert "Stopped" in out
    assert "running" not in out.lower()


def test_a_stop_before_the_start_is_silent(caplog: pytest.LogCaptureFixture) -> None:
    view = stream_view(agents.endless())
    view.stop()
    view.close()
    assert view.status == "canceled"
    assert caplog.records == []


async def test_stopping_twice_and_closing_harm_nothing() -> None:
    view = stream_view(agents.endless(0.01))
    await asyncio.sleep(0.05)
    view.stop("enough")
    view.stop()
    view.close()
    assert (await view).status == "canceled"
