"""The window: header, verdict, a rail with five workspaces, and a line that says what runs."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QSize, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QMainWindow, QStackedWidget, QWidget

from auditor.engine.run import Run
from auditor.gui.app import menus
from auditor.gui.app.menus import WindowCommands
from auditor.gui.app.navigation import (
    NAMES,
    Banner,
    Header,
    NavigationRail,
    QueuePanel,
    StatusBar,
    VerdictStrip,
    WelcomePage,
    describe_approval,
    describe_judged,
)
from auditor.gui.app.translation import translate_text
from auditor.gui.compare.page import ComparePage
from auditor.gui.help.tour import Tour
from auditor.gui.log.page import LogPage
from auditor.gui.projects.window import ProjectWindowActions
from auditor.gui.protect.page import ProtectPage
from auditor.gui.release.export_actions import ExportActions
from auditor.gui.release.page import ReleasePage
from auditor.gui.risk.page import RiskPage
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.verdicts import PolicyKeeper, VerdictKeeper
from auditor.gui.suggest.page import SuggestPage
from auditor.gui.widgets import formats, style
from auditor.params import Params

TITLE = "Query Log Privacy Auditor"
FIRST = "log"
"""The workspace that a log opens in."""


class MainWindow(QMainWindow):
    """See design, "The window"."""

    exported = Signal(Path)
    """A release was written to this folder."""

    def __init__(
        self,
        controller: Controller,
        dress: Callable[[style.Choice], None] | None = None,
        state: Path | None = None,
    ) -> None:
        super().__init__()
        self.title = TITLE
        self.setWindowTitle(TITLE)
        self.setAcceptDrops(True)
        self.controller = controller
        controller.setParent(self)
        self._dress = dress
        self._begun: tuple[str, Params] | None = None
        """Method and parameters at which a log was opened: as long as they stand nobody chose."""
        self._tuning = False
        """Whether somebody went to the sliders since."""
        self.policy = PolicyKeeper(self)
        self.verdicts = VerdictKeeper(controller, self.policy, self)
        self.header, self.banner, self.welcome = Header(), Banner(), WelcomePage()
        self.strip, self.rail, self.status = VerdictStrip(), NavigationRail(), StatusBar()
        self.log = LogPage(controller)
        self.protect = ProtectPage(controller, self.verdicts, self.policy)
        self.risk = RiskPage(controller)
        self.compare = ComparePage(controller, self.verdicts)
        self.release = ReleasePage(controller, self.policy, self.verdicts)
        self.suggestions = SuggestPage(controller, self.policy)
        self.workspaces: dict[str, QWidget] = dict(
            zip(NAMES, (self.log, self.protect, self.risk, self.compare, self.release), strict=True)
        )
        self.queue = QueuePanel(controller, self.status, remember=state is not None)
        self.tour = Tour()
        self._lay_out()
        self.commands = WindowCommands(self)
        self.projects = ProjectWindowActions(self, state)
        protect, compare = self.protect, self.compare
        sources = (
            *(compare.compare.plots, compare.compare, protect.plots.results.view),
            *(protect.plots.curves.view, compare.pareto, compare.tables, compare.explore.map),
            *(compare.explore.curves, protect.values, protect.statement, *self.log.plots),
        )
        self.handing = ExportActions(self, self.banner, sources)
        self.menus = menus.Menus(self)
        self.menus.offer_workspaces(False)
        self._connect_signals()
        controller.refresh()
        self.welcome.open.setFocus()

    # layout

    def _lay_out(self) -> None:
        self.pages = QStackedWidget()
        for page in (self.welcome, *self.workspaces.values()):
            self.pages.addWidget(page)
        self.protect.addWidget(self.suggestions)
        row = style.row(None, [self.rail, (self.pages, 1)], spacing=0)
        # a message comes below: nothing moves under a hand
        parts: list[style.Part] = [self.header, self.strip, self.tour, (row, 1), self.banner]
        self.setCentralWidget(style.filled(style.column(None, parts, spacing=0)))
        queue_window = QDialog(self)
        queue_window.resize(560, 320)
        style.column(queue_window, [self.queue], margins=None)
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.rail.set_available(False)
        room = self.screen().availableSize() - QSize(0, 2 * self.fontMetrics().height())
        self.resize(QSize(1600, 960).boundedTo(room))

    def _connect_signals(self) -> None:
        c, commands = self.controller, self.commands
        self.rail.chosen.connect(self.show_workspace)
        welcome, strip, log, suggestions = self.welcome, self.strip, self.log, self.suggestions
        clicks: dict[QAbstractButton, Callable[[], object]] = {
            self.header.run: c.run,
            self.header.cancel: self.cancel_current_work,
            welcome.open: commands.ask_for_log,
            welcome.sample: c.open_sample,
            welcome.cancel: c.reader.cancel,
            welcome.tour: partial(self.tour.begin, self),
            strip.review: self.review_run,
            strip.suggest: self.show_suggestions,
            strip.people: partial(self.show_workspace, "risk"),
            suggestions.by_hand: self.tune_by_hand,
            self.status.queue: commands.show_queue,
            log.change: commands.change_columns,
            log.rejected: commands.show_rejects,
        }
        for button, do in clicks.items():
            button.clicked.connect(lambda _on=False, do=do: do())
        suggestions.adopted.connect(self.tune_by_hand)
        suggestions.progress_changed.connect(self._show_search)
        suggestions.size_known.connect(log.show_size)
        c.explorer.started.connect(lambda sweep: self._show_grid([], sweep.cell_count))
        c.explorer.cells_changed.connect(self._show_grid)
        c.explorer.ended.connect(lambda _why: self._show_grid([], 0))
        log.content_found.connect(self.risk.show_log_findings)
        log.content_found.connect(self._show_findings)
        log.estimated.connect(self._show_verdict)
        self.risk.page_requested.connect(lambda: self.show_workspace("risk"))
        self.release.exported.connect(self._announce_export)
        self.release.policy_wanted.connect(commands.edit_policy)
        self.release.ledger_wanted.connect(commands.show_ledger)
        self.release.protect_wanted.connect(lambda: self.show_workspace("protect"))
        compare, protect = self.compare, self.protect
        compare.tables.whose.connect(self.risk.trace_count)
        protect.values.trace_requested.connect(self.risk.trace_count)
        protect.plots.results.view.trace_requested.connect(self.risk.trace_count)
        compare.compare.plots.whose.connect(self.risk.trace_of)
        self.verdicts.changed.connect(self._show_verdict)
        c.intents.changed.connect(lambda _intent: self._show_method())
        c.preview_failed.connect(commands.say_wrong)
        c.known.failed.connect(lambda _kind, reason: commands.say_wrong(reason))
        c.log_opened.connect(self._show_opened_log)
        c.log_closed.connect(self._show_no_log)
        c.carried.connect(lambda *carried: self.banner.say_carried(c, *carried))
        c.runs_changed.connect(self._runs_changed)
        c.run_changed.connect(self._run_changed)
        c.current_changed.connect(lambda _record: self._show_verdict())
        c.reader.opening.connect(self._show_opening)
        c.reader.progressed.connect(self._show_reading_progress)
        c.reader.failed.connect(commands.say_unread)
        cancelled = self.tr("Reading was cancelled")
        c.reader.cancelled.connect(lambda: self.show_idle(cancelled))

    # workspaces

    @property
    def workspace(self) -> str:
        """The workspace that is shown; empty while there is nothing to show in any."""
        current = self.pages.currentWidget()
        return next((name for name, page in self.workspaces.items() if page is current), "")

    def show_workspace(self, name: str) -> None:
        """Show a workspace; Protect begins with finding a release until a method is chosen."""
        if name == "protect" and self.untouched and not self._tuning:
            self.protect.setCurrentWidget(self.suggestions)
        self.pages.setCurrentWidget(self.workspaces[name])
        self.rail.show_chosen(name)
        if name == "risk":
            self.risk.start_triage()  # J, K and D act at once

    def show_pages(self) -> None:
        """There is a log, or there are runs to look at: leave the welcome."""
        self.rail.set_available(True)
        self.menus.offer_workspaces(True)
        if not self.workspace:
            self.show_workspace(FIRST)

    def show_welcome(self) -> None:
        self.rail.set_available(False)
        self.menus.offer_workspaces(False)
        self.pages.setCurrentWidget(self.welcome)
        self.welcome.show_empty()
        self.banner.hide()

    def review_run(self) -> None:
        if self.pages.currentWidget() is not self.welcome:
            self.show_workspace("release")

    def review_folder(self) -> None:
        """Review a release that was exported before, and sign it."""
        self.show_pages()
        self.show_workspace("release")
        self.release.review_folder()

    def show_suggestions(self) -> None:
        """Show the search for the most useful release that passes."""
        if self.controller.opened is not None:
            self.show_workspace("protect")
            self.protect.setCurrentWidget(self.suggestions)
            self.suggestions.start_by_itself()
            self.suggestions.take_focus()

    def _show_method(self) -> None:
        has_method = self._tuning or not self.untouched
        title = self.controller.method.title if has_method and self.controller.opened else ""
        self.header.show_method(translate_text(title))

    def tune_by_hand(self) -> None:
        self._tuning = True
        self._show_method()
        self.protect.setCurrentIndex(0)
        self.show_workspace("protect")

    @property
    def untouched(self) -> bool:
        """Whether a log is open of which nobody chose or ran anything."""
        c = self.controller
        began = self._begun == (c.intent.method, c.intent.params)
        return c.opened is not None and c.shown_run is None and began

    def _show_findings(self, _found: object) -> None:
        """The log was looked through: say so, and use the idle machine to find a release."""
        self._show_verdict()
        if self.untouched and not len(self.controller.runs):
            self.suggestions.start_by_itself()

    def _show_search(self, text: str, share: float | None) -> None:
        """Show the progress of a search below every page, unless a run is in progress."""
        if self.controller.running is None:
            if text:
                self.status.show_progress(text, share, None)
            else:
                ended = self.suggestions.status.text()  # or forgotten
                self.status.show_idle(self.suggestions.title.text() if ended else self.tr("Ready"))

    def _show_grid(self, cells: Sequence[object], cell_count: int) -> None:
        """Say below every page how far a grid is, unless a run is on its way; 0 when it ended."""
        if self.controller.running is None and cell_count:
            done, total = map(formats.format_count, (len(cells), cell_count))
            text = self.tr("Exploring: {cells} of {total} cells").format(cells=done, total=total)
            self.status.show_progress(text, len(cells) / cell_count, None)
        elif self.controller.running is None:
            self.status.show_idle(self.tr("Ready"))

    def cancel_current_work(self) -> None:
        """Cancel the export, the run, or else the reading."""
        panel = self.release.panel
        if panel is not None and panel.busy:
            panel.cancel()
        elif self.controller.running is not None:
            self.controller.cancel_run()
        else:
            self.controller.reader.cancel()

    # the verdict

    def _show_verdict(self) -> None:
        c = self.controller
        c.turns.run_later(self._say_verdict)
        self.strip.suggest.setEnabled(c.opened is not None)
        self.strip.review.setEnabled(c.current is not None and c.current.state == "finished")

    def _say_verdict(self) -> None:
        c = self.controller
        self._show_method()
        if c.opened is not None and self.untouched and (self.log.content or self.log.busy):
            content = self.log.content
            findings = None if content is None else content.findings  # an empty list is an answer
            people = None if findings is None else findings.people
            at_risk = None if people is None else int((people.risk >= people.least).sum())
            below = 0 if people is None else len(people) - (at_risk or 0)
            users, estimate = len(c.opened.log.users), self.log.estimate
            self.strip.show_log(users, at_risk, below, estimate, queries=c.opened.queries)
        else:
            subject = describe_judged(c, self.verdicts)
            idle = c.shown_run is None and c.opened is None
            self.strip.show_verdict(self.verdicts.current, subject, idle)
        self.release.show_approval(describe_approval(c, self.verdicts))

    # the log

    def _show_opening(self, title: str) -> None:
        self.banner.hide()
        self.welcome.show_reading(title)
        self.status.show_busy(self.tr("Reading {title}").format(title=title))
        self.header.cancel.setVisible(self.pages.currentWidget() is not self.welcome)

    def _show_reading_progress(self, stage: str, done: int, total: int) -> None:
        share = min(1.0, done / total) if total else None
        text = translate_text(stage)
        self.welcome.show_progress(text, share)
        self.status.show_progress(text, share, None)

    def show_idle(self, text: str = "") -> None:
        """Nothing is being read any more; `text` says why."""
        self.welcome.show_empty()
        self.header.cancel.setVisible(False)
        self.status.show_idle(text or self.tr("Ready"))

    def _show_opened_log(self, opened: OpenedLog) -> None:
        intent = self.controller.intent
        self._begun, self._tuning = (intent.method, intent.params), False
        self.header.show_log(opened)
        self.header.cancel.setVisible(False)
        self.banner.hide()
        self.status.show_idle(self.tr("{title} is open").format(title=translate_text(opened.title)))
        self.show_pages()
        self.show_workspace(FIRST)
        self.projects.show_title()

    def _show_no_log(self) -> None:
        self.header.show_log(None)
        self.header.cancel.setVisible(False)
        self.status.show_idle(self.tr("No log is open"))
        self.banner.hide()
        self._show_verdict()

    # runs

    def _runs_changed(self) -> None:
        self.header.cancel.setVisible(self.controller.running is not None)
        self._show_verdict()

    def _run_changed(self, record: Run) -> None:
        self._runs_changed()
        if record.state == "running" and record.statement is None:
            self.banner.hide()
            if self.protect.currentWidget() is self.suggestions:
                self.protect.setCurrentIndex(0)
        elif record.state in ("failed", "cancelled"):
            self.commands.say_ended(record)

    def _announce_export(self, number: int, folder: Path) -> None:
        self.verdicts.note_export(number, folder)
        self.suggestions.forget_results()
        self.exported.emit(folder)

    def open(self, paths: Sequence[Path]) -> None:
        """Open a project, or read these files as they look."""
        self.commands.open(paths)

    def set_theme(self, choice: style.Choice) -> None:
        """Dress the application as a menu entry says, now and next time."""
        QSettings().setValue("theme", choice)
        if self._dress is not None:
            self._dress(choice)

    # drops, closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.welcome.show_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.welcome.show_over(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.welcome.show_over(False)
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.open(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop everything, wait for nothing; unless something would be lost."""
        if not self.projects.may_close():
            event.ignore()
            return
        QSettings().setValue("geometry", self.saveGeometry())
        self.controller.close()
        super().closeEvent(event)

    def restore_geometry(self) -> None:
        geometry = QSettings().value("geometry")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
