"""A Mastra server's agents over HTTP: what can be asked. How an answer is read is in `answer.py`.

Each kind of thing that a server has is a class with the questions it takes; each question gives an `Answer`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast
from urllib.parse import quote

from runview.sources.answer import Answer, Request

__all__ = ["MastraAgent", "MastraClient"]

Message: TypeAlias = str | Mapping[str, Any]


class MastraClient:
    """A Mastra server.

    Args:
        base_url: Where it is, such as `http://localhost:4111`.
        headers: Sent with every request, such as an authorization.
        timeout: Seconds to reach the server; None waits for ever. The stream itself may pause for any time.
        api_prefix: Under which path the server has its API.
    """

    def __init__(
        self,
        base_url: str = "http://localhost:4111",
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = 10.0,
        api_prefix: str = "/api",
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"a server's address begins with http:// or https://, not {base_url!r}")
        self._root = f"{base_url.rstrip('/')}/{api_prefix.strip('/')}".rstrip("/")
        self._headers = {name.lower(): value for name, value in (headers or {}).items()}
        self._timeout = timeout

    def agent(self, agent_id: str) -> MastraAgent:
        """The agent that is registered under an id."""
        return MastraAgent(self, agent_id)

    def post(self, *path: str, body: Mapping[str, Any], accept: str) -> Answer:
        """The answer to a POST to a path of the API, whose parts are escaped here. Nothing is sent yet.

        Raises TypeError or ValueError when the body is no JSON.
        """
        headers = {"accept": accept, "content-type": "application/json", **self._headers}
        url = "/".join((self._root, *(quote(part, safe="") for part in path)))
        return Answer(Request("POST", url, headers, json.dumps(body, allow_nan=False).encode("ascii"), self._timeout))


class MastraAgent:
    """An agent of a server."""

    def __init__(self, client: MastraClient, agent_id: str) -> None:
        self._client = client
        self._id = agent_id

    def stream(self, messages: Message | Iterable[Message], **options: Any) -> Answer:
        """Asks the agent; the answer is the stream of its chunks.

        Args:
            messages: What to say: text, a message with `role` and `content`, or several of either. Text is the user's.
            options: What else the server's endpoint takes, in Python's spelling: `run_id`, `memory`, `max_steps`, … A keyword
                that is None is not sent.
        """
        body = {"messages": _messages(messages), **_options(options)}
        return self._client.post("agents", self._id, "stream", body=body, accept="text/event-stream")


def _messages(messages: Message | Iterable[Message]) -> list[dict[str, Any]]:
    if isinstance(messages, str):
        return [_message(messages)]
    if isinstance(messages, Mapping):
        return [_message(cast(Message, messages))]
    return [_message(message) for message in messages]


def _message(message: object) -> dict[str, Any]:
    if isinstance(message, str):
        return {"role": "user", "content": message}
    if isinstance(message, Mapping):
        given = dict(cast(Mapping[str, Any], message))
        if "role" in given and "content" in given:
            return given
    raise TypeError(f"a message is text or a dict with role and content, not {message!r:.80}")


def _options(options: Mapping[str, Any]) -> dict[str, Any]:
    return {_camel(name): value for name, value in options.items() if value is not None}


def _camel(name: str) -> str:
    """The wire's spelling of a keyword: `run_id` is `runId`."""
    first, *others = name.strip("_").split("_")
    return first + "".join(other.capitalize() for other in others)
