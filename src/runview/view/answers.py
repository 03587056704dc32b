"""The questions that a page may answer, each with a nonce that is good for one answer.

A page is hostile until it proves that it was shown the question: the nonce goes to it by a message of its own, never by the
tree, a synced trait or the file, and is renewed whenever what was asked about has changed. All that is taken from the page is
yes or no.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

__all__ = ["Answers"]


class _Question(NamedTuple):
    about: tuple[object, ...]
    """What is asked about, by identity."""
    nonce: str | None
    """None when it has been used."""


class Answers:
    """Holds what is asked; `hear` decides whether a message answers it."""

    def __init__(self, nonce: Callable[[], str] = secrets.token_urlsafe) -> None:
        self._nonce = nonce
        self._asked: dict[str, _Question] = {}

    @property
    def waits(self) -> dict[str, str]:
        """The nonces of all questions that can be answered, by the id of each."""
        return {id_: question.nonce for id_, question in self._asked.items() if question.nonce is not None}

    def ask(self, id_: str, *about: object) -> None:
        """Asks, with a new nonce unless the same has been asked already, be it answered or not."""
        known = self._asked.get(id_)
        if known is None or not _same(known.about, about):
            self._asked[id_] = _Question(about, self._nonce())

    def withdraw(self, id_: str) -> None:
        """Nothing is asked any more; an answer under way comes too late."""
        self._asked.pop(id_, None)

    def only(self, ids: Sequence[str]) -> None:
        """Withdraws all other questions."""
        for id_ in self._asked.keys() - set(ids):
            self.withdraw(id_)

    def hear(self, content: dict[str, Any]) -> tuple[str, bool] | None:
        """The id and the answer, if the message is the first good one to a question; anything else changes nothing."""
        id_, approved, nonce = content.get("id"), content.get("approved"), content.get("nonce")
        if type(id_) is not str or type(approved) is not bool or type(nonce) is not str:
            return None
        question = self._asked.get(id_)
        if question is None or question.nonce is None or not _equal(question.nonce, nonce):
            return None
        self._asked[id_] = question._replace(nonce=None)
        return id_, approved


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
