"""The (k,δ) verifier on logs whose answer is known."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.log.model import QueryLog
from auditor.methods.k_delta.query_clusters import by_first, cluster_queries
from auditor.privacy.verification import k_delta
from auditor.privacy.verification.k_delta import cluster_by_clicks, verify_k_delta
from auditor.progress import silent_progress
from tests.methods.logs import draw_rows, log_of
from tests.reference.methods import k_delta as reference
from tests.reference.product import rows_of

Row = tuple[str, str, int, str | None]


def issue(user: str, queries: str, start: int = 0) -> list[Row]:
    return [(user, query, start + index, None) for index, query in enumerate(queries.split())]


ALICE = issue("alice", "q1 q1 q2 q2 q3 q4")
BOB = issue("bob", "q1 q2 q5 q6")


def test_that_alice_and_bob_of_the_talk_are_half_apart() -> None:
    verdict = verify_k_delta(log_of(ALICE + BOB), 2, 0.0)
    assert not verdict.holds
    assert verdict.worst == 0.5
    assert verdict.names == ("alice", "bob")
    assert verify_k_delta(log_of(ALICE + BOB), 2, 0.0, epsilon=0.5).holds
    assert not verify_k_delta(log_of(ALICE + BOB), 2, 0.0, epsilon=math.nextafter(0.5, 0)).holds


def test_that_a_cluster_wider_than_delta_makes_nobody_similar() -> None:
    rows: list[Row] = [("a", "x", 1, "u"), ("a", "x", 1, "v"), ("b", "y", 1, "u")]
    clusters = np.array([0, 0])
    assert verify_k_delta(log_of(rows), 2, 0.5, clusters=clusters).holds
    narrow = verify_k_delta(log_of(rows), 2, 0.49, clusters=clusters)
    assert narrow.names == ("a", "b")
    assert narrow.wide.tolist() == [0]
    assert narrow.worst == 0
    log = log_of([*rows, *issue("a", "p", 2), *issue("b", "q", 2)])
    clusters = np.array(
        [0 if query in "xy" else ord(query) for query in log.queries.list_strings()]
    )
    for delta, holds in ((0.5, True), (0.49, False)):  # nor are they within ε of each other then
        near = verify_k_delta(log, 2, delta, epsilon=0.5, m=1, clusters=clusters)
        assert near.holds == holds


def test_that_distances_not_searched_for_are_bounded_and_failing_users_the_same() -> None:
    exact, bounded = (verify_k_delta(log_of(ALICE + BOB), 2, 0.0, search=n) for n in (2, 1))
    assert (exact.bound, bounded.bound) == (False, True)
    assert bounded.worst == 1.0 >= exact.worst
    assert bounded.names == exact.names


def test_that_fractions_decide_however_many_pairs_are_just_at_epsilon() -> None:
    users = [f"u{number}" for number in range(270)]  # more pairs than are held at once
    log = log_of([row for user in users for row in issue(user, f"shared {user}")])
    half, above = Fraction(1, 2), float(np.nextafter(0.5, 0.0))
    assert verify_k_delta(log, len(users), 0.0, epsilon=float(half)).holds
    assert len(verify_k_delta(log, 2, 0.0, epsilon=above).failing) == len(users)
    assert verify_k_delta(log, len(users), 0.0, epsilon=0.6).worst == half


@given(st.data(), st.integers(1, 9), st.sampled_from([0.1, 0.5, 1.0]))
def test_that_the_greatest_distance_is_that_of_the_kth_of_all(
    data: st.DataObject, k: int, epsilon: float
) -> None:
    shares = data.draw(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), max_size=12))
    events = [" ".join(f"q{q}" for q, n in enumerate(usage) for _ in range(n)) for usage in shares]
    log = log_of([row for user, text in enumerate(events) for row in issue(f"u{user}", text)])
    usage = [np.array(counts) / sum(counts) for counts in shares if sum(counts)]
    far = [sorted(np.abs(a - b).sum() / 2 for b in usage) for a in usage]
    expected = max((near[k - 1] if len(near) >= k else math.inf for near in far), default=0.0)
    result = verify_k_delta(log, k, 0.0, epsilon=epsilon, clusters=np.arange(len(log.queries)))
    assert result.worst == pytest.approx(expected)


@pytest.mark.parametrize(("seed", "k", "epsilon"), [(0, 4, 0.5), (1, 3, 0.3), (2, 4, 0.6)])
def test_that_users_fail_just_where_all_pairs_say_so(seed: int, k: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for user in range(160):
        # Groups share rare queries; everybody shares a common one; some stand half outside.
        group, common = user // 5, int(rng.integers(1, 4))
        rare = [f"r{group}x{n}" for n in rng.integers(0, 4, int(rng.integers(2, 7)))]
        unique = [f"o{user}"] * int(rng.integers(0, 4))
        rows += issue(f"u{user}", " ".join(["all"] * common + rare + unique))
    log = log_of(rows)
    users = reference.vectors(rows_of(log), {})
    vectors = [users[name] for name in log.users.list_strings()]
    far = [sorted(reference.distance(mine, theirs) for theirs in vectors) for mine in vectors]
    result = verify_k_delta(log, k, 0.0, epsilon=epsilon, m=1, clusters=np.arange(len(log.queries)))
    failing = [user for user, near in enumerate(far) if near[k - 1] > Fraction(epsilon)]
    assert result.failing.tolist() == failing
    assert 0 < len(failing) < len(far)
    assert result.worst == float(max(near[k - 1] for near in far))


def test_that_too_few_users_fail_and_an_empty_log_holds() -> None:
    assert verify_k_delta(log_of(issue("a", "x")), 2, 0.0).worst == math.inf
    empty = verify_k_delta(log_of([]), 5, 0.5)
    assert empty.holds
    assert empty.smallest == 0


def test_that_a_clustering_must_fit_the_log() -> None:
    with pytest.raises(ValueError, match="1 cluster for 6 queries"):
        verify_k_delta(log_of(ALICE + BOB), 2, 0.0, clusters=np.array([0]))


def test_that_the_golden_jaccard_of_two_sevenths_decides() -> None:
    rows: list[Row] = [("a", "one", 1, f"u{n}") for n in (1, 2, 3, 4)]
    rows += [("a", "two", 2, f"u{n}") for n in (1, 2, 5, 6, 7)]
    log = log_of(rows)
    assert cluster_by_clicks(log, 5 / 7).tolist() == [0, 0]
    assert cluster_by_clicks(log, math.nextafter(5 / 7, 0)).tolist() == [0, 1]


rows_of_clicks = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 7)), min_size=1, max_size=60
).map(lambda pairs: [("u", f"q{q}", t, f"p{u}") for t, (q, u) in enumerate(pairs)])


@given(rows_of_clicks, st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.9]))
@pytest.mark.parametrize("pairs", [5, k_delta.PAIRS])
def test_that_verifier_and_method_cluster_alike(pairs: int, rows: list[Row], delta: float) -> None:
    log = log_of(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(k_delta, "PAIRS", pairs)
        ours = by_first(cluster_by_clicks(log, delta))
    assert ours.tolist() == cluster_queries(log, delta, "complete", silent_progress()).tolist()


def by_definition(
    log: QueryLog, labels: list[int], k: int, delta: float, epsilon: Fraction, m: int
) -> tuple[list[str], list[int], int]:
    """Users for whom the definition fails, wide clusters, and the fewest users of equal shares."""
    rows = rows_of(log)
    cluster = {
        query: str(label) for query, label in zip(log.queries.list_strings(), labels, strict=True)
    }
    clicked, users = reference.pages(rows), reference.vectors(rows, cluster)
    wide = {
        cluster[a]
        for a, b in itertools.combinations(clicked, 2)
        if cluster[a] == cluster[b]
        and 1 - reference.jaccard(clicked[a], clicked[b]) > Fraction(delta)
    }

    def count_similar(user: str, limit: Fraction) -> int:
        mine = users[user]
        return sum(
            reference.distance(mine, theirs) <= limit and not mine.keys() & theirs.keys() & wide
            for other, theirs in users.items()
            if other != user
        )

    failing = [
        user
        for user in users
        if count_similar(user, Fraction(0)) < m - 1 or count_similar(user, epsilon) < k - 1
    ]
    same = Counter(frozenset(shares.items()) for shares in users.values())
    return sorted(failing), sorted(map(int, wide)), min(same.values())


@settings(max_examples=100)
@given(
    draw_rows("abcdef", "qrst", (0, 3), (None, "p", "q", "r", "s")),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.4, 0.5, 0.7]),
    st.sampled_from([0.0, 0.2, 0.25, 0.5, 1.0]),
)
def test_that_the_verifier_is_the_definition_word_by_word(
    rows: list[Row], labels: list[int], m: int, more: int, delta: float, epsilon: float
) -> None:
    """On any log under any clustering, wide clusters among them."""
    log = log_of(rows)
    k = m + more - 1
    given_to = np.array(labels[: len(log.queries)])
    verdict = verify_k_delta(log, k, delta, epsilon, m, clusters=given_to)
    expected = by_definition(log, given_to.tolist(), k, delta, Fraction(epsilon), m)
    assert (sorted(verdict.names), verdict.wide.tolist(), verdict.smallest) == expected
    assert verdict.holds == (not expected[0])
