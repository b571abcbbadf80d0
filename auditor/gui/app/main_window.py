"""The window: docks, dialogs and drops. What they show is the presenter's affair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import (
    QDialog,
    QDockWidget,
    QFileDialog,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from auditor.gui.app import arrangement, menus
from auditor.gui.app.banner import Banner
from auditor.gui.app.header import Header
from auditor.gui.app.presenter import Presenter
from auditor.gui.app.queue_presenter import QueuePresenter
from auditor.gui.app.status_bar import StatusBar
from auditor.gui.app.welcome import WelcomePage
from auditor.gui.compare.panel import ComparePanel
from auditor.gui.compare.queue_panel import QueuePanel
from auditor.gui.compare.runs_panel import RunsPanel
from auditor.gui.compare.tables_panel import TablesPanel
from auditor.gui.help.tour import Tour
from auditor.gui.plots.area import PlotArea
from auditor.gui.projects.window import ProjectWindowActions
from auditor.gui.protect.checks_panel import ChecksPanel
from auditor.gui.protect.explore_panel import ExplorePanel
from auditor.gui.protect.metrics_panel import MetricsPanel
from auditor.gui.protect.params_panel import ParamsPanel
from auditor.gui.protect.statement_panel import StatementPanel
from auditor.gui.release.export_actions import ExportActions
from auditor.gui.risk.session_scope import SessionsPanel, SessionTracer
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.policy_choice import PolicyKeeper
from auditor.gui.widgets import style

LAYOUT = 4
"""Version of the saved layout; another one starts from the default."""

TITLE = "Query Log Privacy Auditor"

Area = Qt.DockWidgetArea


class MainWindow(QMainWindow):
    """See design: parameters left, plots in the middle, runs right, flagged sessions below."""

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
        self.setObjectName("main")
        self.setAcceptDrops(True)
        self.controller = controller
        controller.setParent(self)
        self._dress = dress
        self.paths: list[Path] = []
        """Files that are being read, or were read last, and not for a project."""
        self.policy = PolicyKeeper(self)
        self._default = QByteArray()
        self.header, self.banner, self.welcome = Header(), Banner(), WelcomePage()
        self.params, self.statement, self.values = ParamsPanel(), StatementPanel(), MetricsPanel()
        self.runs, self.compare, self.explore = RunsPanel(), ComparePanel(), ExplorePanel()
        self.plots, self.checks = PlotArea(controller.turns), ChecksPanel()
        self.flagged, self.status, self.queue = SessionsPanel(), StatusBar(), QueuePanel()
        self.tables, self.tour = TablesPanel(), Tour()
        self.docks: dict[str, QDockWidget] = {}
        self._lay_out()
        self.presenter = Presenter(controller, self, self)
        self.line = QueuePresenter(controller, self, self, remember=state is not None)
        self.tracer = SessionTracer(controller, self, self)
        self.projects = ProjectWindowActions(self, state)
        self.flagged.keep_notes(controller.notes)
        plots, explore = self.plots, self.explore
        sources = (
            *(self.compare.plots, self.compare, plots.results.view, plots.curves.view),
            *(plots.pareto, self.tables, explore.map, explore.curves, self.values, self.statement),
        )
        self.handing = ExportActions(self, self.banner, sources)
        self.menus = menus.Menus(self)
        self.welcome.open_wanted.connect(self.ask_for_log)
        self.welcome.tour_wanted.connect(self.show_around)
        self.header.rejects_wanted.connect(self.show_rejects)
        self.status.export_wanted.connect(self.review)
        self.runs.compare.connect(lambda _numbers: self.give_room("compare"))
        controller.log_opened.connect(self._opened)
        controller.log_failed.connect(self._offer_mapping)
        controller.refresh()
        self.welcome.open.setFocus()

    # layout

    def _lay_out(self) -> None:
        top = QToolBar(self.tr("Header"))
        top.setObjectName("header")
        top.setMovable(False)
        top.toggleViewAction().setEnabled(False)
        top.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        top.addWidget(self.header)
        self.addToolBar(top)
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(self.plots)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(style.TIGHT)
        column.addWidget(self.banner)
        column.addWidget(self.tour)
        column.addWidget(self.pages, 1)
        self.setCentralWidget(middle)
        self.statusBar().addWidget(self.status, 1)
        self.statusBar().setSizeGripEnabled(False)
        self.setDockNestingEnabled(True)
        self.setCorner(Qt.Corner.BottomLeftCorner, Area.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Area.BottomDockWidgetArea)
        self._dock("params", self.tr("Parameters"), self.params, Area.LeftDockWidgetArea)
        self._dock("checks", self.tr("Attacks and measures"), self.checks, Area.LeftDockWidgetArea)
        self._dock("statement", self.tr("Statement"), self.statement, Area.LeftDockWidgetArea)
        self._dock("runs", self.tr("Runs"), self.runs, Area.RightDockWidgetArea)
        self._dock("queue", self.tr("Queue"), self.queue, Area.RightDockWidgetArea)
        self._dock("values", self.tr("Figures"), self.values, Area.RightDockWidgetArea)
        self._dock("flagged", self.tr("Flagged sessions"), self.flagged, Area.BottomDockWidgetArea)
        self._dock("tables", self.tr("Tables"), self.tables, Area.BottomDockWidgetArea)
        self._dock("compare", self.tr("Compare"), self.compare, Area.BottomDockWidgetArea)
        self._dock("explore", self.tr("Explore"), self.explore, Area.BottomDockWidgetArea)
        self.show_docks(False)
        self.resize(QSize(1600, 960).boundedTo(self.screen().availableSize()))

    def _dock(self, name: str, title: str, panel: QWidget, area: Area) -> None:
        dock = QDockWidget(title, self)
        dock.setObjectName(name)
        dock.setWidget(arrangement.scrolled(panel) if area == Area.BottomDockWidgetArea else panel)
        dock.setAccessibleName(title)
        self.docks[name] = dock
        if name not in arrangement.STACKED:
            self.addDockWidget(area, dock)

    def arrange(self) -> None:
        """Give the docks the sizes that suit the window as large as it is now."""
        arrangement.arrange(self, self.docks)

    def show_docks(self, visible: bool) -> None:
        """Show or hide the panels around the middle, and those in front of others."""
        behind = arrangement.behind(self)
        for name, dock in self.docks.items():
            dock.setVisible(visible and name not in behind)

    def raise_dock(self, name: str) -> None:
        """Bring a panel to the front."""
        arrangement.bring_forward(self, self.docks[name])

    def give_room(self, name: str) -> None:
        """Bring a panel below to the front, nearly half as high as the window."""
        self.raise_dock(name)
        wanted = round(0.45 * self.height())
        if self.docks[name].height() < wanted:
            self.resizeDocks([self.docks[name]], [wanted], Qt.Orientation.Vertical)

    # the log

    def ask_for_log(self) -> None:
        """Let somebody pick files; returns at once."""
        self._pick(self.tr("Open a query log"), self.open)

    def ask_how(self) -> None:
        """Let somebody pick files and say which column is which."""
        self._pick(self.tr("Open a query log and map its columns"), self.map)

    def _pick(self, title: str, then: Callable[[list[Path]], None]) -> None:
        dialog = QFileDialog(self, title)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: then([Path(name) for name in names]))
        dialog.open()

    def open(self, paths: Sequence[Path]) -> None:
        """Open a project, or read these files as they look."""
        if not self.projects.take(paths):
            self.projects.guard(lambda: self._read(list(paths)))

    def open_sample(self) -> None:
        """Read the log that comes with the program."""
        self.projects.guard(self.controller.open_sample)

    def _read(self, paths: list[Path], options: Any = None) -> None:
        self.paths = paths
        self.controller.open(paths, options)

    def map(self, paths: Sequence[Path]) -> None:
        """Open the wizard that says how to read these files."""
        from auditor.gui.log.open_wizard import OpenWizard

        files = list(paths)
        wizard = OpenWizard(files, self)
        wizard.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def read() -> None:
            options = wizard.options()
            self.projects.guard(lambda: self._read(files, options))

        wizard.accepted.connect(read)
        wizard.open()

    def _offer_mapping(self, why: str, columns: bool) -> None:
        if self.paths and columns:
            paths = list(self.paths)
            self.banner.say("bad", why, self.tr("Set the columns…"), lambda: self.map(paths))

    def show_panels(self) -> None:
        """Have plots in the middle and the panels around them."""
        if self.pages.currentWidget() is self.welcome:
            self.pages.setCurrentWidget(self.plots)
            arrangement.keep_size(self)
            self.welcome.setSizePolicy(arrangement.HUMBLE)  # or the plots had its least height
            self.show_docks(True)
            arrangement.stack(self, self.docks)
            self._default = self.saveState(LAYOUT)
            if not self._restore_layout():
                self.arrange()

    def show_welcome(self) -> None:
        """Have what a new window has."""
        policy = QSizePolicy.Policy.Preferred
        self.welcome.setSizePolicy(policy, policy)
        self.pages.setCurrentWidget(self.welcome)
        self.welcome.show_empty()
        self.show_docks(False)
        self.banner.hide()

    def _opened(self, opened: OpenedLog) -> None:
        self.compare.set_log(opened.log)
        self.show_panels()
        self.projects.show_title()
        assumed = opened.log.origin.assumptions
        if assumed and self.paths:
            paths = list(self.paths)
            said = self.tr("Read on these assumptions: {assumed}.").format(
                assumed="; ".join(assumed)
            )
            self.banner.say("info", said, self.tr("Change…"), lambda: self.map(paths))

    def show_around(self) -> None:
        """Begin the guided tour."""
        self.tour.begin(self)

    def show_rejects(self) -> None:
        """Show the rows that could not be read."""
        from auditor.gui.log.rejected_rows import RejectedRowsView

        if self.controller.opened is not None:
            view: QWidget = RejectedRowsView(self.controller.opened.log.origin)
            self._open_beside(view, self.tr("Rejected rows"))

    def review(self) -> None:
        """Open review & export for the run that is shown."""
        record, opened = self.controller.current, self.controller.opened
        if record is None or record.result is None or opened is None:
            return
        from auditor.gui.release.review_dialog import ReviewDialog

        dialog = ReviewDialog(
            record.result, opened.log, self, self.policy, self.controller.notes.all()
        )
        dialog.exported.connect(self.exported)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def ask_why(self) -> None:
        """Explain why a query is kept or dropped in the run that is shown; takes what is picked."""
        record, opened = self.controller.current, self.controller.opened
        if record is None or record.release is None or opened is None:
            self.banner.say("info", self.tr("Run a method first: queries are explained in a run."))
            return
        from auditor.gui.protect.why_dialog import WhyDialog, picked

        text = picked(self.focusWidget())
        dialog = WhyDialog(opened.log, record.release, record.title, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()
        if text:
            dialog.ask(text)

    def edit_policy(self) -> None:
        """Open the policy that runs are judged by, with what the run that is shown comes to."""
        from auditor.gui.release.policy_editor import PolicyEditor

        record, opened = self.controller.current, self.controller.opened
        shown = None
        if record is not None and record.result is not None and opened is not None:
            shown = record.result, opened.log
        editor = PolicyEditor(self.policy, shown, self)
        editor.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        editor.open()

    def show_ledger(self) -> None:
        """Show what was approved so far, the open log first."""
        from auditor.gui.release.ledger_view import LedgerView

        log = self.controller.opened
        view = LedgerView(log.log.digest if log is not None else "", self)
        view.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        view.open()

    def show_help(self) -> None:
        """Open the offline help."""
        from auditor.gui.help.view import HelpView

        self._open_beside(HelpView(), self.tr("Help"))

    def _open_beside(self, view: QWidget, title: str) -> None:
        """Show a view in a window of its own that doesn't block this one."""
        if isinstance(view, QDialog):
            view.setParent(self, Qt.WindowType.Dialog)
            dialog = view
        else:
            dialog = QDialog(self)
            column = QVBoxLayout(dialog)
            column.setContentsMargins(0, 0, 0, 0)
            column.addWidget(view)
        dialog.setWindowTitle(title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.resize(min(1060, self.width()), min(700, self.height()))
        dialog.show()

    def set_theme(self, choice: style.Choice) -> None:
        """Dress the application as a menu entry says, now and next time."""
        QSettings().setValue("theme", choice)
        if self._dress is not None:
            self._dress(choice)

    # drops, closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.welcome.show_over(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Forget them."""
        self.welcome.show_over(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Read them."""
        self.welcome.show_over(False)
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.open(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the layout, stop everything, wait for nothing; unless something would be lost."""
        if not self.projects.may_close():
            event.ignore()
            return
        settings = QSettings()
        settings.setValue("geometry", self.saveGeometry())
        if self.pages.currentWidget() is self.plots:
            settings.setValue("layout", self.saveState(LAYOUT))
        self.controller.close()
        super().closeEvent(event)

    def restore_geometry(self) -> None:
        """Stand where the window stood last time."""
        kept = QSettings().value("geometry")
        if isinstance(kept, QByteArray):
            self.restoreGeometry(kept)

    def _restore_layout(self) -> bool:
        kept = QSettings().value("layout")
        return isinstance(kept, QByteArray) and self.restoreState(kept, LAYOUT)

    def reset_layout(self) -> None:
        """Put the panels back where they belong."""
        QSettings().remove("layout")
        if self.pages.currentWidget() is self.plots:
            self.restoreState(self._default, LAYOUT)
            self.arrange()
