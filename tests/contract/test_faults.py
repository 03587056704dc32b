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


def test_every_fault_has_tests_that_run_with_the_quick_ones() -> None:
    files = sorted({test.partition("::")[0] for tests in FAULTS.values() for test in tests})
    collecting = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files]
    said = subprocess.run(collecting, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    collected = set(said.splitlines())
    assert [test for tests in FAULTS.values() for test in tests if test not in collected] == []
    listed = {test for tests in FAULTS.values() for test in tests}
    assert [test for test in collected if "test_faults" in test and test not in listed] == []


def test_a_stream_breaks_off_in_every_place() -> None:
    assert list(PLACES) == ["event 0", "event k", "the last event", "finally", "close"]
