"""PEL, SPI, ILR and clusters of users: by hand, against plain Python, and in shape."""

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import auditor
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.user_distance.distance import all_distances
from auditor.log.user_distance.features import DistanceWeights
from auditor.measures import information_loss, profile_exposure, user_clustering
from auditor.measures.base import Measure, MeasureResult
from auditor.measures.profile_exposure import (
    QueryProfiles,
    by_occurrence,
    find_sensitive,
    pair_profiles,
    privacy_index,
    user_exposure,
)
from auditor.measures.user_clustering import cluster_users, partition_indices
from auditor.methods.microaggregation.groups import group_by_mdav
from auditor.methods.microaggregation.method import merge_groups
from auditor.privacy.information import lost_percent
from auditor.progress import silent_progress
from tests.measures.fakes import log_of, release_of, take, value

ROWS = [
    *(("ann", query, 10 * i, None) for i, query in enumerate(["a", "a", "b", "c"])),
    *(("bob", "only", 5 * i, None) for i in range(3)),
    ("cid", "x", 1, None),
    ("cid", "y", 2, None),
]
LOG = log_of(ROWS)
RELEASED = log_of(
    [("ann", "a", 1, None), ("ann", "z", 2, None), ("bob", "only", 5, None), ("new", "b", 7, None)]
)


def taken(measure: Measure, log: QueryLog, released: QueryLog, **values: Any) -> MeasureResult:
    return take(measure, log, release_of(released, k=2, ids="keep"), **values)


def profiles_of(released: QueryLog, log: QueryLog = LOG, **params: Any) -> QueryProfiles:
    return pair_profiles(log, release_of(released, **params), silent_progress())


def test_that_exposure_is_the_information_of_the_strings_that_stand_there() -> None:
    # ann: p = ½, ¼, ¼: H = 1.5 bits, "a" alone is ½ bit. bob: H = 0, survived. cid: gone.
    levels = user_exposure(profiles_of(RELEASED, ids="keep"))
    assert levels == pytest.approx([100 * 0.5 / 1.5, 100, 0])
    other = log_of([("bob", "other", 5, None), ("ann", "a", 5, None)])
    assert user_exposure(profiles_of(other))[1] == 0, "a changed only string is no exposure"
    result = taken(profile_exposure.MEASURE, LOG, RELEASED)
    assert value(result, "exposure.pel") == pytest.approx((100 / 3 + 100) / 3)
    assert any("1 user of the log is not" in note for note in result.notes)
    assert any("1 user of the release" in note for note in result.notes)


def test_that_by_occurrences_a_string_counts_as_often_as_it_stands_there() -> None:
    """Ann asked a twice, b and c once: a is listed once, so half of its half bit of 1.5 bits."""
    # Of Bob one string, asked three times and listed once.
    levels = by_occurrence(profiles_of(RELEASED, ids="keep"))
    assert levels == pytest.approx([100 * 0.25 / 1.5, 100 / 3, 0])
    assert (by_occurrence(profiles_of(LOG)) == 100).all()


def test_that_the_log_itself_exposes_all() -> None:
    same = profiles_of(LOG)
    assert user_exposure(same) == pytest.approx([100, 100, 100])
    assert privacy_index(same, np.ones(6)) == pytest.approx([0, 0, 0])


def test_that_sensitive_strings_weigh_more_in_the_index() -> None:
    log = log_of([("u", "cancer clinic", 1, None), ("u", "weather", 2, None)])
    logs = [log_of([("u", text, 1, None)]) for text in ("cancer clinic", "weather")]
    private, harmless = (
        value(taken(profile_exposure.MEASURE, log, part), "exposure.spi") for part in logs
    )
    assert private < harmless
    alike = [
        value(taken(profile_exposure.MEASURE, log, part, other_weight=1.0), "exposure.spi")
        for part in logs
    ]
    assert alike[0] == pytest.approx(alike[1])
    # p = (½, ½), q = (1, 0) with equal weights: the Jensen-Shannon divergence of the two.
    by_hand = 0.5 * math.log2(0.5 / 0.75) + 0.5 * 1 + 1 * math.log2(1 / 0.75)
    assert alike[0] == pytest.approx(100 * by_hand / 2)


def test_that_terms_of_several_words_must_stand_together() -> None:
    texts = ["adult dating", "dating an adult", "Adult Dating now", "cancer", "cancers", ""]
    log = log_of([("u", text, i, None) for i, text in enumerate(texts)])
    codes = np.flatnonzero(find_sensitive(log.queries, silent_progress()))
    assert log.queries.list_strings(codes) == ["adult dating", "Adult Dating now", "cancer"]


def test_that_loss_is_the_change_of_entropy() -> None:
    losses = lost_percent(np.array([2.0, 1.0, 0.0, 0.0]), np.array([1.0, 1.5, 0.0, 1.0]))
    assert losses.tolist() == [50, 50, 0, 100]


def test_that_profiles_behind_changed_ids_are_found_by_their_rows() -> None:
    """Random numbers that look like others' ids, as (k,δ) gives them; the note says whose they are.

    Measured by the ids alone, each user would be compared with somebody else.
    """
    log = synthesize_log(80, days=10, seed=41).log
    numbers = np.random.default_rng(1).permutation(len(log.users))
    names = dict(zip(log.users.list_strings(), range(1, 81), strict=True))
    strings = log.users.list_strings(log.user)
    raw, queries = [str(names[name]) for name in strings], log.queries.list_strings(log.query)
    log = QueryLog.from_columns(user=raw, query=queries, time=log.time)
    renamed = [str(numbers[int(name) - 1] + 1) for name in raw]
    released = QueryLog.from_columns(user=renamed, query=queries, time=log.time)
    profiles = profiles_of(released, log, ids="random")
    assert user_exposure(profiles) == pytest.approx([100.0] * 80)
    assert "rows tell" in profiles.evidence
    for measure, name, number in (
        (profile_exposure.MEASURE, "exposure.pel", 100),
        (information_loss.MEASURE, "loss.users", 0),
        (user_clustering.MEASURE, "clustering.rand", 1),
    ):
        result = take(measure, log, release_of(released, ids="random"))
        assert value(result, name) == pytest.approx(number)
    together = [str(int(name) % 8) for name in raw]
    shared = QueryLog.from_columns(user=together, query=queries, time=log.time)
    whose = profiles_of(shared, log, ids="random")
    assert not whose.in_release.any()
    assert "several users" in whose.evidence


@pytest.mark.parametrize(
    "measure", [profile_exposure.MEASURE, information_loss.MEASURE, user_clustering.MEASURE]
)
def test_that_a_release_of_strangers_is_said_to_be_one(measure: Measure) -> None:
    result = taken(measure, LOG, log_of([("zoe", "a", 1, None)]))
    assert all(not v.name.startswith(("exposure", "clustering")) for v in result.values)
    assert any("user" in note for note in result.notes)


def test_that_indices_count_pairs() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 4, 30), rng.integers(0, 3, 30)
    pairs = [(i, j) for i in range(30) for j in range(i)]
    kinds = Counter((bool(a[i] == a[j]), bool(b[i] == b[j])) for i, j in pairs)
    r, s, t, u = (kinds[key] for key in ((True, True), (True, False), (False, True), (False,) * 2))
    assert partition_indices(a, b) == pytest.approx((r / (r + s + t), (r + u) / (r + s + t + u)))
    assert partition_indices(a, a) == (1.0, 1.0)


def test_that_clusters_far_apart_are_found() -> None:
    places = np.concatenate([np.linspace(c, c + 1, 10) for c in (0, 50, 99)])
    apart = np.abs(places[:, None] - places[None]).astype(np.float32)
    labels = cluster_users(apart, np.array([0, 12, 25]), 10, silent_progress())
    assert labels.tolist() == [0] * 10 + [1] * 10 + [2] * 10


@pytest.mark.parametrize("centre", ["medoid", "merged"])
def test_that_the_log_itself_clusters_as_it_does(centre: str) -> None:
    log = synthesize_log(24, days=8, seed=6).log
    result = taken(user_clustering.MEASURE, log, log, users=20, most=6, centre=centre)
    assert value(result, "clustering.jaccard") == 1
    assert value(result, "clustering.rand") == 1
    assert result.tables[0].rows[0][0] == 2


def test_that_rand_rises_with_the_number_of_clusters_and_jaccard_falls() -> None:
    """Fig. 5 of the source has both rise; why Jaccard doesn't stands in the measure."""
    log = synthesize_log(120, days=8, seed=51).log
    apart = all_distances(log, DistanceWeights(), silent_progress())
    released, _ = merge_groups(log, group_by_mdav(apart, 3, silent_progress()), silent_progress())
    result = taken(user_clustering.MEASURE, log, released)
    kappa, jaccard, rand = (np.array(column) for column in zip(*result.tables[0].rows, strict=True))
    assert kappa[-1] == 60
    few, many = kappa <= 8, kappa >= 20
    assert rand[many].min() > rand[few].max()
    assert rand[-1] > 0.95
    assert jaccard[many].mean() < jaccard[few].mean()
    assert ((jaccard >= 0) & (jaccard <= rand + 1e-12)).all()


def test_that_users_are_clustered_by_all_their_records() -> None:
    rows = [
        (f"u{user}", f"{'rose tulip lily' if user % 2 else 'car bus tram'} {word}", when, None)
        for user in range(8)
        for when, word in ((0, f"{user}"), (86_400, "alike"))
    ]
    log = log_of(rows)
    daily = auditor.preview(log, "day-pseudonyms", suppress="nothing", seed=1)
    assert value(take(user_clustering.MEASURE, log, daily), "clustering.jaccard") == 1


def test_that_clusters_do_not_depend_on_the_order_of_users_in_the_release() -> None:
    log = synthesize_log(20, days=8, seed=7).log
    last = len(log.users) - 1
    turned = QueryLog.from_codes(
        user=last - log.user,
        query=log.query,
        time=log.time,
        url=log.url,
        rank=log.rank,
        users=log.users.take(np.arange(last, -1, -1)),
        queries=log.queries,
        urls=log.urls,
    )
    result = taken(user_clustering.MEASURE, log, turned, most=6)
    assert value(result, "clustering.jaccard") == 1
    assert value(result, "clustering.rand") == 1
