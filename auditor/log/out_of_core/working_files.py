"""Working files for a log that is larger than memory: nameless, private, read through mapped pages.

A working file never has a name: nobody can open it, and the system takes it back when it is no
longer used, whether the process ends well, fails, is cancelled or killed. What was written is read
as pages that the system can drop at any moment; a thread lets go of them before they, with
everything else, come to fill the budget. So what counts against the budget for good is only what
a method itself allocates.

Writing goes through calls that can fail, never through mapped pages: a disk that is full is an
error, not a crash.
"""

from __future__ import annotations

import errno
import mmap
import os
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np

from auditor import platform
from auditor.arrays import Array
from auditor.errors import SpillFailed
from auditor.log.memory import LEAST, MemoryReadings
from auditor.log.sentences import sentence
from auditor.messages import as_phrase

_FULL = 0.7
"""Share of the budget from which on pages are dropped."""
PLACES = ("AUDITOR_SPILL", "TMPDIR")
"""Environment variables that name the folder for working files."""


def default_folder() -> Path:
    """Where working files go if nobody says: on a disk, since ``/tmp`` may be memory."""
    for name in PLACES:
        if folder := os.environ.get(name):
            return Path(folder)
    return platform.find_lasting_temporary_folder() or Path(tempfile.gettempdir())


class WorkingFiles(MemoryReadings):
    """Working files of one run, and its memory budget; use as a context manager.

    Parameters
    ----------
    budget
        Bytes of memory that the whole process may hold.
    folder
        On whose disk the files are.
    """

    def __init__(self, budget: int, folder: Path | None = None) -> None:
        super().__init__("spill", self._ease_if_full)
        self.budget = budget
        self.folder = folder or default_folder()
        self.written = 0
        self._maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        self._files: set[WorkingFile] = set()
        self._lock = threading.Lock()
        self._before = platform.read_held_memory()[1]

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        with self._lock:
            while self._files:
                self._files.pop().close()

    @property
    def room(self) -> int:
        """Bytes that one sort may take: a small part of what the program leaves over."""
        return max(self.budget - LEAST, LEAST) // 8

    def open_file(self) -> WorkingFile:
        """A new working file."""
        file = WorkingFile(self)
        with self._lock:
            self._files.add(file)
        return file

    def make_column(self, kind: type[Any] | np.dtype[Any], rows: int = 0) -> WorkingColumn:
        """A new column of values; `rows` is there for the likes of `pipeline.MemoryColumn`."""
        del rows
        return WorkingColumn(self, kind)

    def store_values(self, values: Array) -> Array:
        """The values, on the disk."""
        column = self.make_column(values.dtype)
        column.append(values)
        return column.collect_values()

    def release_pages(self) -> None:
        """Let go of all mapped pages; whoever reads on finds them in the file."""
        with self._lock:
            maps = list(self._maps)
        for pages in maps:
            try:
                platform.drop_pages(pages)
            except (ValueError, OSError):  # closed meanwhile
                continue

    def _forget_file(self, file: WorkingFile) -> None:
        with self._lock:
            self._files.discard(file)

    def watch_pages(self, pages: mmap.mmap) -> None:
        """Have `release_pages` let go of these, too, while they are used."""
        with self._lock:
            self._maps.add(pages)

    def _ease_if_full(self) -> bool:
        total, pages = platform.read_held_memory()
        if total > _FULL * self.budget and pages - self._before > self.budget // 16:
            self.release_pages()
        return False


class WorkingFile:
    """One nameless file, written from front to back and then read."""

    def __init__(self, spill: WorkingFiles) -> None:
        self._spill = spill
        self._size = 0
        try:
            self._file = tempfile.TemporaryFile(buffering=0, dir=spill.folder)  # noqa: SIM115
        except OSError as error:
            raise describe_failure(error, spill.folder) from None

    def write(self, values: Array) -> None:
        """Append; raises `SpillFailed` if the disk is full or the system refuses."""
        rest = np.ascontiguousarray(values).reshape(-1).view(np.uint8).data
        self._size += len(rest)
        self._spill.written += len(rest)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise describe_failure(error, self._spill.folder) from None

    def close(self) -> None:
        """Give it back to the system; what was mapped stays."""
        self._file.close()

    def map_values(self, kind: np.dtype[Any]) -> Array:
        """What was written, as pages that can be dropped; the file can't be written any more."""
        self._spill._forget_file(self)
        with self._file as file:
            if not self._size:
                return np.zeros(0, dtype=kind)
            pages = mmap.mmap(file.fileno(), self._size, access=mmap.ACCESS_READ)
        self._spill.watch_pages(pages)
        return np.frombuffer(pages, dtype=kind)

    def take_values(self, kind: np.dtype[Any]) -> Array:
        """What was written, in memory; the file is gone."""
        self._spill._forget_file(self)
        with self._file as file:
            file.seek(0)
            return np.fromfile(file, dtype=kind)


class WorkingColumn:
    """A growing column on the disk, as `pipeline.MemoryColumn` is one in memory."""

    def __init__(self, spill: WorkingFiles, kind: type[Any] | np.dtype[Any]) -> None:
        self._kind = np.dtype(kind)
        self._file = spill.open_file()

    def append(self, values: Array) -> None:
        """Add the next values."""
        self._file.write(np.asarray(values, dtype=self._kind))

    def collect_values(self) -> Array:
        """Everything added; nothing can be added any more."""
        return self._file.map_values(self._kind)


def describe_failure(error: OSError, folder: Path) -> SpillFailed:
    """What stopped a working file, in words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return SpillFailed(
            sentence("working_files.enough_room_working_files", name=folder.name or folder)
        )
    reason = os.strerror(error.errno) if error.errno else type(error).__name__
    return SpillFailed(
        sentence(
            "working_files.working_files_kept_name",
            name=folder.name or folder,
            reason=as_phrase(reason),
        )
    )
