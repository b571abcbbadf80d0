"""Linux and macOS: `flock`, modes of files, ``/proc`` where there is one."""

import contextlib
import ctypes
import errno
import fcntl
import functools
import mmap
import os
import re
import resource
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

assert sys.platform != "win32"

_SYSTEM: str = sys.platform
_LINUX = _SYSTEM.startswith("linux")
_GROUP = Path("/sys/fs/cgroup")
_EXCHANGE = 2
"""RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS are the same number."""

FOLDER_LOCK_FILES: frozenset[str] = frozenset()
"""Names of files that a `PosixFolderLock` puts into its folder."""

NEEDS_DISPLAY = _LINUX
"""Whether a window needs a display that the environment names."""


def reaches_display(name: str, value: str) -> bool:
    """Whether a display that ``DISPLAY`` or ``WAYLAND_DISPLAY`` names takes connections.

    An X server is asked by its own library, which knows of permissions, too; where that is not
    there, nobody can tell, and it counts as reached. A few milliseconds.
    """
    if name == "WAYLAND_DISPLAY":
        place = Path(os.environ.get("XDG_RUNTIME_DIR", "/"), value)
        with socket.socket(socket.AF_UNIX) as end, contextlib.suppress(OSError, ValueError):
            end.settimeout(2)
            end.connect(str(place))
            return True
        return False
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = (ctypes.c_char_p, ctypes.c_void_p)
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(os.fsencode(value), None)
    reached = not xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return reached


def address_space_limit() -> int | None:
    """Bytes of address space that this process may have; None if nothing limits them."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


# --- files --------------------------------------------------------------------------------------


def create_private_file(path: Path) -> int:
    """Open a new file for writing that only its owner may read; never through a link."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(path, flags, 0o600)


def restrict_to_owner(handle: int) -> None:
    """Let only its owner read and write an opened file, whatever the creation mask was."""
    os.fchmod(handle, 0o600)


def open_for_reading(path: Path, *, follow: bool = True) -> int:
    """Open a file without waiting for a pipe's writer; without `follow` never through a link."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    return os.open(path, flags if follow else flags | os.O_NOFOLLOW)


def sync_private_file(path: Path) -> None:
    """Force a file to disk and keep it to its owner."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        try:
            os.fchmod(handle, 0o600)
        except PermissionError:  # it is ours: FAT and some shares know no owners
            raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP)) from None
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Force a folder's entries to disk, where the file system does that."""
    handle = _open_folder(folder)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some shares force files alone
            raise
    finally:
        os.close(handle)


def is_own(status: os.stat_result) -> bool:
    """Whether a file belongs to the user that this process acts for."""
    return status.st_uid == os.geteuid()


def is_others_to_read(status: os.stat_result) -> bool:
    """Whether others than the owner may do anything at all with a file."""
    return bool(status.st_mode & 0o077)


def is_others_to_write(status: os.stat_result) -> bool:
    """Whether others than the owner may write to a file or folder."""
    return bool(status.st_mode & 0o022)


def is_world_writable(status: os.stat_result) -> bool:
    """Whether everybody may write to a folder, and so replace files in it."""
    return bool(status.st_mode & 0o002)


# --- locks --------------------------------------------------------------------------------------


def open_lock_file(path: Path, *, new: bool = False, create: bool = True) -> int:
    """Open a file to be locked; with `new` only if there is none."""
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    flags |= os.O_CREAT if create else 0
    return os.open(path, flags | (os.O_EXCL if new else 0), 0o600)


def lock_file(handle: int) -> None:
    """Lock an opened file until it is closed; `BlockingIOError` if another process holds it."""
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove_locked_file(path: Path, handle: int) -> None:
    """Remove a file that this process has locked, and release the lock."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        os.close(handle)


class PosixFolderLock:
    """A lock on a folder, which the system lets go of however the process ends."""

    def __init__(self, folder: Path) -> None:
        """Open the folder, not yet locked; raises `OSError`, also for a link."""
        self._handle: int | None = _open_folder(folder)

    def acquire(self, *, wait: bool = False) -> None:
        """Lock it; without `wait` raises `BlockingIOError` if another process holds it."""
        if self._handle is not None:
            fcntl.flock(self._handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))

    def is_of(self, folder: Path) -> bool:
        """Whether the path still names the folder that is locked."""
        if self._handle is None:
            return False
        try:
            return os.path.samestat(folder.stat(), os.fstat(self._handle))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Release the lock; does nothing the second time."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


FolderLock = PosixFolderLock


def _open_folder(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)


# --- folders ------------------------------------------------------------------------------------


def move_folder(folder: Path, target: Path) -> None:
    """Rename a folder; what stands at `target` is replaced only if it is an empty folder."""
    folder.rename(target)


def exchange_folders(folder: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system or its disk can't."""
    call = _exchange_call()
    if call is None:
        return False
    if call(os.fsencode(folder), os.fsencode(other)) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number))


@functools.cache
def _exchange_call() -> Callable[[bytes, bytes], int] | None:
    library = ctypes.CDLL(None, use_errno=True)
    at_here = -100
    if _LINUX and hasattr(library, "renameat2"):
        return lambda a, b: int(library.renameat2(at_here, a, at_here, b, _EXCHANGE))
    if _SYSTEM == "darwin" and hasattr(library, "renamex_np"):
        return lambda a, b: int(library.renamex_np(a, b, _EXCHANGE))
    return None


def find_data_home() -> Path:
    """Where programs keep a person's data; raises `RuntimeError` for a person without a home."""
    if _SYSTEM == "darwin":
        return Path.home() / "Library" / "Application Support"
    folder = os.environ.get("XDG_DATA_HOME", "")
    return Path(folder) if Path(folder).is_absolute() else Path.home() / ".local" / "share"


def find_cache_home() -> Path:
    """Where programs keep what can be made again."""
    folder = os.environ.get("XDG_CACHE_HOME", "")
    return Path(folder) if folder else Path(os.path.expanduser("~"), ".cache")  # noqa: PTH111


def find_lasting_temporary_folder() -> Path | None:
    """A folder for large temporary files on a disk: ``/tmp`` may be memory."""
    lasting = Path("/var/tmp")  # noqa: S108  nameless files: nothing to be guessed or planted
    return lasting if os.access(lasting, os.W_OK | os.X_OK) else None


def name_user() -> str:
    """The user that this process acts for, as a part of a file's name."""
    return str(os.getuid())


# --- memory -------------------------------------------------------------------------------------


def read_held_memory() -> tuple[int, int]:
    """Bytes of memory that this process holds, and of these pages of files; 0 where unknown."""
    if not _LINUX:
        import psutil

        return int(psutil.Process().memory_info().rss), 0
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:  # noqa: PTH123  every 20 ms
            numbers = file.read(256).split()
    except OSError:
        return 0, 0
    return int(numbers[1]) * mmap.PAGESIZE, int(numbers[2]) * mmap.PAGESIZE


def read_free_memory() -> int | None:
    """Bytes of memory that the system could still give away."""
    if not _LINUX:
        import psutil

        return int(psutil.virtual_memory().available)
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    match = re.search(r"^MemAvailable:\s+(\d+) kB", text, re.MULTILINE)
    return int(match[1]) << 10 if match else None


def read_total_memory() -> int | None:
    """Bytes of memory that this computer has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return None


def read_memory_limits() -> list[int]:
    """What limits of the process, and of the container it runs in, leave to it, in bytes."""
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    finite = [limit for limit in limits if limit != resource.RLIM_INFINITY]
    group = _left_in_group()
    return finite if group is None else [*finite, group]


def _left_in_group() -> int | None:
    """What a container's limit leaves; pages of files that it counts can be dropped."""
    try:
        group_limit = (_GROUP / "memory.max").read_text(encoding="ascii").strip()
        group_use = (_GROUP / "memory.current").read_text(encoding="ascii")
        stat = (_GROUP / "memory.stat").read_text(encoding="ascii")
    except OSError:
        return None
    if group_limit == "max":
        return None
    pages = re.search(r"^inactive_file (\d+)", stat, re.MULTILINE)
    return max(int(group_limit) - int(group_use) + (int(pages[1]) if pages else 0), 0)


def drop_pages(mapped: mmap.mmap) -> None:
    """Release the pages of a mapped file; later reads load them from the file again."""
    mapped.madvise(mmap.MADV_DONTNEED)


# --- processors ---------------------------------------------------------------------------------


def lower_thread_priority(by: int) -> None:
    """Let other threads go before this one and those it begins; only Linux can do that."""
    if sys.platform == "linux":
        behind = os.getpriority(os.PRIO_PROCESS, os.getpid()) + by
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), behind)


def count_usable_cores() -> int:
    """Processor cores that this process may use."""
    if sys.platform == "linux":
        return max(1, len(os.sched_getaffinity(0)))
    else:  # noqa: RET505  a type checker of another system skips one branch or the other
        return max(1, os.cpu_count() or 1)
