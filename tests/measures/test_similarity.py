"""Similarity of users, by hand on small logs and against all pairs on any."""

import dataclasses
import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import auditor
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.similarity import MEASURE
from auditor.privacy.release import Anonymized
from tests.measures.fakes import log_of, made_by, release_of, take, values_of


def measured(log: QueryLog, release: Anonymized, **values: Any) -> dict[str, float]:
    return values_of(take(MEASURE, log, release, **values), "similarity.")


def talk(alice: str, bob: str) -> QueryLog:
    """One search for each letter."""
    rows = [(user, q, n, None) for user, qs in (("a", alice), ("b", bob)) for n, q in enumerate(qs)]
    return log_of(rows)


def test_that_the_talks_alice_and_bob_are_half_alike() -> None:
    """Golden, from the talk: q1×2, q2×2, q3, q4 and q1, q2, q5, q6 are 0.5 apart."""
    log = talk("112234", "1256")
    metrics = measured(log, release_of(log))
    assert metrics["pairs_before"] == metrics["pairs_after"] == pytest.approx(0.5)
    assert metrics["nearest_before"] == pytest.approx(0.5)
    assert metrics["added"] == metrics["suppressed"] == 0


def test_that_edits_are_counted_user_by_user_where_ids_stay() -> None:
    log = talk("112234", "1256")
    after = measured(log, release_of(talk("1122", "1212"), ids="keep"))
    assert after["pairs_after"] == pytest.approx(1)
    assert after["nearest_after"] == pytest.approx(1)
    assert (after["added"], after["suppressed"]) == (2, 4)
    assert (after["added_per_user"], after["suppressed_per_user"]) == (1, 2)


def test_that_edits_are_counted_by_query_and_second_where_ids_changed() -> None:
    log = log_of([("a", "x", 1, None), ("a", "y", 2, None), ("b", "x", 3, None)])
    other = log_of([("7", "x", 3, None), ("9", "x", 1, None), ("9", "x", 9, None)])
    metrics = measured(log, release_of(other, ids="random"))
    assert (metrics["added"], metrics["suppressed"]) == (1, 1)


def test_that_clicks_do_not_count_twice() -> None:
    log = log_of([("a", "x", 1, "u"), ("a", "x", 1, "v"), ("a", "y", 2, None), ("b", "x", 3, None)])
    assert measured(log, release_of(log))["pairs_before"] == pytest.approx(0.5)


def test_that_clusters_make_queries_of_like_clicks_alike() -> None:
    log = log_of([("a", "x", 1, "u"), ("b", "y", 2, "u"), ("b", "z", 3, "v")])
    assert measured(log, release_of(log))["pairs_before"] == 0
    by_click = measured(log, release_of(log), basis="clusters", delta=0.5)
    assert by_click["pairs_before"] == pytest.approx(0.5)
    metrics = measured(log, release_of(log, delta=0.5))
    assert metrics["pairs_before"] == pytest.approx(0.5)


rows = st.lists(
    st.tuples(st.sampled_from("abcdefg"), st.sampled_from("pqrst")), min_size=1, max_size=60
)


@given(rows, st.integers(2, 5))
def test_that_means_are_those_of_all_pairs(events: list[tuple[str, str]], k: int) -> None:
    log = log_of([(user, query, n, None) for n, (user, query) in enumerate(events)])
    share = {}
    for user in dict(events):
        count = Counter(q for u, q in events if u == user)
        share[user] = {q: n / count.total() for q, n in count.items()}

    def alike(a: str, b: str) -> float:
        both = {*share[a], *share[b]}
        return 1 - sum(abs(share[a].get(q, 0) - share[b].get(q, 0)) for q in both) / 2

    metrics = measured(log, release_of(log), k=k)
    pairs = [alike(a, b) for a, b in itertools.combinations(share, 2)]
    assert metrics["pairs_before"] == pytest.approx(np.mean(pairs) if pairs else 1)
    if len(share) > 1:
        near = [
            np.mean(sorted((alike(a, b) for b in share if b != a), reverse=True)[: k - 1])
            for a in share
        ]
        assert metrics["nearest_before"] == pytest.approx(np.mean(near))
        assert metrics["least_after"] == pytest.approx(min(near))


@pytest.mark.parametrize("method", ["k-delta", "microaggregation"])
def test_that_k_anonymous_releases_give_everybody_doubles(method: str) -> None:
    """ "After close to 1", as the talk's first figure shows; exact sizes make it 1."""
    log = synthesize_log(60, seed=5).log
    values: dict[str, Any] = {"k": 4} | (
        {"size": "exact", "delta": 0.5} if method == "k-delta" else {}
    )
    release = made_by(method, log, **values)
    changes = release.changes
    metrics = measured(log, release)
    assert metrics["nearest_after"] == pytest.approx(1)
    assert metrics["nearest_before"] < 0.7
    if "events_added" in changes:
        assert metrics["suppressed"] - metrics["added"] == pytest.approx(
            changes["events_suppressed"] - changes["events_added"]
        )


def test_that_a_sample_is_drawn_of_many_users_and_said_so() -> None:
    log = synthesize_log(60, seed=5).log
    result = take(MEASURE, log, release_of(log), sample=10)
    assert any("10 users" in note for note in result.notes)


def test_that_an_empty_release_and_a_single_user_are_measured() -> None:
    single = log_of([("a", "x", 1, None)])
    assert measured(single, release_of(single))["pairs_before"] == 1
    metrics = measured(single, release_of(log_of([])))
    assert (metrics["added"], metrics["suppressed"]) == (0, 1)


def test_that_cut_times_are_no_changed_searches_and_hashed_queries_tell_none() -> None:
    log = log_of([("u", "rose", 90_000, None), ("v", "tulip", 91_000, None)])
    shuffled = made_by("frequency-threshold", log, n=1, times="shuffled")
    for release in (made_by("day-pseudonyms", log), shuffled):
        metrics = measured(log, release)
        assert (metrics["added"], metrics["suppressed"]) == (0, 0)
    assert "added" not in measured(log, made_by("token-hashing", log))


def test_that_users_are_compared_and_no_records_of_a_day() -> None:
    log = log_of([(user, user, day * 86_400, None) for user in "abc" for day in range(3)])
    release = auditor.preview(log, "day-pseudonyms", suppress="nothing", seed=1)
    metrics = measured(log, release)
    assert metrics["nearest_after"] == metrics["pairs_after"] == 0
    unknown = dataclasses.replace(release, truth=None)
    assert "pairs_after" not in measured(log, unknown)
    bundled = auditor.preview(log, "bundling", by="random-users", group=3, seed=1)
    assert "pairs_after" not in measured(log, bundled)


def test_that_users_whose_searches_are_all_suppressed_are_nobodys_neighbours() -> None:
    rows = [(user, "rose", day * 86_400, None) for user in "ab" for day in range(2)]
    log = log_of([*rows, ("c", "ann@example.com", 0, None)])
    release = auditor.preview(log, "day-pseudonyms", suppress="identifiers", seed=1)
    assert measured(log, release)["pairs_after"] == 1
