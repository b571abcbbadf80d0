"""What stands in place of the list of sessions: why it is empty, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QVBoxLayout, QWidget

from auditor.gui.app.translation import mark_for_translation, tr
from auditor.gui.risk.note_bar import reason_said
from auditor.gui.widgets import formats, safe_text, style
from auditor.project.model import REASONS

NO_LOG = mark_for_translation(
    "Open a log. The sessions that could tell who somebody is are listed here."
)
NO_RUN = mark_for_translation(
    "Run a method to see which sessions are at risk, why, and what of them is released."
)
NO_FINDINGS = mark_for_translation(
    "No session was flagged.\n\nDetection found no name, place, identifier or sensitive "
    "topic. That does not mean that nobody can be recognised: an unusual hobby is enough for "
    "somebody who knows the person."
)
NO_MATCH = mark_for_translation("No flagged session passes the filters.")
BUSY = mark_for_translation("Sorting the flagged sessions…")


class ListState(QWidget):
    """A sentence, a button that clears the filters, and at most one more."""

    reset_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = style.plain_label(role="muted", wrap=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.reset = QPushButton(self.tr("Clear the filters"))
        self.reset.clicked.connect(self.reset_wanted)
        self.act = QPushButton()
        self.act.clicked.connect(lambda: self._do and self._do())
        self._do: Callable[[], None] | None = None
        column = QVBoxLayout(self)
        column.addStretch(1)
        column.addWidget(self.text)
        for button in (self.reset, self.act):
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignCenter)
        column.addStretch(1)

    def show_message(self, text: str, *, reset: bool = False) -> None:
        """Say why nothing is listed."""
        self.text.setText(text)
        self.reset.setVisible(reset)
        self.act.hide()

    def offer_action(self, text: str, do: Callable[[], None]) -> None:
        """Offer something to do about it."""
        self.act.setText(text)
        self.act.show()
        self._do = do


def reason_menu(parent: QWidget, choose: Callable[[str], None]) -> QMenu:
    """The reasons for which sessions may be dismissed; an empty one takes them back."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for number, reason in enumerate(REASONS, start=1):
        action = menu.addAction(f"&{number}  " + reason_said(reason))
        action.triggered.connect(lambda _on=False, why=reason: choose(why))
    menu.addSeparator()
    back = menu.addAction(tr("&0  not dismissed"))
    back.triggered.connect(lambda: choose(""))
    return menu


def describe_counts(shown: int, every: int, away: int) -> str:
    """How many sessions are listed, of how many, and how many were dismissed."""
    found = safe_text.format_plural(every, "session")
    text = (
        found
        if shown == every
        else tr("{shown} of {found}").format(shown=formats.format_count(shown), found=found)
    )
    if away:
        text += tr(" · {away} dismissed").format(away=formats.format_count(away))
    return text
