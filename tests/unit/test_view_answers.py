"""Which messages of a page answer a question, and that each question is answered once."""

from __future__ import annotations

import pytest

from runview.view.answers import Answers


def good(answers: Answers, id: str = "a", approved: bool = True) -> dict[str, object]:
    return {"id": id, "approved": approved, "nonce": answers.waits[id]}


@pytest.mark.parametrize("approved", [True, False])
def test_the_first_answer_wins(approved: bool) -> None:
    answers = Answers()
    answers.ask("a")
    message = good(answers, approved=approved)
    assert answers.hear(message) == ("a", approved)
    assert answers.hear(message) is None
    assert answers.hear({**message, "approved": not approved}) is None
    assert answers.waits == {}


@pytest.mark.parametrize(
    "odd",
    [
        *({"approved": value} for value in (1, 0, "true", "yes", None, [True], {"a": True}, 1.0)),
        *({"nonce": value} for value in (None, 1, True, [], "", "x" * 100, "\ud800")),
        *({"id": value} for value in (None, 1, True, ["a"], "", "b")),
    ],
    ids=repr,
)
def test_what_is_not_exactly_an_answer_is_none_and_uses_nothing_up(odd: dict[str, object]) -> None:
    answers = Answers()
    answers.ask("a")
    assert answers.hear({**good(answers), **odd}) is None
    for name in odd:
        assert answers.hear({key: value for key, value in good(answers).items() if key != name}) is None
    assert answers.hear(good(answers)) == ("a", True)


def test_the_same_question_is_not_asked_twice() -> None:
    answers = Answers()
    about = {"path": "x"}
    answers.ask("a", about)
    told = answers.waits
    answers.ask("a", about)
    assert answers.waits == told
    answers.hear(good(answers))
    answers.ask("a", about)
    assert answers.waits == {}, "it has been answered"


def test_another_question_under_the_same_id_has_another_nonce() -> None:
    answers = Answers()
    answers.ask("a", {"path": "x"})
    old = good(answers)
    answers.ask("a", {"path": "x"})  # equal, but what was shown is another value
    assert answers.hear(old) is None
    assert answers.hear(good(answers)) == ("a", True)


def test_what_is_withdrawn_can_not_be_answered() -> None:
    answers = Answers()
    answers.ask("a")
    answers.ask("b")
    old = good(answers)
    answers.only(["b"])
    assert answers.hear(old) is None
    answers.ask("a")
    assert answers.hear(old) is None, "not even when the same is asked again"
    assert answers.hear(good(answers, "b")) == ("b", True)


def test_nonces_are_long_and_never_the_same() -> None:
    answers = Answers()
    for number in range(200):
        answers.ask(str(number))
    told = answers.waits.values()
    assert len(set(told)) == 200
    assert min(map(len, told)) >= 32
