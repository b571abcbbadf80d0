"""Whom counts are of, as sessions of the log, and what a release shows of a session."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from auditor.attacks.base import Attack, AttackResult, FlaggedFindings
from auditor.attacks.hash_inversion.report import refer_to_holders
from auditor.attacks.record_linkage import attack as record_linkage_attack
from auditor.attacks.registry import ATTACKS
from auditor.attacks.surviving_content import attack as surviving_content_attack
from auditor.figures import UserReference
from auditor.gui.risk import page, session_data
from auditor.log.synthetic.generator import synthesize_log
from auditor.privacy.release import Anonymized, Preview
from tests.attacks.attacked import QUIET, findings, run_attack, value
from tests.measures.fakes import log_of, made_by, release_of, searches, tables_of
from tests.narrowing import present

LOG = synthesize_log(150, seed=3).log
UNBUNDLED = {"min_queries": 10, "variant": "w", "compare": False, "table": "none"}


def result_of(attack: Attack, release: Preview | None, **values: Any) -> AttackResult:
    return run_attack(attack, LOG, release, **values)


def behind(attack: AttackResult, who: UserReference, line: int) -> FlaggedFindings:
    return page.trace_sessions(LOG, None, attack, who, line, QUIET)


@pytest.fixture(scope="module")
def survived() -> AttackResult:
    return result_of(surviving_content_attack.ATTACK, made_by("frequency-threshold", LOG, n=2))


def test_that_as_many_sessions_open_as_tables_and_plots_count(survived: AttackResult) -> None:
    exposed = result_of(ATTACKS["entity-exposure"], None, n=4000, n_queries=4000)
    for result in (survived, exposed):
        table = result.tables[0]
        for column, who in table.who.items():
            for line, row in enumerate(table.rows):
                assert len(behind(result, who, line)) == row[column]
    kinds, risks = survived.figures
    for series in kinds.series:
        who = present(series.who)
        assert [len(who.find(i)) for i in range(len(series.y))] == series.y.tolist()
    for series in risks.series:
        who = present(series.who)
        sizes = [len(behind(survived, who, bar)) for bar in range(len(series.y))]
        assert sizes == series.y.tolist()


def test_that_the_queries_behind_a_count_are_as_many_as_it_says(survived: AttackResult) -> None:
    table = survived.tables[1]
    for column in (1, 2, 3, 4):
        for line, row in enumerate(table.rows):
            codes = table.who[column].find(line)
            assert len(codes) == row[column]
            findings = behind(survived, table.who[column], line)
            for start, stop in zip(findings.start, findings.stop, strict=True):
                assert np.isin(LOG.query[start:stop], codes).any()


def test_that_figures_open_whom_they_count(survived: AttackResult) -> None:
    whom = {metric.name: metric.who for metric in survived.values if metric.who is not None}
    flagged = behind(survived, whom["users_flagged"], 0)
    assert len(np.unique(LOG.user[flagged.start])) == value(survived, "users_flagged")
    traced = behind(survived, whom["sessions_flagged"], 0)
    assert len(traced) == value(survived, "sessions_flagged")
    np.testing.assert_allclose(np.sort(traced.risk), np.sort(findings(survived).risk), atol=1e-6)
    run = cast(Any, SimpleNamespace(attacks=[survived]))
    assert page.find_counting_attack(run, whom["sessions_flagged"]) is survived


def test_that_users_in_tables_open_their_own_sessions_alone() -> None:
    bundled = made_by("bundling", LOG, by="random-users", group=30)
    results = [
        result_of(ATTACKS["record-linkage"], made_by("microaggregation", LOG, k=2)),
        result_of(ATTACKS["structural"], bundled, min_queries=10),
        result_of(ATTACKS["unbundling"], bundled, **UNBUNDLED),
    ]
    for result in results:
        tables = [t for t in result.tables if -1 in t.who and "User" in t.columns]
        assert tables, result.attack
        for table in tables:
            place = table.columns.index("User")
            for line, row in list(enumerate(table.rows))[:3]:
                trace = behind(result, table.who[-1], line)
                names = {LOG.users[int(LOG.user[row])] for row in trace.start}
                assert names == {row[place]}


@pytest.mark.parametrize(
    ("attack", "module", "params"),
    [
        (surviving_content_attack.ATTACK, surviving_content_attack, {"rules": "source"}),
        (ATTACKS["record-linkage"], record_linkage_attack, {}),
    ],
)
def test_that_everybody_exposed_is_kept_however_few_are_listed(
    attack: Attack, module: Any, params: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    release = made_by("frequency-threshold", LOG, n=2)
    full = findings(result_of(attack, release, **params)).exposed
    monkeypatch.setattr(module, "MOST_FINDINGS", 3)
    few = findings(result_of(attack, release, **params))
    assert len(few) <= 3 < len(few.exposed)
    for name in ("start", "size", "reason", "risk"):
        np.testing.assert_array_equal(getattr(full, name), getattr(few.exposed, name))


def test_that_only_those_with_something_released_are_exposed(survived: AttackResult) -> None:
    sessions = findings(survived)
    starts = np.sort(sessions.start[sessions.surviving > 0])
    np.testing.assert_array_equal(sessions.exposed.rows, starts)
    assert len(sessions.exposed) < len(sessions)


# what a release shows

SMALL = log_of(
    [
        ("ann", "rose", 10, "http://r"),
        ("ann", "my own name", 20, None),
        ("ann", "tulip", 30, None),
        ("bob", "rose", 11, None),
        ("bob", "fern", 21, None),
    ]
)


def find_events(release: Anonymized, user: int) -> session_data.ReleasedEvents:
    first, stop = (int(row) for row in SMALL.user_starts[user : user + 2])
    return session_data.find_released_events(SMALL, release, range(first, stop), stop, QUIET)


def list_fates(released: session_data.ReleasedEvents) -> list[str]:
    return [fate.format_fate() for fate in released.events]


def test_that_tables_show_counts_of_queries_clicks_and_steps() -> None:
    tables = tables_of({"rose": 7, "tulip": 3}, {("rose", "http://r"): 5})
    released = find_events(release_of(tables), 0)
    assert list_fates(released) == ["✓ word for word · 7×", "no", "✓ word for word · 3×"]
    assert released.events[0].details == ("with the click on http://r, 5 times",)


def test_that_a_log_in_its_own_order_shows_each_row_as_it_stands() -> None:
    changed = log_of(searches(a="10 #1; 20 #2 #3 #4; 30 tulip", b="11 #1; 21 #5"))
    released = find_events(release_of(changed, ids="random"), 0)
    assert list_fates(released) == ["as “#1”", "as “#2 #3 #4”", "✓ word for word · 1×"]
    assert "in their order" in released.evidence


def test_that_her_record_is_found_by_id_and_what_others_hold_is_not_hers() -> None:
    log = log_of([("bob", "rose", 11, None), ("ann", "tulip", 30, None), ("eve", "rose", 5, None)])
    released = find_events(release_of(log, ids="keep"), 0)
    assert [fate.kind for fate in released.events] == ["gone", "gone", "same"]
    assert released.events[0].details == ("others' records hold it 2 times",)
    gone = log_of([("bob", "rose", 11, None), ("eve", "rose", 5, None)])
    assert {fate.kind for fate in find_events(release_of(gone, ids="keep"), 0).events} == {"gone"}


@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("token-hashing", "changed"), ("bundling", "same"), ("microaggregation", ""),
        ("frequency-threshold", ""), ("k-delta", ""), ("safelog", ""),
    ],
)  # fmt: skip
def test_that_every_kind_of_release_tells_of_every_event(method: str, kind: str) -> None:
    first, stop = (int(start) for start in LOG.user_starts[3:5])
    rows = [row for row in range(first, stop) if LOG.event_starts[row]]
    release = made_by(method, LOG)
    released = session_data.find_released_events(LOG, release, rows, stop, QUIET)
    assert len(released.events) == len(rows)
    assert released.evidence.endswith(".")
    assert not kind or {fate.kind for fate in released.events} == {kind}


def test_that_a_recovered_word_opens_the_queries_that_hold_it_as_a_word() -> None:
    log = log_of(
        [("a", "rose garden", 1, None), ("b", "roses", 2, None), ("b", "red rose", 3, None)]
    )
    who = refer_to_holders(log, ["rose", "", "fern"])[-1]
    assert [sorted(log.queries.list_strings(who.find(line))) for line in range(3)] == [
        ["red rose", "rose garden"], [], [],
    ]  # fmt: skip
