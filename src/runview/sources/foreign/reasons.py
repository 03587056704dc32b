"""Finish reasons of all providers in Mastra's spelling; the raw one is kept beside it."""

from __future__ import annotations

from typing import Final

__all__ = ["reason_of"]

_SPELLINGS: Final = {
    "stop": "stop end_turn stop_sequence completed eos eos_token endofturn done success finished",
    "length": "length max_tokens max_output_tokens model_context_window_exceeded model_length limit_tokens limit_output_tokens",
    "tool-calls": "tool-calls tool_calls tool_call tool_use function_call function_calls requires_action",
    "content-filter": (
        "content-filter content_filter content_filtered refusal guardrail_intervened safety recitation blocklist spii "
        "prohibited_content image_safety image_prohibited_content image_recitation model_armor language"
    ),
    "error": "error failed malformed_function_call malformed_response malformed_tool_call unexpected_tool_call no_image",
}
_REASONS: Final = {spelling: reason for reason, spellings in _SPELLINGS.items() for spelling in spellings.split()}


def reason_of(raw: str | None) -> str | None:
    """`stop`, `length`, `content-filter`, `tool-calls`, `error` or `other`; None where no reason was given."""
    return _REASONS.get(raw.strip().lower(), "other") if raw and raw.strip() else None
