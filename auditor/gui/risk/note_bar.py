"""What somebody says of the session that is open: a note, and whether it is put away."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QLabel, QWidget

from auditor.gui.app.translation import translate_text
from auditor.gui.risk.session_filter import Rows
from auditor.gui.state.feedback_book import LONGEST, SessionNotes
from auditor.gui.widgets import style
from auditor.gui.widgets.fields import ChoiceBox
from auditor.project.model import REASONS

CONFIRMED = "confirmed"
"""In the list of reasons: the session is a risk."""


def reason_said(reason: str) -> str:
    return translate_text(REASONS[reason]) if reason else ""


class NoteBar(QWidget):
    """A line for a note and a choice of reasons; writes into the book by itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book: SessionNotes | None = None
        self._rows: Rows | None = None
        self.note = style.line_edit(
            self.tr("Note on this session"),
            self.tr("Why it matters, or not. Don't repeat the query."),
            most=LONGEST,
        )
        self.note.setToolTip(
            self.tr("The project keeps notes as they are written: put no query text here")
        )
        self.note.editingFinished.connect(self._write_note)
        self.reason = ChoiceBox(self.tr("Dismiss this session"), least=12)
        self.reason.setToolTip(
            self.tr(
                "A dismissed session is listed no more. It counts for every check until the "
                "dismissals are signed and the policy lets them subtract."
            )
        )
        self.reason.addItem(self.tr("not dismissed"), "")
        self.reason.addItem(self.tr("confirmed: it is a risk"), CONFIRMED)
        for key in REASONS:
            self.reason.addItem(self.tr("dismissed: {why}").format(why=reason_said(key)), key)
        self.reason.activated.connect(self._apply_reason)
        label = QLabel(self.tr("N&ote"))
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(self.note)
        parts: list[style.Part] = [label, (self.note, 2), (self.reason, 1)]
        style.row(self, parts, margins=(0, 0, style.NORMAL, 0), spacing=style.NORMAL)

    def keep_in(self, book: SessionNotes) -> None:
        self._book = book
        book.changed.connect(self._show_note)
        self._show_note()

    def show_rows(self, rows: Rows | None) -> None:
        if rows != self._rows:
            self._write_note()
            self._rows = rows
            self._show_note()

    def _show_note(self) -> None:
        self.setEnabled(self._book is not None and self._rows is not None)
        note = self._book.get(*self._rows) if self._book and self._rows else None
        self.note.setText(note.text if note else "")
        with QSignalBlocker(self.reason):
            said = CONFIRMED if note and note.confirmed else note.dismissed if note else ""
            self.reason.setCurrentIndex(self.reason.findData(said))

    def _write_note(self) -> None:
        if self._book is not None and self._rows is not None:
            self._book.write_note(*self._rows, self.note.text())

    def _apply_reason(self, index: int) -> None:
        if self._book is not None and self._rows is not None:
            chosen = str(self.reason.itemData(index))
            if chosen == CONFIRMED:
                self._book.confirm_all([self._rows])
            elif not chosen and self._book.get(*self._rows).confirmed:
                self._book.confirm_all([self._rows], right=False)
            else:
                self._book.dismiss_session(*self._rows, chosen)
