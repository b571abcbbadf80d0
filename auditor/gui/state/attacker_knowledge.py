"""What attackers are taken to know besides the release: another log, profiles; never written."""

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
    def digests(self) -> dict[str, str]:
        """Name → digest of what is at hand."""
        return {kind: part.digest for kind, part in self.parts.items()}

    @property
    def chosen(self) -> dict[Kind, KnowledgeFile]:
        """What somebody chose, and not what comes with the sample log."""
        return {kind: part for kind, part in self.parts.items() if not part.bundled}

    def make_evidence(self, log: QueryLog) -> Evidence:
        content: dict[str, Any] = {kind: part.content for kind, part in self.parts.items()}
        return Evidence(log=log, **content)


def read_reference(paths: Sequence[Path], progress: Progress) -> KnowledgeFile:
    """Another raw log; raises `LogFormatError`."""
    from auditor.gui.state.log_loading import title_of
    from auditor.log.reading.reader import read_log

    log = read_log(list(paths), None, progress=progress)
    return KnowledgeFile(title_of(paths), log.digest, log)


def read_profiles(paths: Sequence[Path], _progress: Progress) -> KnowledgeFile:
    """A table of profiles; raises `MissingInput` if it isn't one."""
    from auditor.attacks.vanity import own_name_queries

    (path,) = paths
    return KnowledgeFile(path.name, own_name_queries.digest_profiles(path), path)


READERS = {"reference": read_reference, "profiles": read_profiles}


class KnowledgeReader(QObject):
    """Reads what attackers know, off the UI thread; the latest wish for each kind counts."""

    changed = Signal(object)
    failed = Signal(str, object)
    """Kind, and why it could not be read."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.now = AttackerFiles()
        self._jobs = {kind: LatestJob() for kind in KINDS}

    def read(self, kind: Kind, paths: Sequence[Path]) -> None:
        """Let attackers know the files of another log, or a table of people's names and homes."""
        self._start_reading(kind, partial(READERS[kind], list(paths)))

    def read_sample(self) -> None:
        """What comes with the sample log: an earlier period, and the profiles of its people."""
        from auditor.log import gazetteers

        def read_bundled(kind: Kind, path: Path, title: str, progress: Progress) -> KnowledgeFile:
            return replace(READERS[kind]([path], progress), title=title, bundled=True)

        earlier = mark_for_translation("Sample log, an earlier period")
        people = mark_for_translation("Profiles of the sample's people")
        log, table = gazetteers.sample_reference(), gazetteers.sample_profiles()
        self._start_reading("reference", partial(read_bundled, "reference", log, earlier))
        self._start_reading("profiles", partial(read_bundled, "profiles", table, people))

    def forget(self, *kinds: Kind) -> None:
        """Take some of it (or all of it) away from attackers."""
        self.close(*kinds)
        gone = kinds or KINDS
        self._publish({kind: part for kind, part in self.now.parts.items() if kind not in gone})

    def take_back(self, parts: Mapping[Kind, KnowledgeFile]) -> None:
        """Let attackers know again what they knew of the log before."""
        self.close(*parts)
        self._publish({**self.now.parts, **parts})

    def close(self, *kinds: Kind) -> None:
        """Stop reading (all of it by default) without waiting."""
        for kind in kinds or KINDS:
            self._jobs[kind].drop()

    def _start_reading(self, kind: Kind, work: Callable[[Progress], KnowledgeFile]) -> None:
        def report_failure(why: str) -> None:
            self._publish(self.now.parts)
            self.failed.emit(kind, why)

        def keep_part(part: KnowledgeFile) -> None:
            self._publish({**self.now.parts, kind: part})

        self._jobs[kind].start(f"reading {kind}", work, keep_part, report_failure)
        self._publish(self.now.parts)

    def _publish(self, parts: Mapping[Kind, KnowledgeFile]) -> None:
        reading = frozenset(kind for kind, job in self._jobs.items() if job.running)
        self.now = AttackerFiles(parts, reading)
        self.changed.emit(self.now)
