"""The folder that all machines are to see: whether they do, and whether it holds all they wrote.

Spark asks neither. A machine that doesn't see it writes to a folder of that name of its own, and a
file system that shows names late hides files from the one that puts them together: rows would be
missing, and nobody told.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from auditor.errors import EngineFailed, MissingInput
from auditor.progress import Progress

SIGN = "sign"
PATIENCE = 90.0
"""Seconds until a file system is told to have lost something; NFS shows names after 60 at most."""
_STEP = 0.5


def put_up(folder: Path) -> str:
    """Make the file by which machines know the folder, if it isn't there; the folder."""
    (folder / SIGN).touch(mode=0o600)
    return str(folder)


def check_folder(folder: str) -> None:
    """On an executor: raise `MissingInput` if this machine doesn't see the folder."""
    if not (Path(folder) / SIGN).is_file():
        raise MissingInput(
            "A machine of the cluster doesn't see the folder in which the release is built. "
            "All need one file system, under one path. Nothing was released."
        )


def wait_for(there: Callable[[], bool], progress: Progress) -> None:
    """Wait until what machines wrote is seen here; raises `EngineFailed` if it never is."""
    end = time.monotonic() + PATIENCE
    while not there():
        if time.monotonic() > end:
            raise EngineFailed(
                f"The file system of the release doesn't show within {PATIENCE:.0f} seconds what "
                "other machines wrote to it. Nothing was released."
            )
        progress.check()
        time.sleep(_STEP)
