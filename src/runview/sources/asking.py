"""What users say in Python, in the spelling of a Mastra server: messages, options, schemas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast

__all__ = ["Message", "json_schema", "messages_of", "options_of", "structured"]

Message: TypeAlias = str | Mapping[str, Any]


def messages_of(messages: Message | Iterable[Message]) -> list[dict[str, Any]]:
    """Text is the user's. Raises TypeError for what is no message."""
    if isinstance(messages, str):
        return [_message(messages)]
    if isinstance(messages, Mapping):
        return [_message(cast(Message, messages))]
    return [_message(message) for message in messages]


def _message(message: object) -> dict[str, Any]:
    if isinstance(message, str):
        return {"role": "user", "content": message}
    if isinstance(message, Mapping):
        given = dict(cast(Mapping[str, Any], message))
        if "role" in given and "content" in given:
            return given
    raise TypeError(f"a message is text or a dict with role and content, not {message!r:.80}")


def options_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords in the wire's spelling; one that is None is not sent."""
    return {_camel(name): value for name, value in options.items() if value is not None}


def _camel(name: str) -> str:
    """`run_id` is `runId`."""
    first, *others = name.strip("_").split("_")
    return first + "".join(other.capitalize() for other in others)


def structured(schema: object, given: object) -> dict[str, Any]:
    """The `structuredOutput` that asks for a schema, with what else was `given` under that name; nothing without a schema."""
    if schema is None:
        return {}
    more = dict(cast(Mapping[str, Any], given)) if isinstance(given, Mapping) else {}
    return {"structuredOutput": {**more, "schema": json_schema(schema)}}


def json_schema(schema: object) -> dict[str, Any]:
    """A JSON Schema as it is; that of a pydantic model or of any type that pydantic can check. Raises TypeError for others."""
    if isinstance(schema, dict):
        return cast("dict[str, Any]", schema)
    import pydantic

    try:
        adapter: pydantic.TypeAdapter[Any]
        adapter = schema if isinstance(schema, pydantic.TypeAdapter) else pydantic.TypeAdapter(cast(Any, schema))  # pyright: ignore[reportUnknownVariableType]
        return adapter.json_schema()
    except (pydantic.PydanticUserError, TypeError, NameError) as error:
        raise TypeError(
            f"schema should be a pydantic model, a type that pydantic can check, or a JSON Schema as a dict, not {schema!r}"[:300]
        ) from error
