"""What was opened last, in a file of this person alone: paths, and nothing of what is in them.

Beside the list it remembers where the files lie that a project names, so that the project
itself need not say so. Whoever wants neither switches the list off.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, QStandardPaths, Signal

from auditor import platform
from auditor.gui.state.worker import LatestJob
from auditor.project.file import is_project

MOST = 10
LARGEST = 1 << 20
NAME = "recent.json"


def state_folder() -> Path | None:
    """Where this program keeps what it remembers between two starts, for this person alone.

    None where nothing can be written: then it remembers nothing, and keeps no copy.
    """
    place = QStandardPaths.StandardLocation.StateLocation
    folder = Path(QStandardPaths.writableLocation(place))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


@dataclass(frozen=True)
class RecentEntry:
    """Files that were opened together: a log's, or one project."""

    paths: tuple[Path, ...]

    @property
    def title(self) -> str:
        """What the menu calls it: the name, and the folder that it lies in."""
        name = self.paths[0].name
        if len(self.paths) > 1:
            name += f" + {len(self.paths) - 1}"
        return f"{name} \u2013 {self.paths[0].parent}"

    @property
    def project(self) -> bool:
        """Whether it is a project."""
        return is_project(self.paths[0])


@dataclass(frozen=True)
class RecentMemory:
    """The list, the latest first, and by project where its files lie."""

    entries: tuple[RecentEntry, ...] = ()
    places: Mapping[str, Mapping[str, tuple[str, ...]]] = dataclasses.field(default_factory=dict)

    def with_entry(self, entry: RecentEntry) -> RecentMemory:
        """The same with this one first."""
        others = tuple(one for one in self.entries if one != entry)
        return dataclasses.replace(self, entries=(entry, *others)[:MOST])

    def with_places(self, project: Path, places: Mapping[str, Sequence[str]]) -> RecentMemory:
        """The same, knowing where a project's files lie; the latest projects alone."""
        known = {key: one for key, one in self.places.items() if key != str(project)}
        known[str(project)] = {name: tuple(paths) for name, paths in places.items()}
        return dataclasses.replace(self, places=dict(list(known.items())[-4 * MOST :]))


class RecentFiles(QObject):
    """Keeps the memory, on disk if there is a folder for it."""

    changed = Signal()

    def __init__(self, folder: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file = None if folder is None else folder / NAME
        self._job = LatestJob()
        self._again = False
        self.now = (
            RecentMemory() if self._file is None or not self.kept else _read_memory(self._file)
        )

    @property
    def kept(self) -> bool:
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
            self._change_memory(
                self.now.with_entry(RecentEntry(tuple(p.absolute() for p in paths)))
            )

    def remember_places(self, project: Path, places: Mapping[str, Sequence[str]]) -> None:
        """Where the files of a project lie."""
        self._change_memory(self.now.with_places(project.absolute(), places))

    def find_places(self, project: Path) -> Mapping[str, tuple[str, ...]]:
        """Where the files of a project lie, as far as that is known."""
        return self.now.places.get(str(project.absolute()), {})

    def drop(self, entry: RecentEntry) -> None:
        """Forget one entry, which is gone."""
        others = tuple(one for one in self.now.entries if one != entry)
        self._change_memory(dataclasses.replace(self.now, entries=others))

    def clear(self) -> None:
        """Forget all of it, on disk too."""
        self.now = RecentMemory()
        self._write_memory()
        self.changed.emit()

    def _change_memory(self, memory: RecentMemory) -> None:
        if self.kept and memory != self.now:
            self.now = memory
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
        memory = self.now
        plain = {
            "entries": [[str(path) for path in entry.paths] for entry in memory.entries],
            "places": {key: dict(one) for key, one in memory.places.items()},
        }

        def write_recent(_progress: Any) -> None:
            if not memory.entries and not memory.places:
                file.unlink(missing_ok=True)
                return
            from auditor.release.atomic_write import replaced_file, write_file

            with replaced_file(file) as new:
                write_file(new, [json.dumps(plain).encode("utf-8", "backslashreplace")])

        self._job.start("recent", write_recent, self._finish_writing, self._finish_writing)

    def _finish_writing(self, _what: Any) -> None:
        if self._again:
            self._write_memory()


def _read_memory(file: Path) -> RecentMemory:
    """What a file remembers; whatever is no such memory is none."""
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        with os.fdopen(platform.open_for_reading(file), "rb") as opened:
            plain = json.loads(opened.read(LARGEST))
        entries = tuple(
            RecentEntry(tuple(Path(p) for p in paths)) for paths in plain["entries"] if paths
        )
        places = {
            str(key): {str(name): tuple(map(str, paths)) for name, paths in one.items()}
            for key, one in plain["places"].items()
        }
        return RecentMemory(entries[:MOST], places)
    return RecentMemory()
