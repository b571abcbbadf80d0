"""What a menu or a button of the window does that opens something, or gives a run as code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from auditor.engine.plan import Plan, export_notebook, resolve_intent
from auditor.engine.run import Run
from auditor.errors import AuditorError
from auditor.gui.app.navigation import Tone
from auditor.gui.app.translation import say, translate_text
from auditor.gui.state.controller import Controller
from auditor.gui.widgets import style
from auditor.gui.widgets.dialogs import Mode, ask_for_files, ask_where_to_save
from auditor.messages import error_message


class WindowCommands(QObject):
    """Opens what a window opens; nothing of it blocks the window."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self.window = window
        self.paths: list[Path] = []
        """Files that are being read, or were read last, and not for a project."""

    # the log

    def ask_for_log(self) -> None:
        self._pick_files(self.tr("Open a query log"), self.open)

    def ask_how(self) -> None:
        """Let somebody pick files and say which column is which."""
        self._pick_files(self.tr("Open a query log and map its columns"), self.map_columns)

    def _pick_files(self, title: str, then: Callable[[list[Path]], None]) -> None:
        ask_for_files(self.window, title, then, mode=Mode.ExistingFiles)

    def open(self, paths: Sequence[Path]) -> None:
        """Open a project, or read these files as they look."""
        if not self.window.projects.open_if_project(paths):
            self.window.projects.guard_unsaved_changes(lambda: self._read_files(list(paths)))

    def open_sample(self) -> None:
        self.window.projects.guard_unsaved_changes(self.window.controller.open_sample)

    def _read_files(self, paths: list[Path], options: Any = None) -> None:
        self.paths = paths
        self.window.controller.open_log(paths, options)

    def map_columns(self, paths: Sequence[Path], presets: Any = None) -> None:
        """Open the wizard that says how to read these files; `presets` are options said before."""
        from auditor.gui.log.open_wizard import OpenWizard

        files = list(paths)
        wizard = OpenWizard(files, self.window, presets)
        wizard.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def read_mapped_files() -> None:
            options = wizard.collect_options()
            self.window.projects.guard_unsaved_changes(lambda: self._read_files(files, options))

        wizard.accepted.connect(read_mapped_files)
        wizard.open()

    def change_columns(self) -> None:
        """Say anew which column is which, of the log that is open."""
        opened = self.window.controller.opened
        files = list(opened.log.origin.files) if opened is not None else []
        if self.paths or files:
            presets = self.window.controller.options if opened is not None else None
            self.map_columns(self.paths or files, presets)
        else:
            self.ask_how()

    def say_unread(self, why: str, columns: bool) -> None:
        """Say why a log could not be read, and offer the wizard where that may help."""
        if self.paths and columns:
            map_columns = partial(self.map_columns, list(self.paths))
            self.window.banner.show_message("bad", why, self.tr("Set the columns…"), map_columns)
        else:
            self.say_wrong(why)

    def show_rejects(self) -> None:
        from auditor.gui.log.page import RejectedRowsView

        if self.window.controller.opened is not None:
            view: QWidget = RejectedRowsView(self.window.controller.opened.log.origin)
            self.open_beside(view, self.tr("Rejected rows"))

    # runs

    def say_ended(self, record: Run) -> None:
        """Say that a run failed or was cancelled, and offer it again."""
        name = self.tr("Run {letter}").format(letter=record.letter)

        def run_again() -> None:
            self.window.controller.intents.adopt_plan(record.plan)
            self.window.controller.run()

        failed, text = False, self.tr("{name} was cancelled. Nothing of it was kept.")
        if record.state == "failed":
            failed, text = True, self.tr("{name} failed. {message}")
        text = text.format(name=name, message=translate_text(record.message))
        again = self.tr("Try again") if failed else self.tr("Run again")
        self.window.banner.show_message("bad" if failed else "info", text, again, run_again)

    def show_queue(self) -> None:
        dialog = self.window.queue.window()
        dialog.setWindowTitle(self.tr("Queue"))
        dialog.show()

    def ask_why(self) -> None:
        """Explain why a query is kept or dropped in the run that is shown; takes what is picked."""
        controller = self.window.controller
        record, opened = controller.current, controller.opened
        if record is None or record.anonymized is None or opened is None:
            message = self.tr("Run a method first: queries are explained in a run.")
            self.window.banner.show_message("info", message)
            return
        from auditor.gui.protect.why_dialog import WhyDialog, selected_text

        text = selected_text(self.window.focusWidget())
        dialog = WhyDialog(opened.log, record.anonymized, record.title, self.window)
        self._show(dialog)
        if text:
            dialog.explain_query(text)

    def edit_policy(self) -> None:
        """Open the policy that runs are judged by, with what the run that is shown comes to."""
        from auditor.gui.release.policy_editor import PolicyEditor

        record, opened = self.window.controller.current, self.window.controller.opened
        run, exported = None, None
        if record is not None and record.complete and opened is not None:
            run = record.copy(), opened.log
            exported = self.window.verdicts.find_export(record.number)
        self._show(PolicyEditor(self.window.policy, run, self.window, exported=exported))

    def show_ledger(self) -> None:
        """Show what was approved so far, the open log first."""
        from auditor.gui.release.ledger_view import LedgerView

        log = self.window.controller.opened
        self._show(LedgerView(log.log.digest if log is not None else "", self.window))

    # help, messages

    def show_help(self, key: str = "") -> None:
        """Open the offline help at a page, or at what has the focus."""
        from auditor.gui.help.view import HelpView, page_for

        focus, workspace = self.window.focusWidget(), self.window.workspace
        page, anchor = (key, "") if key else page_for(focus, workspace)
        self.open_beside(HelpView(page, anchor), self.tr("Help"))

    def open_beside(self, view: QWidget, title: str) -> None:
        """Show a view in a window of its own that doesn't block this one."""
        if isinstance(view, QDialog):
            view.setParent(self.window, Qt.WindowType.Dialog)
            dialog = view
        else:
            dialog = QDialog(self.window)
            style.column(dialog, [view])
        dialog.setWindowTitle(title)
        dialog.resize(min(1060, self.window.width()), min(700, self.window.height()))
        self._show(dialog)

    def _show(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def say_wrong(self, why: str) -> None:
        self.window.banner.show_message("bad", translate_text(why))


ENDING = ".ipynb"


class RunCode(QObject):
    """Gives a run, or the configuration as it is, away as code that makes it again."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self._window = window

    def copy_code(self) -> None:
        message = self.tr("The code that makes this run again is on the clipboard.")
        self._copy(Plan.as_python, message)

    def copy_plan(self) -> None:
        """Put the file that the command line takes on the clipboard."""
        from auditor.release.policy.policy import bundled_files
        from auditor.release.policy.schema import bundled_text

        message = say("plan copied")
        text = self._window.policy.text
        bundled = {bundled_text(name): name for name in bundled_files()}
        if text and text not in bundled:
            message += " " + self.tr("Your policy is no file yet: save it, and say --policy FILE.")
        self._copy(partial(Plan.as_toml, policy=bundled.get(text, "")), message)

    def _copy(self, write: Callable[..., str], message: str) -> None:
        plan = self._resolve_plan()
        if plan is not None:
            text = write(plan, self._list_files(), options=self._window.controller.options)
            QGuiApplication.clipboard().setText(text)
            self._window.banner.show_message("info", message)

    def ask_for_notebook(self) -> None:
        """Let somebody name the notebook's file; returns at once."""
        if self._resolve_plan() is None:
            return
        ask_where_to_save(
            self._window,
            self.tr("Export this run as a notebook"),
            self.write_notebook,
            [self.tr("Notebooks (*.ipynb)")],
            ENDING[1:],
            replace=False,
        )

    def write_notebook(self, file: Path) -> None:
        """Write it to a new file; an existing one stays as it is."""
        plan = self._resolve_plan()
        if plan is None:
            return
        tone: Tone = "bad"
        try:
            export_notebook(plan, file, self._list_files(), options=self._window.controller.options)
        except FileExistsError:
            text = self.tr("“{file}” stands there already. Name another file.")
            text = text.format(file=file.name)
        except OSError as error:
            text = self.tr("The notebook can't be written: {reason}.").format(reason=error.strerror)
        else:
            tone, text = "info", self.tr("The notebook is written: {file}.").format(file=file.name)
        self._window.banner.show_message(tone, text)

    def _resolve_plan(self) -> Plan | None:
        """The plan of the run that is shown, or of the configuration; None is said in words."""
        controller: Controller = self._window.controller
        if controller.shown_run is not None:
            return controller.shown_run.plan
        if controller.opened is None:
            self._window.banner.show_message("info", self.tr("Open a log first."))
            return None
        try:
            digests = controller.known.now.digests
            return resolve_intent(controller.intent, controller.opened.log, digests)
        except AuditorError as error:
            self._window.banner.show_message("bad", error_message(error))
            return None

    def _list_files(self) -> list[str]:
        opened = self._window.controller.opened
        return [] if opened is None else [str(path) for path in opened.log.origin.files]
