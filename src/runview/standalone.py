"""Outputs without a view: each has a driver of its own, and the kind of run that it is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runview.deferred import Deferred
from runview.driver import Driver
from runview.full_output import StepOutput, WorkflowStep, step_outputs, workflow_result
from runview.host import running_loop
from runview.output import RunOutput
from runview.run.state import Kind
from runview.sources.url import asked

__all__ = ["ModelOutput", "WorkflowOutput"]


def _started(source: object, args: tuple[Any, ...], schema: object = None, family: str | None = None) -> Driver:
    driver = Driver(source, args, schema=schema, family=family)
    # A source belongs to the loop that its maker is on; where there is none, in a kernel, to the kernel's.
    driver.start(running_loop())
    return driver


class ModelOutput(RunOutput):
    """The output of an agent's (or network's) run without a view.

    `stream` is anything that streams; a callable or an agent is called with `args`. It is consumed from the start, on the
    running loop; without one, in a plain script, from the first blocking call on. `schema` is what the structured output should
    be: a pydantic model, a type that pydantic can check, or a JSON Schema. `source` tells whose events they are, if that is not
    to be found out; `json` and `headers` are sent to an address. Raises TypeError when nothing can be read from the stream.
    """

    _fixed = "agent"

    def __init__(
        self,
        stream: object,
        /,
        *args: Any,
        schema: object = None,
        source: str | None = None,
        json: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(_started(asked(stream, json, headers), args, schema, source))

    @property
    def kind(self) -> Kind | None:
        """`agent`, or `network` as soon as the stream tells."""
        return "network" if self._driver.run.kind == "network" else "agent"

    @property
    def steps(self) -> Deferred[list[StepOutput]]:
        """Text, reasoning, calls, results, usage and finish reason of each step."""
        return self._of_model("steps", lambda: step_outputs(self._driver.run))


class WorkflowOutput(RunOutput):
    """The output of a workflow's run without a view; `source` and `args` as in `ModelOutput`."""

    _fixed = "workflow"

    def __init__(self, source: object, *args: Any) -> None:
        super().__init__(_started(source, args))

    @property
    def steps(self) -> Deferred[dict[str, WorkflowStep]]:
        """The last state of each step, by its id."""
        return self._deferred("steps", lambda: workflow_result(self._driver.run).steps, workflow=True)
