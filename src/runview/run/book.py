"""What the reducer remembers of a run besides what the run is: open parts by id, where the current step began, what has ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runview.run.state import (
        GoalPart,
        ObjectPart,
        ReasoningPart,
        RunState,
        SourcesPart,
        Status,
        StepPart,
        TaskPart,
        TextPart,
        ToolPart,
        TripwirePart,
        WorkflowStepPart,
    )  # fmt: skip
    from runview.run.structured import Structured

__all__ = ["Book"]


@dataclass(slots=True, eq=False)
class Book:
    """The memory of a run's reducer; plain data without a meaning of its own."""

    keys: int = 0
    """Number of the next part's key."""
    parent: RunState | None = None
    root: RunState | None = None
    """The outermost run, of a nested one."""
    depth: int = 0

    # The turn
    turn_end: Status | None = None
    """How the current turn ended; None while it goes on. A `start` opens a new turn."""
    reason_told: bool = False
    """The finish reason is that of a finish chunk of this turn."""
    blocked: bool = False
    """A tripwire came; what the model says is dropped until it is withdrawn."""
    pending: dict[str, ToolPart] = field(default_factory=dict[str, "ToolPart"])
    """Calls that wait for an approval or for input, by id."""

    # Text and reasoning
    texts: dict[str, TextPart] = field(default_factory=dict[str, "TextPart"])
    """Open text parts by id that a delta may be added to with no further thought."""
    held_texts: dict[str, TextPart] = field(default_factory=dict[str, "TextPart"])
    """Open text parts whose next delta needs a look: a tool row came between, or the text may be JSON of the object."""
    split_texts: set[str] = field(default_factory=set[str])
    """Ids of held texts that go on in a new part, since a tool row opened below them."""
    ended_texts: set[str] = field(default_factory=set[str])
    reasonings: dict[str, ReasoningPart] = field(default_factory=dict[str, "ReasoningPart"])
    ended_reasonings: set[str] = field(default_factory=set[str])
    reasoning_deltas: list[str] = field(default_factory=list[str])
    text_from: int = 0
    """Index into `text_deltas`: the run's text starts here (a goal evaluation that continues moves it)."""
    rejected: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Ranges of `text_deltas` that a processor rejected."""

    # The step
    step_open: bool = False
    step_part: StepPart | None = None
    step_text: int = 0
    """Index into `text_deltas` where the current step's text starts."""
    step_reasoning: int = 0
    step_tools: dict[str, ToolPart] = field(default_factory=dict[str, "ToolPart"])
    """The calls that began since the last step, by id; in a later step the id means a new call."""
    step_calls: list[ToolPart] = field(default_factory=list["ToolPart"])
    step_results: list[ToolPart] = field(default_factory=list["ToolPart"])
    start_warnings: list[Any] = field(default_factory=list[Any])

    # Calls, tasks, steps of a workflow
    calls: dict[str, ToolPart] = field(default_factory=dict[str, "ToolPart"])
    """The latest call of each id."""
    tasks: dict[str, TaskPart] = field(default_factory=dict[str, "TaskPart"])
    workflow_steps: dict[str, WorkflowStepPart] = field(default_factory=dict[str, "WorkflowStepPart"])
    started_steps: list[str] = field(default_factory=list[str])
    """Ids of workflow steps in the order of their last start."""
    executions: dict[str, ToolPart] = field(default_factory=dict[str, "ToolPart"])
    """A network's executions by kind (agent, workflow, tool): the last one of each."""
    doors: dict[str, dict[int, list[int]]] = field(default_factory=dict[str, dict[int, list[int]]])
    """By call id: how often each nested chunk came through each of its two doors."""

    # Single parts
    sources: SourcesPart | None = None
    object_part: ObjectPart | None = None
    object_text: bool = False
    """Objects come from the text itself, so text that is JSON is not drawn as text."""
    goal_part: GoalPart | None = None
    tripwire_part: TripwirePart | None = None

    # Figures and the like
    figures: int = 0
    """Grows whenever the usage of the run or of a run below it changes."""
    usage_done: dict[str, int | float] = field(default_factory=dict[str, int | float])
    """Sum over the turns that have finished."""
    usage_turn: dict[str, int | float] = field(default_factory=dict[str, int | float])
    """Sum over the steps of this turn."""
    usage_told: dict[str, int | float] | None = None
    """What the finish of a workflow or network told, in sum."""
    response: dict[str, Any] | None = None
    request: Any = None
    provider_metadata: Any = None
    network_result: str | None = None
    structured: Structured | None = None
