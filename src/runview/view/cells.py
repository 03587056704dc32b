"""Which cell a run belongs to, and where in the notebook a cell's output goes."""

from __future__ import annotations

import sys
from asyncio import CancelledError
from collections.abc import Callable
from typing import Any

from runview.host import shell

__all__ = ["current_cell", "current_message", "in_output_widget", "on_interrupt", "on_rerun"]

_reruns: dict[str, list[Callable[[], None]]] = {}
_cancelled: list[tuple[str | None, Callable[[], None]]] = []
_watched: object = None


def current_cell() -> str | None:
    """The id of the cell that this code runs for, be it in a task that outlives the cell; None where there are no cells.

    Callbacks of widgets run for no cell: the message that is being handled is the page's.
    """
    metadata: dict[str, Any] = _parent(shell()).get("metadata") or {}
    return metadata.get("cellId")


def on_rerun(cell: str, call: Callable[[], None]) -> Callable[[], None]:
    """Has `call` called when the cell runs again; gives back what forgets it."""
    _watch()
    calls = _reruns.setdefault(cell, [])
    calls.append(call)

    def forget() -> None:
        if call in calls:
            calls.remove(call)
        if not calls and _reruns.get(cell) is calls:
            del _reruns[cell]

    return forget


def on_interrupt(call: Callable[[], None]) -> None:
    """Has `call` called if the cell that this code runs for ends by the interrupt under which it has just been cancelled.

    A kernel interrupts a cell that awaits by cancelling it. Whether a cancelled wait was that, or a time limit, shows at the end.
    """
    _watch()
    _cancelled.append((current_message(), call))


def in_output_widget() -> bool:
    """Whether what the running cell displays goes into an `ipywidgets.Output`, where JupyterLab never updates a display.

    Such an Output carries the id of the message whose output it takes.
    """
    module = sys.modules.get("ipywidgets.widgets.widget_output")
    if module is None:
        return False
    message = current_message()
    instances = getattr(sys.modules.get("ipywidgets.widgets.widget"), "_instances", {})
    return message is not None and any(
        isinstance(widget, module.Output) and widget.msg_id == message for widget in list(instances.values())
    )


def _watch() -> None:
    """Listens to the shell, from the first question on."""
    global _watched
    ipython = shell()
    if ipython is None or _watched is ipython:
        return
    _watched = ipython
    ipython.events.register("pre_run_cell", _before_cell)
    ipython.events.register("post_run_cell", _after_cell)


def _before_cell(info: Any) -> None:
    for call in list(_reruns.get(getattr(info, "cell_id", None) or "", ())):
        call()


def _after_cell(result: Any = None) -> None:
    interrupted = isinstance(getattr(result, "error_in_exec", None), KeyboardInterrupt | CancelledError)
    message = current_message()
    calls, _cancelled[:] = _cancelled[:], ()
    for cell, call in calls:
        if interrupted and cell == message:
            call()


def current_message() -> str | None:
    """The id of the message that is being executed, which is another each time that a cell runs."""
    message: str | None = _parent(shell()).get("header", {}).get("msg_id")
    return message


def _parent(ipython: Any) -> dict[str, Any]:
    kernel = getattr(ipython, "kernel", None)
    return (kernel.get_parent() if kernel is not None else None) or {}
