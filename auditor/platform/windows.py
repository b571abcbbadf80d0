"""Windows: locks of the C library, no modes of files, no opening without following links.

Who may read a file is decided by the access list that its folder hands down: that of a person's
profile admits that person and administrators. Python since 3.11.10 and 3.12.4 gives a folder made
with the mode 0o700 such a list of its own, too. So a file made here is as private as its folder,
and checks that read POSIX modes say nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import msvcrt
import os
import re
import sys
from pathlib import Path

assert sys.platform == "win32"

FOLDER_LOCK_FILES: frozenset[str] = frozenset({"lock"})
"""Names of files that a `WindowsFolderLock` puts into its folder."""

NEEDS_DISPLAY = False
"""Whether a window needs a display that the environment names."""


def reaches_display(name: str, value: str) -> bool:
    """Windows has its display always."""
    del name, value
    return True


def address_space_limit() -> int | None:
    """Nothing that a process could ask limits it."""
    return None


_BELOW_NORMAL = -1
_LINK = 0x400
"""FILE_ATTRIBUTE_REPARSE_POINT: a link of any kind."""


# --- files --------------------------------------------------------------------------------------


def create_private_file(path: Path) -> int:
    """Open a new file for writing, as private as its folder; a link is never followed."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_BINARY | os.O_NOINHERIT, 0o600)


def restrict_to_owner(handle: int) -> None:
    """Nothing to do: a file is as private as its folder."""
    del handle


def open_for_reading(path: Path, *, follow: bool = True) -> int:
    """Open a file; without `follow` a link is refused, by a look before the opening."""
    if not follow:
        _refuse_link(path)
    return os.open(path, os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT)


def sync_private_file(path: Path) -> None:
    """Force a file to disk; it has to be opened for writing for that."""
    _refuse_link(path)
    handle = os.open(path, os.O_RDWR | os.O_BINARY | os.O_NOINHERIT)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Nothing to do: a folder can't be opened as a file, and NTFS journals its entries."""
    del folder


def is_own(status: os.stat_result) -> bool:
    """Always: what Windows tells of a file has no owner."""
    del status
    return True


def is_others_to_read(status: os.stat_result) -> bool:
    """Never known from a mode; see the module's first lines."""
    del status
    return False


is_others_to_write = is_world_writable = is_others_to_read


def _refuse_link(path: Path) -> None:
    if getattr(path.lstat(), "st_file_attributes", 0) & _LINK or path.is_symlink():
        raise OSError(f"'{path.name}' is a link")


# --- locks --------------------------------------------------------------------------------------


def open_lock_file(path: Path, *, new: bool = False, create: bool = True) -> int:
    """Open a file to be locked; with `new` only if there is none."""
    flags = os.O_RDWR | os.O_BINARY | os.O_NOINHERIT
    flags |= os.O_CREAT if create else 0
    return os.open(path, flags | (os.O_EXCL if new else 0), 0o600)


def lock_file(handle: int) -> None:
    """Lock an opened file until it is closed; `BlockingIOError` if another process holds it."""
    _lock_handle(handle, msvcrt.LK_NBLCK)


def remove_locked_file(path: Path, handle: int) -> None:
    """Release the lock of a file and remove it, which is not possible while it is open."""
    with contextlib.suppress(OSError):
        os.close(handle)
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _lock_handle(handle: int, mode: int) -> None:
    try:
        msvcrt.locking(handle, mode, 1)
    except OSError:
        raise BlockingIOError("held by another process") from None


class WindowsFolderLock:
    """A lock on a folder: on a file in it, which the system lets go of when the process ends."""

    def __init__(self, folder: Path) -> None:
        """Open the lock's file, not yet locked; raises `OSError`, also for a link."""
        _refuse_link(folder)
        self._file = folder / "lock"
        self._handle: int | None = open_lock_file(self._file)

    def acquire(self, *, wait: bool = False) -> None:
        """Lock it; without `wait` (ten seconds) `BlockingIOError` if another process holds it."""
        if self._handle is not None:
            _lock_handle(self._handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK)

    def is_of(self, folder: Path) -> bool:
        """Whether that name still stands for what is locked: a folder with an open file stays."""
        return self._handle is not None and folder.exists()

    def release(self) -> None:
        """Let go of it and remove its file; does nothing the second time."""
        if self._handle is not None:
            remove_locked_file(self._file, self._handle)
            self._handle = None


FolderLock = WindowsFolderLock


# --- folders ------------------------------------------------------------------------------------


def move_folder(folder: Path, target: Path) -> None:
    """Rename a folder; what stands at `target` is replaced only if it is an empty folder."""
    with contextlib.suppress(FileNotFoundError):
        target.rmdir()  # Windows renames onto nothing; a filled folder is refused here
    folder.rename(target)


def exchange_folders(folder: Path, other: Path) -> bool:
    """Never: Windows can't exchange two folders in one step, so the older one steps aside."""
    del folder, other
    return False


def find_data_home() -> Path:
    """Where programs keep a person's data; raises `RuntimeError` for a person without a home."""
    folder = os.environ.get("LOCALAPPDATA", "")
    return Path(folder) if folder else Path.home() / "AppData" / "Local"


def find_cache_home() -> Path:
    """Where programs keep what can be made again."""
    folder = os.environ.get("LOCALAPPDATA", "")
    home = os.path.expanduser("~")  # noqa: PTH111
    return Path(folder) if folder else Path(home, "AppData", "Local")


def find_lasting_temporary_folder() -> Path | None:
    """None: the usual temporary folder is on a disk."""
    return None


def name_user() -> str:
    """The user that this process acts for, as a part of a file's name."""
    return re.sub(r"\W", "_", os.environ.get("USERNAME", "")) or "of-user"


# --- memory -------------------------------------------------------------------------------------


def read_held_memory() -> tuple[int, int]:
    """Bytes of memory that this process holds, and of these pages of files."""
    import psutil

    memory = psutil.Process().memory_info()
    return int(memory.rss), max(int(memory.rss) - int(getattr(memory, "private", memory.rss)), 0)


def read_free_memory() -> int | None:
    """Bytes of memory that the system could still give away."""
    import psutil

    return int(psutil.virtual_memory().available)


def read_total_memory() -> int | None:
    """Bytes of memory that this computer has."""
    import psutil

    return int(psutil.virtual_memory().total)


def read_memory_limits() -> list[int]:
    """Limits of the process in bytes: none that Windows would tell without a job."""
    return []


def drop_pages(mapped: mmap.mmap) -> None:
    """Nothing to do: Windows drops unused pages of a mapped file by itself, and can't be told."""
    del mapped


# --- processors ---------------------------------------------------------------------------------


def lower_thread_priority(by: int) -> None:
    """Let other threads go before this one; Windows has steps of priority, and this is one."""
    if by > 0:
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentThread.restype = ctypes.c_void_p
        kernel.SetThreadPriority(ctypes.c_void_p(kernel.GetCurrentThread()), _BELOW_NORMAL)


def count_usable_cores() -> int:
    """Processor cores that this process may use."""
    return max(1, os.cpu_count() or 1)
