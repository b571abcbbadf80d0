"""How attacks see bundles: of a release as it is, of a log as they would be."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.attacks.base import Evidence
from auditor.attacks.bundle_view import (
    BundledLog,
    BundleParams,
    arrange_events,
    find_bundles,
    why_not,
)
from auditor.errors import MissingInput
from auditor.log.bundles import BundlePartition
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.privacy.release import Preview
from tests.attacks.attacked import QUIET
from tests.measures.fakes import made_by
from tests.narrowing import present

LOG = synthesize_log(300, days=10, seed=2).log


def released(log: QueryLog, seed: int = 1, **params: Any) -> Preview:
    return made_by("bundling", log, seed, **params)


def view_bundles(log: QueryLog, release: Preview | None = None, **params: Any) -> BundledLog:
    return find_bundles(Evidence(log=log, release=release), BundleParams(**params), QUIET)


def contents(log: QueryLog, bundle: np.ndarray, row: np.ndarray) -> list[list[tuple[int, int]]]:
    """The (query, second) pairs of each bundle, in an order that forgets its number."""
    table: dict[int, set[tuple[int, int]]] = {}
    for b, r in zip(bundle.tolist(), row.tolist(), strict=True):
        table.setdefault(b, set()).add((int(log.query[r]), int(log.time[r])))
    return sorted(sorted(part) for part in table.values())


FORMS = (
    {"by": "ip-mask", "bits": 10},
    {"by": "cookie-hash", "buckets": 20},
    {"by": "random-users", "group": 15},
)


@pytest.mark.parametrize("clicks", [True, False])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form["by"]))
def test_that_a_release_decides_which_events_meet(form: dict[str, Any], clicks: bool) -> None:
    release = released(LOG, clicks=clicks, **form)
    view = view_bundles(LOG, release, by="random-users", group=2)
    log = present(release.log)
    theirs = log.queries.match(LOG.queries)[log.query]
    renamed = dataclasses.replace(log, query=theirs.astype(np.int32), queries=LOG.queries)
    assert contents(LOG, view.bundle, view.row) == contents(renamed, log.user, np.arange(len(log)))
    assert view.released
    assert view.by == form["by"]
    assert view.count == len(log.users)
    assert (view.lost, view.guessed) == (0, 0)
    assert len(view) == int(LOG.event_starts.sum())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form["by"]))
def test_that_bundles_without_a_release_have_the_sizes_of_one(form: dict[str, Any]) -> None:
    mine = view_bundles(LOG, **form)
    theirs = view_bundles(LOG, released(LOG, **form))
    assert not mine.released
    if form["by"] == "ip-mask":
        assert sorted(mine.queries) == sorted(theirs.queries)
        assert sorted(mine.users) == sorted(theirs.users)
    assert mine.queries.sum() == theirs.queries.sum()


def test_that_bundles_are_numbered_as_the_release_numbers_them() -> None:
    release = released(LOG, by="ip-mask", bits=8, clicks=False)
    view, log = view_bundles(LOG, release), present(release.log)
    for bundle in range(view.count):
        part = view.slice_events(bundle)
        rows = log.user_starts[bundle], log.user_starts[bundle + 1]
        assert set(view.time[part].tolist()) == set(log.time[slice(*rows)].tolist())


def addressed(*rows: tuple[str, str, int, int]) -> QueryLog:
    """User, query, time and the bundle by 8 bits."""
    user, query, time, bundle = zip(*rows, strict=True)
    return QueryLog.from_columns(
        user=user, query=query, time=time, ip=[number << 9 for number in bundle]
    )


def test_that_events_alike_in_two_bundles_are_told_by_their_owners_other_events() -> None:
    log = addressed(
        ("ann", "tea", 5, 1), ("ann", "rum", 6, 1), ("bob", "tea", 5, 2), ("bob", "gin", 7, 2)
    )
    for seed in range(6):
        view = view_bundles(log, released(log, seed, by="ip-mask", bits=8))
        assert (view.ambiguous, view.guessed, view.lost) == (2, 0, 0)
        assert view.queries.tolist() == [2, 2]


def test_that_what_nothing_tells_apart_is_drawn_and_what_the_release_lacks_is_left_out() -> None:
    log = addressed(("ann", "tea", 5, 1), ("bob", "tea", 5, 2), ("cid", "rum", 9, 4))
    view = view_bundles(log, released(log, by="ip-mask", bits=8))
    assert (view.ambiguous, view.guessed, view.lost) == (2, 2, 0)
    assert len(view) == 3
    rows = ("ann", "tea", 5, 1), ("bob", "rum", 6, 2)
    more = addressed(*rows, ("cid", "gin", 7, 4))
    view = view_bundles(more, released(addressed(*rows), by="ip-mask", bits=8))
    assert view.lost == 1
    assert sorted(more.queries.list_strings(view.query)) == ["rum", "tea"]


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 24), st.sampled_from(["ip-mask", "cookie-hash", "random-users"]))
def test_that_columns_agree_with_the_log_and_stand_in_order(bits: int, by: str) -> None:
    view = view_bundles(LOG, by=by, bits=bits, buckets=bits, group=2 + bits)
    assert np.array_equal(view.user, LOG.user[view.row])
    assert np.array_equal(view.query, LOG.query[view.row])
    assert np.array_equal(view.time, LOG.time[view.row])
    assert np.array_equal(np.sort(view.row), np.flatnonzero(LOG.event_starts))
    assert np.all(np.diff(view.bundle) >= 0)
    same = np.diff(view.bundle) == 0
    assert np.all(np.diff(view.time)[same] >= 0)
    assert np.array_equal(np.diff(view.starts), np.bincount(view.bundle, minlength=view.count))
    assert np.array_equal(view.fiber_user[view.fiber], view.user)
    assert np.array_equal(view.fiber_bundle[view.fiber], view.bundle)
    assert view.fiber_queries.sum() == len(view)
    pairs = view.fiber_bundle * len(LOG.users) + view.fiber_user
    assert np.all(np.diff(pairs) > 0)
    assert np.array_equal(view.users, np.bincount(view.fiber_bundle, minlength=view.count))
    assert np.array_equal(view.large, view.queries >= 100)


def test_that_order_says_nothing_of_the_users() -> None:
    n = 400
    log = QueryLog.from_columns(
        user=[f"u{i:03}" for i in range(n)], query=[f"q{i:03}" for i in range(n)], time=[7] * n
    )
    alike = dataclasses.replace(
        log, query=np.zeros(n, np.int32), queries=log.queries.take(np.zeros(1, np.int32))
    )
    partition = BundlePartition(np.zeros(n, np.int32), 1)
    for some in (log, alike):
        view = arrange_events(some, partition, 1, "random-users", None, QUIET)
        assert abs(float(np.corrcoef(view.user, np.arange(n))[0, 1])) < 0.2


def test_that_what_has_no_bundles_is_told_so() -> None:
    log = QueryLog.from_columns(user=["a", "b"], query=["x", "y"], time=[1, 2])
    assert why_not(Evidence(log=log)) == ""
    assert view_bundles(log).by == "random-users"
    for by, lacks in (("ip-mask", "addresses"), ("cookie-hash", "cookies")):
        assert lacks in why_not(Evidence(log=log), BundleParams(by=by))
        with pytest.raises(MissingInput, match=lacks):
            view_bundles(log, by=by)
    empty = QueryLog.from_columns(user=[], query=[], time=[])
    assert "empty" in why_not(Evidence(log=empty))
    other = dataclasses.replace(released(LOG, by="cookie-hash", buckets=20), method="k-delta")
    assert "holds no bundles" in why_not(Evidence(log=log, release=other))
