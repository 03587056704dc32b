"""Asking what a JSON value is, by its exact type: a subclass may do anything when it is used."""

from __future__ import annotations

from typing import Any, TypeGuard

__all__ = ["is_dict", "is_list"]


def is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    """A JSON object."""
    return type(value) is dict


def is_list(value: object) -> TypeGuard[list[Any]]:
    """A JSON array."""
    return type(value) is list
