"""An agent of a Mastra server: what it can be asked, and how a run of it that waits for somebody goes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runview.sources.answer import Answer
from runview.sources.asking import Message, messages_of, options_of, structured
from runview.sources.data_stream import DataStream
from runview.sources.envelopes import Envelopes
from runview.sources.mastra_network import NetworkAnswer
from runview.sources.request import EVENTS, Request, Server

__all__ = ["AgentAnswer", "MastraAgent"]


class MastraAgent:
    """An agent of a server. Every question gives an answer that is sent when it is read.

    Options are what else the server's endpoint takes, in Python's spelling: `run_id`, `memory`, `max_steps`, … What is inside
    an option is sent as it is; one that is None is not sent.
    """

    def __init__(self, server: Server, agent_id: str) -> None:
        self._server = server
        self._id = agent_id

    def stream(self, messages: Message | Iterable[Message], *, schema: object = None, **options: Any) -> AgentAnswer:
        """Asks the agent; the answer is the stream of its chunks.

        Args:
            messages: What to say: text, a message with `role` and `content`, or several of either. Text is the user's.
            schema: What the structured output should be: a pydantic model, a type that pydantic can check, or a JSON Schema. It
                is sent as JSON Schema, and an output of this answer checks the object against it.
            options: See above.

        Raises TypeError or ValueError for what can't be sent.
        """
        return self._ask("stream", messages, schema, options)

    def stream_until_idle(self, messages: Message | Iterable[Message], *, schema: object = None, **options: Any) -> AgentAnswer:
        """The same, but the stream stays open until the agent's background tasks, and what it says to them, are over too."""
        return self._ask("stream-until-idle", messages, schema, options)

    def stream_legacy(self, messages: Message | Iterable[Message], **options: Any) -> Answer:
        """The same of an agent with a model of the AI SDK's version 4, whose data stream is read as chunks."""
        body = {"messages": messages_of(messages), **options_of(options)}
        return Answer(self._post("stream-legacy", body, accept="*/*"), reader=lambda _format: DataStream())

    def network(self, messages: Message | Iterable[Message], *, schema: object = None, **options: Any) -> NetworkAnswer:
        """Has the agent hand the work to its agents, workflows and tools; the answer is the stream of what they all do.

        The server's agent needs a memory: give it as `memory={"thread": …, "resource": …}`.
        """
        return self._route("network", {"messages": messages_of(messages)}, options, schema)

    def approve_network_tool_call(self, run_id: str, **options: Any) -> NetworkAnswer:
        """Allows the call for which a network waits; the answer is what the run does from there."""
        return self._route("approve-network-tool-call", {"runId": run_id}, options)

    def decline_network_tool_call(self, run_id: str, *, reason: str | None = None, **options: Any) -> NetworkAnswer:
        """Refuses the call for which a network waits; the run goes on without it."""
        return self._route("decline-network-tool-call", {"runId": run_id}, {"reason": reason, **options})

    def approve_tool_call(self, run_id: str, tool_call_id: str, **options: Any) -> AgentAnswer:
        """Allows a call that waits for it; the answer is what the run does from there."""
        return self._go_on("approve-tool-call", {"runId": run_id, "toolCallId": tool_call_id}, options)

    def decline_tool_call(self, run_id: str, tool_call_id: str, *, reason: str | None = None, **options: Any) -> AgentAnswer:
        """Refuses a call that waits; the run goes on without it. A server that knows of no `reason` passes it over."""
        body = {"runId": run_id, "toolCallId": tool_call_id}
        return self._go_on("decline-tool-call", body, {"reason": reason, **options})

    def resume_stream(
        self, resume_data: object, *, run_id: str, tool_call_id: str | None = None, schema: object = None, **options: Any
    ) -> AgentAnswer:
        """Gives a suspended run what it waits for; the answer is what it does from there."""
        body = {"runId": run_id, "resumeData": resume_data}
        return self._go_on("resume-stream", body, {"tool_call_id": tool_call_id, **options}, schema)

    def observe(self, run_id: str, *, offset: int | None = None) -> AgentAnswer:
        """The stream of a durable agent's run from its beginning, or from the event with the index `offset`, and then live."""
        return self._go_on("observe", {"runId": run_id}, {"offset": offset}, sift=Envelopes())

    def _ask(self, what: str, messages: Message | Iterable[Message], schema: object, options: Mapping[str, Any]) -> AgentAnswer:
        return self._go_on(what, {"messages": messages_of(messages)}, options, schema)

    def _go_on(
        self,
        what: str,
        body: dict[str, Any],
        options: Mapping[str, Any],
        schema: object = None,
        sift: Envelopes | None = None,
    ) -> AgentAnswer:
        return AgentAnswer(self, self._post(what, _sent(body, options, schema)), schema=schema, sift=sift)

    def _route(self, what: str, body: dict[str, Any], options: Mapping[str, Any], schema: object = None) -> NetworkAnswer:
        return NetworkAnswer(self, self._post(what, _sent(body, options, schema)), schema=schema)

    def _post(self, what: str, body: Mapping[str, Any], accept: str = EVENTS) -> Request:
        return self._server.request("POST", "agents", self._id, what, body=body, accept=accept)


def _sent(body: dict[str, Any], options: Mapping[str, Any], schema: object) -> dict[str, Any]:
    sent = options_of(options)
    return {**body, **sent, **structured(schema, sent.get("structuredOutput"))}


class AgentAnswer(Answer):
    """An agent's answer, which knows how its run goes on when it waits for somebody: see `continuing.py`."""

    def __init__(self, agent: MastraAgent, request: Request, *, schema: object = None, sift: Envelopes | None = None) -> None:
        super().__init__(request, schema=schema, sift=sift)
        self._agent = agent

    def approve(self, run_id: str, tool_call_id: str) -> AgentAnswer:
        """The run from where a call was allowed."""
        return self._agent.approve_tool_call(run_id, tool_call_id)

    def decline(self, run_id: str, tool_call_id: str, reason: str | None) -> AgentAnswer:
        """The run from where a call was refused."""
        return self._agent.decline_tool_call(run_id, tool_call_id, reason=reason)

    def resume(self, run_id: str, data: object, what: str | None) -> AgentAnswer:
        """The run from where a call (`what`) got the data that it waited for."""
        return self._agent.resume_stream(data, run_id=run_id, tool_call_id=what)
