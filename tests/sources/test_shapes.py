"""What cannot be a source is refused with one sentence: what was got, and what is accepted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from runview.sources.opening import check_source, open_source
from runview.sources.shapes import shape_of

SENTENCE = (
    "{} {}, but a run is read from an iterable or async iterable of chunks, a coroutine or context manager that gives one, "
    "or a function that returns one{}"
)


class Answer(BaseModel):
    text: str


class Thing:
    pass


REFUSED: list[tuple[Any, str, str]] = [
    (None, "None", "; did the call return its stream?"),
    (5, "int", ""),
    (Thing(), "Thing", ""),
    ("run.jsonl", "str", "; a recording is read by replay(path)"),
    (Path("run.jsonl"), type(Path()).__name__, "; a recording is read by replay(path)"),
    ({"text": "hi"}, "dict", "; a chunk is a dict with a type"),
    (Answer(text="hi"), "Answer", ", not from a whole answer"),
]


@pytest.mark.parametrize(("source", "what", "hint"), REFUSED)
def test_the_sentence(source: object, what: str, hint: str):
    with pytest.raises(TypeError, match=f"^{re.escape(SENTENCE.format('got', what, hint))}$"):
        check_source(source)


@pytest.mark.parametrize(("source", "what", "hint"), REFUSED)
async def test_what_a_function_or_coroutine_gives_is_checked_too(source: object, what: str, hint: str):
    async def coroutine() -> Any:
        return source

    for outer, verb in ((lambda: source, "the function returned"), (coroutine(), "the coroutine returned")):
        with pytest.raises(TypeError, match=f"^{re.escape(SENTENCE.format(verb, what, hint))}$"):
            async with open_source(outer):
                pass


async def test_sources_that_only_give_sources_end():
    def again() -> Any:
        return again

    with pytest.raises(TypeError, match="one source gave another 12 times"):
        async with open_source(again):
            pass


def test_a_check_runs_nothing_of_the_source():
    class Touchy:
        @property
        def full_stream(self) -> Any:
            raise AssertionError("touched")

        def __aiter__(self) -> Any:
            raise AssertionError("touched")

    def generator() -> Any:
        raise AssertionError("touched")
        yield

    for source in (Touchy(), generator(), generator, Touchy):
        check_source(source)


def test_the_model_of_a_chunk_is_a_source_and_other_models_are_not():
    from runview.chunks import parse_chunk

    assert shape_of(parse_chunk({"type": "start"})) == "chunk"
    assert shape_of(Answer(text="hi")) is None
    assert shape_of(Answer) == "function"
