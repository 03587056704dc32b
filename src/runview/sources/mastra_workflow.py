"""A workflow of a Mastra server and its runs, which stream, rest, go on and can be watched."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from runview.chunks.wire import Wire
from runview.sources.answer import Answer, Sift
from runview.sources.asking import options_of
from runview.sources.request import Request, Server

__all__ = ["MastraRun", "MastraWorkflow", "RunAnswer"]

Step: TypeAlias = str | Sequence[str]


class MastraWorkflow:
    """A workflow of a server."""

    def __init__(self, server: Server, workflow_id: str) -> None:
        self._server = server
        self._id = workflow_id

    def create_run(self, run_id: str | None = None) -> MastraRun:
        """A run of the workflow: a new one, or the one with a known id. Nothing is sent yet."""
        return MastraRun(self, run_id or str(uuid.uuid4()))

    def __repr__(self) -> str:
        return f"<workflow {self._id}>"

    def ask(self, run_id: str, what: str, body: Mapping[str, Any], *, offset: int | None = None) -> Request:
        """The request to one of the places where the server takes questions about a run."""
        query = {"runId": run_id, "offset": offset}
        return self._server.request("POST", "workflows", self._id, what, query=query, body=body, accept="*/*")


class MastraRun:
    """One run of a workflow. Options are what else the server's endpoint takes, in Python's spelling."""

    def __init__(self, workflow: MastraWorkflow, run_id: str) -> None:
        self.run_id = run_id
        self._workflow = workflow

    def __repr__(self) -> str:
        return f"<run {self.run_id} of {self._workflow!r}>"

    def stream(self, input_data: object = None, **options: Any) -> RunAnswer:
        """Starts the run; the answer is the stream of its chunks. `input_data` is JSON, or a pydantic model."""
        return self._ask("stream", {"inputData": input_data, **options_of(options)})

    def resume_stream(self, step: Step | None = None, resume_data: object = None, **options: Any) -> RunAnswer:
        """Gives a suspended step what it waits for; the answer is what the run does from there.

        `step` is the step's id, or the ids on the way to a step of a nested workflow; None where only one waits.
        """
        body: dict[str, Any] = {"resumeData": resume_data, **options_of(options)}
        if step is not None:
            body = {"step": step if isinstance(step, str) else list(step), **body}
        return self._ask("resume-stream", body)

    def observe(self, *, offset: int | None = None) -> RunAnswer:
        """The chunks of the run from its beginning, or from the one with the index `offset`, and then live."""
        return self._ask("observe", {}, offset=offset, sift=Unrepeated())

    def _ask(self, what: str, body: Mapping[str, Any], *, offset: int | None = None, sift: Sift | None = None) -> RunAnswer:
        return RunAnswer(self._workflow, self._workflow.ask(self.run_id, what, body, offset=offset), sift=sift)


class RunAnswer(Answer):
    """The stream of a workflow's run, which knows how the run goes on when it is suspended: see `continuing.py`."""

    def __init__(self, workflow: MastraWorkflow, request: Request, *, sift: Sift | None = None) -> None:
        super().__init__(request, sift=sift)
        self._workflow = workflow

    def resume(self, run_id: str, data: object, what: str | None) -> RunAnswer:
        """The run from where a step (`what`) got the data that it waited for."""
        return self._workflow.create_run(run_id).resume_stream(what, data)


class Unrepeated:
    """Leaves out what a server tells twice: who joins a run in progress gets its past from two memories, one after the other.

    A second `workflow-start` with no `workflow-finish` before it begins the repetition; the first chunk that differs ends it.
    """

    def __init__(self) -> None:
        self._told: list[Wire] = []
        self._at: int | None = None

    def __call__(self, value: Wire) -> Wire | None:
        told = self._told
        if told and value == told[0] and value.get("type") == "workflow-start":
            self._at = 0
        if self._at is not None:
            if self._at < len(told) and value == told[self._at]:
                self._at += 1
                return None
            self._at = None
        told.append(value)
        if value.get("type") == "workflow-finish":
            told.clear()
        return value
