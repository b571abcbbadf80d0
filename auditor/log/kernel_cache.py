"""Throws away compiled kernels that are older than what they call.

Numba keeps compiled code beside each module and looks at that module's file alone to see
whether it is still good. A kernel that calls one of another module would go on running the old
one after an update: silently wrong.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).parent.parent
_IMPORTS = re.compile(r"^from ([\w.]*kernels) import|^import ([\w.]*kernels)\b", re.MULTILINE)


def drop_stale(package: Path = PACKAGE) -> int:
    """Remove the index of compiled kernels older than a source they import; returns how many.

    A few dozen looks at the disk. Where there are no sources (a bundle), nothing is removed.
    """
    sources = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts): path
        for path in package.rglob("*kernels.py")
    }
    called = {name: _called(path) & sources.keys() for name, path in sources.items()}
    times = {name: path.stat().st_mtime for name, path in sources.items()}
    dropped = 0
    for name, path in sources.items():
        newest = max(times[one] for one in _closure(name, called))
        for index in path.parent.glob(f"__pycache__/{path.stem}.*.nbi"):
            with suppress(OSError):  # another process was here first, or the disk is read-only
                if index.stat().st_mtime < newest:
                    index.unlink()
                    dropped += 1
    return dropped


def _called(path: Path) -> set[str]:
    found = _IMPORTS.findall(path.read_text(encoding="utf-8"))
    return {one or other for one, other in found}


def _closure(name: str, called: dict[str, set[str]]) -> set[str]:
    reached, left = {name}, [name]
    while left:
        new = called[left.pop()] - reached
        reached |= new
        left += new
    return reached
