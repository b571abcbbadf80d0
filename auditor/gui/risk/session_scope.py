"""The flagged sessions, or those behind one count: what is listed is said above the list."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from auditor.attacks.base import FlaggedFindings
from auditor.figures import UserReference
from auditor.gui.compare.panel import ComparePanel
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.plots.area import PlotArea
from auditor.gui.protect.metrics_panel import MetricsPanel
from auditor.gui.risk import session_trace
from auditor.gui.risk.panel import FlaggedPanel
from auditor.gui.risk.session_trace import TracedSessions
from auditor.gui.state.controller import Controller
from auditor.gui.state.worker import BackgroundJob
from auditor.gui.widgets import safe_text, style
from auditor.log.model import QueryLog
from auditor.privacy.release import Anonymized
from auditor.project.model import RunRecord

Whole = tuple[QueryLog, FlaggedFindings, Anonymized | None]


class ScopeBar(QFrame):
    """Says that only the sessions behind a count are listed; a button lists all again."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("banner", "info")
        self.said = style.label(wrap=True)
        self.said.setAccessibleName(self.tr("Which sessions are listed"))
        self.leave = QPushButton(self.tr("All flagged sessions"))
        self.leave.clicked.connect(self.left)
        row = QHBoxLayout(self)
        row.setContentsMargins(style.NORMAL, style.TIGHT, style.NORMAL, style.TIGHT)
        row.addWidget(self.said, 1)
        row.addWidget(self.leave)
        self.hide()

    def say(self, text: str) -> None:
        """Show what is listed."""
        self.said.setText(text)
        self.show()


class SessionsPanel(FlaggedPanel):
    """The flagged sessions of a run; for a while, those behind one count."""

    bar: ScopeBar | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole: Whole | None = None
        self.bar = ScopeBar()
        self.bar.left.connect(self.show_all)
        column = self._list.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, self.bar)

    def set_log(self, log: QueryLog | None) -> None:
        """Another log (or none): forget what was listed."""
        self._leave(None)
        super().set_log(log)

    def set_state(self, text: str) -> None:
        """Say something in place of the list."""
        self._leave(None)
        super().set_state(text)

    def show_findings(
        self, log: QueryLog, findings: FlaggedFindings, release: Anonymized | None = None
    ) -> None:
        """List what an attack flagged."""
        self._leave((log, findings, release))
        super().show_findings(log, findings, release)

    def show_behind(
        self, log: QueryLog, findings: FlaggedFindings, release: Anonymized | None, said: str
    ) -> None:
        """List the sessions behind a count until `show_all`, or until other findings come."""
        super().show_findings(log, findings, release)
        self.say(said)

    def say(self, text: str) -> None:
        """Say which sessions are listed."""
        if self.bar is not None:
            self.bar.say(text)

    def show_all(self) -> None:
        """List all that the attack flagged again."""
        if self._whole is not None:
            self.show_findings(*self._whole)
        else:
            self.set_state("")

    def _leave(self, whole: Whole | None) -> None:
        if self.bar is not None:
            self._whole = whole
            self.bar.hide()


class ScopeSummary(Protocol):
    """The parts of a window in which counts stand, and where sessions are listed."""

    tables: TablesPanel
    values: MetricsPanel
    plots: PlotArea
    compare: ComparePanel
    flagged: SessionsPanel

    def raise_dock(self, name: str) -> None: ...


class SessionTracer(QObject):
    """Hears of counts that somebody asks the people of, and lists their sessions."""

    def __init__(self, controller: Controller, shown: ScopeSummary, parent: QObject) -> None:
        super().__init__(parent)
        self._controller, self._shown = controller, shown
        self._job: BackgroundJob | None = None
        shown.tables.whose.connect(self.trace)
        shown.values.asked.connect(self.trace)
        shown.plots.results.view.plot.whose.connect(self.trace)
        shown.compare.plots.whose.connect(self._trace_of)
        controller.current_changed.connect(lambda _record: self._drop())

    def trace(self, who: UserReference, line: int, told: str) -> None:
        """List the sessions behind a count of the run that is shown."""
        if self._controller.current is not None:
            self._look_up(self._controller.current, who, line, told)

    def _trace_of(self, number: int, who: UserReference, line: int, told: str) -> None:
        record = self._controller.runs.get(number)
        if record is not None:
            self._controller.show_run(number)
            self._look_up(record, who, line, told)

    def _look_up(self, record: RunRecord, who: UserReference, line: int, told: str) -> None:
        opened = self._controller.opened
        if opened is None:
            return
        self._drop()
        log, release = opened.log, record.release
        attack = session_trace.owner(record, who)

        def work(progress: Any, _tell: Any) -> TracedSessions:
            return session_trace.traced(log, release, attack, who, line, progress)

        def done(found: TracedSessions) -> None:
            self._job = None
            self._show(record, found, told)

        job = self._job = BackgroundJob("sessions behind a count", work)
        job.done.connect(done)
        job.failed.connect(self._say)
        job.start()
        self._say(self.tr("Looking for the sessions behind “{}”…").format(told))
        self._shown.raise_dock("flagged")

    def _show(self, record: RunRecord, found: TracedSessions, told: str) -> None:
        opened = self._controller.opened
        if opened is None:
            return
        if not len(found):
            self._say(self.tr("Nobody is behind “{}”.").format(told))
            return
        said = self.tr("Behind “{count}” of run {run}: {sessions} of {users}.").format(
            count=told,
            run=record.letter,
            sessions=safe_text.counted(len(found), self.tr("session"), self.tr("sessions")),
            users=safe_text.counted(found.users, self.tr("user"), self.tr("users")),
        )
        self._shown.flagged.show_behind(opened.log, found.findings, record.release, said)

    def _say(self, text: str) -> None:
        self._shown.flagged.say(text)

    def _drop(self) -> None:
        if self._job is not None:
            self._job.drop()
            self._job = None
