"""Guardrails that stop a run by raising: in Mastra's terms a tripwire, not a failure."""

from __future__ import annotations

from runview.chunks.wire import Wire
from runview.sources.foreign import chunks
from runview.sources.foreign.fields import path, plain, text

__all__ = ["tripwire_of", "words_of"]


def tripwire_of(error: BaseException) -> Wire | None:
    """The chunk for an exception with `Tripwire` in the name of its class, or of one that it descends from."""
    if not any("Tripwire" in kind.__name__ for kind in type(error).__mro__):
        return None
    result = getattr(error, "guardrail_result", None)
    guardrail = path(result, "guardrail")
    name = text(guardrail, "name") or path(guardrail, "guardrail_function", "__name__")
    metadata = plain(path(result, "output", "output_info"))
    return chunks.tripwire(name if isinstance(name, str) and name else words_of(error), metadata=metadata)


def words_of(error: BaseException) -> str:
    """What an exception says, or its name; also of one that can't say anything."""
    try:
        return str(error) or type(error).__name__
    except Exception:
        return type(error).__name__
