"""What runs us: a kernel or a plain interpreter, with or without somebody who watches."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

__all__ = ["home_loop", "in_kernel", "kernel_loop", "outputs_stand_apart", "running_loop", "shell", "someone_watches"]


def shell() -> Any:
    """IPython's shell, or None. IPython is not imported for this question: where it is not loaded, there is none."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def _kernel() -> Any:
    return getattr(shell(), "kernel", None)


def in_kernel() -> bool:
    """Whether this is a Jupyter kernel (of any kind)."""
    return _kernel() is not None


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread, if one does."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def kernel_loop() -> asyncio.AbstractEventLoop | None:
    """The loop of the kernel's main shell, from any thread or callback; None outside a kernel.

    ipykernel 6 and 7 keep it in `kernel.io_loop`, while callbacks of comms may come on threads with loops of their own
    (ipykernel 7.1 and subshells). Kernels that have no such attribute (Pyodide's) have one loop only.
    """
    kernel = _kernel()
    if kernel is None:
        return None
    loop = getattr(getattr(kernel, "io_loop", None), "asyncio_loop", None)
    return loop if isinstance(loop, asyncio.AbstractEventLoop) else running_loop()


def home_loop() -> asyncio.AbstractEventLoop | None:
    """The loop on which a run starts by itself; None in a plain script, where the first blocking call brings one."""
    return kernel_loop() or running_loop()


def someone_watches(live: bool | None = None) -> bool:
    """Whether to show the run live. `live`, then the environment's RUNVIEW_LIVE (0 or 1), overrule what is found out.

    Executors without a front end (nbclient, nbconvert, papermill) allow no input, which ipykernel keeps in `_allow_stdin`.
    Voilà allows none either, though people watch; kernels without the attribute are in a page.
    """
    if live is not None:
        return live
    wish = os.environ.get("RUNVIEW_LIVE", "").strip()
    if wish in ("0", "1"):
        return wish == "1"
    kernel = _kernel()
    if kernel is None:
        return False
    return getattr(kernel, "_allow_stdin", True) is not False or _in_voila()


def outputs_stand_apart() -> bool:
    """Whether each output has a frame of its own, as in Colab, so that no widget can draw over another output."""
    return "google.colab" in sys.modules


def _in_voila() -> bool:
    return os.environ.get("SERVER_SOFTWARE", "").startswith("voila/") or "VOILA_REQUEST_URL" in os.environ
