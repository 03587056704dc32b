"""Tells which family a stream's events are of: by the class of the stream where that is telling, else by the first events.

Nothing is imported for it: classes are known by name, a generator by the module and the name of its code.
"""

from __future__ import annotations

from typing import Any, Final

from runview.chunks.wire import is_known
from runview.sources.foreign import FAMILIES
from runview.sources.foreign.fields import class_names
from runview.sources.foreign.reader import Family, Layers

__all__ = ["MASTRA", "check_family", "family_of_event", "family_of_stream", "is_chunk", "names"]

MASTRA: Final = "mastra"
"""What `source=` calls chunks, which need no reader."""


def names() -> list[str]:
    """What `source=` takes."""
    return [MASTRA, *(family.name for family in FAMILIES)]


def check_family(name: str | None) -> Family | None:
    """The family that `source=` names; None for chunks. Raises ValueError for a name that is none."""
    if name is None or name == MASTRA:
        return None
    wanted = name.lower().replace("_", "-")
    for family in FAMILIES:
        if wanted == family.name or wanted in family.aliases:
            return family
    raise ValueError(f"source={name!r} is not known; it is one of {', '.join(names())}, or left out")


def is_chunk(item: dict[str, Any]) -> bool:
    """Whether a dict is certainly a chunk of Mastra's protocol: its type says so, and it is built like one."""
    type_ = item.get("type")
    return type(type_) is str and (type(item.get("payload")) is dict or "from" in item) and (is_known(type_) or "payload" in item)


def family_of_event(event: object) -> Family | None:
    """The family that an event is certainly of."""
    for family in FAMILIES:
        try:
            if family.recognises(event):
                return family
        except Exception:  # noqa: S112 (an event that can't be looked at is nobody's)
            continue
    return None


def family_of_stream(layers: Layers) -> Family | None:
    """The family that only such a stream can have, asked of everything that was opened, the innermost first."""
    for layer in reversed(layers):
        told = _descent(layer)
        for family in FAMILIES:
            if family.streams and any(name.startswith(family.streams) for name in told):
                return family
    return None


def _descent(layer: object) -> list[str]:
    """`module.Class` of what it is, or of a generator `module.function`."""
    kind = type(layer).__name__
    for frame_name, code_name in (("gi_frame", "gi_code"), ("ag_frame", "ag_code")):
        if kind in ("generator", "async_generator") and (code := getattr(layer, code_name, None)) is not None:
            frame = getattr(layer, frame_name, None)
            module = frame.f_globals.get("__name__", "") if frame is not None else ""
            return [f"{module}.{code.co_qualname}"]
    return class_names(layer)
