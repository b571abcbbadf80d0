"""The list of flagged sessions: how it is filled, and what stands in it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QUndoStack

from auditor.gui.risk.panel import FlaggedPanel
from auditor.gui.state.feedback_book import SessionNotes
from auditor.gui.state.intent_editor import UndoableEdit
from auditor.gui.widgets.fields import Disclosure
from auditor.log.model import QueryLog
from tests.gui.driving import show, wait_until
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
def book() -> Book:
    return Book()


@pytest.fixture
def panel() -> FlaggedPanel:
    return show(FlaggedPanel(Disclosure(unmasked=True)), 1200, 400)


def settled(panel: FlaggedPanel) -> None:
    wait_until(lambda: not panel.job.running)


def cells(panel: FlaggedPanel, column: int) -> list[str]:
    model = panel.model
    return [model.index(row, column).data() for row in range(model.rowCount())]
