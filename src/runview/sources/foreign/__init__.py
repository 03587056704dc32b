"""Foreign streams: what people's own SDK code gives, as chunks.

One file a family of events. `reader.py` says what a family is; `fields.py` reads events, dicts and objects alike; `writer.py`
keeps the books of steps, texts and calls, and `chunks.py` spells chunks. `FAMILIES` is the registry, in the order in which they
are asked whether an event is theirs; `detect.py` asks them. To add one: a file here, and a line below.
"""

from __future__ import annotations

from typing import Final

from runview.sources.foreign.ag_ui import AG_UI
from runview.sources.foreign.ai_sdk_ui import AI_SDK_UI
from runview.sources.foreign.anthropic import ANTHROPIC
from runview.sources.foreign.chat import CHAT
from runview.sources.foreign.claude_agent import CLAUDE_AGENT
from runview.sources.foreign.google import GOOGLE
from runview.sources.foreign.google_interactions import GOOGLE_INTERACTIONS
from runview.sources.foreign.langchain import LANGCHAIN
from runview.sources.foreign.ollama import OLLAMA
from runview.sources.foreign.openai_agents import OPENAI_AGENTS
from runview.sources.foreign.pydantic_ai import PYDANTIC_AI
from runview.sources.foreign.reader import Family
from runview.sources.foreign.responses import RESPONSES
from runview.sources.foreign.smolagents import SMOLAGENTS
from runview.sources.foreign.strands import STRANDS

__all__ = ["FAMILIES"]

FAMILIES: Final[tuple[Family, ...]] = (
    SMOLAGENTS,
    PYDANTIC_AI,
    LANGCHAIN,
    STRANDS,
    AG_UI,
    CHAT,
    RESPONSES,
    OPENAI_AGENTS,
    ANTHROPIC,
    CLAUDE_AGENT,
    GOOGLE,
    GOOGLE_INTERACTIONS,
    OLLAMA,
    AI_SDK_UI,
)
