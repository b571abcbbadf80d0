"""Saves the workspace aside after every change, in a thread, for the case of a crash."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from auditor.gui.projects.keeper import ProjectKeeper
from auditor.gui.projects.recovery import RecoverySlot, left_behind
from auditor.gui.state.worker import BackgroundJob
from auditor.progress import Progress

PAUSE_MS = 800
"""A change is saved when no other has followed for so long."""

AT_MOST_MS = 5_000
"""…and at the latest so long after the first."""


class RecoverySaver(QObject):
    """The autosave of one window; does nothing without a folder for what is remembered."""

    saved = Signal()
    failed = Signal(str)

    def __init__(self, keeper: ProjectKeeper, state: Path | None, parent: QObject) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self._state = state
        self._slot: RecoverySlot | None = None
        self.job: BackgroundJob | None = None
        self._again = self._complained = self._ended = False
        self._quiet = threading.Event()
        self._quiet.set()
        self._soon = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._latest = QTimer(self, singleShot=True, interval=AT_MOST_MS)
        for timer in (self._soon, self._latest):
            timer.timeout.connect(self.save_now)
        if state is not None:
            keeper.touched.connect(self._schedule_save)
            keeper.changed.connect(self._schedule_save)

    def left_behind(self) -> list[RecoverySlot]:
        """What crashed windows left."""
        return left_behind(self._state) if self._state is not None else []

    def _schedule_save(self) -> None:
        if self._ended:
            return
        self._soon.start()
        if not self._latest.isActive():
            self._latest.start()

    def save_now(self) -> None:
        """Write what is not saved elsewhere; remove the copy if there is no such thing."""
        self._soon.stop()
        self._latest.stop()
        if self._ended or self._state is None:
            return
        if self.job is not None:
            self._again = True
            return
        if not (self._keeper.modified and self._keeper.worth_saving):
            if self._slot is not None:
                self._slot.clear()
            return
        shot, keeper, state, slot = (
            self._keeper.make_snapshot(),
            self._keeper,
            self._state,
            self._slot,
        )

        def write_copy(_progress: Progress, _tell: Any) -> RecoverySlot:
            mine = slot
            try:
                mine = mine or RecoverySlot.create_in(state)
                mine.write(keeper.pack_recovery(shot))
                return mine
            finally:
                if self._ended and mine is not None:
                    mine.release()
                self._quiet.set()

        self._quiet.clear()
        job = self.job = BackgroundJob("autosave", write_copy)
        job.done.connect(self._finish_save)
        job.failed.connect(self._not_done)
        job.start()

    def end(self) -> None:
        """The window closes as it should: nothing needs to be recovered."""
        self._ended = True
        self._soon.stop()
        self._latest.stop()
        if self._slot is not None:
            self._slot.release()

    def wait(self, seconds: float = 2.0) -> None:
        """After the window's end: let a copy that is being written see that nobody wants it."""
        self._quiet.wait(seconds)

    def _finish_save(self, slot: RecoverySlot) -> None:
        self.job, self._slot = None, slot
        if self._ended:
            slot.release()
            return
        self._complained = False
        self.saved.emit()
        self._save_if_requested()

    def _not_done(self, why: str) -> None:
        self.job = None
        if not self._complained:  # once, and not with every change
            self._complained = True
            self.failed.emit(
                self.tr("No copy for the case of a crash is kept. {why}").format(why=why)
            )
        self._save_if_requested()

    def _save_if_requested(self) -> None:
        if self._again:
            self._again = False
            self.save_now()
