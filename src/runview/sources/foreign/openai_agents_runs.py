"""A run of openai-agents that was asked for with an agent and a question: started when it is read, and again once answered.

A run that somebody started goes on only with everything that it was started with, which its result doesn't tell; of these nothing
but the agent was given.
"""

from __future__ import annotations

import sys
from typing import Any

from runview.sources.continuing import OneRun
from runview.sources.foreign.fields import first, items

__all__ = ["AgentsRun"]


class AgentsRun(OneRun):
    """Has its stream as `full_stream`."""

    def __init__(self, agent: Any, *args: Any) -> None:
        self._agent = agent
        self._args = args
        self._result: Any = None

    @property
    def full_stream(self) -> object:
        """The result, which runs from then on."""
        self._result = sys.modules["agents"].Runner.run_streamed(self._agent, *self._args)
        return self._result

    def approve(self, run_id: str, call_id: str) -> AgentsRun:
        state = self._result.to_state()
        state.approve(self._asked(call_id))
        return AgentsRun(self._agent, state, *self._args[1:])

    def decline(self, run_id: str, call_id: str, reason: str | None) -> AgentsRun:
        state = self._result.to_state()
        if reason:
            state.reject(self._asked(call_id), rejection_message=reason)
        else:
            state.reject(self._asked(call_id))
        return AgentsRun(self._agent, state, *self._args[1:])

    def _asked(self, call_id: str) -> object:
        for waiting in items(self._result, "interruptions"):
            if first(getattr(waiting, "raw_item", None), "call_id", "id") == call_id:
                return waiting
        raise ValueError(f"The run of the agent does not wait for the call {call_id!r}.")
