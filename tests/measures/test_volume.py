"""What is left of a log, counted by hand."""

import dataclasses

import numpy as np
import pytest

import auditor
from auditor.errors import Cancelled
from auditor.log.model import QueryLog
from auditor.measures import frequencies, query_counts, similarity, volume
from auditor.measures.base import Measure
from auditor.measures.retrieval import MEASURE as RETRIEVAL
from auditor.privacy.release import Anonymized
from auditor.progress import Progress
from tests.measures.fakes import cancelled, log_of, release_of, tables_of, take, values_of

LOG = log_of(
    [
        ("ann", "rose", 10, "http://a"),
        ("ann", "rose", 10, "http://b"),
        ("ann", "tulip", 20, None),
        ("ann", "rose", 30, None),
        ("bob", "rose", 10, "http://a"),
        ("bob", "my own name", 20, "http://c"),
        ("cid", "tulip", 10, None),
        ("cid", "rose", 20, "http://a"),
    ]
)


def measure(release: Anonymized, log: QueryLog = LOG) -> dict[str, float]:
    return values_of(take(volume.MEASURE, log, release), "volume.")


def test_that_searches_are_counted_as_events_and_not_as_rows() -> None:
    """Rose: 4 searches on 5 rows; 7 searches in all."""
    release = release_of(tables_of({"rose": 5}))
    metrics = measure(release)
    (table,) = take(volume.MEASURE, LOG, release).tables
    assert table.rows[0][-1] == metrics["searches_share"]  # or it may be rounded otherwise
    assert metrics == {
        "searches": 4,
        "searches_share": 4 / 7,
        "queries": 1,
        "queries_share": 1 / 3,
        "invented_queries_share": 0,
        "invented_count_share": 0,
    }


def test_that_what_the_log_never_had_counts_as_new_and_not_as_kept() -> None:
    tables = tables_of(
        {"rose": 6, "decoy": 2, "tulip": -3},
        clicks={("rose", "http://a"): 3, ("rose", "http://c"): 1, ("decoy", "http://a"): 1},
        transitions={("rose", "tulip"): 2, ("tulip", "rose"): 1, ("rose", "decoy"): 4},
    )
    metrics = measure(release_of(tables))
    assert metrics["invented_queries_share"] == pytest.approx(1 / 3)
    assert metrics["invented_count_share"] == pytest.approx(2 / 8)
    assert metrics["clicks"] == 3
    assert metrics["clicks_share"] == pytest.approx(3 / 5)
    assert metrics["invented_clicks_share"] == pytest.approx(2 / 3)
    # rose→tulip, tulip→rose of Ann, rose→my own name of Bob, tulip→rose of Cid
    assert metrics["transitions_share"] == pytest.approx(3 / 4)
    assert metrics["invented_transitions_share"] == pytest.approx(1 / 3)


def test_that_a_released_log_is_counted_in_rows_events_users_and_clicks() -> None:
    released = log_of([("1", "rose", 10, "http://a"), ("1", "x", 20, None), ("2", "rose", 1, None)])
    metrics = measure(release_of(released))
    assert (metrics["rows"], metrics["rows_share"]) == (3, 1 / 8)
    assert (metrics["events"], metrics["events_share"]) == (3, 1 / 7)
    assert metrics["users_share"] == 2 / 3
    assert metrics["clicks_share"] == 1 / 5
    assert metrics["searches_share"] == 4 / 7
    assert metrics["invented_queries_share"] == 1 / 2


def test_that_of_replaced_queries_the_rows_tell_what_is_kept() -> None:
    hashed = log_of([("ann", "x1", 10, None), ("ann", "x2", 20, None), ("bob", "x1", 10, None)])
    metrics = measure(release_of(hashed))
    assert metrics["events_share"] == 3 / 7
    assert not {"searches", "queries_share", "invented_queries_share"} & metrics.keys()


def test_that_no_share_of_users_is_said_where_more_stand_in_their_place() -> None:
    released = log_of([(f"x{number}", "rose", 10, None) for number in range(5)])
    metrics = measure(release_of(released))
    assert metrics["users"] == 5
    assert "users_share" not in metrics


def test_that_bundles_and_one_id_for_all_are_no_users() -> None:
    release = dataclasses.replace(release_of(LOG), method="bundling")
    everybody = release_of(log_of([("everybody", "rose", 10, None)]))
    for released in (release, everybody):
        assert "users" not in measure(released)


def test_that_a_bundle_keeps_the_equal_searches_of_its_users_apart() -> None:
    log = log_of([(user, "rose", 10, None) for user in ("ann", "bob", "eve")])
    bundled = auditor.preview(log, "bundling", by="random-users", group=3, seed=1)
    assert measure(bundled, log)["events_share"] == 1
    alike = values_of(take(similarity.MEASURE, log, bundled), "similarity.")
    assert (alike["added"], alike["suppressed"]) == (0, 0)


def test_that_kept_users_are_those_of_the_log() -> None:
    rows = [("ann", "rose", 10, "http://a"), ("ann", "tulip", 20, None), ("eve", "rose", 10, None)]
    metrics = measure(release_of(log_of(rows), ids="keep"))
    assert metrics["users_share"] == 1 / 3


def test_that_sessions_of_a_synthetic_log_are_not_counted_as_users() -> None:
    release = dataclasses.replace(release_of(LOG), synthetic_seed=0)
    metrics = measure(release)
    assert metrics["rows"] == len(LOG)
    assert not [name for name in metrics if name.startswith("users")]
    assert "synthetic" in take(volume.MEASURE, LOG, release).notes[0]


def test_that_the_log_itself_is_whole() -> None:
    metrics = measure(release_of(LOG))
    assert {v for k, v in metrics.items() if k.endswith("_share") and "invented" not in k} == {1.0}
    assert metrics["invented_queries_share"] == 0


@pytest.mark.parametrize("log", [LOG, log_of([])], ids=["log", "empty log"])
def test_that_an_empty_release_is_measured(log: QueryLog) -> None:
    for content in (tables_of({}, clicks={}, transitions={}), log_of([])):
        metrics = measure(release_of(content), log)
        assert metrics["searches"] == 0
        assert not any(np.isnan(value) for value in metrics.values())
        assert not any(name.startswith("invented") for name in metrics)


def test_that_nothing_shown_outside_the_window_holds_a_query() -> None:
    result = take(volume.MEASURE, LOG, release_of(tables_of({"my own name": 5, "rose": 3})))
    assert "my own name" not in repr([t.rows for t in result.tables])
    assert "my own name" not in repr(result.values)


@pytest.mark.parametrize(
    ("unit", "rose", "tulip", "name"), [("rows", 5, 2, 1), ("events", 4, 2, 1), ("users", 3, 2, 1)]
)
def test_that_each_unit_counts_what_it_says(
    unit: query_counts.Unit, rose: int, tulip: int, name: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for block in (1, 4, 1 << 22):
        monkeypatch.setattr(query_counts, "_ROWS", block)
        counts = query_counts.query_counts(LOG, unit, Progress())
        by_query = dict(zip(LOG.queries.list_strings(), counts.tolist(), strict=True))
        assert by_query == {"rose": rose, "tulip": tulip, "my own name": name}


def test_that_the_release_says_its_unit() -> None:
    assert query_counts.unit_of(release_of(LOG, counting_unit="users")) == "users"
    assert query_counts.unit_of(release_of(LOG)) == "events"
    assert query_counts.unit_of(release_of(LOG, counting_unit=3)) == "events"


@pytest.mark.parametrize(
    "measure", [volume.MEASURE, frequencies.MEASURE, similarity.MEASURE, RETRIEVAL]
)
def test_that_a_cancelled_measure_stops(measure: Measure) -> None:
    release = release_of(LOG)
    with pytest.raises(Cancelled):
        take(measure, LOG, release, cancelled(), again=lambda *_: release)
