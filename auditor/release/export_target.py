"""Where an export may go: the place itself, and whether what stands there may be replaced."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from auditor.errors import ExportFailed, ExportRefused
from auditor.release.escaping import printable


def check_folder(folder: Path, replaceable: Callable[[Path], bool]) -> Path:
    """The path to fill where nothing, an empty folder, or a replaceable one stands."""
    target = resolved(folder)
    if os.path.lexists(target) and not replaceable(target):
        raise ExportRefused(
            f"{named(target)} holds other things than this command writes. "
            "Name a folder that does not exist yet."
        )
    return target


def resolved(folder: Path) -> Path:
    """The path with its parent resolved and made, the last name as it is."""
    if folder.name in ("", ".."):
        folder = folder.resolve()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        parent = folder.parent.resolve(strict=True)
        with contextlib.suppress(FileNotFoundError):
            (parent / folder.name).lstat()
    except (OSError, RuntimeError, ValueError):
        raise ExportFailed(f"{named(folder)} can't be made there. Name another place.") from None
    if not os.access(parent, os.W_OK | os.X_OK):
        raise ExportFailed(
            f"Nothing may be written beside {named(folder)}. Choose a folder that belongs to you."
        )
    return parent / folder.name


def entries(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError:
        raise ExportFailed(f"{named(folder)} can't be read. Choose another folder.") from None


def named(path: Path) -> str:
    name = printable(path.name)
    return f"'{name if len(name) <= 80 else name[:79] + '…'}'"
