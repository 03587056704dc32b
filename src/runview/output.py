"""The values of a run, in Python: awaitables, streams, and what there is right now.

An output reads; the driver that is handed to it moves the run. Every property says what it means for every way to end, which is
decided in one place (`_check`): a run that failed or broke off raises, every other end gives values.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from inspect import isawaitable
from typing import Any, ClassVar, Protocol, TypeVar

from runview.bell import Bell
from runview.chunks.base import Chunk
from runview.chunks.parse import parse_chunk
from runview.deferred import Deferred
from runview.errors import StreamError, StreamIncomplete, WrongKind
from runview.full_output import FullOutput, StepOutput, WorkflowResult, gather, given, step_outputs, workflow_result
from runview.run import values
from runview.run.inspect import inspect
from runview.run.log import ChunkLog
from runview.run.state import ErrorPart, Kind, RunState, Status
from runview.streams import Stream, same
from runview.summary import error_words, summary

__all__ = ["RunOutput", "Runner"]

T = TypeVar("T")


class Runner(Protocol):
    """What an output needs of a driver."""

    @property
    def run(self) -> RunState: ...
    @property
    def log(self) -> ChunkLog: ...
    @property
    def failure(self) -> BaseException | None: ...
    @property
    def settled(self) -> bool: ...
    @property
    def news(self) -> Bell: ...
    def stop(self, reason: str | None = None) -> None: ...
    async def hear(self, bell: Bell, rings: int) -> None: ...
    async def wait(self) -> None: ...
    def block(self, timeout: float | None) -> None: ...


class RunOutput:
    """Everything that a run gives, from the start: `await output.text`, `async for chunk in output`, `output.wait()`.

    What kind of run it is turns out with its first chunk; a value of another kind raises `WrongKind`.
    """

    _fixed: ClassVar[Kind | None] = None

    def __init__(self, driver: Runner) -> None:
        self._driver = driver

    # Now -----------------------------------------------------------------------------------------------------------------

    @property
    def kind(self) -> Kind | None:
        """`agent`, `workflow` or `network`; None until the first chunk tells."""
        return self._fixed or self._driver.run.kind

    @property
    def status(self) -> Status:
        """`running`, or how the run ended: `success`, `failed`, `incomplete`, `canceled`, `tripwire`, `suspended`, `paused`."""
        return self._driver.run.status

    @property
    def error(self) -> dict[str, Any] | None:
        """`{message, name?, …}` of the first failure."""
        return self._driver.run.error

    @property
    def failure(self) -> BaseException | None:
        """The exception that the source raised, or that came in an error chunk."""
        return self._driver.failure or self._driver.run.exception

    @property
    def tripwire(self) -> dict[str, Any] | None:
        """`{reason, processorId?, retry?, metadata?}` of what blocked the run."""
        return self._driver.run.tripwire

    @property
    def run_id(self) -> str | None:
        """The id in the first chunk that has one."""
        return self._driver.run.run_id

    @property
    def goal(self) -> dict[str, Any] | None:
        """The payload of the last evaluation of the goal."""
        return self._driver.run.goal

    @property
    def is_done(self) -> bool:
        """Whether the run has ended for good (one that is suspended or paused has not)."""
        return self._driver.run.is_done

    @property
    def partial(self) -> FullOutput:
        """All values as of now; never raises."""
        return gather(self._driver.run)

    def inspect(self, *, streams: bool = True) -> dict[str, Any]:
        """The run as one JSON object, as `runview inspect` prints it; without the three streams if `streams` is False."""
        return inspect(self._driver.run, streams=streams)

    # Streams -------------------------------------------------------------------------------------------------------------

    @property
    def full_stream(self) -> Stream[Any, Chunk]:
        """Every chunk. Each access gives a new iterator that replays from the first item and goes on live, as do those below."""
        log = self._driver.log
        return Stream(self._driver, lambda: log, parse_chunk)

    @property
    def text_stream(self) -> Stream[str, str]:
        """The text deltas of the run itself."""
        return self._stream("text_stream", lambda run: run.text_deltas)

    @property
    def object_stream(self) -> Stream[Any, Any]:
        """Each partial object, when it differs from the one before."""
        return self._stream("object_stream", lambda run: run.object_partials)

    @property
    def element_stream(self) -> Stream[Any, Any]:
        """Each element of an array, once it is complete."""
        return self._stream("element_stream", lambda run: run.elements)

    def __aiter__(self) -> Stream[Any, Chunk]:
        return self.full_stream

    async def consume_stream(self, on_error: Callable[[BaseException], object] | None = None) -> None:
        """Waits for the end and never raises by itself; `on_error` is called for each error chunk and for a broken source.

        It is given the exception that the source raised, or a `StreamError` for an error that the stream told; it may be a
        coroutine function.
        """
        async for part in Stream(self._driver, self._errors, same):
            told = on_error(self._exception(part)) if on_error is not None else None
            if isawaitable(told):
                await told

    def _errors(self) -> list[ErrorPart]:
        return [part for part in self._driver.run.parts if isinstance(part, ErrorPart)]

    def _exception(self, part: ErrorPart) -> BaseException:
        run, failure = self._driver.run, self._driver.failure
        if failure is not None and part is self._errors()[-1]:
            return failure
        if run.exception is not None and part.error is run.error:
            return run.exception
        return StreamError(error_words(part.error), partial=self.partial)

    # Values of every kind ------------------------------------------------------------------------------------------------

    @property
    def usage(self) -> Deferred[dict[str, int | float]]:
        """Tokens by field, summed over the steps; what is not known is not there."""
        return self._deferred("usage", lambda: dict(self._driver.run.usage))

    @property
    def nested_usage(self) -> Deferred[dict[str, int | float]]:
        """The same, summed over the runs nested in this one."""
        return self._deferred("nested_usage", lambda: dict(self._driver.run.nested_usage))

    @property
    def steps(self) -> Deferred[Any]:
        """A list of `StepOutput`; of a workflow, its steps by their ids."""
        return self._deferred("steps", self._steps)

    # Values of agents and networks ---------------------------------------------------------------------------------------

    @property
    def text(self) -> Deferred[str]:
        """All text of the run."""
        return self._of_model("text", lambda: values.text(self._driver.run))

    @property
    def reasoning(self) -> Deferred[str]:
        """All reasoning; `""` when there was none."""
        return self._of_model("reasoning", lambda: values.reasoning_text(self._driver.run) or "")

    @property
    def reasoning_text(self) -> Deferred[str | None]:
        """All reasoning; None when there was none."""
        return self._of_model("reasoning_text", lambda: values.reasoning_text(self._driver.run))

    @property
    def object(self) -> Deferred[Any]:
        """The structured output, validated (an instance, when the schema is a pydantic model). Raises the validation error."""
        return self._of_model("object", self._object)

    @property
    def tool_calls(self) -> Deferred[list[Chunk]]:
        """A chunk for each call, in the order of the calls."""
        return self._chunks("tool_calls", values.tool_calls)

    @property
    def tool_results(self) -> Deferred[list[Chunk]]:
        """A chunk for each result, in the order of the calls."""
        return self._chunks("tool_results", values.tool_results)

    @property
    def tool_errors(self) -> Deferred[list[Chunk]]:
        """A chunk for each call that failed, in the order of the calls."""
        return self._chunks("tool_errors", values.tool_errors)

    @property
    def sources(self) -> Deferred[list[Chunk]]:
        """A chunk for each source that the run names."""
        return self._chunks("sources", values.sources)

    @property
    def files(self) -> Deferred[list[Chunk]]:
        """A chunk for each file that the run makes."""
        return self._chunks("files", values.files)

    @property
    def warnings(self) -> Deferred[list[Any]]:
        """What the provider warned of, of all steps."""
        return self._of_model("warnings", lambda: list(self._driver.run.warnings))

    @property
    def finish_reason(self) -> Deferred[str | None]:
        """Of the last finish, spelled as in the stream; `aborted`, `suspended` or `tripwire` for those ends."""
        return self._of_model("finish_reason", lambda: self._driver.run.finish_reason)

    @property
    def response(self) -> Deferred[Any]:
        """What came back from the model beside its answer, of the last step that told it."""
        return self._of_model("response", lambda: values.response(self._driver.run))

    @property
    def request(self) -> Deferred[Any]:
        """What was sent to the model, of the last step that told it."""
        return self._of_model("request", lambda: values.request(self._driver.run))

    @property
    def provider_metadata(self) -> Deferred[Any]:
        """Of the last step that had any."""
        return self._of_model("provider_metadata", lambda: values.provider_metadata(self._driver.run))

    @property
    def suspend_payload(self) -> Deferred[Any]:
        """What the approval or suspension that the run rests on tells; None when it does not rest."""
        return self._of_model("suspend_payload", lambda: given(self._driver.run.suspend_payload))

    @property
    def resume_schema(self) -> Deferred[Any]:
        """The JSON schema of what the run needs to go on, as text."""
        return self._of_model("resume_schema", lambda: given(self._driver.run.resume_schema))

    # Values of workflows -------------------------------------------------------------------------------------------------

    @property
    def result(self) -> Deferred[WorkflowResult]:
        """Of a workflow: status, result or error, and steps. A failing step is a value here, and raises nothing."""
        self._expect("result", workflow=True)
        return self._deferred("result", lambda: workflow_result(self._driver.run), workflow=True)

    # The whole -----------------------------------------------------------------------------------------------------------

    def __await__(self) -> Generator[Any, None, FullOutput]:
        """Everything at once, when the run has ended; raises like its parts. `get_full_output()` never raises."""
        return self._full().__await__()

    def wait(self, timeout: float | None = None) -> FullOutput:
        """The same for code that does not await. TimeoutError after `timeout` seconds, and the run goes on."""
        return self._full().result(timeout)

    async def get_full_output(self) -> FullOutput:
        """Everything that there is at the end, however it came; `.status` and `.error` tell."""
        await self._driver.wait()
        return self.partial

    def stop(self, reason: str | None = None) -> None:
        """Ends the run as `canceled`; the values so far stay."""
        self._driver.stop(reason)

    def __repr__(self) -> str:
        return summary(type(self).__name__, self._driver.run)

    # How values settle ---------------------------------------------------------------------------------------------------

    def _full(self) -> Deferred[FullOutput]:
        return self._deferred("output", lambda: self.partial)

    def _of_model(self, name: str, read: Callable[[], T]) -> Deferred[T]:
        self._expect(name, workflow=False)
        return self._deferred(name, read, workflow=False)

    def _chunks(self, name: str, read: Callable[[RunState], list[dict[str, Any]]]) -> Deferred[list[Chunk]]:
        return self._of_model(name, lambda: [parse_chunk(wire) for wire in read(self._driver.run)])

    def _deferred(self, name: str, read: Callable[[], T], workflow: bool | None = None) -> Deferred[T]:
        def settle() -> T:
            if workflow is not None:
                self._expect(name, workflow=workflow)
            self._check()
            return read()

        return Deferred(name, self._driver, settle)

    def _stream(self, name: str, items: Callable[[RunState], Sequence[T]]) -> Stream[T, T]:
        self._expect(name, workflow=False)
        run = self._driver.run
        return Stream(self._driver, lambda: items(run), same, lambda: self._expect(name, workflow=False))

    def _object(self) -> Any:
        run = self._driver.run
        if run.object_error is not None:
            raise run.object_error.with_traceback(None)
        return given(run.object)

    def _steps(self) -> list[StepOutput] | dict[str, Any]:
        run = self._driver.run
        return workflow_result(run).steps if run.kind == "workflow" else step_outputs(run)

    def _expect(self, name: str, *, workflow: bool) -> None:
        """Raises `WrongKind` as soon as it is known that the run has no such value."""
        run = self._driver.run
        # A source that fails before its first chunk has told no kind.
        for kind in (self._fixed, run.kind if run.chunk_count else None):
            if kind is not None and (kind == "workflow") != workflow:
                if workflow:
                    raise WrongKind(f"`{name}` is a workflow's, and this is the run of an agent, which has `text` and `object`.")
                raise WrongKind(f"`{name}` is an agent's, and this is the run of a workflow, which has `result` and `steps`.")

    def _check(self) -> None:
        """Raises for the two ends that leave the values in doubt."""
        run = self._driver.run
        if run.status == "failed" and (self._driver.failure is not None or run.kind != "workflow"):
            raise StreamError(error_words(run.error or {}), partial=self.partial, cause=self.failure)
        if run.status == "incomplete":
            raise StreamIncomplete("The stream ended without a finish, so something is missing.", partial=self.partial)
