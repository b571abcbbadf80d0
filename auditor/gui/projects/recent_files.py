"""Paths that were opened last, and where projects' files lie; it can be switched off."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, QStandardPaths, Signal

from auditor import platform
from auditor.gui.state.worker import LatestJob

MOST = 10
LARGEST = 1 << 20
NAME = "recent.json"


def state_folder() -> Path | None:
    """Where this program remembers things for this person alone; None where it can't write."""
    place = QStandardPaths.StandardLocation.StateLocation
    folder = Path(QStandardPaths.writableLocation(place))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


Files = tuple[Path, ...]
"""What was opened together: a log's files, or one project."""
Places = dict[str, dict[str, tuple[str, ...]]]
"""By project, where the files lie that it names."""


def title_of(files: Files) -> str:
    """What the menu calls it: the name, and the folder that it lies in."""
    name = files[0].name + (f" + {len(files) - 1}" if len(files) > 1 else "")
    return f"{name} \u2013 {files[0].parent}"


class RecentFiles(QObject):
    """The list, the latest first, and where projects' files lie; on disk if there is a folder."""

    changed = Signal()

    def __init__(self, folder: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = None if folder is None else folder / NAME
        self._job = LatestJob()
        self._again = False
        self.entries: tuple[Files, ...] = ()
        self._places: Places = {}
        if self._file is not None and self.remembers:
            self.entries, self._places = _read_memory(self._file)

    @property
    def remembers(self) -> bool:
        """Whether somebody lets the program remember."""
        return str(QSettings().value("remember", "true")) == "true"

    def set_remembering(self, on: bool) -> None:
        """Remember from now on, or forget everything and remember no more."""
        QSettings().setValue("remember", "true" if on else "false")
        if not on:
            self.clear()
        self.changed.emit()

    def add(self, paths: Sequence[Path]) -> None:
        """Somebody opened or saved these."""
        if paths:
            files = tuple(path.absolute() for path in paths)
            others = (entry for entry in self.entries if entry != files)
            self._change_memory((files, *others)[:MOST], self._places)

    def remember_places(self, project: Path, places: Mapping[str, Sequence[str]]) -> None:
        """Where the files of a project lie; the latest projects alone are remembered."""
        key = str(project.absolute())
        memory = {other: entry for other, entry in self._places.items() if other != key}
        memory[key] = {name: tuple(paths) for name, paths in places.items()}
        self._change_memory(self.entries, dict(list(memory.items())[-4 * MOST :]))

    def find_places(self, project: Path) -> Mapping[str, tuple[str, ...]]:
        """Where the files of a project lie, as far as that is known."""
        return self._places.get(str(project.absolute()), {})

    def drop(self, files: Files) -> None:
        self._change_memory(tuple(entry for entry in self.entries if entry != files), self._places)

    def clear(self) -> None:
        """Forget all of it, on disk too."""
        self.entries, self._places = (), {}
        self._write_memory()
        self.changed.emit()

    def _change_memory(self, entries: tuple[Files, ...], places: Places) -> None:
        if self.remembers and (entries, places) != (self.entries, self._places):
            self.entries, self._places = entries, places
            self._write_memory()
            self.changed.emit()

    def _write_memory(self) -> None:
        """Write in a thread; a change in the meantime is written after it."""
        file = self._file
        if file is None:
            return
        if self._job.running:
            self._again = True
            return
        self._again = False
        entries = [[str(path) for path in files] for files in self.entries]
        plain = {"entries": entries, "places": self._places}

        def write_recent(_progress: Any) -> None:
            if not plain["entries"] and not plain["places"]:
                file.unlink(missing_ok=True)
                return
            from auditor.release.atomic_write import replaced_file, write_file

            with replaced_file(file) as new:
                write_file(new, [json.dumps(plain).encode("utf-8", "backslashreplace")])

        self._job.start("recent", write_recent, self._finish_writing, self._finish_writing)

    def _finish_writing(self, _what: Any) -> None:
        if self._again:
            self._write_memory()


def _read_memory(file: Path) -> tuple[tuple[Files, ...], dict[str, dict[str, tuple[str, ...]]]]:
    """The entries and places of a file; whatever is no such memory is none."""
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        with os.fdopen(platform.open_for_reading(file), "rb") as opened:
            plain = json.loads(opened.read(LARGEST))
        entries = tuple(tuple(Path(p) for p in paths) for paths in plain["entries"] if paths)
        places = {
            str(key): {str(name): tuple(map(str, paths)) for name, paths in entry.items()}
            for key, entry in plain["places"].items()
        }
        return entries[:MOST], places
    return (), {}
