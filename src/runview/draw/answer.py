"""The answer by itself, as its reader copies it: the Markdown of the run's text."""

from __future__ import annotations

from runview.draw.characters import paired, show
from runview.run.state import RunState, TextPart

__all__ = ["answer"]


def answer(run: RunState) -> str:
    """All texts of the run that count, a blank line between them; "" where there is none."""
    texts = [part.text for part in run.parts if isinstance(part, TextPart) and not part.is_object and not part.rejected]
    return "\n\n".join(show(paired(text)).strip("\n") for text in texts if text.strip())
