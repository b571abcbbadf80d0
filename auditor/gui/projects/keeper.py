"""A project is saved, opened and closed in threads, and a copy kept for the case of a crash.

What needs an answer is sent by a signal. Each running window has a copy of its own, removed at the
end, and holds a lock on another file beside it, which the system lets go of however the program
ends. A copy whose lock nobody holds is what a crash left.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import stat
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, QStandardPaths, QTimer, Signal
from shiboken6 import isValid

from auditor import platform
from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.verdicts import PolicyKeeper, default_policy
from auditor.gui.state.worker import BackgroundJob, LatestJob, LatestValue
from auditor.log import gazetteers
from auditor.log.reading.column_mapping import ReadOptions
from auditor.progress import Progress
from auditor.project import file
from auditor.project.file import files_of, pack_results, plain_reading, to_bytes, write_project_file
from auditor.project.model import LogFacts, Project
from auditor.release.atomic_write import replaced_file, write_file

MOST = 10
LARGEST = 1 << 20
NAME = "recent.json"


def state_folder() -> Path | None:
    """Where this program remembers things for this person alone; None where it can't write."""
    place = QStandardPaths.StandardLocation.StateLocation
    folder = Path(QStandardPaths.writableLocation(place))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


Files = tuple[Path, ...]
"""What was opened together: a log's files, or one project."""
Places = dict[str, dict[str, tuple[str, ...]]]
"""By project, where the files lie that it names."""


def title_of(files: Files) -> str:
    """What the menu calls it: the name, and the folder that it lies in."""
    name = files[0].name + (f" + {len(files) - 1}" if len(files) > 1 else "")
    return f"{name} \u2013 {files[0].parent}"


class RecentFiles(QObject):
    """The list, the latest first, and where projects' files lie; on disk if there is a folder."""

    changed = Signal()

    def __init__(self, folder: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = None if folder is None else folder / NAME
        self._job = LatestJob()
        self._again = False
        self.entries: tuple[Files, ...] = ()
        self._places: Places = {}
        if self._file is not None and self.remembers:
            self.entries, self._places = _read_memory(self._file)

    @property
    def remembers(self) -> bool:
        """Whether the user allows recent files to be stored."""
        return str(QSettings().value("remember", "true")) == "true"

    def set_remembering(self, on: bool) -> None:
        """Remember from now on, or forget everything and remember no more."""
        QSettings().setValue("remember", "true" if on else "false")
        if not on:
            self.clear()
        self.changed.emit()

    def add(self, paths: Sequence[Path]) -> None:
        """Put files that were opened or saved first in the list."""
        if paths:
            files = tuple(path.absolute() for path in paths)
            other_entries = (entry for entry in self.entries if entry != files)
            self._change_memory((files, *other_entries)[:MOST], self._places)

    def remember_places(self, project: Path, places: Mapping[str, Sequence[str]]) -> None:
        """Where the files of a project lie; the latest projects alone are remembered."""
        key = str(project.absolute())
        memory = {other: entry for other, entry in self._places.items() if other != key}
        memory[key] = {name: tuple(paths) for name, paths in places.items()}
        self._change_memory(self.entries, dict(list(memory.items())[-4 * MOST :]))

    def find_places(self, project: Path) -> Mapping[str, tuple[str, ...]]:
        """Paths of a project's files, as far as they are known."""
        return self._places.get(str(project.absolute()), {})

    def drop(self, files: Files) -> None:
        self._change_memory(tuple(entry for entry in self.entries if entry != files), self._places)

    def clear(self) -> None:
        """Forget all entries, on disk, too."""
        self.entries, self._places = (), {}
        self._write_memory()
        self.changed.emit()

    def _change_memory(self, entries: tuple[Files, ...], places: Places) -> None:
        if self.remembers and (entries, places) != (self.entries, self._places):
            self.entries, self._places = entries, places
            self._write_memory()
            self.changed.emit()

    def _write_memory(self) -> None:
        """Write in a thread; a change in the meantime is written after it."""
        file = self._file
        if file is None:
            return
        if self._job.running:
            self._again = True
            return
        self._again = False
        entries = [[str(path) for path in files] for files in self.entries]
        plain = {"entries": entries, "places": self._places}

        def write_recent(_progress: Any) -> None:
            if not plain["entries"] and not plain["places"]:
                file.unlink(missing_ok=True)
                return
            with replaced_file(file) as new:
                write_file(new, [json.dumps(plain).encode("utf-8", "backslashreplace")])

        self._job.start("recent", write_recent, self._finish_writing, self._finish_writing)

    def _finish_writing(self, _what: Any) -> None:
        if self._again:
            self._write_memory()


def _read_memory(file: Path) -> tuple[tuple[Files, ...], dict[str, dict[str, tuple[str, ...]]]]:
    """The entries and places of a file; whatever is no such memory is none."""
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        with os.fdopen(platform.open_for_reading(file), "rb") as opened:
            plain = json.loads(opened.read(LARGEST))
        entries = tuple(tuple(Path(p) for p in paths) for paths in plain["entries"] if paths)
        places = {
            str(key): {str(name): tuple(map(str, paths)) for name, paths in entry.items()}
            for key, entry in plain["places"].items()
        }
        return entries[:MOST], places
    return (), {}


LOG, PROJECT = "/log", "/project"
"""Keys among a project's places that no bare file name can be."""


@dataclass(frozen=True, eq=False)
class ProjectSnapshot:
    """A session of work: the project, and where its files lie."""

    project: Project
    places: Mapping[str, list[str]]


def facts_of(controller: Controller) -> LogFacts | None:
    """What a project says of the log that is open."""
    opened = controller.opened
    if opened is None:
        return None
    reading = plain_reading(controller.options)
    return LogFacts.of(opened.log, opened.title, sample=is_sample(opened), reading=reading)


def is_sample(opened: OpenedLog) -> bool:
    """Whether that is the log that comes with the program."""
    return opened.log.origin.files == (gazetteers.sample_log(),)


@dataclass(frozen=True, eq=False)
class PendingSave:
    """A project that was read and waits for its log. `path` is None for one never saved."""

    path: Path | None
    project: Project
    recovered: bool = False
    proceed: Callable[[bool], None] | None = field(default=None, repr=False)
    """Told whether it was opened in the end."""

    @property
    def facts(self) -> LogFacts | None:
        return self.project.log


class ProjectKeeper(QObject):
    """The project of one window."""

    changed = Signal()
    """Its name, or whether it holds what is not saved."""
    touched = Signal()
    """Something of the workspace changed, saved or not."""
    saved = Signal(Path)
    failed = Signal(str)
    restored = Signal(object)
    """A `PendingSave` stands in the window now."""
    log_wanted = Signal(object, object)
    """A `PendingSave` needs its log; and the `OpenedLog` that isn't it, or why none was read."""

    def __init__(
        self,
        controller: Controller,
        recent: RecentFiles,
        policy: PolicyKeeper,
        layout: Callable[[], Mapping[str, Any]],
    ) -> None:
        super().__init__(controller)
        self._controller = controller
        self._recent = recent
        self._layout = layout
        self._policy = policy
        policy.edit = controller.intents.push_edit
        self._lock = threading.Lock()
        self._packed: dict[str, LatestValue] = defaultdict(LatestValue)
        """By letter the bytes of a run: they follow from how it ended, and how it was judged."""
        self._writing, self._opening = LatestJob(), LatestJob()
        self._pending: PendingSave | None = None
        self._more = False
        self._count = 0
        self.path: Path | None = None
        self._stamp: tuple[Path, file.FileStamp | None] | None = None
        self.facts: LogFacts | None = None
        """The log of the project, where it isn't open."""
        c = controller
        c.intents.undo.cleanChanged.connect(self._emit_changed)
        for state in (c.intents, c.notes, c.feedback, policy):
            state.changed.connect(self._count_change)
        for signal in (c.runs_changed, c.current_changed):
            signal.connect(lambda *_what: self.touched.emit())
        c.run_changed.connect(self._count_run)
        c.log_opened.connect(lambda _opened: self._reset_project())
        c.reader.failed.connect(self._not_read)
        c.reader.cancelled.connect(lambda: self.give_up(self._pending))

    # what there is to lose

    @property
    def modified(self) -> bool:
        """Whether something would be lost."""
        return self._more or not self._controller.intents.undo.isClean()

    def _emit_changed(self, _clean: bool) -> None:
        if isValid(self._controller.intents.undo):  # it is cleared when the window goes, and tells
            self.changed.emit()

    def _count_change(self, *_what: Any) -> None:
        self._count += 1
        self.touched.emit()

    def _count_run(self, record: Run) -> None:
        """A run that is complete can be lost; how it is judged follows from it, now and later."""
        if record.complete and not record.reported:
            record.reported = self._more = True
            self._count += 1
            self.changed.emit()
        self.touched.emit()

    def _reset_project(self) -> None:
        """Start a new workspace, as another log is one; restoring a project sets it afterwards."""
        self.path, self.facts, self._more = None, None, False
        self._policy.use_for_project(default_policy())
        self.changed.emit()

    # saving

    def make_snapshot(self) -> ProjectSnapshot:
        """The state of the workspace; takes microseconds, so the window's thread can do it."""
        c, opened = self._controller, self._controller.opened
        places = {PROJECT: [str(self.path)]} if self.path is not None else {}
        if opened is not None:
            places[LOG] = [str(path.absolute()) for path in opened.log.origin.files]
        project = Project(
            intent=c.intent,
            log=facts_of(c) or self.facts,
            policy=self._policy.text,
            runs=tuple(run.copy() for run in c.runs),
            current=c.current.letter if c.current is not None else "",
            notes=c.notes.list_notes(),
            review=c.feedback.now.review,
            signed=c.feedback.now.signed,
            layout=self._layout(),
        )
        places |= {name: [str(path)] for name, path in files_of(project).items()}
        return ProjectSnapshot(project, places)

    def pack(self, shot: ProjectSnapshot, places: Mapping[str, list[str]] | None = None) -> bytes:
        """The file of a snapshot, with `places` for recovery; each run is packed once."""
        with self._lock:
            return to_bytes(shot.project, self._pack_run, places)

    def _pack_run(self, run: Run) -> bytes:
        key = run.state, run.seconds, run.gates
        data: bytes = self._packed[run.letter].find(key, partial(pack_results, run))
        return data

    @property
    def worth_saving(self) -> bool:
        """Whether there is a workspace at all."""
        return self._controller.opened is not None or self.facts is not None

    @property
    def overtaken(self) -> bool:
        """Whether another program saved to the project's file since it was read or saved here."""
        if self.path is None or self._stamp is None or self._stamp[0] != self.path:
            return False
        stamp = file.stamp_of(self.path)
        return stamp is not None and stamp != self._stamp[1]

    def save(
        self, path: Path, proceed: Callable[[], object] | None = None, *, replace: bool = True
    ) -> None:
        """Write the workspace to a file; without `replace`, fail where another saved since."""
        path = path.absolute()
        standing = self._stamp[1] if not replace and self._stamp is not None else None
        shot = self.make_snapshot()
        count, index = self._count, self._controller.intents.undo.index()

        def write_project(_progress: Progress) -> file.FileStamp | None:
            return file.write_project_file(path, self.pack(shot), standing=standing)

        def mark_saved(stamp: file.FileStamp | None) -> None:
            self.path, self._stamp = path, (path, stamp)
            if self._count == count and self._controller.intents.undo.index() == index:
                self._more = False
                self._controller.intents.undo.setClean()
            self._recent.add([path])
            self._remember_places(path, shot)
            self.changed.emit()
            self.saved.emit(path)
            if proceed is not None:
                proceed()

        self._writing.start("saving", write_project, mark_saved, self.failed.emit)

    def _remember_places(self, path: Path, shot: ProjectSnapshot) -> None:
        """Where its files lie, for the next time that it is opened here."""
        places = {name: paths for name, paths in shot.places.items() if name != PROJECT}
        self._recent.remember_places(path, places)

    # opening

    def open(self, path: Path) -> None:
        """Open a project: read it, find its log, restore its state."""
        path = path.absolute()

        def find_log(project: Project, places: Mapping[str, Sequence[str]]) -> None:
            self._locate_log(PendingSave(path, project), places)

        self._load_project(path, self._recent.find_places(path), find_log)

    def recover(self, path: Path, proceed: Callable[[bool], None]) -> None:
        """Open what a crash left; `proceed` is told whether that was done in the end."""

        def open_recovered(project: Project, places: Mapping[str, Sequence[str]]) -> None:
            paths = places.get(PROJECT)
            original = Path(paths[0]) if paths else None
            self._locate_log(PendingSave(original, project, True, proceed), places)

        self._load_project(path, {}, open_recovered, lambda: proceed(False), recovery=True)

    def find_log_facts(self, path: Path, proceed: Callable[[LogFacts | None], None]) -> None:
        """Tell which log a recovery file is about; None if that can't be read from it."""

        def read_facts(progress: Progress) -> LogFacts | None:
            try:
                return file.read_project_file(path, {}, progress, recovery=True)[0].log
            except AuditorError:
                return None

        BackgroundJob("looking into a copy", read_facts).start(proceed, lambda _: proceed(None))

    def _load_project(
        self,
        path: Path,
        known_places: Mapping[str, Sequence[str]],
        proceed: Callable[[Project, Mapping[str, Sequence[str]]], None],
        lost: Callable[[], None] = lambda: None,
        *,
        recovery: bool = False,
    ) -> None:
        def read_project(progress: Progress) -> Any:
            files = {name: Path(paths[0]) for name, paths in known_places.items() if paths}
            present_files = {name: place for name, place in files.items() if place.is_file()}
            stamp = file.stamp_of(path)
            project, remembered = file.read_project_file(
                path, present_files, progress, recovery=recovery
            )
            places = dict(known_places) | remembered
            if project.log is not None and not project.log.sample and not _find_log_files(places):
                neighbours = [path.parent / name for name in project.log.names]
                if neighbours and all(place.is_file() for place in neighbours):
                    places[LOG] = [str(place) for place in neighbours]
            return project, places, stamp

        def finish_loading(contents: Any) -> None:
            project, places, stamp = contents
            self._stamp = (path, stamp)
            proceed(project, places)

        def report_failure(reason: str) -> None:
            lost()
            self.failed.emit(reason)

        self._opening.start("opening a project", read_project, finish_loading, report_failure)

    def _locate_log(self, pending: PendingSave, places: Mapping[str, Sequence[str]]) -> None:
        facts, opened = pending.facts, self._controller.opened
        if facts is None:
            self.restore(pending, None)
        elif opened is not None and opened.log.digest == facts.digest:
            self.restore(pending, opened)
        elif facts.sample:
            self._pending = pending
            self._controller.open_sample(partial(self._check_log, pending))
        elif paths := _find_log_files(places):
            self.try_log(pending, paths)
        else:
            self.log_wanted.emit(pending, "")

    def try_log(self, pending: PendingSave, paths: Sequence[Path]) -> None:
        """Read these files, and restore the project if they are its log."""
        self._pending = pending
        reading = pending.facts.reading if pending.facts is not None else {}
        options = ReadOptions(**reading) if reading else None
        self._controller.open_log(paths, options, partial(self._check_log, pending))

    def looked_at(self) -> PendingSave:
        """The workspace as it is, to go on with once its log is there."""
        return PendingSave(self.path, self.make_snapshot().project, self.modified)

    def give_up(self, pending: PendingSave | None) -> None:
        self._pending = None
        if pending is not None and pending.proceed is not None:
            pending.proceed(False)

    def close_project(self) -> None:
        self._controller.close_log()
        self._reset_project()

    def _check_log(self, pending: PendingSave, opened: OpenedLog) -> None:
        self._pending = None
        if pending.facts is not None and opened.log.digest == pending.facts.digest:
            self.restore(pending, opened)
        else:
            self.log_wanted.emit(pending, opened)

    def restore(self, pending: PendingSave, opened: OpenedLog | None) -> None:
        """Restore a project's state; without its log only its results can be viewed."""
        self._pending = None
        self._controller.restore_project(pending.project, opened)
        self._policy.use_for_project(pending.project.policy)
        self.path = pending.path
        self.facts = facts_of(self._controller) or pending.facts
        self._more = pending.recovered
        if pending.path is not None and not pending.recovered:
            self._recent.add([pending.path])
            if opened is not None:
                self._remember_places(pending.path, self.make_snapshot())
        self.changed.emit()
        self.restored.emit(pending)
        if pending.proceed is not None:
            pending.proceed(True)

    def _not_read(self, reason: str, _columns: bool) -> None:
        pending, self._pending = self._pending, None
        if pending is not None:
            self.log_wanted.emit(pending, reason)


def _find_log_files(places: Mapping[str, Sequence[str]]) -> list[Path]:
    """The log's files, if all of them lie where they did."""
    paths = [Path(text) for text in places.get(LOG, ())]
    return paths if paths and all(path.exists() for path in paths) else []


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
        """Release the slot, and remove its file unless it is kept for the next start."""
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
        status = file.lstat()
        if stat.S_ISREG(status.st_mode) and platform.is_own(status):
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
            own_slot = slot
            try:
                own_slot = own_slot or RecoverySlot.create_in(state)
                own_slot.write(keeper.pack(shot, shot.places))
                return own_slot
            finally:
                if self._ended and own_slot is not None:
                    own_slot.release()
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

    def _not_done(self, reason: str) -> None:
        if not self._complained:  # once, and not with every change
            self._complained = True
            text = self.tr("No copy for the case of a crash is kept. {why}")
            self.failed.emit(text.format(why=reason))
        self._save_if_requested()

    def _save_if_requested(self) -> None:
        if self._again:
            self._again = False
            self.save_now()
