"""Making a model of a dict that need not fit it: what fits is used, the rest is kept as it came, and a note tells each misfit."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

__all__ = ["fit"]

M = TypeVar("M", bound=BaseModel)


class _Field(NamedTuple):
    name: str
    alias: str
    required: bool
    inside: type[BaseModel] | None
    """The model of the field's own fields, if it is one."""
    check: TypeAdapter[Any]


def fit(model: type[M], wire: dict[str, Any]) -> tuple[M, tuple[str, ...]]:
    """The model of a dict, and what did not fit. Never raises: a value of a wrong type stays, one that is missing is None."""
    try:
        return model.model_validate(wire), ()
    except ValidationError:
        notes: list[str] = []
        return _fitted(model, wire, "", notes), tuple(notes)


def _fitted(model: type[M], wire: dict[Any, Any], path: str, notes: list[str] | None) -> M:
    given: dict[str, Any] = {}
    missing: dict[str, Any] = {}
    rest = dict(wire)
    for field in _fields(model):
        key = field.alias if field.alias in rest else field.name
        if key in rest:
            given[field.name] = _value(field, rest.pop(key), path + field.alias, notes)
        elif field.required:
            missing[field.name] = None if field.inside is None else _fitted(field.inside, {}, "", None)
            if notes is not None:
                notes.append(f"{path}{field.alias} is missing")
    # Not as keywords: a stream's keys may be those of `model_construct` itself.
    made = model.model_construct(_fields_set=set(given), **given, **missing)
    if made.model_extra is not None:
        made.model_extra.update((key, value) for key, value in rest.items() if isinstance(key, str))
    if notes is not None and not all(isinstance(key, str) for key in rest):
        notes.append(f"{path.rstrip('.') or 'the chunk'} has a key that is not text")
    return made


def _value(field: _Field, value: Any, path: str, notes: list[str] | None) -> Any:
    try:
        return field.check.validate_python(value)
    except ValidationError as error:
        if field.inside is not None and issubclass(type(value), dict):
            return _fitted(field.inside, value, path + ".", notes)
        if notes is not None:
            expected = error.errors(include_url=False, include_context=False, include_input=False)[0]["msg"]
            notes.append(f"{path}: {expected.replace('Input', 'it', 1)}, not {type(value).__name__}")
        return value


@cache
def _fields(model: type[BaseModel]) -> tuple[_Field, ...]:
    hints = get_type_hints(model, include_extras=True)
    return tuple(
        _Field(
            name,
            field.alias or name,
            field.is_required(),
            _inside(field.annotation),
            TypeAdapter(hints[name]),
        )
        for name, field in model.model_fields.items()
    )


def _inside(annotation: Any) -> type[BaseModel] | None:
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None
