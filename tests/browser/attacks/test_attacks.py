"""Hostile streams against the built widget: nothing runs, nothing is asked for, nothing disguises itself. The file neither."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.attacks.arena import Arena, corpus, sample
from tests.browser.attacks.judge import Judge

pytestmark = pytest.mark.browser

KINDS = sorted({item["kind"] for item in corpus()})


@pytest.fixture
def arena(browser: Browser) -> Iterator[Arena]:
    """A page of its own for each kind: after a thousand attacks a page is slow, and some attacks have a bound of time."""
    made = Arena(browser)
    yield made
    made.close()


@pytest.fixture
def judge(browser: Browser) -> Iterator[Judge]:
    made = Judge(browser)
    yield made
    made.close()


@pytest.mark.timeout(180)
def test_some_of_every_kind(arena: Arena, judge: Judge) -> None:
    arena.saved.clear()
    assert arena.fight(sample(2)) == []
    assert arena.sinks == 0
    assert judge.findings(arena.saved) == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("mode", ["given", "whole", "chars"])
@pytest.mark.parametrize("kind", KINDS)
def test_all_of_a_kind(arena: Arena, judge: Judge, kind: str, mode: str) -> None:
    arena.saved.clear()
    items = [item for item in corpus() if item["kind"] == kind]
    assert arena.fight(items, mode) == []
    assert arena.sinks == 0
    if kind not in ("giant", "many-parts"):
        assert judge.findings(arena.saved) == []


def test_the_harness_sees_what_it_looks_for(arena: Arena) -> None:
    """An attack that succeeds, made by hand: without it, a harness that sees nothing would pass everything."""
    arena._page.evaluate("() => { window.__adapter._mount = window.__adapter.mount; }")
    arena._page.evaluate(
        """() => {
          window.__adapter.mount = async (root) => {
            const view = await window.__adapter._mount(root);
            return { ...view, async feed(event) {
              await view.feed(event);
              const link = document.createElement("a");
              link.href = "javascript:1";
              link.id = "body";
              root.firstElementChild.shadowRoot.querySelector("section").append(link);
              const image = document.createElement("img");
              image.src = "https://collect.example/p";
              root.firstElementChild.shadowRoot.querySelector("section").append(image);
            } };
          };
        }"""
    )
    item = {"id": "made", "kind": "made", "where": "text", "payload": "x", "delivered": [], "must_not": []}
    found = " ".join(arena.fight([item]))
    for rule in ("unsafe-href", "clobber", "remote-resource", "network"):
        assert rule in found
