"""A line across the window that says what happened and what can be done; never modal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from auditor.gui.app.translation import mark_for_translation, tr
from auditor.gui.widgets import style
from auditor.gui.widgets.safe_text import shorten_text

if TYPE_CHECKING:
    from auditor.gui.state.attacker_knowledge import Kind, KnowledgeFile
    from auditor.gui.state.controller import Controller

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
        self.text = style.plain_label(wrap=True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.action = QPushButton()
        self.action.clicked.connect(self._run_action)
        self.shut = QToolButton()
        self.shut.setText("✕")
        self.shut.setAutoRaise(True)
        self.shut.setAccessibleName(self.tr("Close this message"))
        self.shut.setToolTip(self.tr("Close this message"))
        self.shut.clicked.connect(self.hide)
        self._do: Callable[[], None] | None = None
        line = QHBoxLayout(self)
        line.setContentsMargins(style.WIDE, style.TIGHT, style.NORMAL, style.TIGHT)
        line.addWidget(self.sign)
        line.addWidget(self.text, 1)
        line.addWidget(self.action)
        line.addWidget(self.shut)
        self.hide()

    def show_message(
        self, tone: Tone, text: str, action: str = "", do: Callable[[], None] | None = None
    ) -> None:
        """Show a message in place of the one before."""
        icon, word = SIGNS[tone]
        word = tr(word)
        self.sign.setText(f"{icon} {word}")
        self.text.setText(text)
        self.setAccessibleDescription(f"{word}: {text}")
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self._do = do
        style.restyle(self, "banner", tone)
        self.show()

    def say_carried(
        self, controller: Controller, params: bool, known: Mapping[Kind, KnowledgeFile]
    ) -> None:
        """Say what of the log before stays (parameters) and what doesn't (attackers' files)."""
        said = []
        if params:
            said.append(self.tr("The parameters are still those that were set for the log before."))
        action, do = self.tr("Reset all"), controller.intents.reset
        if known:
            titles = ", ".join(shorten_text(part.title, 60) for part in known.values())
            text = self.tr("Attackers no longer know what you gave them for it: {titles}.")
            said.append(text.format(titles=titles))
            action, do = self.tr("Use it again"), partial(controller.known.take_back, known)
        self.show_message("info", " ".join(said), action, do)

    def _run_action(self) -> None:
        do = self._do
        self.hide()
        if do is not None:
            do()
