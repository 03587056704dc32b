"""The same on older kernels: 6.31 handles the page's messages only between cells, 7.1 on another thread."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.kernel, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[2]
VIEW = "arrives_and_stays or stop_ends or awaiting_a_value or idle_kernel or running_the_cell_again or reload"


@pytest.fixture(scope="module", params=["6.31.0", "7.1.0"])
def older(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which this version of ipykernel is imported instead of the installed one."""
    target = tmp_path_factory.mktemp("ipykernel")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target", str(target)]
    subprocess.run([*pip, f"ipykernel=={request.param}"], check=True)
    env = os.environ | {"PYTHONPATH": str(target), "PYTHONWARNINGS": "default"}
    found = subprocess.run(
        [sys.executable, "-c", "import ipykernel; print(ipykernel.__version__)"],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == request.param
    return env


def passes(env: dict[str, str], *what: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *what]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:]
    assert " passed" in done.stdout


def test_waiting_and_interrupts(older: dict[str, str]) -> None:
    passes(older, "tests/kernel")


def test_the_view(older: dict[str, str]) -> None:
    passes(older, "tests/browser/test_live.py", "-k", VIEW)


def test_stop_and_answers_in_the_page(older: dict[str, str]) -> None:
    passes(older, "tests/browser/test_stop.py", "tests/browser/test_answers.py")
