"""How often the static output is written while a page draws over it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from runview.view import static


@pytest.mark.parametrize("outputs", [1, 2, 5])
def test_each_output_is_refreshed_as_often_however_many_there_are(outputs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    told: list[Any] = []
    monkeypatch.setattr(static, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(static, "publish", lambda what, **_options: told.append(what))
    output = static.StaticOutput(lambda: {"text/html": "x" * 100})
    for _ in range(outputs):
        output.show()
    told.clear()
    for _ in range(20):
        now = 2 * now + 20.0
        assert output.refresh_if_due(seen=False)
    assert len(told) == 2 * outputs


def test_what_stands_instead_is_not_refreshed_away(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    told: list[Any] = []
    monkeypatch.setattr(static, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(static, "publish", lambda what, **_options: told.append(what))
    output = static.StaticOutput(lambda: {"text/html": "static"})
    output.show()
    output.instead = {"widget": "live"}
    output.refresh()
    now += 100.0
    output.refresh_if_due(seen=True)
    output.instead = None
    output.refresh()
    assert told == [{"text/html": "static"}, {"widget": "live"}, {"text/html": "static"}]
