"""Short errands off the UI thread: reading a log, solving for a parameter.

An errand's answer comes back in the UI thread. A newer errand, or `cancel`, makes the older
one's answer stale; it is dropped, never waited for.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from auditor.errors import AuditorError, Cancelled
from auditor.progress import Progress, Report

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Errands(QObject):
    """One errand at a time; what it reports and returns arrives as calls in the UI thread."""

    _arrived = Signal(int, object)
    """Number of the errand, and what to call now."""

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._number = 0
        self._stop: threading.Event | None = None
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._stop is not None

    def start(
        self,
        work: Callable[[Progress], T],
        done: Callable[[T], None],
        failed: Callable[[str], None],
        report: Report | None = None,
    ) -> None:
        """Do `work` in a thread of its own, then call `done` or `failed` in this one."""
        self.cancel()
        self._number += 1
        number, stop = self._number, threading.Event()
        self._stop = stop

        def post(call: Callable[[], None]) -> None:
            self._arrived.emit(number, call)

        def told(stage: str, made: int, total: int) -> None:
            if report is not None:
                post(lambda: report(stage, made, total))

        def run() -> None:
            try:
                answer = work(Progress(told, stop))
            except Cancelled:
                return
            except AuditorError as error:
                message = str(error)
            except MemoryError:
                message = "Not enough memory for this. Close other programs or take fewer users."
            except Exception as error:  # the window lives on; no query text in the message
                _log.error("%s failed: %s", self._name, type(error).__name__)
                message = f"Internal error while {self._name}: {type(error).__name__}."
            else:
                if not stop.is_set():
                    post(lambda: self._finish(lambda: done(answer)))
                return
            if not stop.is_set():
                post(lambda: self._finish(lambda: failed(message)))

        threading.Thread(target=run, name=self._name, daemon=True).start()

    def cancel(self) -> bool:
        """Stop the errand, if there is one; returns whether there was. Never waits."""
        stop, self._stop = self._stop, None
        self._number += 1
        if stop is not None:
            stop.set()
        return stop is not None

    def _finish(self, answer: Callable[[], None]) -> None:
        self._stop = None
        answer()

    def _deliver(self, number: int, call: Any) -> None:
        if number == self._number:
            call()
