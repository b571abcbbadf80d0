"""Notes on flagged sessions, and sessions that somebody put away."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.attacks.base import FlaggedFindings
from auditor.gui.risk.panel import NOTED, FlaggedPanel
from auditor.gui.risk.session_filter import count_dismissals, dismissal_facts, put_away
from auditor.log.model import QueryLog
from auditor.project.model import REASONS
from tests.gui.driving import enter, pick, wait_until
from tests.gui.risk.conftest import Book, cells
from tests.gui.risk.flagged_logs import WORDS, findings_of


@pytest.fixture
def findings(log: QueryLog) -> FlaggedFindings:
    return findings_of(log, WORDS, released=["jane roe"])


@pytest.fixture
def panel(
    panel: FlaggedPanel, book: Book, log: QueryLog, findings: FlaggedFindings
) -> FlaggedPanel:
    panel.keep_notes(book)
    panel.show_findings(log, findings)
    listed(panel, 3)
    return panel


def listed(panel: FlaggedPanel, rows: int) -> None:
    wait_until(lambda: panel.model.rowCount() == rows and not panel.job.running)


def rows_of(findings: FlaggedFindings, index: int) -> tuple[int, int]:
    return int(findings.start[index]), int(findings.stop[index])


def test_that_a_note_is_kept_shown_beside_its_session_and_not_lost_by_stepping_on(
    panel: FlaggedPanel, book: Book, findings: FlaggedFindings
) -> None:
    assert panel.table.isColumnHidden(NOTED)
    place = panel.model.find_place(0)
    panel.open_session(place)
    enter(panel.note_bar.note, "  ask   the family ")
    assert book.get(*rows_of(findings, place)).text == "ask the family"
    assert not panel.table.isColumnHidden(NOTED)
    assert cells(panel, NOTED)[0] == "ask the family"
    book.stack.undo()
    assert panel.note_bar.note.text() == ""
    assert panel.table.isColumnHidden(NOTED)
    panel.note_bar.note.setText("half writ")
    panel._open_neighbour(1)
    assert book.get(*rows_of(findings, place)).text == "half writ"
    assert panel.note_bar.note.text() == ""


def test_that_a_dismissed_session_leaves_the_list_and_can_be_listed_again(
    panel: FlaggedPanel, book: Book, findings: FlaggedFindings
) -> None:
    place = panel.model.find_place(1)
    panel.open_session(place)
    reason = panel.note_bar.reason
    pick(reason, "public")
    listed(panel, 2)
    assert book.get(*rows_of(findings, place)).dismissed == "public"
    assert panel.filters.count_label.text() == "2 of 3 sessions · 1 dismissed"
    # on to what came after it
    wait_until(lambda: panel.session.index == panel.model.find_place(1))
    assert panel.session.position.text() == "2 of 2"
    assert panel.filters.dismissed.isVisible()
    pick(panel.filters.dismissed, "only")
    listed(panel, 1)
    assert panel.model.find_place(0) == place
    assert cells(panel, NOTED)[0] == REASONS["public"]
    pick(panel.filters.dismissed, "show")
    listed(panel, 3)
    panel.filters.dismissed.setCurrentIndex(0)
    listed(panel, 2)
    wait_until(lambda: panel.session.index != place)
    book.stack.undo()
    listed(panel, 3)
    wait_until(lambda: panel.session.index == place)  # it goes back to what it brings back
    assert panel.table.currentIndex().row() == 1
    assert panel.filters.count_label.text() == "3 sessions"
    assert not panel.filters.dismissed.isVisible()


def test_that_only_the_same_rows_are_put_away(findings: FlaggedFindings) -> None:
    start, stop = rows_of(findings, 1)
    np.testing.assert_array_equal(put_away(findings, [(start, stop)]), [False, True, False])
    assert not put_away(findings, [(start, stop + 1)]).any()
    assert not put_away(findings, [(start + 1, stop)]).any()
    assert not put_away(findings, []).any()


def test_that_dismissals_are_counted_by_reason(book: Book, findings: FlaggedFindings) -> None:
    for index, reason in ((0, "public"), (1, "public"), (2, "other")):
        book.dismiss_session(*rows_of(findings, index), reason)
    book.dismiss_session(10_000, 10_001, "own")  # of another attack's sessions
    counts = count_dismissals([findings, findings], book.list_notes())
    surviving = findings.surviving > 0
    assert counts == {"public": (2, int(surviving[:2].sum())), "other": (1, int(surviving[2]))}
    facts = dismissal_facts(counts)
    assert facts["sessions"] == 3
    assert facts["surviving"] == int(surviving.sum())
    assert facts["reasons"] == {REASONS["public"]: 2, REASONS["other"]: 1}
    assert dismissal_facts({}) == {}
