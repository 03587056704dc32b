"""The one direction: which room may import which. See ARCHITECTURE.md."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "runview"

LEAVES = {"errors", "host", "deferred", "bell", "blocking"}
"""Files that anyone may import; they import each other at most."""

MAY_IMPORT = {
    "chunks": set(),
    "sources": {"chunks"},
    "run": {"chunks"},
    "convert": {"chunks", "sources", "run"},
    "draw": {"run"},
    "output": {"run", "chunks"},
    "driver": {"chunks", "sources", "run", "output"},
    "view": {"chunks", "sources", "run", "draw", "output", "driver"},
    "cli": {"chunks", "sources", "run", "draw", "output", "driver", "view"},
    "__init__": {"chunks", "sources", "run", "convert", "draw", "output", "driver", "view"},
}

ANYONE = {"runview.run.partial_json"}
"""Parts of rooms that anyone may import, since they know nothing of their room: unfinished JSON is read in several places."""

HELPERS = {
    "output": {"full_output", "streams", "summary"},
    "driver": {"answering", "pump", "interrupts", "standalone"},
    "cli": {"commands"},
}
"""Files beside a room's own file that belong to it."""

SLOW = {"httpx", "markdown_it", "mdit_py_plugins", "anywidget", "ipywidgets", "latex2mathml", "nest_asyncio2", "IPython"}
"""Packages that take long to import, and so wait until they are needed."""


SDKS = {
    *("openai", "anthropic", "google", "agents", "litellm", "groq", "mistralai", "huggingface_hub", "ollama", "claude_agent_sdk"),
    *("pydantic_ai", "langchain", "langchain_core", "langgraph", "ag_ui", "strands", "smolagents", "boto3"),
}
"""Packages whose streams are read, and that are never imported: who has such a stream has imported them."""


def room(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return next((owner for owner, files in HELPERS.items() if first in files), first)


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of every module that a file imports when it runs, those inside functions too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            if node.module == "runview":
                yield from ((node.lineno, f"runview.{alias.name}") for alias in node.names)
            elif node.module:
                yield node.lineno, node.module


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_room_imports_only_what_lies_before_it(path: Path) -> None:
    here = room(path)
    allowed = LEAVES | (set() if here in LEAVES else MAY_IMPORT[here] | {here})
    wrong = []
    for line, name in imported(path):
        parts = name.split(".")
        if name not in ANYONE and parts[0] == "runview" and len(parts) > 1 and room(PACKAGE / parts[1]) not in allowed:
            wrong.append(f"line {line}: {name}")
    assert not wrong, f"{here} may import {sorted(allowed - {here})}, not {wrong}"


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_sdk_is_imported(path: Path) -> None:
    assert not {name.split(".")[0] for _, name in imported(path)} & SDKS


def test_nobody_elses_code_sees_stream_text_but_what_was_chosen_for_it() -> None:
    """Lexers of others take quadratic time on hostile text: no highlighter, no HTML parser, no second Markdown."""
    found: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for _, name in imported(path):
            first = name.partition(".")[0]
            if first not in sys.stdlib_module_names and first != "runview":
                found.setdefault(room(path), set()).add(first)
    assert found.pop("draw") == {"markdown_it", "latex2mathml", "PIL"}
    assert set().union(*found.values()) <= SLOW | {"pydantic", "traitlets", "ipykernel"}


def test_reading_a_stream_imports_no_sdk() -> None:
    code = """
import sys, runview
chunk = {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": "stop"}]}
assert runview.ModelOutput([chunk]).wait().text == "Hi"
print(*(name.split(".")[0] for name in sys.modules))
"""
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & (SDKS - {"google"})  # a namespace that other packages share


def test_importing_the_package_is_quick() -> None:
    """No slow package is imported at the top of a file that `import runview` reads."""
    code = "import sys, runview; print(*(name for name in sys.modules if '.' not in name))"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    assert "runview" in loaded
    assert not loaded & SLOW
