"""Reading a log for the window: the log, a sample of its users, and what makes both quick."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QObject, Signal

from auditor.attacks.base import Evidence
from auditor.attacks.registry import ATTACKS
from auditor.attacks.vanity import own_name_queries
from auditor.engine.runner import PREVIEW_ROWS
from auditor.errors import LogFormatError
from auditor.gui.app.translation import mark_for_translation, say, tr
from auditor.gui.state.worker import BackgroundJob, LatestJob
from auditor.log import gazetteers
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.measures.registry import MEASURES
from auditor.privacy.selection import ParameterSelection
from auditor.progress import Progress
from auditor.release.ledger.private_choices import PrivateChoices
from auditor.release.ledger.store import ledger_path


class LogReader(QObject):
    """One reading at most is on its way."""

    opening = Signal(str)
    progressed = Signal(object, object, object)
    """Stage, done and total; bytes may exceed a 32-bit integer."""
    failed = Signal(object, bool)
    """Why, and whether it may help to say which column is which."""
    cancelled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: BackgroundJob | None = None

    def read(
        self, title: str, work: Callable[[Progress], OpenedLog], done: Callable[[OpenedLog], None]
    ) -> None:
        """Do `work` in a thread and hand on what it opened; drops an older reading."""
        self.opening.emit(title)
        self.drop()
        job = self._job = BackgroundJob("reading", work)
        job.progressed.connect(self.progressed)
        job.done.connect(done)
        job.failed.connect(lambda reason: self.failed.emit(reason, job.columns))
        job.cancelled.connect(self.cancelled)
        job.start()

    @property
    def busy(self) -> bool:
        """Whether a log is being read."""
        return self._job is not None and self._job.running

    def cancel(self) -> None:
        if self._job is not None and self.busy:
            self._job.cancel()

    def drop(self) -> None:
        if self._job is not None:
            self._job.drop()


SAMPLE_SEED = 20_060_301
"""Which users a preview looks at; fixed, so that a slider shows the setting's effect alone."""


@dataclass(frozen=True, eq=False)
class OpenedLog:
    """A log ready for work, and the whole users that previews look at.

    `scale` is users of the log ÷ users of the sample, `queries` the number of distinct queries:
    a blank one is a missing value. `spent` is what private choices of parameters on it cost so far.
    """

    log: QueryLog
    sample: QueryLog
    scale: float
    title: str
    queries: int
    spent: ParameterSelection | None = None


def sample_of(log: QueryLog, rows: int = PREVIEW_ROWS) -> tuple[QueryLog, float]:
    """Whole users holding about `rows` rows, and how many times more users the log has."""
    if len(log) <= rows:
        return log, 1.0
    users = max(1, round(len(log.users) * rows / len(log)))
    sample = log.sample_users(users, SAMPLE_SEED)
    return sample, len(log.users) / max(1, len(sample.users))


def prepare_log(log: QueryLog, title: str, progress: Progress) -> OpenedLog:
    """Do here what the UI thread would otherwise wait for: digest, starts, imports, sample."""
    if not len(log):
        raise LogFormatError(say("no rows to read"))
    progress.stage(tr("preparing the log"), 4)
    for part in ("digest", "user_starts", "clicks", "period"):
        getattr(log, part)
        progress.advance()
    progress.stage(tr("looking for attacks and measures"))
    for registry in (ATTACKS, MEASURES):
        for name in registry:
            _ = registry[name]  # imports it here and not in the UI thread
            progress.check()
    progress.stage(tr("drawing the preview's users"))
    sample, scale = sample_of(log)
    queries = int((~log.queries.find_blank()).sum())
    spent = PrivateChoices(ledger_path()).update_selection(None, log, progress)
    return OpenedLog(log, sample, scale, title, queries, spent)


def title_of(paths: Sequence[Path]) -> str:
    """What the header calls a log: the file's name, and how many more there are."""
    if len(paths) < 2:
        return paths[0].name if paths else "log"
    return tr("{name} and {paths} more").format(name=paths[0].name, paths=len(paths) - 1)


def read_files(
    paths: Sequence[Path], options: Any, progress: Progress, title: str = ""
) -> OpenedLog:
    """Read `paths` as `options` say (or as they look) and prepare the log."""
    log = read_log(list(paths), options, progress=progress)
    return prepare_log(log, title or title_of(paths), progress)


def read_sample(progress: Progress) -> OpenedLog:
    """The log that comes with the program."""
    title = mark_for_translation("Sample log")
    return read_files([gazetteers.sample_log()], None, progress, title)


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
    """The files that attackers know, and those that are still being read."""

    parts: Mapping[Kind, KnowledgeFile] = field(default_factory=dict)
    reading: frozenset[Kind] = frozenset()

    @property
    def digests(self) -> dict[str, str]:
        """Name → digest of what is at hand."""
        return {kind: part.digest for kind, part in self.parts.items()}

    @property
    def chosen(self) -> dict[Kind, KnowledgeFile]:
        """The files that the user chose, without those of the sample log."""
        return {kind: part for kind, part in self.parts.items() if not part.bundled}

    def make_evidence(self, log: QueryLog) -> Evidence:
        content: dict[str, Any] = {kind: part.content for kind, part in self.parts.items()}
        return Evidence(log=log, **content)


def read_reference(paths: Sequence[Path], progress: Progress) -> KnowledgeFile:
    """Another raw log; raises `LogFormatError`."""
    log = read_log(list(paths), None, progress=progress)
    return KnowledgeFile(title_of(paths), log.digest, log)


def read_profiles(paths: Sequence[Path], _progress: Progress) -> KnowledgeFile:
    """A table of profiles; raises `MissingInput` if it isn't one."""
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

        def read_bundled(kind: Kind, path: Path, title: str, progress: Progress) -> KnowledgeFile:
            return replace(READERS[kind]([path], progress), title=title, bundled=True)

        earlier = mark_for_translation("Sample log, an earlier period")
        people = mark_for_translation("Profiles of the sample's people")
        log, table = gazetteers.sample_reference(), gazetteers.sample_profiles()
        self._start_reading("reference", partial(read_bundled, "reference", log, earlier))
        self._start_reading("profiles", partial(read_bundled, "profiles", table, people))

    def forget(self, *kinds: Kind) -> None:
        """Remove files, or all, from what attackers know."""
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
        def report_failure(reason: str) -> None:
            self._publish(self.now.parts)
            self.failed.emit(kind, reason)

        def keep_part(part: KnowledgeFile) -> None:
            self._publish({**self.now.parts, kind: part})

        self._jobs[kind].start(f"reading {kind}", work, keep_part, report_failure)
        self._publish(self.now.parts)

    def _publish(self, parts: Mapping[Kind, KnowledgeFile]) -> None:
        reading = frozenset(kind for kind, job in self._jobs.items() if job.running)
        self.now = AttackerFiles(parts, reading)
        self.changed.emit(self.now)
