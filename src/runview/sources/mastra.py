"""A Mastra server over HTTP: what it has. What an agent can be asked is in `mastra_agent.py`, a workflow in `mastra_workflow.py`,
how an answer is read in `answer.py`, and how a request is sent in `request.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from runview.sources.answer import Answer
from runview.sources.listing import Listing
from runview.sources.mastra_agent import MastraAgent
from runview.sources.mastra_workflow import MastraWorkflow
from runview.sources.request import EVENTS, Server

__all__ = ["MastraClient"]


class MastraClient:
    """A Mastra server. Nothing is sent before an answer is read, and each answer has a connection of its own.

    Args:
        base_url: Where it is, such as `http://localhost:4111`.
        headers: Sent with every request, such as an authorization.
        timeout: Seconds to reach the server; None waits for ever. The stream itself may pause for any time.
        retries: How often a request is sent again, after 0.25 s, 0.5 s and so on, when no connection came about or the server
            said that it is too busy (429, 503). Never once an answer has begun, so that no agent works twice.
        api_prefix: Under which path the server has its API.

    Whatever goes wrong is a `MastraError`, raised by who reads: with the server's own words, and its status in `.status`.
    """

    def __init__(
        self,
        base_url: str = "http://localhost:4111",
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = 10.0,
        retries: int = 2,
        api_prefix: str = "/api",
    ) -> None:
        self._server = Server(base_url, headers=headers, timeout=timeout, retries=retries, api_prefix=api_prefix)

    def agent(self, agent_id: str) -> MastraAgent:
        """The agent that is registered under an id."""
        return MastraAgent(self._server, agent_id)

    def workflow(self, workflow_id: str) -> MastraWorkflow:
        """The workflow that is registered under an id."""
        return MastraWorkflow(self._server, workflow_id)

    def agents(self) -> Listing:
        """What the server tells about its agents, by their ids: `await client.agents()`, or `client.agents().result()`."""
        return Listing(self._server.request("GET", "agents"))

    def workflows(self) -> Listing:
        """What the server tells about its workflows, by their ids."""
        return Listing(self._server.request("GET", "workflows"))

    def background_tasks(
        self,
        *,
        agent_id: str | None = None,
        run_id: str | None = None,
        thread_id: str | None = None,
        resource_id: str | None = None,
        task_id: str | None = None,
    ) -> Answer:
        """What happens to background tasks from now on, of all or of those that are named. It stays open until it is stopped."""
        query = {"agentId": agent_id, "runId": run_id, "threadId": thread_id, "resourceId": resource_id, "taskId": task_id}
        return Answer(self._server.request("GET", "background-tasks", "stream", query=query, accept=EVENTS))
