"""What a value looks like: bounded, total, masked; and the few words of its peek."""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import decimal
import enum
import sys
import uuid
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runview.draw.images import picture_of, sniff
from runview.draw.look import Look
from runview.draw.pen import Memory, Pen
from runview.draw.plain import Fields, Items, Mark, Table, Text, plain
from runview.draw.secret_json import mask_text
from runview.draw.secrets import is_credential
from runview.draw.tree import h, wire
from runview.draw.values import fields, literal, peek, result
from runview.draw.words import Words
from tests.timing import fair

PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def pen(form: Any = "live") -> Pen:
    return Pen(look=Look(), words=Words({}), now=0.0, form=form, memory=Memory())


def shown(value: object, form: Any = "live") -> str:
    return h("div", "", *result(pen(form), value, "Result")).text()


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int
    y: float


@dataclasses.dataclass(slots=True)
class Slotted:
    x: int


class Model(pydantic.BaseModel):
    name: str
    password: str = "hunter2"


class Pair(NamedTuple):
    left: int
    right: int


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"), (True, "true"), (False, "false"), (0, "0"), (-1.5, "-1.5"), (6.0, "6.0"), ("", '""'), ("a", "a"),
        ([], "[]"), ({}, "{}"), ((), "[]"), (set(), "[]"),
        (9007199254740993, "9007199254740993"), (float("nan"), "NaN"), (float("inf"), "Infinity"), (float("-inf"), "-Infinity"),
        (dt.datetime(2026, 1, 2, 3, 4, 5), "2026-01-02 03:04:05"), (dt.date(2026, 1, 2), "2026-01-02"),
        (dt.timedelta(seconds=90), "0:01:30"), (decimal.Decimal("1.10"), "1.10"), (uuid.UUID(int=1), str(uuid.UUID(int=1))),
        (Path("a/b"), "a/b"), (Colour.RED, "red"), (range(3), "range(0, 3)"), (1 + 2j, "(1+2j)"),
        (ValueError("no"), "ValueError: no"),
        (b"\0" * 2048, "2\u202fkB of bytes"), ((i for i in "ab"), "<generator>"), (len, "<builtin_function_or_method>"),
        (object(), "<object>"), ("a\u202eb\x1b[31mc\ud800", "a⟨U+202E⟩bc\ufffd"),
    ],
)  # fmt: skip
def test_a_scalar_is_said_as_it_is(value: object, words: str) -> None:
    assert literal(plain(value)[0]) == words


def test_a_huge_number_is_not_written_out() -> None:
    assert literal(plain(10**5000)[0]) == "a whole number of about 5\u202f000 digits"
    assert literal(plain(10**900)[0]) == str(10**900)


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (Point(1, 2.5), Fields([("x", 1), ("y", 2.5)], 2, "Point")),
        (Slotted(1), Fields([("x", 1)], 1, "Slotted")),
        (Model(name="a"), Fields([("name", Text("a", 0, 1)), ("password", Mark("hidden"))], 2, "Model")),
        (Pair(1, 2), Fields([("left", 1), ("right", 2)], 2, "Pair")),
        (OrderedDict(a=1), Fields([("a", 1)], 1)),
        ({1: "one"}, Fields([("1", Text("one", 0, 3))], 1)),
        (deque([1]), Items([1], 1)),
        (pydantic.SecretStr("x"), Mark("hidden")),
    ],
)
def test_known_classes_have_their_own_form(value: object, form: object) -> None:
    assert plain(value)[0] == form


class Array:
    """As much of a numpy array as is read."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows, self.ndim, self.shape, self.dtype = rows, 2, (len(rows), len(rows[0])), "int64"

    def __getitem__(self, at: Any) -> Any:
        return Array([row[at[1]] for row in self.rows[at[0]]])

    def tolist(self) -> list[list[int]]:
        return self.rows


class Scalar:
    def item(self) -> int:
        return 3


class Frame:
    """As much of a polars frame as is read."""

    height, width, columns = 1204, 2, ("a", "password")

    def head(self, rows: int) -> Frame:
        assert rows == 20
        return self

    def rows(self) -> list[tuple[object, ...]]:
        return [(1, "x"), (None, "y")]


def test_frames_and_arrays_are_known_by_what_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain(Array([[1]]))[0] != Table(["0"], [[1]], 1, 1)
    monkeypatch.setitem(sys.modules, "numpy", SimpleNamespace(ndarray=Array, generic=Scalar))
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace(DataFrame=Frame))
    assert plain(Array([[1, 2], [3, 4]]))[0] == Table(["0", "1"], [[1, 2], [3, 4]], 2, 2)
    assert peek(pen(), Array([[0] * 4] * 1204)) == "1\u202f204 rows × 4"
    assert literal(plain(Scalar())[0]) == "3"
    assert "first 2 of 1\u202f204 rows" in shown(Frame())
    assert plain(Frame())[0] == Table(["a", "password"], [[1, Mark("hidden")], [None, Mark("hidden")]], 1204, 2)


class Liar:
    @property
    def __class__(self) -> Any:
        raise RuntimeError("class")

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class LyingDict(dict):  # type: ignore[type-arg]
    def items(self) -> Any:
        raise RuntimeError("items")

    def __len__(self) -> int:
        raise RuntimeError("len")

    def __iter__(self) -> Any:
        raise RuntimeError("iter")


class LyingText(str):
    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("str")

    def __len__(self) -> int:
        return -1  # noqa: PLE0303


class Meta(type):
    @property
    def __name__(cls) -> str:
        raise RuntimeError("name")

    @property
    def __mro__(cls) -> Any:
        raise RuntimeError("mro")


class Strange(metaclass=Meta):
    pass


class LyingZone(dt.tzinfo):
    def utcoffset(self, _: Any) -> Any:
        raise RuntimeError("offset")


def _cycle() -> list[Any]:
    out: list[Any] = [1]
    out.append({"again": out})
    return out


def _deep() -> Any:
    out: Any = 0
    for _ in range(100_000):
        out = [out]
    return out


HOSTILE: dict[str, Callable[[], object]] = {
    "object": Liar,
    "dict": lambda: LyingDict(a=1),
    "text": lambda: LyingText("x"),
    "metaclass": Strange,
    "time zone": lambda: dt.datetime(2026, 1, 1, tzinfo=LyingZone()),
    "cycle": _cycle,
    "deep": lambda: {"deep": _deep(), "api_key": "sk"},
    "key": lambda: {Liar(): 1},
    "long": lambda: "x" * 50_000_000,
    "long and wide": lambda: "é" * 5_000_000,
    "bytes": lambda: b"x" * 50_000_000,
    "list": lambda: [{"a": i} for i in range(50_000)],
    "keys": lambda: dict.fromkeys(range(100_000)),
    "digits": lambda: [10**4000] * 50,
    "memory": lambda: memoryview(b"abc")[::2],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_value_is_shown_in_milliseconds_and_never_raises(name: str) -> None:
    value = HOSTILE[name]()
    with fair() as spent:
        for form in ("live", "saved"):
            text = shown(value, form)
            nodes, _ = fields(pen(form), value)
            assert len(text) < 60_000
            assert len(h("div", "", *nodes).text()) < 60_000
        peek(pen(), value)
    assert spent.seconds < 0.5


def test_one_hostile_leaf_does_not_take_its_neighbours_away() -> None:
    text = shown({"good": 1, "bad": Liar(), "also": LyingDict(inner=2)})
    assert "good 1" in text
    assert "bad <Liar>" in text
    assert "inner 2" in text


def test_a_leaf_that_raises_does_not_take_its_neighbours_away(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frame:
        @property
        def shape(self) -> tuple[int, int]:
            raise RuntimeError("no shape")

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=Frame))
    leaf = Frame()
    assert plain({"before": 1, "leaf": leaf, "after": [2, leaf, 3]})[0] == Fields(
        [("before", 1), ("leaf", Mark("<Frame>")), ("after", Items([2, Mark("<Frame>"), 3], 3))], 3
    )


def test_a_cycle_is_told() -> None:
    assert "itself again" in shown(_cycle())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda kids: st.lists(kids) | st.dictionaries(st.text(), kids),
    )
)
def test_any_json_is_drawn(value: object) -> None:
    nodes = h("div", "", *result(pen(), value, "Result"))
    assert "\ud800" not in str(wire(nodes)).encode("utf-8").decode()
    assert peek(pen(), value)


def test_a_big_value_is_cut_and_says_so_and_leaves_room_for_the_others() -> None:
    nodes, cut = fields(pen(), {"big": "x" * 100_000, "small": "seen"})
    assert cut
    assert "seen" in h("div", "", *nodes).text()
    (_, block, note) = result(pen(), "line\n" * 700_000, "Result", 3)
    assert len(block.text()) == 20_000
    assert note.text() == "showing 20\u202fkB of 3.5\u202fMB · view.output.tool_results[3]"
    assert len(result(pen("saved"), "x\n" * 50_000, "Result", 3)[1].text()) == 4_000


def test_a_list_of_records_is_a_table_and_the_nested_a_tree() -> None:
    table = result(pen(), [{"a": 1, "b": None}, {"a": 2, "c": "x"}], "Result")
    assert table[0].text() == "Result · 2 rows"
    assert [node.text() for node in table[1].walk() if node.tag == "tr"] == ["abc", "1null—", "2—x"]
    tree = result(pen(), {"a": {"b": [1, 2]}, "token": "x"}, "Result")[1]
    folds = [(node.walk(), node.attrs.get("auto")) for node in tree.walk() if node.tag == "details"]
    assert [(next(one.text() for one in nodes if one.tag == "summary"), auto) for nodes, auto in folds] == [
        ("a 1 key", "open"), ("b [2]", None),
    ]  # fmt: skip
    assert "token hidden" in tree.text()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"), (False, "false"), ("", '""'), (None, "null"), ([], "[]"), ({}, "{}"),
        ([{"a": 1}] * 5, "5 results"), (["a"], "1 result"), ([1, 2.5], "2 numbers"), ({"a": 1, "b": 2, "c": 3}, "3 keys"),
        ({"value": 12.2, "unit": "m"}, "12.2\u00a0m"), ({"temperature": 21}, "temperature 21"),
        ({"stations": [1, 2]}, "2 stations"),
        ("12.2 m", "12.2 m"), ("first\nsecond", "first…"), ("x" * 3_000, "text · 3\u202fkB"), (PNG, "image"),
        ({"content": [{"type": "text", "text": "hello"}], "isError": False}, "hello"), ({"password": "x"}, "password hidden"),
    ],
)  # fmt: skip
def test_a_peek_says_what_came_back(value: object, words: str) -> None:
    assert peek(pen(), value) == words


@pytest.mark.parametrize(
    "key",
    (
        "api_key apiKey API-KEY password dbPassword token access_token accessToken X-Auth-Token Authorization client_secret "
        "privateKey cookie"
    ).split(),
)
def test_values_under_the_keys_of_credentials_are_hidden(key: str) -> None:
    assert is_credential(key)
    assert "s3cr3t" not in shown({key: "s3cr3t", "other": {"deep": {key: ["s3cr3t"]}}})
    assert "s3cr3t" not in h("div", "", *fields(pen(), {key: "s3cr3t"})[0]).text()
    assert "s3cr3t" not in peek(pen(), {key: "s3cr3t"})


@pytest.mark.parametrize(
    "key", "max_tokens tokens inputTokens nextPageToken page_token author key monkey keyboard secretary".split()
)
def test_other_keys_are_not(key: str) -> None:
    assert not is_credential(key)


def test_unreadable_json_is_masked_too() -> None:
    assert mask_text('{"a": "b", "api_key": "sk-1", "password": "half') == '{"a": "b", "api_key": "hidden", "password": "hidden'


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, ("png", 1, 1)),
        (b"GIF89a\x02\x00\x03\x00\x00\x00", ("gif", 2, 3)),
        (b"\xff\xd8\xff\xe0\x00\x04\x00\x00\xff\xc0\x00\x11\x08\x00\x05\x00\x06\x03", ("jpeg", 6, 5)),
        (b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x07\x00\x00\x08\x00\x00", ("webp", 8, 9)),
        (b"<svg onload=alert(1)>", None), (b"", None), (b"\x89PNG\r\n\x1a\n", None), (b"\xff\xd8" + b"\xff" * 50_000, None),
    ],
)  # fmt: skip
def test_a_picture_is_known_by_its_bytes(data: bytes, kind: tuple[str, int, int] | None) -> None:
    found = sniff(data)
    assert (None if found is None else (found.kind, found.width, found.height)) == kind


def test_what_only_says_that_it_is_a_picture_is_none() -> None:
    assert picture_of({"data": base64.b64encode(b"<svg/>").decode(), "mimeType": "image/png"}) is None
    assert picture_of("data:image/svg+xml;base64,PHN2Zy8+") is None
    found = picture_of({"base64": base64.b64encode(PNG).decode(), "mimeType": "image/png"})
    assert found is not None
    assert [node.attrs["src"] for node in result(pen(), PNG, "Result") if node.tag == "img"] == [found.url]


def test_a_picture_too_large_for_the_file_is_told_in_words() -> None:
    data = PNG + b"\0" * 300_000
    assert not [node for node in result(pen("saved"), data, "Result") if node.tag == "img"]
    assert [node for node in result(pen(), data, "Result") if node.tag == "img"]


def test_what_is_nested_deeper_than_sixty_levels_is_cut() -> None:
    value: Any = 1
    for _ in range(100):
        value = [value]
    form, cut = plain(value)
    depth = 0
    while isinstance(form, Items) and form.items:
        form, depth = form.items[0], depth + 1
    assert cut
    assert (depth, form) == (60, Mark("…"))
