"""The protocol is told in three places (names, models, reducer), which must not drift apart."""

from __future__ import annotations

import pytest

from runview.chunks.parse import MODELS, model_of
from runview.chunks.wire import KNOWN_PREFIXES, KNOWN_TYPES
from runview.run.reduce import HANDLERS

UNDRAWN = {"raw", "watch", "response-metadata", "custom", "reasoning-signature", "workflow-step-finish"}
"""Kept and counted, but they change nothing that is shown."""


def test_every_type_has_a_model_and_every_model_a_type() -> None:
    spelled_out = {type_ for type_ in MODELS if not type_.startswith(KNOWN_PREFIXES)}
    assert spelled_out == KNOWN_TYPES


@pytest.mark.parametrize("prefix", KNOWN_PREFIXES)
def test_every_open_family_has_a_model(prefix: str) -> None:
    assert model_of(prefix + "something-new").__name__ != "UnknownChunk"


def test_the_reducer_knows_every_type() -> None:
    assert KNOWN_TYPES - UNDRAWN - set(HANDLERS) == set()
    assert {type_ for type_ in HANDLERS if type_ not in KNOWN_TYPES and not type_.startswith(KNOWN_PREFIXES)} == set()
