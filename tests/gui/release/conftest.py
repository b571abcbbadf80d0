"""A run under review: how it is opened, signed and exported."""

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
from tests.narrowing import present
from tests.release.fakes import quick_report

Opener = Callable[..., ReviewPanel]


@pytest.fixture
def log() -> QueryLog:
    return flagged_logs.log_of(flagged_logs.SESSIONS)


@pytest.fixture
def result(log: QueryLog) -> Run:
    kept = MetricValue("kept", "queries kept", 0.42, side="utility")
    rows = MetricValue("rows", "rows released", 21)
    volume = MeasureResult(measure="volume", params={}, values=(kept, rows))
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
def review(result: Run, log: QueryLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Opens the review of the run, and waits until it is judged; its report is a short page."""
    quick_report(monkeypatch)

    def make(**more: Any) -> ReviewPanel:
        panel = show(ReviewPanel(result, log, **more))
        panel.target.folder.setText(str(tmp_path / "release"))
        panel.target.pdf.setChecked(False)
        wait_for_checks(panel)
        return panel

    return make


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Where the reviewer's key is made."""
    return tmp_path / "key.pem"


def wait_for_checks(panel: ReviewPanel) -> None:
    wait_until(lambda: not panel.counting.running and not panel.gates.busy)


def sign(panel: ReviewPanel, key: Path | None = None) -> None:
    """Sign; with a key, agree to every check that is not passed."""
    panel.sign_off.reviewer.setText("Ada Reviewer")
    for box in panel.sign_off.confirmations:
        box.setChecked(True)
    if key is not None:
        panel.sign_off.key.setText(str(key))
        for field in card_of(panel).reasons.values():
            field.setText("agreed")


def card_of(panel: ReviewPanel) -> GatesCard:
    return present(panel.gates.card)


def export(panel: ReviewPanel, key: Path | None = None) -> None:
    """Sign, with a key or without one, and export."""
    sign(panel, key)
    with wait_signal(panel.exported):
        panel.export()
