"""Where a bundle keeps compiled kernels: a folder of the user's, filled at first from the bundle.

Numba takes a kernel from its cache only if the folder can be written to, which an installed
program's can't, and by the path of a source file, which a bundle has none of. This finds the
folder by the digest of all kernels instead, so that an update never runs an older kernel.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import stat
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from numba.core import caching

from auditor import platform

NAME = "query-log-privacy-auditor"
SHIPPED = "compiled_kernels"
"""Folder in the bundle that holds one folder, named by the digest of the kernels."""
FORGOTTEN = 90 * 86_400
"""Seconds after which the kernels of a version that nobody starts any more are removed."""


class Locator(caching._CacheLocator):  # type: ignore[misc]
    """Tells numba where a function's compiled code is kept."""

    def __init__(self, function: Any) -> None:
        self._folder = folder() / function.__module__
        self._line = function.__code__.co_firstlineno
        self._py_file = function.__module__

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Locator:
        """A locator for any function; never None, since there is always somewhere to write."""
        del py_file
        locator = cls(py_func)
        locator.ensure_cache_path()
        return locator

    def get_cache_path(self) -> str:
        """The folder of the function's module."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """The digest of all kernels."""
        return folder().name

    def get_disambiguator(self) -> str:
        """The line that the function begins at."""
        return str(self._line)


@functools.cache
def folder() -> Path:
    """The folder of compiled kernels for this version: the user's own, or a temporary one."""
    shipped = _shipped()
    name = shipped.name if shipped else "none"
    try:
        cache = platform.find_cache_home()
        store = (cache if cache.is_absolute() else Path.home() / ".cache") / NAME
        store.mkdir(mode=0o700, parents=True, exist_ok=True)
        _only_ours(store)
        if not (store / name).exists():
            _fill(store, name, shipped)
        _only_ours(store / name)
        os.utime(store / name)
        _forget_old(store, name)
        return store / name
    except (OSError, RuntimeError):
        temporary = Path(tempfile.mkdtemp(prefix="auditor-kernels-"))
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        _fill(temporary, name, shipped)
        return temporary / name


def _shipped() -> Path | None:
    inside = Path(getattr(sys, "_MEIPASS", ""), SHIPPED)
    folders = sorted(inside.iterdir()) if inside.is_dir() else []
    return folders[0] if folders else None


def _only_ours(path: Path) -> None:
    """Compiled code is run: what others own or may write to is not taken from."""
    about = path.lstat()
    ours = platform.is_own(about) and not platform.is_others_to_write(about)
    if not (stat.S_ISDIR(about.st_mode) and ours):
        raise PermissionError(path)


def _fill(store: Path, name: str, shipped: Path | None) -> None:
    """Make `store`/`name` whole at once, even if another process does the same."""
    draft = Path(tempfile.mkdtemp(prefix=".new-", dir=store))
    try:
        if shipped is not None:
            shutil.copytree(shipped, draft, dirs_exist_ok=True, copy_function=shutil.copyfile)
        draft.chmod(0o700)
        draft.rename(store / name)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        if not (store / name).is_dir():
            raise


def _forget_old(store: Path, name: str) -> None:
    for other in store.iterdir():
        about = other.lstat()
        old = time.time() - about.st_mtime > FORGOTTEN
        if old and other.name != name and stat.S_ISDIR(about.st_mode):
            shutil.rmtree(other, ignore_errors=True)
