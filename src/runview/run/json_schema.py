"""JSON Schema, as far as structured output uses it: whether a value fits, and if not, why, in one sentence."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any, Final

from runview.run.equality import same
from runview.run.kinds import is_dict, is_list

__all__ = ["SchemaError", "check", "resolve"]

DEPTH: Final = 200
"""Levels of schema and references that are followed."""


class SchemaError(ValueError):
    """A value that does not fit its schema."""


def check(schema: Any, value: Any) -> None:
    """Raises SchemaError with the first fault found. Keywords that are not known, `format` among them, are no demand."""
    _check(schema, value, schema, "", 0)


def resolve(schema: Any, root: Any) -> Any:
    """The schema that a local `$ref` stands for."""
    for _ in range(DEPTH):
        if not is_dict(schema) or type(schema.get("$ref")) is not str:
            return schema
        target: Any = root
        for step in schema["$ref"].removeprefix("#").strip("/").split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            target = target if not step else target.get(step) if is_dict(target) else None
        if target is None:
            return True
        schema = target
    return True


def _check(schema: Any, value: Any, root: Any, path: str, depth: int) -> None:
    schema = resolve(schema, root)
    if schema is False:
        raise _fault(path, "is not allowed")
    if not is_dict(schema) or depth > DEPTH:
        return
    if "type" in schema:
        _check_type(schema["type"], value, path)
    if "const" in schema and not same(schema["const"], value):
        raise _fault(path, f"must be {schema['const']!r}")
    choices = schema.get("enum")
    if is_list(choices) and not any(same(choice, value) for choice in choices):
        raise _fault(path, "must be one of " + ", ".join(repr(choice) for choice in choices[:20]))
    if is_dict(value):
        _check_object(schema, value, root, path, depth)
    elif is_list(value):
        _check_array(schema, value, root, path, depth)
    elif type(value) is str:
        _check_string(schema, value, path)
    elif type(value) in (int, float):
        _check_number(schema, value, path)
    _check_combined(schema, value, root, path, depth)


TYPES: Final[dict[str, Callable[[Any], bool]]] = {
    "object": is_dict,
    "array": is_list,
    "string": lambda value: type(value) is str,
    "number": lambda value: type(value) in (int, float),
    "integer": lambda value: type(value) is int or (type(value) is float and value.is_integer()),
    "boolean": lambda value: type(value) is bool,
    "null": lambda value: value is None,
}


def _check_type(wanted: Any, value: Any, path: str) -> None:
    names = [wanted] if type(wanted) is str else wanted if is_list(wanted) else []
    known = [name for name in names if type(name) is str and name in TYPES]
    if known and not any(TYPES[name](value) for name in known):
        raise _fault(path, f"must be {' or '.join(known)}")


def _check_object(schema: dict[str, Any], value: dict[str, Any], root: Any, path: str, depth: int) -> None:
    for name in _list(schema.get("required")):
        if name not in value:
            raise _fault(_under(path, name), "is missing")
    properties, patterns = _dict(schema.get("properties")), _dict(schema.get("patternProperties"))
    rest = schema.get("additionalProperties", True)
    for name, item in value.items():
        matching = [inner for pattern, inner in patterns.items() if _matches(pattern, name)]
        if name in properties:
            matching.append(properties[name])
        for inner in matching or [rest]:
            _check(inner, item, root, _under(path, name), depth + 1)
    _check_size(schema, "Properties", len(value), path, "fields")


def _check_array(schema: dict[str, Any], value: list[Any], root: Any, path: str, depth: int) -> None:
    items = schema.get("items", True)
    first = schema.get("prefixItems", items if is_list(items) else [])
    rest = schema.get("additionalItems", True) if is_list(items) else items
    for at, item in enumerate(value):
        inner = first[at] if is_list(first) and at < len(first) else rest
        _check(inner, item, root, f"{path}[{at}]", depth + 1)
    _check_size(schema, "Items", len(value), path, "elements")
    if schema.get("uniqueItems") is True:
        for at, item in enumerate(value):
            if any(same(item, other) for other in value[:at]):
                raise _fault(f"{path}[{at}]", "is there twice")


def _check_string(schema: dict[str, Any], value: str, path: str) -> None:
    _check_size(schema, "Length", len(value), path, "characters")
    pattern = schema.get("pattern")
    if type(pattern) is str and not _matches(pattern, value):
        raise _fault(path, f"must match {pattern}")


def _check_size(schema: dict[str, Any], what: str, size: int, path: str, unit: str) -> None:
    least, most = _number(schema.get(f"min{what}")), _number(schema.get(f"max{what}"))
    if least is not None and size < least:
        raise _fault(path, f"must have at least {least} {unit}")
    if most is not None and size > most:
        raise _fault(path, f"must have at most {most} {unit}")


def _check_number(schema: dict[str, Any], value: float, path: str) -> None:
    for name, (sign, fits) in BOUNDS.items():
        bound = _number(schema.get(name))
        if bound is not None and not fits(value, bound):
            raise _fault(path, f"must be {sign} {bound}")
    step = _number(schema.get("multipleOf"))
    if step is not None and step > 0 and math.isfinite(value):
        times = value / step
        if abs(times - round(times)) > 1e-9:
            raise _fault(path, f"must be a multiple of {step}")


BOUNDS: Final[dict[str, tuple[str, Callable[[float, float], bool]]]] = {
    "minimum": ("≥", operator.ge),
    "maximum": ("≤", operator.le),
    "exclusiveMinimum": (">", operator.gt),
    "exclusiveMaximum": ("<", operator.lt),
}


def _check_combined(schema: dict[str, Any], value: Any, root: Any, path: str, depth: int) -> None:
    for inner in _list(schema.get("allOf")):
        _check(inner, value, root, path, depth + 1)
    if "not" in schema and _fits(schema["not"], value, root, depth):
        raise _fault(path, "is what it must not be")
    any_of, one_of = _list(schema.get("anyOf")), _list(schema.get("oneOf"))
    if any_of and not any(_fits(inner, value, root, depth) for inner in any_of):
        raise _fault(path, "fits none of the allowed forms")
    if one_of and sum(_fits(inner, value, root, depth) for inner in one_of) != 1:
        raise _fault(path, "does not fit exactly one of the allowed forms")
    if "if" in schema:
        then = "then" if _fits(schema["if"], value, root, depth) else "else"
        _check(schema.get(then, True), value, root, path, depth + 1)


def _fits(schema: Any, value: Any, root: Any, depth: int) -> bool:
    try:
        _check(schema, value, root, "", depth + 1)
    except SchemaError:
        return False
    return True


def _matches(pattern: str, text: str) -> bool:
    try:
        return re.search(pattern, text) is not None
    except re.error:  # an expression of another dialect is no demand
        return True


def _fault(path: str, what: str) -> SchemaError:
    place = path if path and path[0] != "[" else f"the value{path}"
    return SchemaError(f"{place} {what}")


def _under(path: str, name: Any) -> str:
    return f"{path}.{name}" if path else str(name)


def _list(value: Any) -> list[Any]:
    return value if is_list(value) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if is_dict(value) else {}


def _number(value: Any) -> float | None:
    return value if type(value) in (int, float) else None
