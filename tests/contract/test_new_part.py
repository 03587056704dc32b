"""A new kind of part is a class, a handler of the reducer and one drawing: nothing in `view/` or `js/` has to know of it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from runview.draw.html import to_html
from runview.draw.parts import DRAW, At
from runview.draw.pen import Pen
from runview.draw.row import row
from runview.draw.run import RunDrawing
from runview.draw.text_form import transcript
from runview.draw.tree import Node, wire
from runview.draw.words import one_line
from runview.run.event import Event
from runview.run.reduce import HANDLERS, finish, new_run, reduce
from runview.run.state import Part
from tests.applier import copied, heard, shown


@dataclass(slots=True, kw_only=True, eq=False)
class WeatherPart(Part):
    """What a processor says of the weather; the last word counts."""

    sky: str = ""


def weather(e: Event) -> None:
    """The reducer's side."""
    known = [part for part in e.run.parts if isinstance(part, WeatherPart)]
    part = known[0] if known else e.open(WeatherPart(key=e.key()))
    part.sky = e.string("sky") or ""
    e.change(part)


def draw_weather(pen: Pen, part: WeatherPart, _at: At) -> Node:
    """The drawing's side."""
    return row(pen, part, part.key, "plain", pen.words("Weather"), noun=one_line(part.sky))


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HANDLERS, "weather", weather)
    monkeypatch.setitem(DRAW, WeatherPart, draw_weather)


def test_a_new_kind_of_part_is_live_saved_and_told() -> None:
    run = new_run()
    drawing = RunDrawing(run)
    page = copied(wire(drawing.tree(0.0)))
    for at, sky in enumerate(["clear", "clear, <b>then</b> rain"]):
        reduce(run, {"type": "weather", "runId": "r", "from": "AGENT", "payload": {"sky": sky}}, float(at))
        page = heard(page, drawing.update(float(at)))
        assert page == shown(drawing.snapshot())
    finish(run, 2.0)
    page = heard(page, drawing.update(3.0))
    assert page == copied(wire(RunDrawing(run).tree(3.0)))
    assert "Weather · clear, <b>then</b> rain" in transcript(run, None, 3.0)
    assert "clear, &lt;b&gt;then&lt;/b&gt; rain" in to_html(drawing.tree(3.0, saved=True), style=False)
