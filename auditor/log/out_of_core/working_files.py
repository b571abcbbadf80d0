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
        self._columns: set[WorkingColumn] = set()
        self._lock = threading.Lock()
        self._before = platform.read_held_memory()[1]

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        with self._lock:
            while self._columns:
                self._columns.pop().close()

    @property
    def room(self) -> int:
        """Bytes that one sort may take: a small part of what the program leaves over."""
        return max(self.budget - LEAST, LEAST) // 8

    def make_column(self, kind: type[Any] | np.dtype[Any], rows: int = 0) -> WorkingColumn:
        """A new column of values; `rows` is there for the likes of `pipeline.MemoryColumn`."""
        del rows
        column = WorkingColumn(self, kind)
        with self._lock:
            self._columns.add(column)
        return column

    def store_values(self, values: Array) -> Array:
        """The values, on the disk."""
        column = self.make_column(values.dtype)
        column.append(values)
        return column.collect_values()

    def release_pages(self) -> None:
        """Release all mapped pages; later reads load them from the file again."""
        with self._lock:
            maps = list(self._maps)
        for pages in maps:
            try:
                platform.drop_pages(pages)
            except (ValueError, OSError):  # closed meanwhile
                continue

    def forget_column(self, column: WorkingColumn) -> None:
        """Leave it to whoever reads it to close its file."""
        with self._lock:
            self._columns.discard(column)

    def watch_pages(self, pages: mmap.mmap) -> None:
        """Let `release_pages` release these pages, too, while they are used."""
        with self._lock:
            self._maps.add(pages)

    def _ease_if_full(self) -> bool:
        total, pages = platform.read_held_memory()
        if total > _FULL * self.budget and pages - self._before > self.budget // 16:
            self.release_pages()
        return False


class WorkingColumn:
    """A growing column in a nameless file, as `pipeline.MemoryColumn` is one in memory.

    It is written from front to back and then read, once by one of the two ways.
    """

    def __init__(self, spill: WorkingFiles, kind: type[Any] | np.dtype[Any]) -> None:
        self._spill, self._kind = spill, np.dtype(kind)
        self._size = 0
        try:
            self._file = tempfile.TemporaryFile(buffering=0, dir=spill.folder)  # noqa: SIM115
        except OSError as error:
            raise describe_failure(error, spill.folder) from None

    def append(self, values: Array) -> None:
        """Add the next values; raises `SpillFailed` if the disk is full or the system refuses."""
        contiguous = np.ascontiguousarray(values, dtype=self._kind)
        data = contiguous.reshape(-1).view(np.uint8).data
        self._size += len(data)
        self._spill.written += len(data)
        try:
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            raise describe_failure(error, self._spill.folder) from None

    def close(self) -> None:
        """Give it back to the system; what was mapped stays."""
        self._file.close()

    def collect_values(self) -> Array:
        """Everything added, as pages that can be dropped; nothing can be added any more."""
        self._spill.forget_column(self)
        with self._file as file:
            if not self._size:
                return np.zeros(0, dtype=self._kind)
            pages = mmap.mmap(file.fileno(), self._size, access=mmap.ACCESS_READ)
        self._spill.watch_pages(pages)
        return np.frombuffer(pages, dtype=self._kind)

    def take_values(self) -> Array:
        """Everything added, in memory; the file is gone."""
        self._spill.forget_column(self)
        with self._file as file:
            file.seek(0)
            return np.fromfile(file, dtype=self._kind)


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
