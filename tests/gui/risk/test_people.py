"""People in the place of sessions: who is listed, in which order, and what dismissing them does."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.attacks.base import Evidence, FlaggedFindings
from auditor.attacks.surviving_content import attack
from auditor.gui.risk.panel import MARKED, NOTED, USER, FlaggedPanel
from auditor.log.model import QueryLog
from auditor.privacy.release import Preview
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress
from tests.gui.driving import pick, wait_until
from tests.gui.risk.conftest import Book, cells, settled

DAY = 86_400
ROWS = (
    *(("ann", "anxiety disorder", day * DAY) for day in range(12)),
    ("bob", "bob@example.org", 0),
    ("bob", "bob@example.org", 2 * DAY),
    ("bob", "springfield illinois weather", 3 * DAY),
    ("cid", "breast cancer", 0),
    ("dan", "weather", 0),
    ("eve", "wilhelmina schmidt obituary", 0),
)
USERS, QUERIES, TIMES = zip(*ROWS, strict=True)
LOG = QueryLog.from_columns(user=USERS, query=QUERIES, time=TIMES)


def find(released: tuple[str, ...] | None = None) -> tuple[FlaggedFindings, Preview | None]:
    release = None
    if released is not None:
        keep = np.isin(LOG.query, [LOG.queries.find([text])[0] for text in released])
        nothing = Statement(model="none", claim="nothing", unit="nothing")
        release = Preview(
            method="made-up", params={}, content=LOG.rows(keep), statement=nothing, changes={}
        )
    result = attack.ATTACK.run(
        Evidence(log=LOG, release=release),
        attack.SurvivingContentParams(),
        rng=np.random.default_rng(0),
        progress=silent_progress(),
    )
    assert result.findings is not None
    return result.findings, release


@pytest.fixture
def panel(panel: FlaggedPanel, book: Book) -> FlaggedPanel:
    panel.keep_notes(book)
    return panel


def list_them(panel: FlaggedPanel, released: tuple[str, ...] | None = None) -> None:
    panel.show_findings(LOG, *find(released))
    settled(panel)


def test_that_people_are_listed_once_each_by_all_that_they_issued(panel: FlaggedPanel) -> None:
    list_them(panel)
    assert cells(panel, USER) == ["ann", "eve", "bob", "cid"]
    assert panel.filters.count_label.text() == "3 of 5 users at risk \u00b7 1 below 0.30"
    pick(panel.filters.level, "sessions")
    settled(panel)
    assert sorted(cells(panel, USER)) == ["bob", "bob", "eve"]
    assert panel.filters.count_label.text() == "3 sessions"


def test_that_who_survives_stands_alone_or_first_with_their_query(panel: FlaggedPanel) -> None:
    list_them(panel, ("breast cancer", "weather"))
    assert cells(panel, USER) == ["cid"]
    text = "surviving: 0 of 3 at risk \u00b7 1 of 1 below 0.30"
    assert panel.filters.count_label.text() == text
    panel.filters.surviving.click()
    settled(panel)
    assert cells(panel, USER)[0] == "cid"
    assert len(cells(panel, USER)) == 4
    assert cells(panel, MARKED)[0] == "breast cancer"
    assert panel.filters.count_label.text() == text
    list_them(panel, ("springfield illinois weather", "weather"))
    marked = cells(panel, MARKED)[cells(panel, USER).index("bob")]
    assert marked == "bob@example.org"  # a town that survives tells less


def test_that_a_person_is_put_away_with_all_their_sessions(panel: FlaggedPanel) -> None:
    list_them(panel)
    row = cells(panel, USER).index("bob")
    panel.table.selectRow(row)
    assert len(panel.chosen_rows()) == 2
    panel.confirm_selected()
    settled(panel)
    assert cells(panel, NOTED)[row] == "✓ confirmed"
    panel.table.selectRow(row)
    panel.dismiss_selected("public")
    settled(panel)
    assert "bob" not in cells(panel, USER)
    assert panel.filters.count_label.text().endswith("1 dismissed")
    pick(panel.filters.level, "sessions")
    settled(panel)
    assert cells(panel, USER) == ["eve"]
    panel.filters.level.setCurrentIndex(0)
    settled(panel)
    panel.table.selectRow(cells(panel, USER).index("cid"))
    panel.dismiss_selected("public")
    wait_until(lambda: "cid" not in cells(panel, USER))
