"""Size of bundles: the source's Tables 1 and 2, counted by rows."""

import dataclasses
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from auditor.figures import Table
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.base import MeasureResult
from auditor.measures.bundle_sizes import MEASURE
from auditor.privacy.release import Preview
from tests.measures.fakes import made_by, take, values_of


@pytest.fixture(scope="module")
def log() -> QueryLog:
    return synthesize_log(400, days=14, seed=4).log


def released(log: QueryLog, **params: Any) -> Preview:
    return made_by("bundling", log, **params)


def measured(log: QueryLog, release: Preview, **params: Any) -> MeasureResult:
    return take(MEASURE, log, release, **params)


def cells(table: Table) -> dict[str, list[Any]]:
    return {row[0]: list(row[1:]) for row in table.rows}


def plain(log: QueryLog, bits: int, least: int) -> list[float]:
    """The lines of a column, by dictionaries."""
    assert log.ip is not None
    events: dict[int, set[tuple[int, int, int]]] = defaultdict(set)
    rows = zip(log.ip.tolist(), log.user.tolist(), log.query.tolist(), log.time.tolist())  # noqa: B905
    for ip, user, query, time in rows:
        events[ip >> bits].add((user, query, time))
    some = [bundle for bundle in events.values() if len(bundle) >= least]
    users = [len({user for user, _, _ in bundle}) for bundle in some]
    queries = [len(bundle) for bundle in some]
    everybody = {user for bundle in some for user, _, _ in bundle}
    return [
        len(some),
        len(everybody),
        sum(queries),
        round(float(np.mean(users)), 2),
        max(users),
        round(float(np.mean(queries)), 2),
        max(queries),
    ]


def test_that_table_1_counts_all_bundles_and_those_of_a_hundred_queries(log: QueryLog) -> None:
    rows = cells(measured(log, released(log, by="ip-mask", bits=8)).tables[0])
    assert [row[0] for row in rows.values()] == plain(log, 8, 1)
    assert [row[1] for row in rows.values()] == plain(log, 8, 100)


def test_that_table_2_shows_the_sources_masks_and_the_releases_own(log: QueryLog) -> None:
    table = measured(log, released(log, by="ip-mask", bits=10), min_queries=50).tables[1]
    assert table.columns == ("", "8 bits", "10 bits", "12 bits", "16 bits")
    rows = list(cells(table).values())
    for place, bits in enumerate((8, 10, 12, 16)):
        assert [row[place] for row in rows] == plain(log, bits, 50)


@pytest.mark.parametrize(
    "form", [{"by": "cookie-hash", "buckets": 12}, {"by": "random-users", "group": 25}]
)
def test_that_unrepeatable_bundles_are_counted_by_rows(form: dict[str, Any], log: QueryLog) -> None:
    release = released(log, **form)
    result = measured(log, release)
    counts = {row: column[0] for row, column in cells(result.tables[0]).items()}
    assert counts["bundles"] == release.changes["bundles"]
    assert counts["queries"] == release.changes["queries"]
    assert counts["users"] == len(log.users)
    assert counts["users of a bundle, most"] == release.changes["largest_bundle_users"]
    assert counts["queries of a bundle, most"] == release.changes["largest_bundle_queries"]


def test_that_a_log_without_addresses_has_no_table_of_masks() -> None:
    log = QueryLog.from_columns(user=["a", "b", "a"], query=["x", "y", "z"], time=[1, 2, 3])
    result = measured(log, released(log, by="random-users", group=2))
    assert [table.name for table in result.tables] == ["bundles"]
    assert cells(result.tables[0])["bundles"] == [1, 0]
    values = values_of(result)
    assert values["mean_users"] == 2
    assert values["alone"] == 0


def test_that_who_stands_alone_is_counted_once() -> None:
    log = QueryLog.from_columns(
        user=["a", "a", "b", "c"],
        query=["w", "x", "y", "z"],
        time=[1, 2, 3, 4],
        ip=[1 << 8, 2 << 8, 3 << 8, 3 << 8],
    )
    values = values_of(measured(log, released(log, by="ip-mask")))
    assert values["bundles"] == 3
    assert values["alone"] == pytest.approx(1 / 3)


def test_that_rows_which_the_release_lacks_are_in_no_bundle() -> None:
    part = QueryLog.from_columns(
        user=["a", "b"], query=["x", "y"], time=[1, 2], ip=[1 << 8, 1 << 8]
    )
    log = QueryLog.from_columns(
        user=["a", "b", "c"], query=["x", "y", "z"], time=[1, 2, 3], ip=[1 << 8, 1 << 8, 2 << 8]
    )
    result = measured(log, released(part, by="ip-mask"))
    assert cells(result.tables[0])["queries"] == [2, 0]
    assert any("1 query" in note for note in result.notes)


def test_that_other_releases_are_refused(log: QueryLog) -> None:
    release = released(log, by="ip-mask")
    other = dataclasses.replace(release, method="token-hashing")
    assert MEASURE.why_not(release) == ""
    assert "bundling" in MEASURE.why_not(other)
