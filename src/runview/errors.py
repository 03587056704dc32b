"""What is raised to the user. Every message is one sentence that says what happened and, where there is one, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runview.full_output import FullOutput

__all__ = ["MastraError", "NotReady", "StreamError", "StreamIncomplete", "WrongKind"]


class StreamError(Exception):
    """The run failed: its stream told an error, or its source raised one (then that is the cause).

    Raised by every awaitable of the run, whenever it is touched.
    """

    partial: FullOutput
    """All values as far as they came."""

    def __init__(self, message: str, *, partial: FullOutput, cause: BaseException | None = None) -> None:
        super().__init__(message)
        self.partial = partial
        self.__cause__ = cause

    @property
    def cause(self) -> BaseException | None:
        """The exception that the source raised; None when the stream itself told the error."""
        return self.__cause__


class StreamIncomplete(StreamError):
    """The stream ended without saying that it had finished, so nobody knows what is missing."""


class WrongKind(AttributeError):
    """The value belongs to another kind of run: an agent has no `result`, a workflow has no `text`.

    An AttributeError, so that `hasattr` and everything that lists attributes find the value absent.
    """


class NotReady(RuntimeError):
    """The value of an awaitable was read before it was there; await it, or call `.result()`."""


class MastraError(Exception):
    """A Mastra server could not be reached, refused a request, or broke off its answer."""

    status: int | None
    """The HTTP status of the answer; None when there was none."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
