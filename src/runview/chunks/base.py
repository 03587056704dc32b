"""What every chunk model is: a frozen pydantic model over the dict that came in.

Names are Python's (`run_id`), the wire keeps its own (`runId`). A model only reads: what came in is kept beside it, whole, so
that `to_dict()` gives it back whatever the models know. A field that does not fit its type never raises; it keeps the value that
came, and `notes` says so (`fitting.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, PrivateAttr, Strict
from pydantic.alias_generators import to_camel

from runview.chunks.fitting import fit
from runview.chunks.json_text import encode
from runview.chunks.wire import HasWire, Wire, copy_value

__all__ = ["Chunk", "Payload", "UnknownChunk"]

# pydantic's own `str` and `dict[str, …]` refuse halves of surrogate pairs, which streams hold; instance checks let them through.
Text: TypeAlias = InstanceOf[str]
Object: TypeAlias = InstanceOf[dict[str, Any]]
Values: TypeAlias = InstanceOf[list[Any]]
Number: TypeAlias = Annotated[int, Strict()] | Annotated[float, Strict()]
Flag: TypeAlias = Annotated[bool, Strict()]


class _Model(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel,
        defer_build=True,  # a hundred classes; most programs look at a handful
        extra="allow",
        frozen=True,
        populate_by_name=True,
        protected_namespaces=(),
    )

    def __repr_args__(self) -> list[tuple[str | None, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Only what was given, so that a chunk reads as it came."""
        given = [(name, getattr(self, name)) for name in type(self).model_fields if name in self.model_fields_set]
        return [*given, *(self.model_extra or {}).items()]

    def __str__(self) -> str:
        return repr(self)


class Payload(_Model):
    """What a chunk says, beside its envelope. Fields that the protocol does not name are kept, under their wire names."""


class Chunk(_Model, HasWire):
    """One item of a stream. `parse_chunk` makes the model that belongs to the type."""

    prefixes: ClassVar[tuple[str, ...]] = ()
    """How the types of an open family begin; empty where `type` lists them."""

    type: Any  # a string; every model narrows it to its own
    """What kind of chunk this is."""
    run_id: Text | None = None
    """The run that sent it; nested runs have ids of their own."""
    from_: Text | None = Field(default=None, alias="from")
    """Who sent it: AGENT, USER (a tool's or step's writer), SYSTEM, WORKFLOW or NETWORK."""
    metadata: Object | None = None
    """What the sender adds for itself."""
    payload: Any
    """What the chunk says. `object`, `object-result` and `data-*` chunks have none; their value stands beside `type`."""

    _wire: Wire | None = PrivateAttr(default=None)
    _json: str | None = PrivateAttr(default=None)
    _notes: tuple[str, ...] = PrivateAttr(default=())

    @classmethod
    def from_wire(cls, wire: Wire, *, json: str | None = None) -> Self:
        """This model over a wire dict, whether it fits or not; `json` is the text that it was read from, if there is one."""
        # Twice copied: the model shares dicts and lists with what it is made of, and what came in must not change through it.
        made, notes = fit(cls, copy_value(wire))
        made._wire, made._json, made._notes = copy_value(wire), json, notes  # noqa: SLF001  (its own)
        return made

    @property
    def notes(self) -> tuple[str, ...]:
        """What did not fit the protocol, a sentence each; empty for a good chunk."""
        return self._notes

    def to_dict(self) -> Wire:
        """What came in: the same keys in the same order and spelling, unknown ones included. A new dict each time."""
        if self._wire is not None:
            wire: Wire = copy_value(self._wire)
            return wire
        return {"type": self.type, **self.model_dump(by_alias=True, exclude_unset=True)}

    def to_json(self) -> str:
        """The same as JSON: the very text, where text came in."""
        return self._json if self._json is not None else encode(self.to_dict())


class UnknownChunk(Chunk):
    """A chunk of a type that the protocol does not have, kept whole."""

    type: Text
    payload: Any = None
