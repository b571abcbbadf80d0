"""Waits for what can't be stopped, such as reading word lists, no longer than a search may take."""

from __future__ import annotations

import threading
from collections.abc import Callable

from auditor.progress import Progress

STEP = 0.05
"""Seconds between two looks at whether the search has ended."""


def wait_for_loading(load: Callable[[], object], progress: Progress) -> None:
    """Have `load` fill its cache in a thread of its own, and wait for it until `progress` stops.

    The thread is left behind then: what it loads serves the next search.

    Raises
    ------
    Cancelled
        Somebody asked to stop.
    """
    failed: list[Exception] = []
    done = threading.Event()

    def run() -> None:
        try:
            load()
        except Exception as error:  # handed on to whoever waits
            failed.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name="suggest-loading", daemon=True).start()
    while not done.wait(STEP):
        progress.check()
    if failed:
        raise failed[0]
