"""Everything that can break between a stream and its reader, by the words of SECURITY.md, and the tests of the state it ends in.

Each of these tests asserts the same four things: the text that came stays, the page and the file tell how the run ended, nothing
is on the page's console, and nothing is left at work in page or kernel. `tests/contract/test_faults.py` holds the list and the
tests together.
"""

from __future__ import annotations

from typing import Final

__all__ = ["FAULTS"]

_SOURCE = "tests/browser/test_faults_source.py::"
_LINE = "tests/browser/test_faults.py::"
_VERSIONS = "tests/browser/test_faults_versions.py::"
_RAISES = tuple(f"{_SOURCE}test_a_stream_that_raises[{kind}]" for kind in ("sync", "async", "http"))
"""Each of them in every place: `PLACES` of `tests/browser/breaking.py`."""
_STOPPED = tuple(f"{_SOURCE}test_a_stream_that_is_stopped_and_can_not_be_closed[{kind}]" for kind in ("sync", "async", "http"))
_INTERRUPTED = tuple(f"{_SOURCE}test_an_interrupt_of_the_kernel[{kind}]" for kind in ("sync", "async", "http"))
_ASTRAY = f"{_LINE}test_messages_that_go_astray_change_nothing_in_the_end"

FAULTS: Final[dict[str, tuple[str, ...]]] = {
    "The stream raises before its first event.": _RAISES,
    "The stream raises in its midst.": _RAISES,
    "The stream raises after its last event.": _RAISES,
    "The stream raises when it is closed.": (*_RAISES, *_STOPPED),
    "The run is stopped.": _STOPPED,
    "The kernel is interrupted.": (*_INTERRUPTED, f"{_SOURCE}test_a_source_that_raises_an_interrupt_itself"),
    "The kernel is restarted.": (f"{_LINE}test_a_kernel_that_is_restarted_leaves_what_was_there",),
    "The comm is closed.": (f"{_LINE}test_a_comm_that_is_closed_takes_neither_the_text_nor_the_end_from_the_file",),
    "The view leaves the page and comes back a hundred times.": (
        f"{_LINE}test_a_view_that_leaves_and_comes_back_a_hundred_times_is_one_view",
    ),
    "One run has five views.": (f"{_LINE}test_five_views_of_one_run_show_the_same_to_the_end",),
    "The page is reloaded in mid-stream.": (f"{_LINE}test_a_page_that_is_reloaded_in_mid_stream_catches_up",),
    "A message is lost.": (f"{_ASTRAY}[lost]",),
    "A message comes twice.": (f"{_ASTRAY}[doubled]",),
    "Messages come out of order.": (f"{_ASTRAY}[out of order]",),
    "The page is older than the kernel.": (
        f"{_VERSIONS}test_a_page_of_another_version[older]",
        f"{_VERSIONS}test_a_page_without_the_widgets_of_the_kernel",
    ),
    "The page is newer than the kernel.": (f"{_VERSIONS}test_a_page_of_another_version[newer]",),
}
