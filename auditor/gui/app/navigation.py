"""What frames the pages: header, banner, and the rail of workspaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton, QWidget

from auditor.gui.app.translation import mark_for_translation, read_words, tr, translate_text
from auditor.gui.state.log_loading import OpenedLog
from auditor.gui.widgets import formats, safe_text, style
from auditor.gui.widgets.areas import ElidedLabel
from auditor.gui.widgets.fields import EventWatch
from auditor.gui.widgets.safe_text import shorten_text

if TYPE_CHECKING:
    from auditor.gui.state.controller import Controller
    from auditor.gui.state.log_loading import Kind, KnowledgeFile


class Header(QFrame):
    """Facts of the log on the left, what to do with it on the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "header")
        self.title = ElidedLabel()
        self.title.setFont(style.scaled_font(self, style.HEADING, bold=True))
        self.facts = ElidedLabel(role="muted")
        self.method = ElidedLabel()
        tip = self.tr("Make a release with these parameters, measure and attack it (Ctrl+R)")
        self.run = style.button(self.tr("Run"), role="primary", tip=tip)
        self.cancel = style.button(self.tr("Cancel"), tip=self.tr("Stop the run (Ctrl+.)"))
        # Cancel stands before Run, which then stays where the pointer is
        # the log's facts give way to the method's name
        parts: list[style.Part] = [(self.title, 3), (self.facts, 8), 0, self.method]
        parts += [self.cancel, self.run]
        style.row(self, parts, margins=(style.WIDE, style.TIGHT), spacing=style.WIDE)
        self.show_log(None)
        self.cancel.hide()

    def show_log(self, opened: OpenedLog | None) -> None:
        self.run.setEnabled(opened is not None)
        self.method.setVisible(opened is not None)
        self.facts.setVisible(opened is not None)
        if opened is None:
            self.title.show_text(self.tr("No log is open"))
            return
        self.title.show_text(translate_text(opened.title))
        self.facts.show_text(log_facts(opened))


def log_facts(opened: OpenedLog) -> str:
    """Users, rows, distinct queries and period of a log in one line."""
    log = opened.log
    parts = [
        safe_text.format_plural(len(log.users), "user"),
        safe_text.format_plural(len(log), "row", large=True),
        safe_text.format_plural(opened.queries, "query", "queries", large=True),
        formats.format_period(log.period),
        tr("protects: one user"),
    ]
    rejected = sum(log.origin.rejected.values())
    if rejected:
        parts.append(safe_text.format_plural(rejected, "row rejected", "rows rejected"))
    return " · ".join(parts)


Tone = Literal["info", "good", "bad"]

SIGNS = {
    "info": ("ℹ", mark_for_translation("Note")),
    "good": ("✓", mark_for_translation("Done")),
    "bad": ("✗", mark_for_translation("Problem")),
}


class Banner(QFrame):
    """Icon, word, text, at most one action, and a way to close it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Message"))
        self.sign = style.plain_label(bold=True)
        self.text, by = style.plain_label(wrap=True), Qt.TextInteractionFlag
        self.text.setTextInteractionFlags(by.TextSelectableByMouse | by.TextSelectableByKeyboard)
        self.action = style.button("", self._run_action)
        shut = self.tr("Close this message")
        self.shut = style.tool_button("✕", self.hide, name=shut, tip=shut)
        self._do: Callable[[], None] | None = None
        margins = style.WIDE, style.TIGHT, style.NORMAL, style.TIGHT
        style.row(self, [self.sign, (self.text, 1), self.action, self.shut], margins=margins)
        self.hide()

    def show_message(
        self, tone: Tone, text: str, action: str = "", do: Callable[[], None] | None = None
    ) -> None:
        icon, word = SIGNS[tone][0], tr(SIGNS[tone][1])
        self.sign.setText(f"{icon} {word}")
        self.text.setText(text)
        self.setAccessibleDescription(f"{word}: {text}")
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self._do = do
        style.restyle(self, "banner", tone)
        self.show()

    def say_carried(
        self, controller: Controller, params: bool, files: Mapping[Kind, KnowledgeFile]
    ) -> None:
        """Say what of the log before stays (parameters) and what doesn't (attackers' files)."""
        news = []
        if params:
            news.append(self.tr("The parameters are still those that were set for the log before."))
        action, do = self.tr("Reset all"), controller.intents.reset
        if files:
            titles = ", ".join(shorten_text(part.title, 60) for part in files.values())
            text = self.tr("Attackers no longer know what you gave them for it: {titles}.")
            news.append(text.format(titles=titles))
            action, do = self.tr("Use it again"), partial(controller.known.take_back, files)
        self.show_message("info", " ".join(news), action, do)

    def _run_action(self) -> None:
        do = self._do
        self.hide()
        if do is not None:
            do()


@dataclass(frozen=True)
class Workspace:
    """A page of the window, and the one question that it answers."""

    name: str
    title: str
    question: str
    icon: str
    help: str
    """The page of the help that is about it."""


WORKSPACES = tuple(Workspace(name, **about) for name, about in read_words("workspaces").items())
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
        column = style.column(self, margins=(style.TIGHT, style.NORMAL), spacing=style.TIGHT)
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
        EventWatch(self, self._update_icons, QEvent.Type.PaletteChange)

    def minimumSizeHint(self) -> QSize:
        """Room for the words: the drawings go where a window is low and its text is large."""
        lines = len(self.buttons) * (self.fontMetrics().height() + 3 * style.NORMAL)
        return QSize(super().minimumSizeHint().width(), min(lines, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self.buttons[WORKSPACES[0].name].iconSize().height()
        with_drawings = self.minimumSizeHint().height() + len(self.buttons) * size
        styles, roomy = Qt.ToolButtonStyle, self.height() >= with_drawings
        chosen = styles.ToolButtonTextUnderIcon if roomy else styles.ToolButtonTextOnly
        for button in self.buttons.values():
            button.setToolButtonStyle(chosen)

    def show_chosen(self, name: str) -> None:
        for key, button in self.buttons.items():
            button.setChecked(key == name)

    def set_available(self, available: bool) -> None:
        """Without a log and without runs there is nowhere to go."""
        self._group.setExclusive(available)
        for button in self.buttons.values():
            button.setEnabled(available)
            button.setChecked(available and button.isChecked())

    def _update_icons(self) -> None:
        theme = style.theme_of(self)
        size = round(1.3 * self.fontMetrics().height())
        for workspace in WORKSPACES:
            button = self.buttons[workspace.name]
            button.setIcon(style.make_icon(workspace.icon, theme.muted, theme.accent, size))
            button.setIconSize(QSize(size, size))
