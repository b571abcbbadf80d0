"""What the window does with projects: the menu's commands, questions, the title, drops.

No question blocks: each is a dialog that opens, and what follows hangs on its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QDir, QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox

from auditor.gui.app.banner import Banner
from auditor.gui.app.commands import WindowCommands
from auditor.gui.app.header import Header
from auditor.gui.app.navigation import NAMES
from auditor.gui.app.status_bar import StatusBar
from auditor.gui.projects import dialogs
from auditor.gui.projects.keeper import PendingSave, ProjectKeeper
from auditor.gui.projects.recent_files import RecentEntry, RecentFiles
from auditor.gui.projects.recovery_saver import RecoverySaver
from auditor.gui.state.controller import Controller
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.state.policy_choice import PolicyKeeper
from auditor.gui.widgets import safe_text
from auditor.project.file import SUFFIX, is_project
from auditor.project.model import LogFacts


class ProjectHost(Protocol):
    """The parts of a window that its project needs."""

    title: str
    controller: Controller
    commands: WindowCommands
    banner: Banner
    header: Header
    status: StatusBar
    policy: PolicyKeeper

    @property
    def workspace(self) -> str: ...
    def show_pages(self) -> None: ...
    def show_welcome(self) -> None: ...
    def show_workspace(self, name: str) -> None: ...
    def show_idle(self) -> None: ...


class ProjectWindowActions(QObject):
    """The window's side of its project. It asks only where somebody can answer."""

    def __init__(self, window: Any, state: Path | None) -> None:
        super().__init__(window)
        self.window: ProjectHost = window
        self.widget: QMainWindow = window
        self.asking = False
        self._leaving = False
        self.recent = RecentFiles(state, self)
        self.keeper = ProjectKeeper(
            window.controller, self.recent, window.policy, self._describe_layout
        )
        self.saver = RecoverySaver(self.keeper, state, self)
        k = self.keeper
        k.changed.connect(self.show_title)
        k.saved.connect(self._show_saved)
        k.failed.connect(lambda why: window.banner.show_message("bad", why))
        k.restored.connect(self._show_restored)
        k.log_wanted.connect(self._ask_for_log)
        k.other_log.connect(self._other_log)
        self.saver.failed.connect(lambda why: window.banner.show_message("bad", why))
        window.controller.log_opened.connect(self._log_opened)

    # the title

    def show_title(self) -> None:
        """Names of files alone: nothing that somebody searched for."""
        keeper, opened = self.keeper, self.window.controller.opened
        names = [keeper.path.name] if keeper.path is not None else []
        if opened is not None:
            names.append(opened.title)
        elif keeper.facts is not None:
            names.append(self._not_open(keeper.facts))
        parts = [safe_text.shorten_text(name, 80) for name in names] + [self.window.title]
        sign = "\u25cf " if keeper.modified and names else ""
        self.widget.setWindowTitle(sign + " \u2013 ".join(parts))

    def _not_open(self, facts: LogFacts) -> str:
        return self.tr("{log} (not open)").format(log=safe_text.shorten_text(facts.title, 80))

    def _describe_layout(self) -> dict[str, object]:
        return {"workspace": self.window.workspace} if self.window.workspace else {}

    # commands

    def guard_unsaved_changes(self, then: Callable[[], object]) -> None:
        """Do something that would lose what is not saved, once that is settled."""
        if not (self.asking and self.keeper.modified):
            then()
            return
        name = self.keeper.path.name if self.keeper.path else self.tr("this project")
        dialogs.ask_before_losing(
            self.widget, safe_text.shorten_text(name, 80), lambda: self.save(then), lambda: then()
        )

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save where it was saved before, or ask where."""
        if self.keeper.path is None:
            self.save_as(then)
        elif self.keeper.worth_saving:
            path = self.keeper.path

            def write_to_path(*, replace: bool = True) -> None:
                self.keeper.save(path, lambda: then() if then else None, replace=replace)

            if self.keeper.overtaken:
                name = safe_text.shorten_text(path.name, 80)
                dialogs.ask_overtaken(self.widget, name, lambda: self.save_as(then), write_to_path)
            else:
                write_to_path(replace=False)

    def save_as(self, then: Callable[[], object] | None = None) -> None:
        """Ask where to save."""
        if not self.keeper.worth_saving:
            return
        dialog = QFileDialog(self.widget, self.tr("Save the project"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("Projects") + f" (*{SUFFIX})")
        dialog.setDefaultSuffix(SUFFIX[1:])
        at = self.keeper.path
        dialog.setDirectory(str(at.parent) if at else QDir.homePath())
        dialog.selectFile(at.name if at else self.tr("project") + SUFFIX)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(
            lambda name: self.keeper.save(Path(name), lambda: then() if then else None)
        )
        dialog.open()

    def ask_open(self) -> None:
        """Let somebody pick a project."""
        dialog = QFileDialog(self.widget, self.tr("Open a project"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(
            [self.tr("Projects") + f" (*{SUFFIX})", self.tr("All files") + " (*)"]
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: self.open(Path(name)))
        dialog.open()

    def open(self, path: Path) -> None:
        """Open a project."""

        def open_project() -> None:
            self.window.commands.paths = []
            self.keeper.open(path)

        self.guard_unsaved_changes(open_project)

    def close(self) -> None:
        """Close project and log."""
        self.guard_unsaved_changes(self._close_project)

    def _close_project(self) -> None:
        self.keeper.close_project()
        self.window.show_welcome()

    def open_entry(self, entry: RecentEntry) -> None:
        """Open what stands in the list, or say that it is gone."""
        gone = [path for path in entry.paths if not path.exists()]
        if gone:
            self.recent.drop(entry)
            said = self.tr("{name} is not there any more.").format(name=gone[0].name)
            self.window.banner.show_message("bad", said)
        else:
            self.window.commands.open(list(entry.paths))

    def open_if_project(self, paths: Sequence[Path]) -> bool:
        """Open dropped or named files if they are a project; false if they are a log's."""
        projects = [path for path in paths if is_project(path)]
        if not projects:
            return False
        self.open(projects[0])
        if len(paths) > 1:
            said = self.tr("One project at a time: {name} is opened.")
            self.window.banner.show_message("info", said.format(name=projects[0].name))
        return True

    def may_close(self) -> bool:
        """Whether the window may close now; asks if something would be lost."""
        if self._leaving or not (self.asking and self.keeper.modified):
            self.saver.end()
            return True

        def close_window() -> None:
            self._leaving = True
            self.widget.close()

        self.guard_unsaved_changes(close_window)
        return False

    # what the keeper tells

    def _show_saved(self, path: Path) -> None:
        said = self.tr("Saved as {name}").format(name=safe_text.shorten_text(path.name, 80))
        self.window.status.show_idle(said)

    def _log_opened(self, opened: OpenedLog) -> None:
        files = opened.log.origin.files
        if files and not self.keeper.is_sample_log(opened):
            self.recent.add(list(files))

    def _show_restored(self, pending: PendingSave) -> None:
        window = self.window
        window.show_pages()
        if (shown := str(pending.project.layout.get("workspace", ""))) in NAMES:
            window.show_workspace(shown)
        self.show_title()
        if window.controller.opened is None and pending.facts is not None:
            window.header.title.show_text(self._not_open(pending.facts))
            said = self.tr(
                "The log of this project ({log}) is not open: its results can be looked at, "
                "its sessions can't."
            )
            window.banner.show_message(
                "info",
                said.format(log=safe_text.shorten_text(pending.facts.title, 80)),
                self.tr("Find the log…"),
                lambda: self._pick_log(self.keeper.looked_at()),
            )
        elif pending.project.warnings:
            said = self.tr("Not all of the project could be taken as it was. {what}")
            window.banner.show_message(
                "info", said.format(what=" ".join(pending.project.warnings[:5]))
            )
        elif pending.recovered:
            window.banner.show_message(
                "good", self.tr("The project is as it was. Save it to keep it.")
            )

    def _ask_for_log(self, pending: PendingSave, why: str) -> None:
        self.window.show_idle()
        dialogs.log_wanted(
            self.widget,
            pending,
            why,
            find=lambda: self._pick_log(pending),
            view=lambda: self.keeper.view_results(pending),
            stop=lambda: self.keeper.give_up(pending),
        )

    def _other_log(self, pending: PendingSave, opened: OpenedLog) -> None:
        self.window.show_idle()
        dialogs.other_log(
            self.widget,
            pending,
            opened,
            find=lambda: self._pick_log(pending),
            view=lambda: self.keeper.view_results(pending),
            stop=lambda: self.keeper.give_up(pending),
        )

    def _pick_log(self, pending: PendingSave) -> None:
        dialog = QFileDialog(self.widget, self.tr("Where is the project's log?"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(
            lambda names: self.keeper.try_log(pending, [Path(name) for name in names])
        )
        dialog.rejected.connect(lambda: self.keeper.give_up(pending))
        dialog.open()

    # after a crash

    def offer_recovery(self) -> None:
        """If a window died, offer to go on where it was."""
        slots = self.saver.left_behind()
        if not slots:
            return
        slot, *others = slots
        for other in others:  # offered at the next start
            other.release(keep=True)

        def release_slot(done: bool) -> None:
            slot.release(keep=not done)

        def ask_about_copy(facts: LogFacts | None) -> None:
            dialogs.ask_recovery(
                self.widget,
                dialogs.LeftCopy(slot.when, facts),
                restore=lambda: self.keeper.recover(slot.file, release_slot),
                later=lambda: slot.release(keep=True),
                discard=slot.release,
            )

        self.keeper.find_log_facts(slot.file, ask_about_copy)

    def message_shown(self) -> QMessageBox | None:
        """The question that is open, if any."""
        return self.widget.findChild(QMessageBox)
