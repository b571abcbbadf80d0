"""Where compiled kernels are kept, and which of them are older than what they call.

Numba keeps compiled kernels beside their modules, or in the person's cache folder where it may not
write there. A service account often may write to neither, and Numba then refuses to compile at all:
so the temporary folder takes them.

Numba keeps compiled code beside each module and looks at that module's file alone to see
whether it is still good. A kernel that calls one of another module would go on running the old
one after an update: silently wrong.
"""

import atexit
import os
import re
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from auditor import platform

PACKAGE = Path(__file__).parent.parent
_NOTE = "all-kernels.txt"
_IMPORTS = re.compile(r"^from ([\w.]*kernels) import|^import ([\w.]*kernels)\b", re.MULTILINE)


def settle_folder(package: Path = PACKAGE) -> Path | None:
    """Name a folder for compiled kernels where Numba would find none; None if it needs none.

    It is this person's alone, and stays for the next run.
    """
    if getattr(sys, "frozen", False):  # a bundle has its own folder for what it brings along
        return None
    if (
        os.environ.get("NUMBA_CACHE_DIR")
        or _is_writable(package)
        or _is_writable(platform.find_cache_home())
    ):
        return None
    own_name = f"auditor-kernels-{platform.name_user()}"
    folder = Path(tempfile.gettempdir(), own_name)
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    if not is_private(folder):  # somebody else was here first: whoever writes there runs code
        folder = Path(tempfile.mkdtemp(prefix="auditor-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    return folder


def _is_writable(folder: Path) -> bool:
    """Whether something can be made in a folder, or the folder itself made; nothing is left."""
    for place in (folder, *folder.parents):
        try:
            exists = place.is_dir()
        except OSError:
            return False
        if exists:
            try:
                with tempfile.TemporaryFile(dir=place):
                    return True
            except OSError:
                return False
    return False


def is_private(folder: Path) -> bool:
    """Whether a folder belongs to the current user and nobody else may write to it."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    is_own = stat.S_ISDIR(status.st_mode) and platform.is_own(status)
    return is_own and not platform.is_others_to_write(status)


def note_all_compiled(kernel: Any) -> None:
    """Leave a note in the cache that all kernels of this version are compiled."""
    with suppress(OSError):  # where nothing can be written, kernels are compiled again anyway
        (Path(kernel.stats.cache_path) / _NOTE).write_text(_describe_kernels(), encoding="utf-8")


def are_all_compiled(kernel: Any) -> bool:
    """Whether an earlier process noted that, and no kernel's source has changed since."""
    try:
        note = (Path(kernel.stats.cache_path) / _NOTE).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    return note == _describe_kernels()


def _describe_kernels() -> str:
    """The versions that compiled code depends on: of Numba, and when each source was written."""
    kernel_files = sorted(
        (path.relative_to(PACKAGE).as_posix(), path.stat().st_mtime_ns)
        for path in PACKAGE.rglob("*kernels.py")
    )
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return "\n".join([f"numba {version('numba')}, python {python}", *map(str, kernel_files)])


def drop_stale(package: Path = PACKAGE) -> int:
    """Remove the index of compiled kernels older than a source they import; returns how many.

    A few dozen looks at the disk. Where there are no sources (a bundle), nothing is removed.
    """
    sources = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts): path
        for path in package.rglob("*kernels.py")
    }
    called = {}
    for name, path in sources.items():
        imports = _IMPORTS.findall(path.read_text(encoding="utf-8"))
        called[name] = {module or other for module, other in imports} & sources.keys()
    times = {name: path.stat().st_mtime for name, path in sources.items()}
    dropped = 0
    for name, path in sources.items():
        newest = max(times[module] for module in _find_reachable(name, called))
        for index in path.parent.glob(f"__pycache__/{path.stem}.*.nbi"):
            with suppress(OSError):  # another process was here first, or the disk is read-only
                if index.stat().st_mtime < newest:
                    index.unlink()
                    dropped += 1
    return dropped


def _find_reachable(name: str, called: dict[str, set[str]]) -> set[str]:
    reached, pending = {name}, [name]
    while pending:
        new = called[pending.pop()] - reached
        reached |= new
        pending += new
    return reached
