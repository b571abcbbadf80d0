"""Reads logs off the UI thread, one at a time; the latest wish counts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.worker import BackgroundJob
from auditor.progress import Progress


class LogReader(QObject):
    """One reading at most is on its way."""

    opening = Signal(str)
    progressed = Signal(object, object, object)
    """Stage, done and total; bytes may exceed a 32-bit integer."""
    failed = Signal(object, bool)
    """Why, and whether it may help to say which column is which."""
    cancelled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: BackgroundJob | None = None

    def read(
        self, title: str, work: Callable[[Progress], OpenedLog], done: Callable[[OpenedLog], None]
    ) -> None:
        """Do `work` in a thread and hand on what it opened; drops an older reading."""
        self.opening.emit(title)
        self.drop()
        job = self._job = BackgroundJob("reading", lambda progress, _tell: work(progress))
        job.progressed.connect(self.progressed)
        job.done.connect(done)
        job.failed.connect(lambda why: self.failed.emit(why, job.columns))
        job.cancelled.connect(self.cancelled)
        job.start()

    def cancel(self) -> None:
        """Stop the reading; `cancelled` follows."""
        if self._job is not None and self._job.running:
            self._job.cancel()

    def drop(self) -> None:
        """Stop it and hear nothing more of it."""
        if self._job is not None:
            self._job.drop()
