"""Token counts in Mastra's spelling. What is not told is not there: unknown is not zero."""

from __future__ import annotations

from typing import Any, Final

from runview.chunks.wire import Wire
from runview.sources.foreign.fields import field, number

__all__ = ["tokens", "usage_of"]

_INPUT: Final = ("input_tokens", "inputTokens", "prompt_tokens", "prompt_eval_count")
_OUTPUT: Final = ("output_tokens", "outputTokens", "completion_tokens", "eval_count")
_TOTAL: Final = ("total_tokens", "totalTokens")
_REASONING: Final = ("reasoning_tokens", "reasoningTokens", "output_reasoning_tokens", "reasoning")
_CACHED: Final = (
    "cached_tokens", "cachedInputTokens", "cached_input_tokens", "cache_read_tokens", "cacheReadInputTokens", "cache_read",
)  # fmt: skip
_OUTPUT_DETAILS: Final = ("output_tokens_details", "completion_tokens_details", "output_token_details", "outputTokenDetails")
_INPUT_DETAILS: Final = ("input_tokens_details", "prompt_tokens_details", "input_token_details", "inputTokenDetails")


def tokens(
    input: float | None = None,
    output: float | None = None,
    total: float | None = None,
    reasoning: float | None = None,
    cached: float | None = None,
) -> Wire:
    """The counts that are known; the total is the sum unless it is told."""
    if total is None and input is not None and output is not None:
        total = input + output
    told = {
        "inputTokens": input,
        "outputTokens": output,
        "totalTokens": total,
        "reasoningTokens": reasoning,
        "cachedInputTokens": cached,
    }
    return {name: value for name, value in told.items() if value is not None}


def usage_of(told: object) -> Wire:
    """The counts of any provider whose input includes what was cached and whose output includes reasoning; {} without any.

    OpenAI (both APIs) and its kin, LangChain, pydantic-ai, the AI SDK, AG-UI, ollama.
    """
    if told is None:
        return {}
    return tokens(
        _told(told, _INPUT),
        _told(told, _OUTPUT),
        _told(told, _TOTAL),
        _detail(told, _OUTPUT_DETAILS, _REASONING),
        _detail(told, _INPUT_DETAILS, _CACHED),
    )


def _told(usage: object, names: tuple[str, ...]) -> Any:
    return next((value for name in names if (value := number(usage, name)) is not None), None)


def _detail(usage: object, details: tuple[str, ...], names: tuple[str, ...]) -> Any:
    for each in (usage, *(field(usage, name) for name in details)):
        if each is not None and (value := _told(each, names)) is not None:
            return value
    return None
