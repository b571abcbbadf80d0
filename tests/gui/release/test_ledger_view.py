"""The ledger in the window: empty, whole, broken; and what the review says and asks of it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from auditor.gui.release.gates_card import LedgerCard, LedgerView
from auditor.log.model import QueryLog
from auditor.methods.statements import NEIGHBOURS, UNIT
from auditor.privacy.statement import Statement
from auditor.release.ledger import store
from auditor.release.ledger.history import LedgerHistory
from auditor.release.ledger.totals import spent_of, to_plain
from auditor.release.record import ReleaseRecord
from tests.gui.driving import column_cells, keep, row_cells, show, texts, wait_until
from tests.gui.release.conftest import Opener, card_of, sign
from tests.gui.risk import flagged_logs
from tests.narrowing import present

FORMAL = ReleaseRecord(
    Statement("differential privacy", "", UNIT, NEIGHBOURS, epsilon=2.0, delta=1e-6),
    method="zealous",
)
VAGUE = ReleaseRecord(Statement("k-anonymity", "", "a record"), method="microaggregation")


def enter(record: ReleaseRecord, digest: str = "d" * 64, **more: Any) -> None:
    """An approval in this test's ledger."""
    path = store.ledger_path()
    with store.open_for_append(path) as writer:
        body = {"kind": store.APPROVED, "log": {"digest": digest}, "at": "2026-03-01T10:00:00Z"}
        body |= {"release": f"{len(writer.state.entries)}", "reviewer": flagged_logs.HTML}
        body |= {"params": {"k": 5}, "overrides": [], "policy": {"name": "ours"}} | more
        writer.append(body | to_plain(spent_of(record)))


def tamper(*statements: str) -> None:
    """Change this test's ledger past its triggers."""
    with closing(sqlite3.connect(store.ledger_path())) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def open_ledger(first: str = "") -> LedgerView:
    dialog = show(LedgerView(first))
    wait_until(lambda: not dialog.job.running)
    return dialog


# The ledger by itself


def test_that_an_empty_ledger_says_what_it_is_for() -> None:
    dialog = open_ledger()
    assert "Nothing was approved so far" in texts(dialog)
    assert "add up" in texts(dialog)
    assert not dialog.split.isVisible()
    assert not store.ledger_path().exists()


def test_that_each_log_has_its_total_and_its_releases() -> None:
    enter(FORMAL)
    enter(VAGUE, "e" * 64, overrides=[{"gate": "k", "reason": "the <b>board</b>"}])
    enter(FORMAL)
    enter(FORMAL, release="2")
    dialog = open_ledger("e" * 64)
    assert dialog.chain.text().startswith("✓ 4 entries")
    first, second = (dialog.logs.item(row).text() for row in range(2))
    assert first == f"This log {'e' * 12}\nno total"
    assert second == f"Log {'d' * 12}\nε 4, δ 2 × 10⁻⁶"
    assert "the <b>board</b>" in dialog.detail.text()
    assert "k-anonymity" in dialog.detail.text()
    QTest.keyClick(dialog.logs, Qt.Key.Key_Down)
    assert column_cells(dialog.model, 0) == ["4", "3", "1"]
    assert "approved again" in dialog.detail.text()
    latest = row_cells(dialog.model, 0)
    assert latest[1:5] == ["2026-03-01 10:00:00", "zealous", "2", "10⁻⁶"]
    assert "together ε = 4" in dialog.head.text()
    for label in dialog.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText


def test_that_a_broken_ledger_names_the_entry_without_totals() -> None:
    for _ in range(3):
        enter(FORMAL)
    tamper("DROP TRIGGER entries_delete", "DELETE FROM entries WHERE number = 2")
    dialog = open_ledger()
    assert dialog.title_label.text().startswith("✗")
    assert "entry 2 is missing" in dialog.chain.text()
    assert "no total" in dialog.logs.item(0).text()
    assert "ε =" not in dialog.head.text() + dialog.words.text()


def test_that_what_is_no_ledger_is_told() -> None:
    path = store.ledger_path()
    path.parent.mkdir(parents=True)
    path.write_bytes(b"zebulon quarkmeister" * 100)
    path.chmod(0o600)
    dialog = open_ledger()
    assert "The ledger can't be used" in dialog.chain.text()
    assert "zebulon" not in texts(dialog)


# In the review


def test_that_the_card_says_what_it_comes_to_before_and_after() -> None:
    enter(FORMAL)
    (entry,) = store.read_ledger(store.ledger_path()).entries
    one_release = LedgerHistory("d" * 64, (entry,), sampled=True)
    none_yet = LedgerHistory("d" * 64, (), sampled=False)
    sums = ("ε 2, δ 10⁻⁶\n", "ε 4, δ 2 × 10⁻⁶ together", "2 releases, together ε = 4")
    for history, record, facts in (
        (one_release, FORMAL, sums),
        (one_release, VAGUE, ("✗ no total",)),
        (none_yet, FORMAL, ("nothing", "Only the very same log was recognised")),
        ("It is broken.", FORMAL, ("can't be used. It is broken.",)),
    ):
        text = texts(keep(LedgerCard(history, record)))
        assert [fact for fact in facts if fact not in text] == []


def test_that_a_total_over_a_limit_needs_a_reason(review: Opener, log: QueryLog, key: Path) -> None:
    enter(VAGUE, log.digest)
    dialog = review()
    sign(dialog, key)
    reason = card_of(dialog).reasons["without-guarantee"]
    reason.clear()
    assert "did not pass a reason" in dialog.describe_missing()
    assert not dialog.export_button.isEnabled()
    reason.setText("the board agreed")
    assert dialog.export_button.isEnabled()


def test_that_a_ledger_that_was_tampered_with_stops_the_signing(review: Opener, key: Path) -> None:
    enter(FORMAL)
    tamper("DROP TRIGGER entries_update", "UPDATE entries SET body = '{}'")
    dialog = review()
    assert "not as it was written" in texts(present(dialog.gates.ledger))
    assert {"total-epsilon", "without-guarantee"} <= set(card_of(dialog).reasons)
    sign(dialog, key)
    dialog.export()
    wait_until(lambda: dialog.state in ("done", "failed"))
    assert "Nothing was exported" in dialog.message.text()
    assert "not as it was written" in dialog.message.text()
    assert dialog.folder is None or not dialog.folder.exists()
