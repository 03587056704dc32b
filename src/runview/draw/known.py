"""What known objects hold and say, read through the methods of their built-in base classes.

Nothing of the value's own runs here: no `__repr__`, no `__str__`, no property, no `__class__`, no metaclass.
"""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import pathlib
import sys
import types
import uuid
from collections.abc import Callable
from itertools import islice
from typing import Any

from runview.draw.characters import show
from runview.draw.exact import mapping, word

__all__ = ["bases_of", "class_attribute", "fields_of", "said", "type_name"]

_MOST = 500
_dict: Any = dict
_in_type: Any = type.__dict__
_bases_of: Any = _in_type["__mro__"].__get__
_name_of: Any = _in_type["__name__"].__get__
_names_of: Any = _in_type["__dict__"].__get__
_args_of: Any = BaseException.__dict__["args"].__get__


def bases_of(kind: type) -> tuple[type, ...]:
    """The class and what it derives from, whatever its metaclass would say."""
    bases: tuple[type, ...] = _bases_of(kind)
    return bases


def type_name(value: object) -> str:
    """The name of a value's class."""
    return show(str(_name_of(type(value)))[:80])


def class_attribute(bases: tuple[type, ...], name: str) -> Any:
    """An attribute as one of the classes has it in its own dictionary; None where none has it."""
    for base in bases:
        found = _names_of(base).get(name)
        if found is not None:
            return found
    return None


def said(value: Any, bases: tuple[type, ...]) -> object:
    """The words or the built-in value that say what a small known object is; None when this is not one."""
    for base, say in _SAYS.items():
        if base in bases:
            return say(value)
    numpy = sys.modules.get("numpy")
    return value.item() if numpy is not None and getattr(numpy, "generic", None) in bases else None


def fields_of(value: Any, bases: tuple[type, ...]) -> list[tuple[str, object]] | None:
    """What an object keeps in its own dictionary and slots: dataclasses, pydantic models and plain objects."""
    pydantic = sys.modules.get("pydantic")
    model = pydantic is not None and getattr(pydantic, "BaseModel", None) in bases
    names = mapping(class_attribute(bases, "__dataclass_fields__"))
    getter = class_attribute(bases, "__dict__")
    kept: Any = getter.__get__(value) if type(getter) is types.GetSetDescriptorType else None
    out: list[tuple[str, object]] = []
    if type(kept) is dict:
        out += [(key, one) for key, one in islice(_dict.items(kept), _MOST) if type(key) is str and key[:1] != "_"]
    for name in islice(names or (), _MOST):
        slot = class_attribute(bases, name)
        if type(slot) is types.MemberDescriptorType:
            try:
                out.append((name, slot.__get__(value)))
            except AttributeError:  # declared, never given
                continue
    return out if out or model or names is not None else None


def _exception(value: Any) -> str:
    args: tuple[Any, ...] = _args_of(value)
    first = word(args[0]) if args else None
    return f"{type_name(value)}: {first}" if first else type_name(value)


def _zoned(value: Any, bare: Callable[..., Any]) -> Any:
    """The value without its time zone, if that is code of somebody else."""
    zone = value.tzinfo
    known = zone is None or type(zone) is dt.timezone or type(zone).__module__ == "zoneinfo"
    return value if known else bare(value, tzinfo=None)


def _member(value: Any) -> object:
    return object.__getattribute__(value, "_value_")


def _moment(value: Any) -> str:
    return dt.datetime.isoformat(_zoned(value, dt.datetime.replace), " ")


def _time(value: Any) -> str:
    return dt.time.isoformat(_zoned(value, dt.time.replace))


def _whole(value: Any) -> int:
    return int.__add__(value, 0)


def _class(value: Any) -> str:
    return f"<class {_name_of(value)}>"


def _function(value: Any) -> str:
    return f"<function {value.__name__}>"


def _module(_: Any) -> str:
    return "<module>"


_SAYS: dict[type, Callable[[Any], object]] = {
    enum.Enum: _member,
    str: str.__str__,
    int: _whole,
    float: float.__float__,
    dt.datetime: _moment,
    dt.date: dt.date.isoformat,
    dt.time: _time,
    dt.timedelta: dt.timedelta.__str__,
    decimal.Decimal: decimal.Decimal.__str__,
    complex: complex.__repr__,
    range: range.__repr__,
    uuid.UUID: uuid.UUID.__str__,
    pathlib.PurePath: pathlib.PurePath.__str__,
    BaseException: _exception,
    type: _class,
    types.FunctionType: _function,
    types.ModuleType: _module,
}
"""How the small known classes (and what derives from them) are said; the first that fits."""
