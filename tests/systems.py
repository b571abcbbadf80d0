"""A Windows of our own for tests: Linux without what Windows lacks, and with what it has instead.

It is no Windows: paths, access lists and open files that can't be removed behave as on Linux. What
it shows is that nothing outside `auditor.platform` reaches for a name that Windows doesn't have.
"""

AS_ON_WINDOWS = '''
import ctypes, errno, os, shutil, signal, stat, sys, types

import cryptography.hazmat.primitives.serialization, dp_accounting, jinja2, numba, numpy, pandas
import opendp.prelude, psutil, pyarrow.parquet, scipy.sparse, sklearn, sqlite3, tempfile, tqdm
import concurrent.futures, multiprocessing, subprocess, backports.zstd, reportlab.pdfgen.canvas
import matplotlib.backends.backend_svg, rapidfuzz, threading, asyncio, socket

BLOCKED = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "syslog"}
for name in BLOCKED:
    sys.modules.pop(name, None)


class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


sys.meta_path.insert(0, Blocked())
locked = {}


def locking(handle, how, size):
    """A lock of the process on an opened file, as msvcrt keeps it."""
    about = os.fstat(handle)
    key = (about.st_dev, about.st_ino)
    holder = locked.get(key)
    if holder is not None and holder != handle:
        raise PermissionError(errno.EACCES, "Permission denied")
    locked[key] = handle


real_open, real_close = os.open, os.close


def open_as_windows(path, flags, mode=0o777, *, dir_fd=None):
    assert dir_fd is None, "Windows has no dir_fd"
    if isinstance(path, (str, os.PathLike)) and os.path.isdir(path):
        raise PermissionError(errno.EACCES, "Permission denied")
    return real_open(path, flags, mode)


def close_as_windows(handle):
    for key in [key for key, holder in locked.items() if holder == handle]:
        del locked[key]
    real_close(handle)


rename = os.rename


def rename_as_windows(old, new, **rest):
    if os.path.lexists(new):
        raise FileExistsError(errno.EEXIST, "File exists")
    rename(old, new, **rest)


shutil._use_fd_functions = False
os.open, os.close, os.rename = open_as_windows, close_as_windows, rename_as_windows
os.O_BINARY, os.O_NOINHERIT = 0, os.O_CLOEXEC
for name in (
    "O_NOFOLLOW O_CLOEXEC O_NONBLOCK O_DIRECTORY geteuid getuid getegid getgid fchmod fchown chown "
    "sysconf getpriority setpriority sched_getaffinity mkfifo fork wait4 getpgid killpg"
).split():
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGSTOP", "SIGALRM", "alarm", "setitimer", "SIGHUP"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_LOCK=1, LK_NBLCK=2)
steps = []


class Kernel:
    def __getattr__(self, name):
        class Call:
            restype = None

            def __call__(self, *arguments):
                steps.append(name)
                return 1

        self.__dict__[name] = Call()
        return self.__dict__[name]


ctypes.WinDLL = lambda name: Kernel()
sys.platform = "win32"
import auditor.platform

sys.platform = "linux"
from auditor.platform import windows

assert auditor.platform.FolderLock is windows.FolderLock
'''
"""The beginning of a program that then runs as if the system were Windows."""
