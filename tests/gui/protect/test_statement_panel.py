"""The statement with what an audit showed beside the claim: read rightly, in any colours."""

import dataclasses
import math
from typing import Any

import pytest

from auditor.attacks.base import AttackResult
from auditor.figures import MetricValue
from auditor.gui.protect.statement_panel import MetricsPanel, StatementPanel
from auditor.privacy.statement import Assumption, Statement
from tests.gui.driving import keep, show, wait_until
from tests.narrowing import present

CLAIM = Statement(
    "differential privacy",
    "It is so.",
    "one user's whole history",
    epsilon=0.5,
    delta=1e-6,
    assumptions=(Assumption("pool", "A pool is there.", "fails", "there is none"),),
)


def audit(bound: float, limit: float = 5.0, **more: Any) -> AttackResult:
    details = {
        "audited_epsilon": "infinite" if math.isinf(bound) else bound,
        "sampled_epsilon": min(bound, limit - 1),
        "limit": limit,
        "runs": 1_000,
        "confidence": 0.95,
        "bounds": {"page": {"impossible": 0.9} if math.isinf(bound) else {}},
    }
    return AttackResult(
        attack="dp-audit",
        params={},
        rate=0.5,
        baseline=0.5,
        interval=(0.4, 0.6),
        details=details | more,
    )


@pytest.fixture
def panel() -> StatementPanel:
    return show(StatementPanel(), 300, 500)


def test_that_the_bound_stands_beside_the_claim_after_an_audit(panel: StatementPanel) -> None:
    panel.show_statement(CLAIM, "Of run A")
    assert "audited" not in panel.headline.text()
    assert panel.scale.format_labels() == ("claimed: ε at most 0.5", "? not audited", "")
    assert not panel.verdict.isVisible()
    panel.show_statement(CLAIM, "Of run A", [audit(0.25)])
    assert panel.headline.text().endswith("audited ≥ 0.25")
    assert panel.scale.format_labels()[1:] == ("audited ≥ 0.25", "not testable above 5")
    assert not panel.verdict.isVisible(), "what refutes nothing is one click behind"
    panel.more.unfold()
    wait_until(lambda: any("never prove it" in text for text in panel.list_texts()))
    panel.show_statement(CLAIM, "Of run B")
    assert "audited" not in panel.headline.text()
    panel.show_statement(dataclasses.replace(CLAIM, claim="It is so. And more."), "Of run B")
    assert panel.claim.text() == "It is so."
    wait_until(lambda: "And more." in panel.list_texts())


def test_that_of_many_metrics_the_first_are_listed_until_all_are_wanted() -> None:
    panel = keep(MetricsPanel())
    panel.show_values([MetricValue(str(number), "rate", 0.5) for number in range(40)], "Run A")
    assert panel.table.model().rowCount() < 10
    assert len(present(panel.make_exportable()).rows) == 41
    panel.every.click()
    assert panel.table.model().rowCount() == 40


@pytest.mark.parametrize(("bound", "label"), [(2.0, "✗ audited ≥ 2"), (math.inf, "no ε holds")])
def test_that_a_bound_above_the_claim_is_red_and_where_there_is_none_that_is_said(
    panel: StatementPanel, bound: float, label: str
) -> None:
    panel.show_statement(CLAIM, "Of run A", [audit(bound)])
    assert label in panel.scale.format_labels()[1]
    assert panel.verdict.text().startswith("✗ Refuted")
    assert panel.verdict.property("role") == "bad"
    assert label.removeprefix("✗ ") in panel.scale.accessibleDescription()
    panel.show_statement(CLAIM, "Of run B", [audit(0.1)])
    assert panel.verdict.property("role") == ""
    panel.show_statement(Statement("none", "Nothing.", "one word"), "Of run A", [audit(1.0)])
    assert not panel.scale.isVisible()
    assert panel.verdict.text().startswith("– No ε is claimed")
    panel.clear("no log")
    assert not panel.verdict.isVisible()


def cells(*values: MetricValue) -> list[tuple[str, str]]:
    panel = keep(MetricsPanel())
    panel.show_values(values, "Run A")
    model = panel.table.model()
    return [(model.index(row, 0).data(), model.index(row, 1).data()) for row in range(len(values))]


def test_that_numbers_read_plainly_and_long_units_leave_room_for_names() -> None:
    rows = cells(
        MetricValue("expected.queries", "released queries", 8.5e-6),
        MetricValue("expected.clicks", "released click pairs", 0.0),
        MetricValue("delta", "claimed δ", 9.2e-7),
    )
    assert [number for _, number in rows] == ["under 0.001", "0", "9.2 × 10⁻⁷"]
    assert cells(
        MetricValue("a", "error", 0.5, unit="of query volume"),
        MetricValue("b", "rate", 0.25, interval=(0.125, 0.5)),
        MetricValue("c", "kept", 10.0, unit="%"),
    ) == [("error (of query volume)", "0.5"), ("rate", "0.25\n0.125 to 0.5"), ("kept", "10\u00a0%")]
