"""Hostile Python values, streams and messages of a page, each made by a function when it is asked for."""

# ruff: noqa: B007, E741, F601, F841, ICN001, N802, N805, SLOT000, UP028 (odd code is what this file is for)

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import time

SECRET = "sk-live-SECRETKEY123456"
MARK = {"pickle": 0, "generator": 0, "reduce": 0, "call": 0, "setattr": 0}


def cls(**kw):
    return type("Hostile", (), kw)()


def _raise(e):
    raise e


VALUES = {}


def value(f):
    VALUES[f.__name__] = f
    return f


@value
def repr_raises():
    return cls(__repr__=lambda s: _raise(RuntimeError("repr")))


@value
def str_raises():
    return cls(__str__=lambda s: _raise(RuntimeError("str")))


@value
def repr_not_str():
    return cls(__repr__=lambda s: 42)


@value
def repr_huge():
    return cls(__repr__=lambda s: "A" * 100_000_000)


@value
def repr_ansi():
    return cls(__repr__=lambda s: "\x1b[2J\x1b]52;c;AAAA\x07")


@value
def repr_secret():
    return cls(__repr__=lambda s: f"Client(api_key={SECRET!r})")


@value
def repr_system_exit():
    return cls(__repr__=lambda s: _raise(SystemExit(3)))


@value
def cyclic_list():
    l = [1]
    l.append(l)
    return l


@value
def cyclic_dict():
    d = {}
    d["d"] = d
    return d


@value
def nonstr_keys():
    return {1: "a", (1, 2): "b", None: "c", True: "d", 1.5: "e", b"x": "f"}


@value
def colliding_keys():
    return {1: "int", "1": "str", None: "none", "null": "s"}


@value
def hostile_keys():
    return {cls(__repr__=lambda s: _raise(RuntimeError()), __hash__=lambda s: 1): 1}


@value
def big_int():
    return 10**5000


@value
def unsafe_int():
    return 2**53 + 1


@value
def bytes_():
    return b"\xff\xfe\x00<script>"


@value
def memory_view():
    return memoryview(b"abc" * 10)


@value
def set_():
    return {1, 2, frozenset({3})}


@value
def set_hostile_order():
    return {cls(), cls()}


@value
def generator_():
    def g():
        MARK["generator"] += 1
        yield 1

    return g()


@value
def getattr_raises():
    class G:
        def __getattribute__(s, n):
            raise RuntimeError("no " + n)

    return G()


@value
def lying_str():
    class S(str):
        def __str__(s):
            raise RuntimeError

        def __len__(s):
            return 10**9

    return S("abc")


@value
def model_dump_raises():
    return cls(model_dump=lambda s, *a, **k: _raise(ValueError("dump")), dict=lambda s: _raise(ValueError()))


@value
def model_dump_secret():
    class M:
        def model_dump(s, *a, **k):
            return {"api_key": SECRET, "headers": {"Authorization": "Bearer " + SECRET}}

    return M()


@value
def dataclass_cyclic():
    @dataclasses.dataclass
    class D:
        x: object = None

    d = D()
    d.x = d
    return d


@value
def dataclass_property_raises():
    class P:
        @property
        def x(s):
            raise RuntimeError

    return P()


@value
def eq_raises():
    return cls(__eq__=lambda s, o: _raise(RuntimeError()), __hash__=lambda s: _raise(RuntimeError()))


@value
def mimebundle_raises():
    return cls(_repr_mimebundle_=lambda s, **k: _raise(RuntimeError()))


@value
def ipython_display():
    return cls(_ipython_display_=lambda s: MARK.__setitem__("call", MARK["call"] + 1))


@value
def enum_():
    return enum.Enum("E", {"A": "<b>"}).A


@value
def exc_str_raises():
    class E(Exception):
        def __str__(s):
            raise RuntimeError("str")

    return E()


@value
def lone_surrogate():
    return "a\ud800b"


@value
def rows_1m():
    return [{"id": i, "v": i / 3} for i in range(1_000_000)]


@value
def date_extreme():
    return [datetime.datetime.max, datetime.date.min, datetime.timedelta.max, datetime.timezone.max]


@value
def module_():
    return time


@value
def proto_keys():
    return {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}


@value
def url_secret():
    return f"https://api.example/v1?api_key={SECRET}&q=1"


@value
def ordered_default():
    d = collections.defaultdict(lambda: d)
    return d


# ---- streams: iterables of neutral events ----
STREAMS = {}


def stream(f):
    STREAMS[f.__name__] = f
    return f


def T(x):
    return {"type": "text-delta", "text": x}


@stream
def raises_exc_hostile():
    yield T("one")

    class E(Exception):
        def __str__(s):
            raise RuntimeError

        __repr__ = __str__

    raise E


@stream
def raises_cause_cycle():
    yield T("one")
    a, b = ValueError("a"), ValueError("b")
    a.__cause__ = b
    b.__cause__ = a
    raise a


@stream
def raises_huge():
    yield T("one")
    raise ValueError("E" * 20_000_000)


@stream
def raises_locals():
    yield T("one")
    api_key = SECRET
    raise ValueError("bad")


@stream
def yields_none():
    for x in (None, 1, "x", [], {}, b"x", object(), T("ok")):
        yield x


@stream
def yields_bad_types():
    for x in (
        {"type": None},
        {"type": 1},
        {"type": ["a"]},
        {"type": "text-delta"},
        {"type": "text-delta", "text": None},
        {"type": "text-delta", "text": b"x"},
        {"type": "tool-result", "id": [1], "result": 1},
        {"type": "tool-call", "id": {}, "name": None, "args": object()},
        T("ok"),
    ):
        yield x


@stream
def dup_finish():
    yield T("a")
    yield {"type": "finish"}
    yield {"type": "finish"}
    yield T("late")


@stream
def fast_100k():
    for i in range(100_000):
        yield T("x")


@stream
def giant_delta():
    yield T("x" * 50_000_000)
    yield T("ok")


@stream
def lone_surrogate_split():
    yield T("\ud83d")
    yield T("\ude00 ok")


# ---- messages from the front end; a tool call t1 is waiting for approval with nonce N ----
MESSAGES = {
    "none": None,
    "int": 1,
    "list": ["approve", "t1"],
    "no_id": {"type": "approve"},
    "unknown_id": {"type": "approve", "id": "t2", "approved": True, "nonce": "N"},
    "id_dict": {"type": "approve", "id": {"$ne": None}, "approved": True, "nonce": "N"},
    "wrong_nonce": {"type": "approve", "id": "t1", "approved": True, "nonce": "X"},
    "nonce_true": {"type": "approve", "id": "t1", "approved": True, "nonce": True},
    "nonce_list": {"type": "approve", "id": "t1", "approved": True, "nonce": ["N"]},
    "int_one": {"type": "approve", "id": "t1", "approved": 1, "nonce": "N"},
    "method": {"method": "__class__", "args": []},
    "eval": {"type": "eval", "code": "1+1"},
    "getattr": {"type": "__init__"},
    "private": {"type": "_approve", "id": "t1", "approved": True, "nonce": "N"},
}
