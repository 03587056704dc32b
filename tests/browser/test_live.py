"""The live view in a real JupyterLab: what is seen while a run streams, and at its end."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view, runs\nfrom tests.browser.agents import *"


def test_every_part_arrives_and_stays(notebook: Open) -> None:
    book = notebook(SETUP, "view = stream_view(everything(0.05), title='tides')\ndisplay(view)")
    book.run(0)
    begun = time.monotonic()
    book.run(1)
    assert time.monotonic() - begun < 2, "the cell must return at once"
    book.await_seen(1, "Running", "tides", "Thinking")
    book.await_seen(1, "search_web", "“tidal range Bristol”")
    book.await_seen(1, "Object", "Avonmouth")
    book.await_seen(1, "The tidal range at Bristol is among")
    text = book.await_seen(1, "Done", "5 results", "12.2", "both are there", timeout=30)
    for word in ("Running", "Thinking —", "running", "writing"):
        assert word not in text
    assert book.shadow(1).locator("strong", has_text="among the largest").count() == 1
    assert book.shadow(1).locator("td", has_text="Avonmouth").count() >= 1


def test_a_tripwire_blocks(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(blocked(0.02)))")
    book.run(0)
    book.run(1)
    text = book.await_seen(1, "Blocked", "pii-filter", "e-mail address in the output", "You can reach her at")
    assert "Running" not in text


# Clicks Stop and gives the milliseconds until the page shows that the run has stopped.
STOP = """
(view) => new Promise((tell) => {
  const section = view.querySelector("section");
  const begun = performance.now();
  const look = () => section.textContent.includes("Stopped") ? tell(performance.now() - begun) : requestAnimationFrame(look);
  view.querySelector("button").click();
  look();
})
"""


def test_stop_ends_the_run_at_once(notebook: Open) -> None:
    cell = "view = stream_view(endless())\ndisplay(view)"
    book = notebook(SETUP, cell, cell, cell, "print(view.status, view.output.finish_reason.value)")
    book.run(0)
    times = []
    for index in (1, 2, 3):
        book.run(index)
        book.await_seen(index, "Running", "word5")
        times.append(book.shadow(index).evaluate(STOP))
        text = book.await_seen(index, "Stopped", "stopped")
        assert "running" not in text.lower()
    assert min(times) < 200, times
    book.run(4)
    book.await_seen(4, "canceled aborted")


def test_a_second_display_shows_the_same(notebook: Open) -> None:
    book = notebook(SETUP, "view = stream_view(counting(60, 0.04))\ndisplay(view)", "display(view)")
    book.run(0)
    book.run(1)
    book.await_seen(1, "w10 ")
    book.run(2)
    book.await_seen(2, "w20 ")
    assert book.await_seen(1, "Done", "w59") == book.await_seen(2, "Done", "w59")


def test_awaiting_a_value_keeps_the_view_going(notebook: Open) -> None:
    book = notebook(
        SETUP,
        "view = stream_view(counting(60, 0.04))\ndisplay(view)",
        "text = await view.output.text\nprint(len(text.split()))",
        "view = stream_view(counting(60, 0.04))\ndisplay(view)\ntext = view.output.wait().text\nprint(len(text.split()))",
    )
    book.run(0)
    book.run(1)
    book.run(2, wait=False)
    book.await_seen(1, "w20 ")
    assert "60" not in book.seen(2), "the view has to be seen going on while the cell waits"
    book.await_seen(2, "60")
    book.run(3, wait=False)
    book.await_seen(3, "w20 ")
    book.await_seen(3, "Done", "w59", "60")


def test_running_the_cell_again_stops_its_run(notebook: Open) -> None:
    book = notebook(SETUP, "view = stream_view(endless())\ndisplay(view)", "print(len(runs()), 'live')")
    book.run(0)
    book.run(1)
    book.await_seen(1, "word5")
    book.run(1)
    book.await_seen(1, "word5")
    book.run(2)
    book.await_seen(2, "1 live")


def test_interrupting_an_idle_kernel_stops_the_run(notebook: Open) -> None:
    book = notebook(SETUP, "view = stream_view(endless())\ndisplay(view)")
    book.run(0)
    book.run(1)
    book.await_seen(1, "word5")
    book.command("kernelmenu:interrupt")
    book.await_seen(1, "Stopped")


def test_interrupting_a_cell_that_awaits_stops_the_run_and_a_time_limit_does_not(notebook: Open) -> None:
    book = notebook(
        SETUP,
        "view = stream_view(endless())\ndisplay(view)",
        "import asyncio\ntry:\n    async with asyncio.timeout(0.3):\n        await view\n"
        "except TimeoutError:\n    print('waited')\nawait asyncio.sleep(0.3)\nprint(view.status)",
        "await view",
    )
    book.run(0)
    book.run(1)
    book.run(2)
    book.await_seen(2, "waited", "running")
    book.run(3, wait=False)
    book.page.wait_for_function("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'busy'")
    time.sleep(0.5)
    book.command("kernelmenu:interrupt")
    book.await_seen(1, "Stopped")


def test_the_widget_draws_in_its_own_element(notebook: Open) -> None:
    book = notebook(
        SETUP,
        "import ipywidgets\nview = stream_view(counting(40, 0.04))\nipywidgets.HBox([view.widget])",
        "out = ipywidgets.Output()\nwith out:\n    display(stream_view(counting(40, 0.04)))\nout",
    )
    book.run(0)
    book.run(1)
    book.await_seen(1, "Running", "w10 ")
    book.await_seen(1, "Done", "w39")
    book.run(2)
    book.await_seen(2, "Running", "w10 ")
    book.await_seen(2, "Done", "w39")


def test_a_view_of_a_given_height_follows_until_the_reader_scrolls(notebook: Open) -> None:
    cell = "view = stream_view(lines(120, 0.03), max_height=200)\ndisplay(view)"
    book = notebook(SETUP, cell)
    book.run(0)
    book.run(1)
    book.await_seen(1, "line 30")
    box = book.shadow(1).locator("section")
    assert box.evaluate("box => box.clientHeight") <= 200
    assert box.evaluate("box => box.scrollHeight - box.scrollTop - box.clientHeight") <= 30, "it follows the end"
    box.evaluate("box => { box.scrollTop -= 100 }")
    at = box.evaluate("box => box.scrollTop")
    book.await_seen(1, "line 60")
    assert box.evaluate("box => box.scrollTop") == at, "the reader's place stays"
    button = book.shadow(1).locator(".rv-new")
    assert re.fullmatch(r"\d+ new ↓", button.inner_text())
    button.click()
    book.await_seen(1, "line 119", "Done")
    assert box.evaluate("box => box.scrollHeight - box.scrollTop - box.clientHeight") <= 8
    assert button.is_hidden()


def test_one_voice_tells_what_happens(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(everything(0.02)))")
    book.run(0)
    book.run(1)
    voice = book.shadow(1).locator("[role=status]")
    heard: list[str] = []
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and "Finished" not in "".join(heard):
        said = voice.inner_text()
        if said and said not in heard[-1:]:
            heard.append(said)
        time.sleep(0.02)
    assert heard[-1].startswith("Finished in ")
    assert heard[0] == "Thinking"
    assert len(heard) <= 3
    assert book.shadow(1).locator("[aria-live]").count() == 0


def test_the_page_tells_that_the_kernel_is_gone(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(endless()))", "import os\nos._exit(1)")
    book.run(0)
    book.run(1)
    book.await_seen(1, "word5")
    book.run(2, wait=False)
    text = book.await_seen(1, "The kernel is gone", "Ended early", timeout=30)
    assert "running" not in text.lower()
    assert "Stop" not in text.split("word0")[0].replace("stopped", "")


def test_where_nothing_can_be_drawn_over_the_widget_stands_until_the_end(notebook: Open, page) -> None:
    page.add_init_script(
        "const attach = Element.prototype.attachShadow; Element.prototype.attachShadow = function (options) {"
        " if (this.closest('.jp-RenderedHTMLCommon')) throw new DOMException('no', 'NotSupportedError');"
        " return attach.call(this, options) }"
    )
    cell = (
        "view = stream_view(counting(60, 0.05))\nview._static.pause = lambda seen: 0.5  # as often as where nobody draws\n"
        "display(view)"
    )
    book = notebook(SETUP, cell)
    book.run(0)
    book.run(1)
    widget = ".jp-OutputArea-output.jp-mod-ipywidgets, .widget-subarea, .jp-OutputArea-output .rv-host"
    page.wait_for_selector(widget, timeout=10_000)
    book.await_seen(1, "Running", "w40 ")
    assert page.locator(widget).count() > 0, "a refresh of the file must not take the live view away"
    book.await_seen(1, "Done", "w59")
    page.wait_for_function("() => document.querySelector('.rv-done') !== null")
    assert "Error displaying widget" not in book.seen(1)


def test_a_run_belongs_to_the_cell_whose_code_started_it(notebook: Open) -> None:
    book = notebook(
        SETUP,
        "import asyncio, ipywidgets\nstarted = []\n"
        "async def later():\n    await asyncio.sleep(1)\n    started.append(stream_view(endless()))\n"
        "button = ipywidgets.Button(description='go')\n"
        "button.on_click(lambda _: started.append(stream_view(endless())))\n"
        "task = asyncio.create_task(later())\ndisplay(button)",
        "len(started)",
        "await asyncio.sleep(1.2)\nprint([view.status for view in started])",
    )
    book.run(0)
    book.run(1)
    book.run(2)
    book.output(1).locator("button").click()
    book.run(3)
    book.await_seen(3, "['running', 'running']")
    book.run(2)
    book.run(3)
    assert "['running', 'running']" in book.await_seen(3, "running"), "another cell's run, and a button's, are not this cell's"


# Takes the cell out of the page and puts it back, as a notebook does whose windowing is `full`.
AWAY = """
(area) => new Promise((tell) => {
  const cell = area.closest(".jp-Cell");
  const [parent, next] = [cell.parentNode, cell.nextSibling];
  const inner = area.querySelector(".rv-host").shadowRoot.querySelector("section");
  inner.scrollTop = 40;
  inner.querySelector("details").open = true;
  setTimeout(() => {
    cell.remove();
    setTimeout(() => {
      parent.insertBefore(cell, next);
      requestAnimationFrame(() => tell([inner.isConnected, inner.scrollTop, inner.querySelector("details").open]));
    }, 500);
  }, 300);
})
"""


def test_a_cell_that_leaves_the_page_comes_back_as_it_was(notebook: Open) -> None:
    book = notebook(SETUP, "display(stream_view(everything(0.005), max_height=120))")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "12.2 metres", "both are there")
    assert book.output(1).evaluate(AWAY) == [True, 40, True]


def test_closing_a_view_closes_its_widget(notebook: Open) -> None:
    book = notebook(
        SETUP,
        "view = stream_view(counting(5, 0.01))\ndisplay(view.widget)\nawait view",
        "widget = view.widget\nbefore = widget.comm is not None\nview.close()\nprint(before, widget.comm is not None)",
    )
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "w4")
    book.run(2)
    book.await_seen(2, "True False")


def test_no_request_leaves_the_server_and_the_console_is_clean(notebook: Open, lab, page) -> None:
    outside: list[str] = []
    errors: list[str] = []
    ours = (lab.url, lab.url.replace("http", "ws", 1), "data:", "blob:")
    page.on("request", lambda request: outside.append(request.url))
    page.on("console", lambda message: errors.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: errors.append(str(error)))
    book = notebook(SETUP, "display(stream_view(everything(0.01)))")
    book.run(0)
    book.run(1)
    book.await_seen(1, "Done", "12.2 metres")
    assert [url for url in outside if not url.startswith(ours)] == []
    assert [line for line in errors if line.startswith("error")] == []
