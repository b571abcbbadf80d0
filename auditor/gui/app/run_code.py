"""The run that the window shows, as Python: to the clipboard, or as a notebook."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from auditor.engine.plan import Plan, export_notebook, resolve_intent
from auditor.errors import AuditorError
from auditor.gui.app.navigation import Tone
from auditor.gui.state.controller import Controller
from auditor.gui.widgets.dialogs import ask_where_to_save
from auditor.messages import error_message

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

        message = self.tr(
            "The plan is on the clipboard: auditor audit --plan FILE makes the run again."
        )
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
