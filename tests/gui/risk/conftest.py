"""The list of flagged sessions: how it is filled, and what stands in it."""

from collections.abc import Sequence

import pytest
from PySide6.QtGui import QUndoStack

from auditor.attacks.base import FlaggedFindings
from auditor.gui.risk.panel import FlaggedPanel
from auditor.gui.state.feedback_book import SessionNotes
from auditor.gui.state.intent_editor import UndoableEdit
from auditor.gui.widgets.fields import Disclosure
from auditor.log.model import QueryLog
from tests.gui.driving import column_cells, settle, show
from tests.gui.risk import flagged_logs


class Book(SessionNotes):
    """A book with a history of its own."""

    def __init__(self) -> None:
        self.stack = QUndoStack()
        super().__init__(lambda *edit: self.stack.push(UndoableEdit(*edit)))


@pytest.fixture
def log() -> QueryLog:
    return flagged_logs.log_of(flagged_logs.SESSIONS)


@pytest.fixture
def book(panel: FlaggedPanel) -> Book:
    """Notes of the panel."""
    book = Book()
    panel.keep_notes(book)
    return book


@pytest.fixture
def panel() -> FlaggedPanel:
    return show(FlaggedPanel(Disclosure(unmasked=True)), 1200, 400)


def cells(panel: FlaggedPanel, column: int) -> list[str]:
    return column_cells(panel.model, column)


def fill(panel: FlaggedPanel, log: QueryLog, released: Sequence[str] = ()) -> FlaggedFindings:
    """List all that a search for `WORDS` flags, whether or not it is in a release."""
    findings = flagged_logs.findings_of(log, flagged_logs.WORDS, released)
    panel.show_findings(log, findings, flagged_logs.release_of(released, [5] * len(released)))
    if panel.filters.surviving.isChecked():
        panel.filters.surviving.click()  # the others, too
    settle(panel)
    return findings
