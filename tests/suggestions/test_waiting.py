"""Loading that can't be stopped holds a search no longer than it may take."""

from __future__ import annotations

import threading
import time

import pytest

from auditor.errors import Cancelled
from auditor.progress import Progress, silent_progress
from auditor.suggestions.estimates import wait_for_loading


def test_that_what_was_loaded_is_there() -> None:
    loaded: list[int] = []
    wait_for_loading(lambda: loaded.append(1), silent_progress())
    assert loaded == [1]


def test_that_a_stop_does_not_wait_for_the_loading() -> None:
    stop, go_on = threading.Event(), threading.Event()
    threading.Timer(0.1, stop.set).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        wait_for_loading(lambda: go_on.wait(60), Progress(None, stop))
    assert time.monotonic() - began < 30
    go_on.set()


def test_that_an_error_of_the_loading_is_raised() -> None:
    def fail() -> None:
        raise OSError("no such list")

    with pytest.raises(OSError, match="no such list"):
        wait_for_loading(fail, silent_progress())
