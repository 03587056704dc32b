"""A page that is older or newer than the kernel: what one says and the other does not know changes nothing in the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.lab import Notebook
from tests.browser.watching import Watch, nothing_left

pytestmark = pytest.mark.browser

Open = Callable[..., Notebook]

SETUP = "from runview import stream_view\nfrom tests.browser.agents import *\nfrom tests.browser.breaking import left"
SHOWN = "view = stream_view(counting(60, 0.06))\ndisplay(view)"
LEFT = "view.close()  # where no page can say that it has seen the end, the comm stays for a while\nprint('left', await left())"
WORDS = " ".join(f"w{number}" for number in range(60))

# A kernel that knows more than the page: operations, kinds of messages and fields of them, elements, attributes.
NEWER = """
from runview.view.widget import Widget
tell = Widget.tell
told = 0

def newer(self, news):
    global told
    told += 1
    tell(self, {"kind": "weather", "seq": news.get("seq"), "now": news.get("now"), "sky": ["grey"]})
    tell(self, {"kind": "forecast", "sky": None})
    more = {"ops": [*news["ops"], ["twist", [0], {"by": 2}]]} if news["kind"] == "ops" and told % 5 == 0 else {}
    tell(self, {**news, **more, "mood": {"good": True}})

Widget.tell = newer
"""
# A kernel that knows less: it tells no language, no questions and no answer, and understands only Stop.
OLDER = """
from runview.view.page import Page
from runview.view.widget import Widget
tell, heard, whole = Widget.tell, Page.heard, Page._snapshot

def older(self, news):
    tell(self, {name: told for name, told in news.items() if name not in ("answer", "asks")})

Widget.tell = older
Page._snapshot = lambda self: {name: told for name, told in whole(self).items() if name != "labels"}
Page.heard = lambda self, content: heard(self, content) if content.get("kind") == "stop" else None
"""
# A page whose anywidget is of another time than the kernel's: it finds no class for the model.
OTHER = """
import traitlets
from runview.view import widget

class Other(widget.Widget):
    _model_module_version = traitlets.Unicode("~99.0.0").tag(sync=True)

widget.Widget = Other
"""


@pytest.mark.parametrize("kernel", [NEWER, OLDER], ids=["older", "newer"])
def test_a_page_of_another_version(notebook: Open, page, kernel: str) -> None:
    watch = Watch(page)
    book = notebook(SETUP, kernel, SHOWN, LEFT)
    for cell in range(3):
        book.run(cell)
    book.await_seen(2, "w3 ")
    watch.sees()
    text = book.await_seen(2, "Done", WORDS, timeout=40)
    assert "Running" not in text
    assert "No news" not in text
    the_file_holds_the_end(book)
    nothing_left(book, 3)
    watch.is_quiet()


def test_a_page_without_the_widgets_of_the_kernel(notebook: Open, page) -> None:
    watch = Watch(page)
    book = notebook(SETUP, OTHER, SHOWN, LEFT)
    for cell in range(3):
        book.run(cell)
    text = book.await_seen(2, "Done", WORDS, timeout=40)
    assert book.shadow(2).count() == 0, "only the static output is there"
    assert "Running" not in text
    the_file_holds_the_end(book)
    nothing_left(book, 3)
    watch.is_quiet("anywidget", "Error displaying widget", "Could not create a model")


def the_file_holds_the_end(book: Notebook) -> None:
    book.page.wait_for_function("() => document.querySelector('.rv-done') !== null", timeout=30_000)
    (output,) = book.save().cells[2].outputs
    assert "Done" in output["data"]["text/plain"]
    assert WORDS in output["data"]["text/plain"]
