"""From a chunk as it came to the model that belongs to its type."""

from __future__ import annotations

import inspect
from typing import Final, get_args

from runview.chunks import control, data, network, objects, steps, tasks, text, tools, workflow
from runview.chunks.base import Chunk, UnknownChunk
from runview.chunks.wire import Wire, to_wire

__all__ = ["MODELS", "model_of", "parse_chunk"]

_OWN: Final = [
    model
    for family in (text, tools, steps, control, objects, tasks, workflow, network, data)
    for _, model in inspect.getmembers(family, inspect.isclass)
    if issubclass(model, Chunk) and model.__module__ == family.__name__
]

MODELS: Final[dict[str, type[Chunk]]] = {
    type_: model for model in _OWN for type_ in get_args(model.model_fields["type"].annotation)
}
"""The model of every type that is spelled out whole."""

# The longest beginning first: `agent-execution-event-` before `agent-execution-`.
_PREFIXES: Final = sorted(((prefix, model) for model in _OWN for prefix in model.prefixes), key=lambda pair: -len(pair[0]))


def model_of(type_: object) -> type[Chunk]:
    """The model for chunks of a type; `UnknownChunk` when the protocol has no such type."""
    if not isinstance(type_, str):
        return UnknownChunk
    if (model := MODELS.get(type_)) is not None:
        return model
    return next((model for prefix, model in _PREFIXES if type_.startswith(prefix)), UnknownChunk)


def parse_chunk(chunk: Wire | str | bytes | bytearray | Chunk) -> Chunk:
    """The model of a chunk that came as a dict, or as JSON text or bytes. A chunk that is a model already is given back.

    An unknown type gives an `UnknownChunk`. A missing or ill-typed field never raises: the chunk keeps what came, and `.notes`
    says so. The dict is copied, so that later changes of it do not reach the chunk.

    Raises:
        ValueError: The text is not a JSON object.
        TypeError: It is neither a dict nor text.
    """
    if isinstance(chunk, Chunk):
        return chunk
    if isinstance(chunk, (bytes, bytearray)):
        chunk = chunk.decode("utf-8", "replace")
    wire = to_wire(chunk)
    return model_of(wire.get("type")).from_wire(wire, json=chunk.strip() if isinstance(chunk, str) else None)
