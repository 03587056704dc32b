"""A network's answer: the agents, workflows and tools to which an agent of a Mastra server hands its work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runview.sources.answer import Answer

if TYPE_CHECKING:
    from runview.sources.mastra_agent import MastraAgent
    from runview.sources.request import Request

__all__ = ["NetworkAnswer"]


class NetworkAnswer(Answer):
    """An answer that knows how its run goes on when a call waits to be allowed (see `continuing.py`).

    A network has one such call at a time, so that its server asks for the run's id alone.
    """

    def __init__(self, agent: MastraAgent, request: Request, *, schema: object = None) -> None:
        super().__init__(request, schema=schema)
        self._agent = agent

    def approve(self, run_id: str, _call_id: str) -> NetworkAnswer:
        """The run from where its call was allowed."""
        return self._agent.approve_network_tool_call(run_id)

    def decline(self, run_id: str, _call_id: str, reason: str | None) -> NetworkAnswer:
        """The run from where its call was refused."""
        return self._agent.decline_network_tool_call(run_id, reason=reason)
