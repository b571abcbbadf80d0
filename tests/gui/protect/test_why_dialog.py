"""Asking in the window why a query is kept or dropped."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView, QTableWidget, QTableWidgetItem

from auditor.engine.backends.local import apply_method
from auditor.engine.explanation import INTERNAL
from auditor.gui.protect.why_dialog import WhyDialog, selected_text
from auditor.log.model import QueryLog
from auditor.methods.bundling.method import BundlingParams
from auditor.privacy.noise import PreviewRandomness
from auditor.progress import silent_progress
from tests.gui.driving import keep, show, wait_until

HOSTILE = "<b>weather</b>"


@pytest.fixture
def dialog() -> WhyDialog:
    rows = [(f"u{i}", q, i) for i in range(12) for q in ("weather", "web mail", HOSTILE)]
    users, queries, times = zip(*rows, strict=True)
    log = QueryLog.from_columns(user=users, query=queries, time=times)
    params = BundlingParams(group=4)
    release = apply_method(log, "bundling", params, PreviewRandomness(1), silent_progress())
    return show(WhyDialog(log, release, "Bundling A"))


def test_that_a_query_is_explained_and_only_what_the_log_has_is_offered(dialog: WhyDialog) -> None:
    dialog.explain_query(HOSTILE)
    wait_until(lambda: dialog.state.text() == INTERNAL)
    text = "\n".join(label.text() for label in dialog.body.findChildren(QLabel))
    assert all(fact in text for fact in ("hold it: 12", "under: 3", "Bundling"))
    assert len(dialog.body.findChildren(QTableView)) == 1
    assert HOSTILE not in dialog.windowTitle()
    dialog.button.setFocus()  # no list opens over what somebody does elsewhere
    dialog.field.setText("we")
    dialog.field.textEdited.emit("we")
    wait_until(lambda: len(dialog.offers.stringList()) == 2)
    assert set(dialog.offers.stringList()) == {"weather", "web mail"}


def test_that_what_is_picked_elsewhere_is_asked_after() -> None:
    table = keep(QTableWidget(1, 1))
    assert selected_text(table) == ""
    table.setItem(0, 0, QTableWidgetItem("weather"))
    table.setCurrentCell(0, 0)
    assert selected_text(table) == "weather"
    field = keep(QLineEdit("web mail"))
    field.selectAll()
    assert selected_text(field) == "web mail"
    assert selected_text(None) == ""
