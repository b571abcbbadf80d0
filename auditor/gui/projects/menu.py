"""The part of the File menu that is about projects and what was opened last."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from auditor.gui.projects.recent_files import RecentEntry
from auditor.gui.projects.window import ProjectWindowActions

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
        self.save = add(menu, self.tr("Sa&ve the project"), projects.save, Standard.Save)
        self.save_as = add(menu, self.tr("Save the project &as…"), projects.save_as, "Ctrl+Shift+S")
        self.close = add(menu, self.tr("C&lose the project"), projects.close, Standard.Close)
        projects.keeper.changed.connect(self._enable_actions)
        projects.recent.changed.connect(self._fill_recent)
        self._fill_recent()
        self._enable_actions()

    def _enable_actions(self) -> None:
        """Grey what could do nothing."""
        there = self._projects.keeper.worth_saving
        for action in (self.save, self.save_as, self.close):
            action.setEnabled(there)

    def _fill_recent(self) -> None:
        self.recent.clear()
        recent = self._projects.recent
        for number, entry in enumerate(recent.now.entries, start=1):
            title = entry.title.replace("&", "&&")
            action = self.recent.addAction(f"&{number % 10}  {title}")
            action.triggered.connect(lambda _on=False, one=entry: self._open_entry(one))
        if not recent.now.entries:
            self.recent.addAction(self.tr("Nothing was opened yet")).setEnabled(False)
        self.recent.addSeparator()
        clear = self.recent.addAction(self.tr("&Clear this list"))
        clear.setEnabled(bool(recent.now.entries))
        clear.triggered.connect(recent.clear)
        keep = self.recent.addAction(
            self.tr("&Remember what was opened (names of files and their folders)")
        )
        keep.setCheckable(True)
        keep.setChecked(recent.kept)
        keep.triggered.connect(recent.set_remembering)

    def _open_entry(self, entry: RecentEntry) -> None:
        self._projects.open_entry(entry)
