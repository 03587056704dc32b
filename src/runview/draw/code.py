"""Code in colour."""
from __future__ import annotations
from .tree import Child

def highlight(text: str, info: str) -> list[Child]:
    return [text] if text else []
