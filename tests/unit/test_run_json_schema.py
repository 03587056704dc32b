"""JSON Schema: which values fit, and the one sentence that says why not."""

from __future__ import annotations

from typing import Any

import pytest

from runview.run.json_schema import SchemaError, check, resolve

NODE = {
    "$ref": "#/$defs/node",
    "$defs": {"node": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}},
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (True, 1),
        ({}, object()),
        ({"type": "number"}, 1),
        ({"type": "integer"}, 1.0),
        ({"type": ["string", "null"]}, None),
        ({"type": "unheard-of"}, 1),
        ({"const": 1}, 1.0),
        ({"enum": [1, "a", None]}, None),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"a": 1}),
        ({"patternProperties": {"^a": {"type": "integer"}}, "additionalProperties": False}, {"ab": 1}),
        ({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}, ["a", 1, 2]),
        ({"items": [{"type": "string"}], "additionalItems": {"type": "integer"}}, ["a", 1]),
        ({"minItems": 1, "maxItems": 2, "uniqueItems": True}, [1, True]),
        ({"pattern": "^a+$", "minLength": 1, "maxLength": 3}, "aa"),
        ({"pattern": "("}, "no expression"),
        ({"minimum": 0, "exclusiveMaximum": 1, "multipleOf": 0.1}, 0.3),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, 1),
        ({"not": {"type": "string"}}, 1),
        ({"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"minimum": 5}}, 7),
        (NODE, {"next": {"next": None}}),
        ({"$ref": "#/nowhere"}, 1),
        ({"$ref": "#"}, 1),
    ],
)
def test_what_fits(schema: Any, value: Any) -> None:
    check(schema, value)


@pytest.mark.parametrize(
    ("schema", "value", "sentence"),
    [
        (False, 1, "the value is not allowed"),
        ({"type": "string"}, 1, "the value must be string"),
        ({"type": ["string", "null"]}, 1, "the value must be string or null"),
        ({"type": "number"}, True, "the value must be number"),
        ({"type": "integer"}, 1.5, "the value must be integer"),
        ({"const": 1}, True, "the value must be 1"),
        ({"enum": ["a", "b"]}, "c", "the value must be one of 'a', 'b'"),
        ({"required": ["a"]}, {}, "a is missing"),
        ({"properties": {"a": {"items": {"type": "integer"}}}}, {"a": [1, "x"]}, "a[1] must be integer"),
        ({"additionalProperties": False}, {"a": 1}, "a is not allowed"),
        ({"minProperties": 1}, {}, "the value must have at least 1 fields"),
        ({"maxItems": 1}, [1, 2], "the value must have at most 1 elements"),
        ({"uniqueItems": True}, [1, 1.0], "the value[1] is there twice"),
        ({"minLength": 2}, "a", "the value must have at least 2 characters"),
        ({"pattern": "^a"}, "b", "the value must match ^a"),
        ({"maximum": 15}, 16, "the value must be ≤ 15"),
        ({"exclusiveMinimum": 0}, 0, "the value must be > 0"),
        ({"multipleOf": 5}, 7, "the value must be a multiple of 5"),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "a", "the value must have at least 2 characters"),
        ({"anyOf": [{"type": "string"}]}, 1, "the value fits none of the allowed forms"),
        ({"oneOf": [{}, {}]}, 1, "the value does not fit exactly one of the allowed forms"),
        ({"not": {}}, 1, "the value is what it must not be"),
        ({"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"minimum": 5}}, 3, "the value must be ≥ 5"),
        (NODE, {"next": {"next": 5}}, "next fits none of the allowed forms"),
    ],
)
def test_what_does_not_fit(schema: Any, value: Any, sentence: str) -> None:
    with pytest.raises(SchemaError) as caught:
        check(schema, value)
    assert str(caught.value) == sentence


def test_a_circle_of_references_ends() -> None:
    assert resolve({"$ref": "#"}, {"$ref": "#"}) is True
