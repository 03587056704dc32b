"""The order of the tests, and how many examples Hypothesis tries: a few, always the same, or (`make test-all`) 2,000 new ones."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("quick", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("all", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("quick")

LAST = ("kernel", "notebooks", "browser")
PATIENCE = {"kernel": 180, "notebooks": 180, "browser": 240}
"""Seconds for a test that starts programs of others, which may take their time on a busy machine."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is quick comes first, and the browser last: Playwright, once started, keeps a loop running in this thread."""
    for item in items:
        patience = max((PATIENCE[mark.name] for mark in item.iter_markers() if mark.name in PATIENCE), default=None)
        if patience is not None and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(patience))
    items.sort(key=lambda item: max((LAST.index(mark.name) for mark in item.iter_markers() if mark.name in LAST), default=-1))


def pytest_sessionstart() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """Thousands of tests are no garbage: `gc.collect` in some of them need not go through them all."""
    gc.collect()
    gc.freeze()
    gc.enable()
