"""What runs us, told from what a kernel looks like."""

from __future__ import annotations

import asyncio
import sys
import threading
from types import SimpleNamespace

import pytest

from runview.host import home_loop, in_kernel, kernel_loop, someone_watches


@pytest.fixture(autouse=True)
def no_wishes(monkeypatch):
    for name in ("RUNVIEW_LIVE", "SERVER_SOFTWARE", "VOILA_REQUEST_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def host(monkeypatch):
    """Puts a kernel in place, or an IPython without one, or nothing."""

    def put(**kernel) -> None:
        shell = SimpleNamespace(kernel=SimpleNamespace(**kernel))
        monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))

    return put


def test_a_plain_interpreter(monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    assert not in_kernel()
    assert kernel_loop() is None
    assert home_loop() is None
    assert not someone_watches()


def test_an_ipython_terminal_is_no_kernel(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=SimpleNamespace))
    assert not in_kernel()
    assert not someone_watches()


def test_the_loop_of_ipykernel_from_any_thread(host):
    loop = asyncio.new_event_loop()
    host(io_loop=SimpleNamespace(asyncio_loop=loop))
    assert in_kernel()
    assert kernel_loop() is loop
    found = []
    thread = threading.Thread(target=lambda: found.append(home_loop()))
    thread.start()
    thread.join()
    assert found == [loop]

    async def elsewhere():
        return home_loop()

    assert asyncio.run(elsewhere()) is loop
    loop.close()


async def test_a_kernel_that_keeps_its_loop_to_itself_has_one_only(host):
    host()
    assert kernel_loop() is asyncio.get_running_loop()


@pytest.mark.parametrize(
    ("kernel", "environment", "watched"),
    [
        ({"_allow_stdin": True}, {}, True),
        ({"_allow_stdin": False}, {}, False),
        ({}, {}, True),
        ({"_allow_stdin": False}, {"SERVER_SOFTWARE": "voila/0.5.8"}, True),
        ({"_allow_stdin": False}, {"VOILA_REQUEST_URL": "http://localhost/voila"}, True),
        ({"_allow_stdin": False}, {"SERVER_SOFTWARE": "gunicorn"}, False),
        ({"_allow_stdin": False}, {"RUNVIEW_LIVE": "1"}, True),
        ({"_allow_stdin": True}, {"RUNVIEW_LIVE": "0"}, False),
        ({"_allow_stdin": True}, {"RUNVIEW_LIVE": "perhaps"}, True),
    ],
)
def test_somebody_watches_unless_it_is_known_that_nobody_does(host, monkeypatch, kernel, environment, watched):
    host(**kernel)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert someone_watches() is watched
    assert someone_watches(live=True) is True
    assert someone_watches(live=False) is False
