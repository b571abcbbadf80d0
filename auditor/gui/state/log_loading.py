"""Reading a log for the window: the log, a sample of its users, and what makes both quick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from auditor.attacks.registry import ATTACKS
from auditor.engine.runner import PREVIEW_ROWS
from auditor.errors import LogFormatError
from auditor.gui.app.translation import mark_for_translation, tr
from auditor.gui.state.worker import BackgroundJob
from auditor.log.model import QueryLog
from auditor.measures.registry import MEASURES
from auditor.privacy.selection import ParameterSelection
from auditor.progress import Progress


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
        job.failed.connect(lambda why: self.failed.emit(why, job.columns))
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
        raise LogFormatError(
            tr(
                "The log has no rows that can be read. Open another file or check which column is "
                "which."
            )
        )
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
    return OpenedLog(log, sample, scale, title, queries, _read_spent(log, progress))


def _read_spent(log: QueryLog, progress: Progress) -> ParameterSelection | None:
    """What the ledger knows of private choices."""
    from auditor.release.ledger.private_choices import PrivateChoices
    from auditor.release.ledger.store import ledger_path

    return PrivateChoices(ledger_path()).update_selection(None, log, progress)


def title_of(paths: Sequence[Path]) -> str:
    """What the header calls a log: the file's name, and how many more there are."""
    if not paths:
        return "log"
    name, more = paths[0].name, len(paths) - 1
    return tr("{name} and {paths} more").format(name=name, paths=more) if more else name


def read_files(
    paths: Sequence[Path], options: Any, progress: Progress, title: str = ""
) -> OpenedLog:
    """Read `paths` as `options` say (or as they look) and prepare the log."""
    from auditor.log.reading.reader import read_log

    log = read_log(list(paths), options, progress=progress)
    return prepare_log(log, title or title_of(paths), progress)


def read_sample(progress: Progress) -> OpenedLog:
    """The log that comes with the program."""
    from auditor.log import gazetteers

    title = mark_for_translation("Sample log")
    return read_files([gazetteers.sample_log()], None, progress, title)
