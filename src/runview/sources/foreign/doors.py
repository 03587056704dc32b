"""How objects of SDKs that are no stream themselves become one: result objects by a method, agents by a question.

Objects are known by the names of their classes; what is called is theirs. An entry of `RESULTS` gives the stream of a result, an
entry of `AGENTS` the one obvious call for `stream_view(agent, "question")`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from runview.sources.foreign.fields import is_a
from runview.sources.foreign.openai_agents_runs import AgentsRun
from runview.sources.foreign.pydantic_ai_runs import nodes, responses, whole

__all__ = ["AGENTS", "RESULTS", "Agent", "Result", "agent_of", "result_of"]


class Result(NamedTuple):
    """A result object that holds its stream."""

    classes: tuple[str, ...]
    """Beginnings of `module.Class`, its own or one that it descends from."""
    open: Callable[[Any], object]
    """What it is read from: any source."""
    stop: Callable[[Any], object] | None = None
    """Ends its work when the stream is left before the end; for what goes on by itself, read or not."""


class Agent(NamedTuple):
    """An object that is asked for a stream."""

    classes: tuple[str, ...]
    ask: Callable[..., object]
    """Called with the agent and the arguments of `stream_view`; gives any source."""


def _stream_events(result: Any) -> object:
    return result.stream_events()


def _cancel(result: Any) -> object:
    return result.cancel()


def _turns(runner: Any) -> object:
    """The tool runner of Anthropic gives a stream a turn; between them it knows what it will send back to the model."""
    return _turns_async(runner) if hasattr(runner, "__aiter__") else _turns_sync(runner)


def _turns_sync(runner: Any) -> Iterator[object]:
    turns: Iterable[Iterable[object]] = runner
    for turn in turns:
        yield from turn
        if (answer := runner.generate_tool_call_response()) is not None:
            yield answer


async def _turns_async(runner: Any) -> AsyncIterator[object]:
    async for turn in runner:
        async for event in turn:
            yield event
        if (answer := await runner.generate_tool_call_response()) is not None:
            yield answer


def _run_streamed(agent: Any, *args: Any) -> object:
    return AgentsRun(agent, *args)


def _run_stream_events(agent: Any, *args: Any) -> object:
    return agent.run_stream_events(*args)


def _astream(graph: Any, question: Any, *args: Any) -> object:
    """Text is what the user says; `messages` has the tokens, `updates` the results of tools and the questions."""
    given = {"messages": [{"role": "user", "content": question}]} if isinstance(question, str) else question
    return graph.astream(given, *args, stream_mode=["messages", "updates"])


def _stream(agent: Any, *args: Any) -> object:
    return agent.stream(*args)


def _astream_any(runnable: Any, *args: Any) -> object:
    return runnable.astream(*args)


def _stream_async(agent: Any, *args: Any) -> object:
    return agent.stream_async(*args)


def _run(agent: Any, *args: Any) -> object:
    return agent.run(*args, stream=True)


RESULTS: Final[tuple[Result, ...]] = (
    Result(("agents.result.RunResultStreaming",), _stream_events, _cancel),
    Result(("anthropic.lib.tools._beta_runner.",), _turns),
    Result(("pydantic_ai.result.StreamedRunResult",), responses),
    Result(("pydantic_ai.run.AgentRunResult",), whole),
    Result(("pydantic_ai.run.AgentRun",), nodes),
)

AGENTS: Final[tuple[Agent, ...]] = (
    Agent(("agents.agent.Agent", "agents.agent.AgentBase"), _run_streamed),
    Agent(("pydantic_ai.agent.abstract.AbstractAgent", "pydantic_ai.agent.AbstractAgent"), _run_stream_events),
    Agent(("langgraph.pregel.",), _astream),
    Agent(("langchain_core.runnables.base.Runnable",), _astream_any),
    Agent(("strands.agent.agent.Agent", "strands.multiagent.base."), _stream_async),
    Agent(("smolagents.agents.MultiStepAgent",), _run),
    Agent(("runview.sources.mastra_agent.MastraAgent",), _stream),
)


def result_of(source: object) -> Result | None:
    """How a result object is read; None for anything else."""
    return next((each for each in RESULTS if is_a(source, *each.classes)), None)


def agent_of(source: object) -> Agent | None:
    """How an agent is asked; None for anything else, the streams of its package included. Models of pydantic are no streams."""
    kind = type(source)
    if hasattr(kind, "__aiter__") or (hasattr(kind, "__iter__") and not hasattr(kind, "model_fields")):
        return None
    return next((each for each in AGENTS if is_a(source, *each.classes)), None)
