"""What a run is: its parts in the order of their first chunks, and the facts that its values are made of.

Plain data, changed by `reduce.py` alone and read by `draw/`, `output.py` and `inspect.py`. A part has a key that stays its own
for the life of the run and a version that grows whenever something in it (or in a run nested under it) changes, so that whoever
keeps a drawing of it knows what to draw again. Times are seconds since the epoch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from runview.run.absent import ABSENT
from runview.run.book import Book
from runview.run.change import Change
from runview.run.content import Content
from runview.run.object_reader import ObjectReader
from runview.run.partials import Partials

__all__ = [
    "ABSENT", "AbortPart", "CallState", "DataPart", "ErrorPart", "FilePart", "GoalPart", "Kind", "ObjectPart", "Part",
    "ReasoningPart", "RunState", "SourcesPart", "Status", "Step", "StepPart", "TaskPart", "TaskStatus", "TextPart", "ToolPart",
    "TripwirePart", "Wire", "WorkflowStepPart",
]  # fmt: skip


Kind: TypeAlias = Literal["agent", "workflow", "network"]
Status: TypeAlias = Literal["running", "success", "failed", "incomplete", "canceled", "tripwire", "suspended", "paused"]
CallState: TypeAlias = Literal[
    "writing", "ready", "running", "needs-you", "background", "done", "failed", "denied", "cancelled", "stopped", "no-result"
]
TaskStatus: TypeAlias = Literal["started", "running", "completed", "failed", "suspended", "cancelled"]
Wire: TypeAlias = dict[str, Any]
"""A chunk as it came, in the spelling of the wire."""


@dataclass(slots=True, kw_only=True, eq=False)
class Part:
    """One thing in a run that a reader sees as one row, block or list."""

    key: str
    step: int = 0
    """The number of the step it began in, from 1; 0 before the first."""
    version: int = 0
    started: float | None = None
    ended: float | None = None
    """When its own end came; None while it is open."""
    stopped: bool = False
    """The run ended before the part did."""
    made_by: list[int] = field(default_factory=list[int])
    """Which chunks of the stream made it: first and last number of each row of them, in turn. In a nested run, too, they are
    numbers of the whole stream's chunks, from 0."""

    @property
    def open(self) -> bool:
        return self.ended is None and not self.stopped

    def came(self, number: int) -> None:
        """A chunk has changed this part."""
        made_by = self.made_by
        if made_by and made_by[-1] >= number - 1:
            made_by[-1] = number
        else:
            made_by += (number, number)


@dataclass(slots=True, kw_only=True, eq=False)
class TextPart(Part):
    """Text of the answer, from its start to its end."""

    id: str
    pieces: list[str] = field(default_factory=list[str])
    """The text as it came. Halves of a surrogate pair may stand in two pieces."""
    rejected: bool = False
    """A processor rejected the step for a retry; the text is not part of the run's text."""
    is_object: bool = False
    """The text is the JSON of the run's object, which has a part of its own."""
    grown: tuple[Change, ...] = field(init=False, repr=False)
    """What a delta changes: made once, since there are many."""

    def __post_init__(self) -> None:
        self.grown = (Change("changed", self.key),)

    @property
    def text(self) -> str:
        return "".join(self.pieces)


@dataclass(slots=True, kw_only=True, eq=False)
class ReasoningPart(Part):
    """What the model thought before it answered."""

    id: str
    pieces: list[str] = field(default_factory=list[str])
    redacted: bool = False
    """The provider hid this reasoning; there is no text."""

    @property
    def text(self) -> str:
        return "".join(self.pieces)


@dataclass(slots=True, kw_only=True, eq=False)
class ToolPart(Part):
    """A tool call and all that became of it. In a network, also the execution of an agent, workflow or tool."""

    call_id: str
    name: str | None = None
    title: str | None = None
    """The tool's own title for people, if it has one."""
    role: Literal["tool", "agent", "workflow"] = "tool"
    """What stands behind the call, as far as the stream tells."""
    state: CallState = "writing"
    args_pieces: list[str] = field(default_factory=list[str])
    """Streamed arguments as JSON text."""
    args: Any = ABSENT
    """The whole arguments, once known."""
    result: Any = ABSENT
    error: dict[str, Any] | None = None
    """`{message, name?, …}` of a failure."""
    outputs: list[Any] = field(default_factory=list[Any])
    """What the tool wrote while it ran, in order (not the chunks of nested runs)."""
    nested: list[RunState] = field(default_factory=list["RunState"])
    approval: Wire | None = None
    """The payload of the last approval or suspension, while it is the last word on this call."""
    asked: float | None = None
    """When approval or input was last asked for; it stays when the answer has come."""
    asked_by: str | None = None
    """The id of the run that asked: a stream may hold several, one a turn."""
    answer: Literal["allow", "deny"] | None = None
    """What somebody has answered to the last question; the stream has not confirmed it while the call still needs somebody."""
    unheard: str | None = None
    """Why the last answer could not be passed on to the source."""
    denied_reason: str | None = None
    provider_executed: bool = False
    task: TaskPart | None = None
    """The background task that this call became; it is drawn in this row."""
    execution: bool = False
    """The network's own execution of an agent, workflow or tool; not a tool call of a model."""
    call_chunk: Wire | None = None
    """The tool-call chunk (made from the streamed arguments when none came); None while the call is not whole."""
    result_chunk: Wire | None = None
    """The last tool-result chunk."""
    error_chunk: Wire | None = None
    """The last tool-error chunk."""
    denied_chunk: Wire | None = None
    """The last tool-output-denied chunk."""

    @property
    def args_text(self) -> str:
        return "".join(self.args_pieces)


@dataclass(slots=True, kw_only=True, eq=False)
class ObjectPart(Part):
    """The structured output."""

    told: Any = ABSENT
    """The value, as an object chunk or the end brought it."""
    reader: ObjectReader | None = None
    """Where the value is read from the text instead."""
    state: Literal["writing", "complete", "invalid", "unfinished"] = "writing"
    error: str | None = None
    """Why the value is not valid, in one sentence."""
    name: str | None = None
    """Name of the schema, if it has one."""

    @property
    def value(self) -> Any:
        """The last partial, then the final value. Put together when it is asked for."""
        return self.told if self.reader is None else self.reader.value


@dataclass(slots=True, kw_only=True, eq=False)
class SourcesPart(Part):
    """All sources of a run; it stands where the first one came."""

    sources: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Payloads of source chunks, in order."""
    chunks: list[Wire] = field(default_factory=list[Wire])
    """The same chunks whole."""


@dataclass(slots=True, kw_only=True, eq=False)
class FilePart(Part):
    """A file that the model made."""

    media_type: str | None = None
    filename: str | None = None
    data: Content | None = None
    url: str | None = None
    reasoning: bool = False
    chunk: Wire = field(default_factory=dict[str, Any])
    """The whole chunk."""


@dataclass(slots=True, kw_only=True, eq=False)
class StepPart(Part):
    """The boundary where a step begins."""

    number: int
    finish_reason: str | None = None
    usage: dict[str, int | float] = field(default_factory=dict[str, int | float])
    warnings: list[Any] = field(default_factory=list[Any])


@dataclass(slots=True, kw_only=True, eq=False)
class GoalPart(Part):
    """One evaluation of the goal, or of whether the task is complete."""

    payload: dict[str, Any] = field(default_factory=dict[str, Any])
    """Of the last goal (or is-task-complete) chunk of this evaluation; `pending` while it is being judged."""


@dataclass(slots=True, kw_only=True, eq=False)
class TripwirePart(Part):
    """A processor blocked what came in or went out."""

    reason: str
    processor_id: str | None = None
    retry: bool = False
    metadata: Any = None
    retried: bool = False
    """A retry followed, so the run was not blocked by this."""


@dataclass(slots=True, kw_only=True, eq=False)
class ErrorPart(Part):
    """An error, where it happened."""

    error: dict[str, Any]
    """`{message, name?, stack?, …}`"""


@dataclass(slots=True, kw_only=True, eq=False)
class AbortPart(Part):
    """Somebody stopped the run."""

    reason: str | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class TaskPart(Part):
    """A background task. One whose call is known lives in that call's part (`ToolPart.task`)."""

    task_id: str
    tool_name: str | None = None
    call_id: str | None = None
    status: TaskStatus = "started"
    args: Any = ABSENT
    result: Any = ABSENT
    error: dict[str, Any] | None = None
    suspend_payload: Any = ABSENT
    outputs: list[Any] = field(default_factory=list[Any])
    nested: list[RunState] = field(default_factory=list["RunState"])


@dataclass(slots=True, kw_only=True, eq=False)
class WorkflowStepPart(Part):
    """A step of a workflow, with all its rounds where it is in a loop."""

    id: str
    """Dotted for a step of a nested workflow: `outer.inner`."""
    name: str
    status: str = "running"
    """As in the step's last chunk: running, success, failed, suspended, waiting, skipped, bailed, paused, …"""
    input: Any = ABSENT
    output: Any = ABSENT
    error: dict[str, Any] | None = None
    beside: bool = False
    """Another step of the same workflow was at work when it began: they run in parallel."""
    rounds: int = 1
    """How often it has begun, where it is in a loop."""
    suspend_payload: Any = ABSENT
    progress: dict[str, Any] | None = None
    """Payload of the last workflow-step-progress: `completedCount`, `totalCount`, …"""
    outputs: list[Any] = field(default_factory=list[Any])
    nested: list[RunState] = field(default_factory=list["RunState"])
    reported: bool = True
    """The stream told its status; False when it is known from its outputs alone."""


@dataclass(slots=True, kw_only=True, eq=False)
class DataPart(Part):
    """A part of the user's own kind."""

    type: str
    data: Any = None
    id: str | None = None
    transient: bool = False


@dataclass(slots=True, kw_only=True, eq=False)
class Step:
    """What `output.steps` has for each step-finish."""

    number: int
    text: str = ""
    reasoning_text: str | None = None
    tool_calls: list[str] = field(default_factory=list[str])
    """Ids of calls."""
    tool_results: list[str] = field(default_factory=list[str])
    finish_reason: str | None = None
    usage: dict[str, int | float] = field(default_factory=dict[str, int | float])
    warnings: list[Any] = field(default_factory=list[Any])
    tripwire: dict[str, Any] | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class RunState:
    """One run: an agent's, a workflow's or a network's; also each run nested in another."""

    kind: Kind | None = None
    status: Status = "running"
    run_id: str | None = None
    name: str | None = None
    """Id of the agent, workflow or network, as the stream tells it."""
    under: str | None = None
    """What a nested run hangs from: the id of a call, step or task."""
    version: int = 0
    parts: list[Part] = field(default_factory=list[Part])
    started: float | None = None
    """When the first chunk came."""
    first_text: float | None = None
    ended: float | None = None
    stopping: bool = False
    """A stop was asked for and the source has not ended yet."""
    step_count: int = 0
    """Steps begun so far."""
    finish_reason: str | None = None
    error: dict[str, Any] | None = None
    exception: BaseException | None = None
    """The exception behind `error`, when the source raised one or a chunk carried one."""
    tripwire: dict[str, Any] | None = None
    goal: dict[str, Any] | None = None
    object: Any = ABSENT
    """The final structured output, validated where a schema is known."""
    object_error: Exception | None = None
    """Why the structured output is not valid against the schema that was given."""
    usage: dict[str, int | float] = field(default_factory=dict[str, int | float])
    nested_usage: dict[str, int | float] = field(default_factory=dict[str, int | float])
    steps: list[Step] = field(default_factory=list[Step])
    warnings: list[Any] = field(default_factory=list[Any])
    suspend_payload: Any = ABSENT
    resume_schema: Any = ABSENT
    workflow_result: Any = ABSENT
    notes: list[str] = field(default_factory=list[str])
    """What was odd in the stream, a sentence each."""
    chunk_count: int = 0
    chunk_types: dict[str, int] = field(default_factory=dict[str, int])
    unknown_count: int = 0

    text_deltas: list[str] = field(default_factory=list[str])
    """What `text_stream` yields."""
    object_partials: Partials = field(default_factory=Partials)
    """What `object_stream` yields."""
    elements: list[Any] = field(default_factory=list[Any])
    """What `element_stream` yields."""

    tasks: list[TaskPart] = field(default_factory=list[TaskPart])
    """All background tasks, by first appearance; those of a known call are in that call's part too."""
    nested: list[RunState] = field(default_factory=list["RunState"])
    """All runs below this one, flat, by first appearance."""
    book: Book = field(default_factory=Book, repr=False)
    """What the reducer needs to remember; nobody else reads it."""

    @property
    def is_done(self) -> bool:
        return self.status not in ("running", "suspended", "paused")
