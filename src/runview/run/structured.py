"""A schema that is given here: the object is read from the text where the stream brings none, and is checked in any case."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from runview.run.event import Event
from runview.run.json_schema import SchemaError, check, resolve
from runview.run.kinds import is_dict, is_list
from runview.run.object_reader import ObjectReader, Shape
from runview.run.objects import add_elements, object_part, settle
from runview.run.partials import Partials
from runview.run.state import ABSENT, ObjectPart, RunState, TextPart

__all__ = ["Structured", "structured_for"]


SHAPES: Final[dict[str, Shape]] = {
    "array": "array", "string": "scalar", "number": "scalar", "integer": "scalar", "boolean": "scalar", "null": "scalar",
}  # fmt: skip


class Structured:
    """The schema of a run, and the text that is being read for it."""

    def __init__(
        self, schema: Any, *, validate: Callable[[Any], Any], plain: Callable[[Any], Any], name: str | None = None
    ) -> None:
        """`schema`: a JSON Schema. `validate` gives the checked value or raises; `plain` makes JSON values of it again."""
        self.name = name
        self.plain = plain
        self._validate = validate
        target = resolve(schema, schema)
        target = target if is_dict(target) else {}
        choices = target.get("enum")
        choices = choices if is_list(choices) else []
        shape: Shape = "choice" if choices else SHAPES.get(str(target.get("type")), "object")
        self.new_reader = functools.partial(ObjectReader, shape, choices)
        self._reader = self.new_reader()
        self._step = 0
        self._given = False
        """The stream brings objects of its own; the text is not read."""

    def partials(self) -> Partials:
        """An empty list of partial objects, for a new run."""
        return Partials(self.new_reader)

    def feed(self, e: Event, part: TextPart, text: str) -> None:
        """More of the run's text. Each step's text is read by itself."""
        if self._given:
            return
        partials = e.run.object_partials
        if part.step != self._step:
            self._step = part.step
            self._reader.start()
            partials.restart()
        changed = self._reader.feed(text)
        partials.piece(text, self._reader, changed)
        if changed:
            shown = object_part(e)
            shown.reader = self._reader
            shown.state = "writing"
            e.change(shown)
        add_elements(e.run, self._reader.elements())

    def given(self) -> None:
        """An object came in the stream."""
        self._given = True

    def check(self, run: RunState, part: ObjectPart, value: Any) -> None:
        """Settles the object: the checked value, or why it is not valid."""
        try:
            run.object = self._validate(value)
        except Exception as error:  # whatever a validator raises is the reason
            run.object = ABSENT
            run.object_error = error
            part.state = "invalid"
            part.error = _sentence(error)
            return
        run.object_error = None
        part.state = "complete"

    def finish(self, e: Event) -> None:
        """The run has ended: where it ended well, the text of the last step is the object."""
        run = e.run
        if run.status != "success" or run.object is not ABSENT or run.object_error is not None:
            return
        if self._given:
            value: Any = run.book.object_part.value if run.book.object_part is not None else ABSENT
        elif self._reader.empty:
            return
        else:
            value = self._reader.final()
        part = object_part(e)
        if run.finish_reason in ("length", "content-filter"):
            run.object_error = SchemaError(f"the object was cut off: the model finished with reason {run.finish_reason!r}")
            part.error = str(run.object_error)
        elif value is ABSENT:
            run.object_error = SchemaError("the text holds no object")
            part.state, part.error = "invalid", str(run.object_error)
        else:
            part.told, part.reader = value, None
            settle(run, value)
            self.check(run, part, value)


def structured_for(schema: Any) -> Structured:
    """A JSON Schema as a dict, a pydantic model, or any type that pydantic can check. Raises TypeError for anything else."""
    if is_dict(schema):
        title = schema.get("title")

        def validate(value: Any) -> Any:
            check(schema, value)
            return value

        return Structured(schema, validate=validate, plain=lambda value: value, name=title if type(title) is str else None)
    import pydantic

    adapter: pydantic.TypeAdapter[Any]
    try:
        adapter = schema if isinstance(schema, pydantic.TypeAdapter) else pydantic.TypeAdapter(schema)  # pyright: ignore[reportUnknownVariableType]
        json_schema = adapter.json_schema()
    except (pydantic.PydanticUserError, TypeError, NameError) as error:
        raise TypeError(
            f"schema should be a pydantic model, a type that pydantic can check, or a JSON Schema as a dict, not {schema!r}"[:300]
        ) from error
    name = schema.__name__ if isinstance(schema, type) else json_schema.get("title")
    return Structured(
        json_schema,
        validate=adapter.validate_python,
        plain=lambda value: adapter.dump_python(value, mode="json"),
        name=name,
    )


def _sentence(error: Exception) -> str:
    """The first reason that a validator gives."""
    import pydantic

    if isinstance(error, pydantic.ValidationError):
        found = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(step) for step in found["loc"])
        return f"{place}: {found['msg']}" if place else found["msg"]
    return str(error) or type(error).__name__
