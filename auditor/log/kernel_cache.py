"""Throws away compiled kernels that may be older than what they call.

Numba keeps compiled code beside each module and looks at that module's file alone to see
whether it is still good. A kernel that calls one of another module would go on running the old
one after an update: silently wrong.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).parent.parent


def drop_stale(package: Path = PACKAGE) -> int:
    """Remove the index of every compiled kernel older than any kernel source; returns how many.

    A few dozen looks at the disk. Where there are no sources (a bundle), nothing is removed.
    """
    sources = [path.stat().st_mtime for path in package.rglob("*kernels.py")]
    dropped = 0
    for index in package.rglob("__pycache__/*kernels.*.nbi"):
        with suppress(OSError):  # another process was here first, or the disk is read-only
            if sources and index.stat().st_mtime < max(sources):
                index.unlink()
                dropped += 1
    return dropped
