"""The faults that SECURITY.md names are those that are tested, and their tests are there and run with all others."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.browser.breaking import PLACES
from tests.faults import FAULTS

ROOT = Path(__file__).parents[2]


def test_every_fault_of_the_page_is_in_the_table_and_no_other() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    section = text.partition("## What breaks\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\* (.*)$", section, re.MULTILINE) == list(FAULTS)


def collected(*options: str) -> set[str]:
    """The ids of the tests in the files that the table names."""
    files = sorted({test.partition("::")[0] for tests in FAULTS.values() for test in tests})
    collecting = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *options, *files]
    return set(subprocess.run(collecting, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines())


def test_every_fault_has_its_tests_and_one_of_them_is_quick() -> None:
    every, quick = collected("-m", "slow or not slow"), collected()
    assert [test for tests in FAULTS.values() for test in tests if test not in every] == []
    assert [fault for fault, tests in FAULTS.items() if not quick.intersection(tests)] == []
    listed = {test for tests in FAULTS.values() for test in tests}
    assert [test for test in every if "test_faults" in test and test not in listed] == []


def test_a_stream_breaks_off_in_every_place() -> None:
    assert list(PLACES) == ["event 0", "event k", "the last event", "finally", "close"]
