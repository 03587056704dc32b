"""The way in: a source of chunks becomes a stream of parts, or the messages that they add up to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from inspect import getattr_static
from typing import Any, get_args

from runview.chunks.wire import Wire, to_wire
from runview.convert.converter import Converter
from runview.convert.messages import Folder
from runview.convert.parts import Options, Version
from runview.sources.opening import check_source, open_source

__all__ = ["Messages", "to_ai_sdk_messages", "to_ai_sdk_stream"]


def to_ai_sdk_stream(
    source: object,
    version: Version = "v5",
    *,
    send_reasoning: bool = False,
    send_sources: bool = False,
    send_subagents: bool = False,
) -> AsyncIterator[Wire]:
    """The parts of the AI SDK's UI message stream that the chunks of a run give, as dicts.

    `source` is whatever `stream_view` takes, or an output or a view, which is read from its beginning. `version` is that of the
    AI SDK on the page. Reasoning, sources, and snapshots of the agents inside calls of tools are sent if wanted. A source that
    fails is an `error` part, and the end. Raises TypeError for what cannot be read, ValueError for another version.
    """
    options = _options(version, reasoning=send_reasoning, sources=send_sources, subagents=send_subagents)
    return _parts(_readable(source), options)


def to_ai_sdk_messages(
    source: object,
    version: Version = "v5",
    *,
    send_reasoning: bool = False,
    send_sources: bool = False,
    send_subagents: bool = False,
    message: Wire | None = None,
) -> Messages:
    """The UI messages of a run: `await` gives the list of them, `async for` the current message whenever it has grown.

    What is sent is as with `to_ai_sdk_stream`. `message` is the message that a continued run goes on with.
    """
    options = _options(version, reasoning=send_reasoning, sources=send_sources, subagents=send_subagents)
    return Messages(_parts(_readable(source), options), Folder(version, message))


class Messages:
    """The messages of a run as they grow, to be read once: as a list by `await`, or one state after the other."""

    def __init__(self, parts: AsyncIterator[Wire], folder: Folder) -> None:
        self._parts = parts
        self._folder = folder

    def __await__(self) -> Generator[Any, None, list[Wire]]:
        return self._all().__await__()

    async def __aiter__(self) -> AsyncIterator[Wire]:
        async for part in self._parts:
            if self._folder.feed(part):
                yield self._folder.message

    async def _all(self) -> list[Wire]:
        async for part in self._parts:
            self._folder.feed(part)
        return self._folder.messages()


def _options(version: Version, *, reasoning: bool, sources: bool, subagents: bool) -> Options:
    if version not in get_args(Version):
        raise ValueError(f"version is one of {', '.join(get_args(Version))}, not {version!r}")
    return Options(version=version, reasoning=reasoning, sources=sources, subagents=subagents)


def _readable(source: object) -> object:
    """The source itself; of a view, its output."""
    output: Any = getattr(source, "output", None)
    readable = source if output is None or getattr_static(output, "full_stream", None) is None else output
    check_source(readable)
    return readable


async def _parts(source: object, options: Options) -> AsyncIterator[Wire]:
    converter = Converter(options)
    failed = False
    try:
        async with open_source(source) as items:
            async for item in items:
                for part in converter.feed(_wire(item)):
                    failed = failed or part["type"] == "error"
                    yield part
    except Exception as error:
        for part in converter.fail(error):
            yield part
        return
    # An output ends its stream without a word when its source had failed.
    failure = getattr(source, "failure", None)
    if isinstance(failure, Exception) and not failed:
        for part in converter.fail(failure):
            yield part
        return
    for part in converter.end():
        yield part


def _wire(item: object) -> object:
    try:
        return to_wire(item)
    except (TypeError, ValueError):
        return item
