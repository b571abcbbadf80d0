"""The rail at the left: one button for each workspace, and which of them is shown."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from auditor.gui.app.translation import mark_for_translation, tr
from auditor.gui.widgets import icons, style


@dataclass(frozen=True)
class Workspace:
    """A page of the window, and the one question that it answers."""

    name: str
    title: str
    question: str
    icon: str
    help: str
    """The page of the help that is about it."""


WORKSPACES = (
    Workspace(
        "log",
        mark_for_translation("Log"),
        mark_for_translation(
            "What is in the log, and what does it give away before anything is done?"
        ),
        "file-text",
        "guide/reading-logs",
    ),
    Workspace(
        "protect",
        mark_for_translation("Protect"),
        mark_for_translation("Which method, with which parameters?"),
        "shield-check",
        "guide/choosing-a-method",
    ),
    Workspace(
        "risk",
        mark_for_translation("Risk"),
        mark_for_translation("Who can still be recognised?"),
        "scan-eye",
        "guide/flagged-sessions",
    ),
    Workspace(
        "compare",
        mark_for_translation("Compare"),
        mark_for_translation("Which of the runs is the best release?"),
        "scale",
        "guide/comparing",
    ),
    Workspace(
        "release",
        mark_for_translation("Release"),
        mark_for_translation("May this run leave the house?"),
        "package-check",
        "guide/releasing",
    ),
)
NAMES = tuple(workspace.name for workspace in WORKSPACES)


class NavigationRail(QFrame):
    """Tells of the workspace that somebody chose; knows nothing of the pages."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "rail")
        self.setAccessibleName(self.tr("Workspaces"))
        self.buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(style.TIGHT, style.NORMAL, style.TIGHT, style.NORMAL)
        column.setSpacing(style.TIGHT)
        for number, workspace in enumerate(WORKSPACES, start=1):
            button = QToolButton()
            button.setProperty("role", "rail")
            button.setText(tr(workspace.title))
            shortcut = f"Ctrl+{number}"
            button.setToolTip(f"{tr(workspace.question)} ({shortcut})")
            button.setAccessibleName(tr(workspace.title))
            button.setAccessibleDescription(tr(workspace.question))
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            button.setCheckable(True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _on=False, name=workspace.name: self.chosen.emit(name))
            self._group.addButton(button)
            self.buttons[workspace.name] = button
            column.addWidget(button)
        column.addStretch(1)
        self._update_icons()

    def minimumSizeHint(self) -> QSize:
        """Room for the words: the drawings go where a window is low and its text is large."""
        lines = len(self.buttons) * (self.fontMetrics().height() + 3 * style.NORMAL)
        return QSize(super().minimumSizeHint().width(), min(lines, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have drawings above the words where there is room for them."""
        super().resizeEvent(event)
        size = self.buttons[WORKSPACES[0].name].iconSize().height()
        with_drawings = self.minimumSizeHint().height() + len(self.buttons) * size
        shown = (
            Qt.ToolButtonStyle.ToolButtonTextUnderIcon
            if self.height() >= with_drawings
            else Qt.ToolButtonStyle.ToolButtonTextOnly
        )
        for button in self.buttons.values():
            button.setToolButtonStyle(shown)

    def show_chosen(self, name: str) -> None:
        """Mark the workspace that is shown; none where `name` is empty."""
        self._group.setExclusive(False)
        for key, button in self.buttons.items():
            button.setChecked(key == name)
        self._group.setExclusive(True)

    def set_available(self, available: bool) -> None:
        """Without a log and without runs there is nowhere to go."""
        self._group.setExclusive(available)
        for button in self.buttons.values():
            button.setEnabled(available)
            button.setChecked(available and button.isChecked())

    def changeEvent(self, event: QEvent) -> None:
        """Draw the icons anew in another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "buttons"):
            self._update_icons()

    def _update_icons(self) -> None:
        theme = style.theme_of(self)
        size = round(1.3 * self.fontMetrics().height())
        for workspace in WORKSPACES:
            button = self.buttons.get(workspace.name)
            if button is not None:
                button.setIcon(icons.make_icon(workspace.icon, theme.muted, theme.accent, size))
                button.setIconSize(QSize(size, size))
