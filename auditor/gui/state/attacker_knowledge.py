"""What attackers are taken to know besides the release: another log, and people's profiles.

Both are read in the background. Neither is written anywhere, nor named in a release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from auditor.attacks.base import Evidence
from auditor.gui.app.translation import mark_for_translation
from auditor.gui.state.worker import LatestJob
from auditor.log.model import QueryLog
from auditor.progress import Progress

Kind = Literal["reference", "profiles"]

KINDS: tuple[Kind, ...] = ("reference", "profiles")


@dataclass(frozen=True, eq=False)
class KnowledgeFile:
    """One thing that attackers know: what it is called, its digest, and what it is."""

    title: str
    digest: str
    content: QueryLog | Path
    bundled: bool = False
    """Whether it comes with the sample log; no other log has use for it."""


@dataclass(frozen=True, eq=False)
class AttackerFiles:
    """What attackers know now, and what of it is still being read."""

    parts: Mapping[Kind, KnowledgeFile] = field(default_factory=dict)
    reading: frozenset[Kind] = frozenset()

    @property
    def given(self) -> dict[str, str]:
        """Name → digest of what is at hand."""
        return {kind: part.digest for kind, part in self.parts.items()}

    @property
    def own(self) -> dict[Kind, KnowledgeFile]:
        """What somebody chose, and not what comes with the sample log."""
        return {kind: part for kind, part in self.parts.items() if not part.bundled}

    def make_evidence(self, log: QueryLog) -> Evidence:
        """What an attack on `log` may look at."""
        content: dict[str, Any] = {kind: part.content for kind, part in self.parts.items()}
        return Evidence(log=log, **content)


def read_reference(paths: Sequence[Path], progress: Progress) -> KnowledgeFile:
    """Another raw log; raises `LogFormatError`."""
    from auditor.gui.state.log_loading import title_of
    from auditor.log.reading.reader import read_log

    log = read_log(list(paths), None, progress=progress)
    return KnowledgeFile(title_of(paths), log.digest, log)


def read_profiles(path: Path, _progress: Progress) -> KnowledgeFile:
    """A table of profiles; raises `MissingInput` if it isn't one."""
    from auditor.attacks.vanity import own_name_queries

    return KnowledgeFile(path.name, own_name_queries.digest_profiles(path), path)


def _drop_kind(parts: Mapping[Kind, KnowledgeFile], kind: Kind) -> dict[Kind, KnowledgeFile]:
    return {other: part for other, part in parts.items() if other != kind}


class KnowledgeReader(QObject):
    """Reads what attackers know, off the UI thread; the latest wish for each kind counts."""

    changed = Signal(object)
    failed = Signal(str, object)
    """Kind, and why it could not be read."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.now = AttackerFiles()
        self._jobs = {kind: LatestJob() for kind in KINDS}

    def take_reference(self, paths: Sequence[Path]) -> None:
        """Let attackers know another log."""
        files = list(paths)
        self._start_reading("reference", partial(read_reference, files))

    def take_profiles(self, path: Path) -> None:
        """Let attackers know people's names and homes."""
        self._start_reading("profiles", partial(read_profiles, path))

    def take_sample(self) -> None:
        """What comes with the sample log: an earlier period, and the profiles of its people."""
        from auditor.log import gazetteers

        def read_earlier_log(progress: Progress) -> KnowledgeFile:
            title = mark_for_translation("Sample log, an earlier period")
            known = read_reference([gazetteers.sample_reference()], progress)
            return replace(known, title=title, bundled=True)

        def read_people(progress: Progress) -> KnowledgeFile:
            title = mark_for_translation("Profiles of the sample's people")
            known = read_profiles(gazetteers.sample_profiles(), progress)
            return replace(known, title=title, bundled=True)

        self._start_reading("reference", read_earlier_log)
        self._start_reading("profiles", read_people)

    def forget(self, *kinds: Kind) -> None:
        """Take some of it (or all of it) away from attackers."""
        for kind in kinds or KINDS:
            self._drop_reading(kind)
            self.now = replace(self.now, parts=_drop_kind(self.now.parts, kind))
        self.changed.emit(self.now)

    def take_back(self, parts: Mapping[Kind, KnowledgeFile]) -> None:
        """Let attackers know again what they knew of the log before."""
        for kind in parts:
            self._drop_reading(kind)
        self.now = replace(self.now, parts={**self.now.parts, **parts})
        self.changed.emit(self.now)

    def close(self) -> None:
        """Stop reading without waiting."""
        for kind in KINDS:
            self._drop_reading(kind)

    def _drop_reading(self, kind: Kind) -> None:
        self._jobs[kind].drop()
        self.now = replace(self.now, reading=self.now.reading - {kind})

    def _start_reading(self, kind: Kind, work: Callable[[Progress], KnowledgeFile]) -> None:
        self._drop_reading(kind)

        def store_part(found: KnowledgeFile) -> None:
            self._drop_reading(kind)
            self.now = replace(self.now, parts=_drop_kind(self.now.parts, kind) | {kind: found})
            self.changed.emit(self.now)

        def report_failure(why: str) -> None:
            self._drop_reading(kind)
            self.changed.emit(self.now)
            self.failed.emit(kind, why)

        self._jobs[kind].start(f"reading {kind}", work, store_part, report_failure)
        self.now = replace(self.now, reading=self.now.reading | {kind})
        self.changed.emit(self.now)
