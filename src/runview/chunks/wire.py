"""The wire form: a chunk as the plain dict that came, in the spelling of the protocol.

Everything inside the product works on this form, because a run may have a hundred thousand chunks a second; the models beside
this file are the typed face of the same dicts, made when a user looks. So nothing here imports pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, TypeGuard, cast

from runview.chunks.json_text import decode

__all__ = [
    "KNOWN_PREFIXES", "KNOWN_TYPES", "NOTE_TYPE", "HasWire", "Wire", "copy_value", "is_known", "is_note", "is_wire", "note",
    "to_wire",
]  # fmt: skip

Wire: TypeAlias = dict[str, Any]

KNOWN_TYPES: Final = frozenset(
    """
    text-start text-delta text-end
    reasoning-start reasoning-delta reasoning-end reasoning-signature redacted-reasoning reasoning-file
    source file custom
    tool-call tool-call-input-streaming-start tool-call-delta tool-call-input-streaming-end
    tool-result tool-error tool-output tool-call-approval tool-call-suspended tool-output-denied
    start step-start step-finish finish raw error abort response-metadata watch step-output tripwire is-task-complete goal
    object object-result
    background-task-started background-task-running background-task-progress background-task-output background-task-completed
    background-task-failed background-task-suspended background-task-resumed background-task-cancelled
    workflow-start workflow-step-start workflow-step-output workflow-step-progress workflow-step-waiting workflow-step-suspended
    workflow-step-result workflow-step-finish workflow-canceled workflow-paused workflow-finish
    """.split()
)
"""The chunk types of the protocol that are spelled out whole."""

KNOWN_PREFIXES: Final = ("data-", "routing-agent-", "agent-execution-", "workflow-execution-", "tool-execution-", "network-")
"""How the types of the open families begin: users' data parts, and the events of a network."""

NOTE_TYPE: Final = "runview-note"


class HasWire:
    """What carries a wire form of its own. Every chunk model is one; a plain class, so that asking costs no import."""

    __slots__ = ()

    def to_dict(self) -> Wire:
        """A new dict that is exactly what came in."""
        raise NotImplementedError


def is_known(type_: object) -> bool:
    """Whether the protocol has chunks of this type."""
    return isinstance(type_, str) and (type_ in KNOWN_TYPES or type_.startswith(KNOWN_PREFIXES))


def note(message: str) -> Wire:
    """A remark about the stream itself, as an item of it: something was malformed, and this is what. It counts as no chunk."""
    return {"type": NOTE_TYPE, "payload": {"message": message}}


def is_note(item: object) -> bool:
    """Whether an item of a stream is such a remark."""
    return is_wire(item) and item.get("type") == NOTE_TYPE


def is_wire(item: object) -> TypeGuard[Wire]:
    """Whether it is a dict, as chunks in wire form are."""
    return type(item) is dict


def to_wire(item: object) -> Wire:
    """The wire form of a chunk that came as a dict, a mapping, a chunk model, or as JSON text or bytes.

    A dict is returned as it is, not copied. Raises TypeError for what can be no chunk, ValueError for text that is not a JSON
    object.
    """
    if type(item) is dict:
        return cast(Wire, item)
    if isinstance(item, HasWire):
        return item.to_dict()
    if isinstance(item, (str, bytes, bytearray)):
        value = decode(item)
        if is_wire(value):
            return value
        raise ValueError("not a JSON object")
    if isinstance(item, Mapping):
        return dict(cast(Mapping[str, Any], item))
    raise TypeError(f"a chunk is a dict, a Chunk, or the JSON text of one, not {type(item).__name__}")


def copy_value(value: Any) -> Any:
    """A copy in which every dict and list is new and everything else is the same object.

    It has no recursion, so that depth costs nothing, and keeps cycles and repeated containers what they are.
    """
    copies: dict[int, Any] = {}
    pending: list[tuple[Any, Any]] = []

    def copied(item: object) -> Any:
        kind = type(item)
        if kind is not dict and kind is not list:
            return item
        if id(item) not in copies:
            copies[id(item)] = {} if kind is dict else []
            pending.append((item, copies[id(item)]))
        return copies[id(item)]

    result = copied(value)
    while pending:
        source, target = pending.pop()
        if type(target) is dict:
            for key, item in source.items():
                target[key] = copied(item)
        else:
            target.extend([copied(item) for item in source])
    return result
