"""A copy of the workspace for the case that the program dies: written aside, removed at the end.

Each running window has a file of its own and holds a lock on another beside it, which the system
lets go of however the program ends. A file whose lock nobody holds is what a crash left.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from auditor import platform
from auditor.gui.projects.keeper import ProjectKeeper
from auditor.gui.state.worker import LatestJob
from auditor.progress import Progress
from auditor.project.file import write_project_file

_NAME = re.compile(r"[a-z]+-[0-9a-f]{16}\.qlpa")  # earlier versions used another word
FOLDER = "recovery"


class RecoverySlot:
    """The file of one running window; nobody else's while it lives."""

    def __init__(self, file: Path, lock: int) -> None:
        self.file = file
        self._lock = lock
        self._over = False

    @classmethod
    def create_in(cls, state: Path) -> RecoverySlot:
        """A slot for a window that starts; raises OSError."""
        folder = state / FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            file = folder / f"workspace-{secrets.token_hex(8)}.qlpa"
            lock = platform.open_lock_file(_lock_of(file), new=True)
            try:
                platform.lock_file(lock)
                if _is_same_file(lock, _lock_of(file)):
                    return cls(file, lock)
            except (BlockingIOError, FileNotFoundError):
                pass  # another window took it for a leftover before it was locked
            os.close(lock)

    def write(self, data: bytes) -> None:
        """Keep this; nothing stays if the slot was let go of meanwhile. Called in a thread."""
        if not self._over:
            write_project_file(self.file, data)
        if self._over:
            self.clear()

    def clear(self) -> None:
        """There is nothing to recover (any more)."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)

    def release(self, *, keep: bool = False) -> None:
        """Let go of it; with its file, unless that is kept for another start."""
        if self._over:
            return
        if not keep:
            self._over = True
            self.clear()
        self._over = True
        platform.remove_locked_file(_lock_of(self.file), self._lock)

    @property
    def when(self) -> datetime | None:
        try:
            return datetime.fromtimestamp(self.file.stat().st_mtime, UTC)
        except OSError:
            return None


def left_behind(state: Path) -> list[RecoverySlot]:
    """What crashed windows left, the latest first, now locked by this one alone."""
    slots = []
    with contextlib.suppress(OSError), os.scandir(state / FOLDER) as entries:
        for entry in entries:
            file = Path(entry.path)
            if _NAME.fullmatch(entry.name) and (slot := _take_slot(file)) is not None:
                slots.append(slot)
            elif file.suffix == ".lock" and not file.with_suffix(".qlpa").exists():
                _remove_stale_lock(file)
    return sorted(slots, key=lambda slot: slot.when or datetime.min.replace(tzinfo=UTC))[::-1]


def _take_slot(file: Path) -> RecoverySlot | None:
    with contextlib.suppress(OSError):
        about = file.lstat()
        if stat.S_ISREG(about.st_mode) and platform.is_own(about):
            lock = _take_lock(platform.open_lock_file(_lock_of(file)), _lock_of(file))
            if lock is not None and file.exists():
                return RecoverySlot(file, lock)
            if lock is not None:  # another window took and cleared it before the lock was ours
                os.close(lock)
    return None


def _remove_stale_lock(path: Path) -> None:
    """Remove the lock of a window that died before it had anything to keep."""
    with contextlib.suppress(OSError):
        lock = _take_lock(platform.open_lock_file(path, create=False), path)
        if lock is not None:
            platform.remove_locked_file(path, lock)


def _take_lock(lock: int, path: Path) -> int | None:
    """Hold an open lock file; None, and closed, where another window holds or removed it."""
    with contextlib.suppress(OSError):
        platform.lock_file(lock)
        if _is_same_file(lock, path):
            return lock
    os.close(lock)
    return None


def _is_same_file(lock: int, path: Path) -> bool:
    return os.path.samestat(os.fstat(lock), path.stat())


def _lock_of(file: Path) -> Path:
    return file.with_suffix(".lock")


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
        self.job = LatestJob()
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
        if self.job.running:
            self._again = True
            return
        if not (self._keeper.modified and self._keeper.worth_saving):
            if self._slot is not None:
                self._slot.clear()
            return
        shot, keeper = self._keeper.make_snapshot(), self._keeper
        state, slot = self._state, self._slot

        def write_copy(_progress: Progress) -> RecoverySlot:
            mine = slot
            try:
                mine = mine or RecoverySlot.create_in(state)
                mine.write(keeper.pack(shot, shot.places))
                return mine
            finally:
                if self._ended and mine is not None:
                    mine.release()
                self._quiet.set()

        self._quiet.clear()
        self.job.start("autosave", write_copy, self._finish_save, self._not_done)

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
        self._slot = slot
        if self._ended:
            slot.release()
            return
        self._complained = False
        self.saved.emit()
        self._save_if_requested()

    def _not_done(self, why: str) -> None:
        if not self._complained:  # once, and not with every change
            self._complained = True
            text = self.tr("No copy for the case of a crash is kept. {why}")
            self.failed.emit(text.format(why=why))
        self._save_if_requested()

    def _save_if_requested(self) -> None:
        if self._again:
            self._again = False
            self.save_now()
