"""What the window does with projects: commands, questions (none of which blocks), title, drops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QDir, QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from auditor.gui.app.navigation import NAMES
from auditor.gui.app.translation import say, tr
from auditor.gui.projects.keeper import (
    Files,
    PendingSave,
    ProjectKeeper,
    RecentFiles,
    RecoverySaver,
    is_sample,
    title_of,
)
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.widgets import dialogs, formats, safe_text
from auditor.gui.widgets.dialogs import Do, Role, ask_for_files, ask_question
from auditor.project.file import SUFFIX
from auditor.project.model import LogFacts

Standard = QKeySequence.StandardKey


class ProjectMenu(QObject):
    """Save, save as, open, close, and the list of what was opened last."""

    def __init__(
        self, projects: ProjectWindowActions, menu: QMenu, add: Callable[..., QAction]
    ) -> None:
        super().__init__(menu)
        self._projects = projects
        add(menu, self.tr("Open a p&roject…"), projects.ask_open, "Ctrl+Alt+O")
        self.recent = menu.addMenu(self.tr("Open re&cent"))
        projects.window.welcome.recent.setMenu(self.recent)
        self.save = add(menu, self.tr("Sa&ve the project"), projects.save, Standard.Save)
        self.save_as = add(menu, self.tr("Save the project &as…"), projects.save_as, "Ctrl+Shift+S")
        self.close = add(menu, self.tr("C&lose the project"), projects.close, Standard.Close)
        projects.keeper.changed.connect(self._enable_actions)
        projects.recent.changed.connect(self._fill_recent)
        self._fill_recent()
        self._enable_actions()

    def _enable_actions(self) -> None:
        is_worth_saving = self._projects.keeper.worth_saving
        for action in (self.save, self.save_as, self.close):
            action.setEnabled(is_worth_saving)

    def _fill_recent(self) -> None:
        self.recent.clear()
        recent = self._projects.recent
        self._projects.window.welcome.recent.setEnabled(bool(recent.entries))
        for number, files in enumerate(recent.entries, start=1):
            title = title_of(files).replace("&", "&&")
            action = self.recent.addAction(f"&{number % 10}  {title}")
            action.triggered.connect(lambda _on=False, item=files: self._projects.open_entry(item))
        if not recent.entries:
            self.recent.addAction(self.tr("Nothing was opened yet")).setEnabled(False)
        self.recent.addSeparator()
        clear = self.recent.addAction(self.tr("&Clear this list"))
        clear.setEnabled(bool(recent.entries))
        clear.triggered.connect(recent.clear)
        text = self.tr("&Remember what was opened (names of files and their folders)")
        keep = self.recent.addAction(text)
        keep.setCheckable(True)
        keep.setChecked(recent.remembers)
        keep.triggered.connect(recent.set_remembering)


class ProjectWindowActions(QObject):
    """The window's side of its project: asks questions where a user can answer them."""

    def __init__(self, window: Any, state: Path | None) -> None:
        super().__init__(window)
        self.window: Any = window
        self.asking = False
        self._leaving = False
        self.recent = RecentFiles(state, self)
        self.keeper = ProjectKeeper(
            window.controller,
            self.recent,
            window.policy,
            lambda: {"workspace": window.workspace} if window.workspace else {},
        )
        self.saver = RecoverySaver(self.keeper, state, self)
        k = self.keeper
        k.changed.connect(self.show_title)
        k.saved.connect(self._say_saved)
        k.failed.connect(lambda reason: window.banner.show_message("bad", reason))
        k.restored.connect(self._show_restored)
        k.log_wanted.connect(self._ask_for_log)
        self.saver.failed.connect(lambda reason: window.banner.show_message("bad", reason))
        window.controller.log_opened.connect(self._remember_log)

    def _say_saved(self, path: Path) -> None:
        name = safe_text.shorten_text(path.name, 80)
        self.window.status.show_idle(self.tr("Saved as {name}").format(name=name))

    # the title

    def show_title(self) -> None:
        """Show file names alone in the title, never a query."""
        keeper, opened = self.keeper, self.window.controller.opened
        names = [keeper.path.name] if keeper.path is not None else []
        if opened is not None:
            names.append(opened.title)
        elif keeper.facts is not None:
            names.append(self._not_open(keeper.facts))
        parts = [safe_text.shorten_text(name, 80) for name in names] + [self.window.title]
        sign = "\u25cf " if keeper.modified and names else ""
        self.window.setWindowTitle(sign + " \u2013 ".join(parts))

    def _not_open(self, facts: LogFacts) -> str:
        return self.tr("{log} (not open)").format(log=safe_text.shorten_text(facts.title, 80))

    # commands

    def guard_unsaved_changes(self, proceed: Callable[[], object]) -> None:
        """Do something that would lose what is not saved, once that is settled."""
        if not (self.asking and self.keeper.modified):
            proceed()
            return
        name = self.keeper.path.name if self.keeper.path else self.tr("this project")
        ask_question(
            self.window,
            tr("Not saved"),
            tr("Save the changes to {name}?").format(name=safe_text.shorten_text(name, 80)),
            tr("Runs, notes and settings since the last save would be lost. No noise comes twice."),
            {
                tr("&Save"): (Role.AcceptRole, lambda: self.save(proceed)),
                tr("&Don't save"): (Role.DestructiveRole, proceed),
                tr("Cancel"): (Role.RejectRole, lambda: None),
            },
        )

    def save(self, proceed: Callable[[], object] | None = None) -> None:
        """Save where it was saved before, or ask where."""
        path = self.keeper.path
        if path is None:
            self.save_as(proceed)
        elif self.keeper.worth_saving and not self.keeper.overtaken:
            self.keeper.save(path, proceed, replace=False)
        elif self.keeper.worth_saving:
            text = tr("{name} was saved by another window or program since it was opened here.")
            replace = self.keeper.save
            ask_question(
                self.window,
                tr("Saved by somebody else"),
                text.format(name=safe_text.shorten_text(path.name, 80)),
                tr("Replacing it loses the runs, notes and settings that were saved there."),
                {
                    tr("Save &as…"): (Role.AcceptRole, lambda: self.save_as(proceed)),
                    tr("&Replace it"): (Role.DestructiveRole, partial(replace, path, proceed)),
                    tr("Cancel"): (Role.RejectRole, lambda: None),
                },
            )

    def save_as(self, proceed: Callable[[], object] | None = None) -> None:
        if not self.keeper.worth_saving:
            return
        current = self.keeper.path
        dialogs.ask_where_to_save(
            self.window,
            self.tr("Save the project"),
            lambda path: self.keeper.save(path, proceed),
            [self.tr("Projects") + f" (*{SUFFIX})"],
            SUFFIX[1:],
            name=current.name if current else self.tr("project") + SUFFIX,
            folder=str(current.parent) if current else QDir.homePath(),
        )

    def ask_open(self) -> None:
        kinds = [self.tr("Projects") + f" (*{SUFFIX})", self.tr("All files") + " (*)"]
        title = self.tr("Open a project")
        ask_for_files(self.window, title, lambda paths: self.open(paths[0]), kinds=kinds)

    def open(self, path: Path) -> None:
        def open_project() -> None:
            self.window.commands.paths = []
            self.keeper.open(path)

        self.guard_unsaved_changes(open_project)

    def close(self) -> None:
        def close_project() -> None:
            self.keeper.close_project()
            self.window.show_welcome()

        self.guard_unsaved_changes(close_project)

    def open_entry(self, files: Files) -> None:
        """Open what stands in the list, or say that it is gone."""
        gone = [path for path in files if not path.exists()]
        if gone:
            self.recent.drop(files)
            text = self.tr("{name} is not there any more.").format(name=gone[0].name)
            self.window.banner.show_message("bad", text)
        else:
            self.window.commands.open(list(files))

    def open_if_project(self, paths: Sequence[Path]) -> bool:
        """Open dropped or named files if they are a project; false if they are a log's."""
        projects = [path for path in paths if path.suffix.lower() == SUFFIX]
        if not projects:
            return False
        self.open(projects[0])
        if len(paths) > 1:
            text = self.tr("One project at a time: {name} is opened.")
            self.window.banner.show_message("info", text.format(name=projects[0].name))
        return True

    def may_close(self) -> bool:
        """Whether the window may close now; asks if something would be lost."""
        if self._leaving or not (self.asking and self.keeper.modified):
            self.saver.end()
            return True

        def close_window() -> None:
            self._leaving = True
            self.window.close()

        self.guard_unsaved_changes(close_window)
        return False

    # what the keeper tells

    def _remember_log(self, opened: OpenedLog) -> None:
        files = opened.log.origin.files
        if files and not is_sample(opened):
            self.recent.add(list(files))

    def _show_restored(self, pending: PendingSave) -> None:
        window = self.window
        window.show_pages()
        if (workspace := str(pending.project.layout.get("workspace", ""))) in NAMES:
            window.show_workspace(workspace)
        self.show_title()
        if window.controller.opened is None and pending.facts is not None:
            window.header.title.show_text(self._not_open(pending.facts))
            text = say("log of the project is not open")
            window.banner.show_message(
                "info",
                text.format(log=safe_text.shorten_text(pending.facts.title, 80)),
                self.tr("Find the log…"),
                lambda: self._pick_log(self.keeper.looked_at()),
            )
        elif pending.project.warnings:
            text = self.tr("Not all of the project could be taken as it was. {what}")
            text = text.format(what=" ".join(pending.project.warnings[:5]))
            window.banner.show_message("info", text)
        elif pending.recovered:
            text = self.tr("The project is as it was. Save it to keep it.")
            window.banner.show_message("good", text)

    def _ask_for_log(self, pending: PendingSave, tried: OpenedLog | str) -> None:
        """Where the log is that a project is about; `tried` is another, or why none was read."""
        self.window.show_idle()
        facts = pending.facts
        assert facts is not None
        expected = describe_log(facts)
        if isinstance(tried, str):
            title, text = tr("The project's log"), tr("Where is the log of this project?")
            details = tr("It is about {log}. A project holds no queries, so it needs its log.")
            details = f"{tried}\n\n{details.format(log=expected)}".strip()
        else:
            title = tr("Another log")
            text = tr("This is not the log that the project was made with.")
            details = say("another log than the project's").format(
                wanted=expected, found=describe_log(LogFacts.of(tried.log, tried.title))
            )
        stop = partial(self.keeper.give_up, pending)
        view = partial(self.keeper.restore, pending, None)
        answers = {
            tr("&Find the log…"): (Role.AcceptRole, partial(self._pick_log, pending)),
            tr("&View the results only"): (Role.ActionRole, view),
            tr("Cancel"): (Role.RejectRole, stop),
        }
        ask_question(self.window, title, text, details, answers, stop)

    def _pick_log(self, pending: PendingSave) -> None:
        dialog = ask_for_files(
            self.window,
            self.tr("Where is the project's log?"),
            lambda paths: self.keeper.try_log(pending, paths),
            mode=dialogs.Mode.ExistingFiles,
        )
        dialog.rejected.connect(lambda: self.keeper.give_up(pending))

    # after a crash

    def offer_recovery(self) -> None:
        """Offer to restore what a window that ended unexpectedly had kept aside."""
        slots = self.saver.left_behind()
        if not slots:
            return
        slot, *other_slots = slots
        for other in other_slots:  # offered at the next start
            other.release(keep=True)

        def ask_about_copy(facts: LogFacts | None) -> None:
            day = slot.when.astimezone().strftime("%Y-%m-%d %H:%M") if slot.when is not None else ""
            text = tr("The program ended without being closed.")
            if facts is not None:
                text += "\n" + tr("Log: {log}").format(log=describe_log(facts))
            details = tr(
                "What was set, run and noted until {time} was kept aside. Go on from there?"
            )
            later = partial(slot.release, keep=True)
            restore = partial(
                self.keeper.recover, slot.file, lambda done: slot.release(keep=not done)
            )
            answers: dict[str, tuple[Role, Do]] = {
                tr("&Restore"): (Role.AcceptRole, restore),
                tr("&Discard"): (Role.DestructiveRole, slot.release),
                tr("&Not now"): (Role.RejectRole, later),
            }
            title = tr("Go on where you were")
            ask_question(self.window, title, text, details.format(time=day), answers, later)

        self.keeper.find_log_facts(slot.file, ask_about_copy)


def describe_log(facts: LogFacts) -> str:
    """A log by its size and period, without a query."""
    parts = [formats.format_plural(facts.users, "user"), formats.format_plural(facts.rows, "row")]
    if facts.period is not None:
        parts.append(formats.format_period(facts.period))
    return f"{safe_text.shorten_text(facts.title, 80)} ({', '.join(parts)})"
