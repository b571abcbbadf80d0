"""A run under review: how it is opened, signed and exported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auditor.attacks.base import AttackResult
from auditor.engine.plan import Plan
from auditor.engine.run import Run
from auditor.figures import MetricValue
from auditor.gui.release.gates_card import GatesCard
from auditor.gui.release.page import ReviewPanel
from auditor.log.model import QueryLog
from auditor.measures.base import MeasureResult
from auditor.params import Params
from tests.gui.driving import show, wait_signal, wait_until
from tests.gui.risk import flagged_logs

Opener = Callable[..., ReviewPanel]


@pytest.fixture
def log() -> QueryLog:
    return flagged_logs.log_of(flagged_logs.SESSIONS)


@pytest.fixture
def result(log: QueryLog) -> Run:
    metric = MetricValue("kept", "queries kept", 0.42, side="utility")
    volume = MeasureResult(
        measure="volume", params={}, values=(metric, MetricValue("rows", "rows released", 21))
    )
    attack = AttackResult(
        attack="surviving-content",
        params={},
        rate=0.5,
        baseline=0.1,
        interval=(0.2, 0.8),
        findings=flagged_logs.findings_of(log, flagged_logs.WORDS, ["jane roe"]),
    )
    release = flagged_logs.release_of(["jane roe", "cars"], [17, 4])
    plan = Plan(log_digest=log.digest, method="safelog", params=Params())
    return Run(plan, release, (volume,), (attack,))


@pytest.fixture
def review(result: Run, log: QueryLog, tmp_path: Path) -> Opener:
    """Opens the review of the run, and waits until it is judged."""

    def make(**more: Any) -> ReviewPanel:
        dialog = show(ReviewPanel(result, log, **more))
        dialog.target.folder.setText(str(tmp_path / "release"))
        dialog.target.pdf.setChecked(False)
        wait_until(lambda: not dialog.counting.running and not dialog.gates.busy)
        return dialog

    return make


def sign(dialog: ReviewPanel, key: Path | None = None) -> None:
    """Sign; with a key, agree to every check that is not passed."""
    dialog.sign_off.reviewer.setText("Ada Reviewer")
    for box in dialog.sign_off.confirmations:
        box.setChecked(True)
    if key is not None:
        dialog.sign_off.key.setText(str(key))
        for field in card_of(dialog).reasons.values():
            field.setText("agreed")


def card_of(dialog: ReviewPanel) -> GatesCard:
    card = dialog.gates.card
    assert card is not None
    return card


def export(dialog: ReviewPanel) -> None:
    with wait_signal(dialog.exported):
        dialog.export()
