"""(k,δ) and (m,k,δ,ε): what they claim holds by the verifier, and what is broken is found."""

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from auditor.arrays import Int64s
from auditor.log.model import QueryLog
from auditor.log.overlap import iterate_overlaps
from auditor.methods import m_k_delta_epsilon
from auditor.methods.k_delta import editing
from auditor.methods.k_delta import method as k_delta_method
from auditor.methods.k_delta.editing import plan_edits
from auditor.methods.k_delta.query_clusters import cluster_queries, near_sets
from auditor.methods.k_delta.user_groups import InterestVectors, group_users, user_vectors
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Product
from auditor.privacy.verification.k_delta import verify_k_delta
from tests.methods.logs import QUIET, Row, draw_rows, log_in, log_of, random_rows

LOG = log_of(random_rows(users=80, rows=1_500))


def released(log: QueryLog, method: Any = k_delta_method, seed: int = 1, **values: Any) -> Product:
    params = method.METHOD.params(**values)
    product = method.METHOD.run(log, params, rng=PreviewRandomness(seed), progress=QUIET)
    assert isinstance(product.content, QueryLog)
    return product  # type: ignore[no-any-return]


def clusters_of(product: Product, log: QueryLog, delta: float, linkage: str) -> Any:
    content = log_in(product.content)
    return cluster_queries(log, delta, linkage, QUIET)[content.queries.match(log.queries)]


@functools.cache
def log_clusters() -> Any:
    return cluster_queries(LOG, 0.5, "complete", QUIET)


def history(user: str, queries: str) -> list[Row]:
    return [(user, query, time, None) for time, query in enumerate(queries.split())]


def apart(vectors: InterestVectors) -> Any:
    shares = vectors.compute_shares()
    dense = np.zeros((len(vectors), vectors.width))
    for user in range(len(vectors)):
        part = slice(shares.starts[user], shares.starts[user + 1])
        dense[user, shares.columns[part]] = shares.values[part]
    return np.abs(dense[:, None, :] - dense[None, :, :]).sum(axis=2) / 2


def test_that_overlaps_give_the_distances_of_the_dense_way() -> None:
    vectors = user_vectors(LOG, log_clusters(), QUIET)
    rows = vectors.compute_shares()
    dense = np.zeros((80, 80))
    for chosen, block in iterate_overlaps(rows, rows, QUIET, block=7):
        dense[chosen] = block
    assert 1 - dense == pytest.approx(apart(vectors), abs=1e-12)
    assert rows.mass == pytest.approx(np.ones(80))


@pytest.mark.parametrize(("k", "m"), [(2, 2), (5, 5), (7, 3), (9, 2), (80, 4), (6, 1)])
def test_that_groups_are_those_of_the_plain_greedy_way(k: int, m: int) -> None:
    vectors = user_vectors(LOG, log_clusters(), QUIET)
    order = np.random.default_rng(k).permutation(len(vectors))
    groups = group_users(vectors, k, m, order, QUIET)
    distance = apart(vectors)[np.ix_(order, order)].round(9)
    of_row, pool = groups.group[order], list(range(len(order)))
    seeded: dict[int, list[int]] = {}
    for number in range(len(order) // k):
        seed = pool[0]
        assert of_row[seed] == number
        near = sorted(pool[1:], key=lambda other: (of_row[other] != number, distance[seed, other]))
        taken, rest = near[: k - 1], near[k - 1 :]
        assert all(of_row[row] == number for row in taken)
        assert not rest or distance[seed, taken].max() <= distance[seed, rest].min() + 1e-8
        seeded[number] = [seed, *taken]
        pool = rest = sorted(set(pool) - {seed, *taken})
    for row in pool:
        means = [distance[row, members].mean() for members in seeded.values()]
        assert means[of_row[row]] == pytest.approx(min(means), abs=1e-8)
    assert np.bincount(groups.group).min() >= k
    assert np.bincount(groups.part).min() >= m
    for part in range(len(groups.part_lead)):
        assert len(set(groups.group[groups.part == part])) == 1
    for group, lead in enumerate(groups.lead):
        members = np.flatnonzero(groups.group == group)
        total = apart(vectors)[np.ix_(members, members)].sum(axis=1)
        assert lead in members
        assert total[members == lead][0] == pytest.approx(total.min(), abs=1e-8)


@pytest.mark.parametrize(("width", "k"), [(3, 5), (40, 4), (900, 3), (900, 20)])
def test_that_seeds_of_any_overlap_take_the_nearest_and_then_the_first(width: int, k: int) -> None:
    draw, users = np.random.default_rng(width + k), 300
    clusters = [np.unique(draw.integers(0, width, draw.integers(1, 4))) for _ in range(users)]
    counts = [draw.integers(1, 3, len(entry)) for entry in clusters]
    starts = np.cumsum([0, *map(len, clusters)])
    totals = np.array([entry.sum() for entry in counts])
    vectors = InterestVectors(
        starts, np.concatenate(clusters), np.concatenate(counts), totals, width
    )
    share = np.zeros((users, width))
    for user, entry in enumerate(clusters):
        share[user, entry] = counts[user] / totals[user]
    rest, plain = list(range(users)), np.empty(users, dtype=np.int64)
    for number in range(users // k):
        overlap = np.minimum(share[rest[0]], share[rest]).sum(axis=1).round(12)
        near = np.lexsort((rest[1:], -overlap[1:]))[: k - 1] + 1
        members = [rest[0], *(rest[place] for place in near)]
        plain[members] = number
        rest = sorted(set(rest) - set(members))
    groups = group_users(vectors, k, k, np.arange(users), QUIET)
    assert groups.group.tolist() == plain.tolist()


@pytest.mark.parametrize("linkage", ["complete", "beeferman-berger"])
@pytest.mark.parametrize("delta", [0.0, 0.3, 0.5, 2 / 3, 0.9])
def test_that_no_cluster_is_wider_than_delta(linkage: str, delta: float) -> None:
    cluster = cluster_queries(LOG, delta, linkage, QUIET)
    verdict = verify_k_delta(LOG, 2, delta, clusters=cluster)
    assert len(verdict.wide) == 0
    assert verdict.clusters == int(cluster.max()) + 1


def test_that_merged_pages_bring_queries_together_that_share_none() -> None:
    rows: list[Row] = [
        ("u", "a", 1, "p"),
        ("u", "a", 1, "q"),
        ("u", "b", 2, "p"),
        ("u", "b", 2, "q"),
    ]
    rows += [("u", "c", 3, "p"), ("u", "d", 4, "q"), ("u", "e", 5, None)]
    assert cluster_queries(log_of(rows), 0.4, "complete", QUIET).tolist() == [0, 0, 1, 2, 3]
    merged = cluster_queries(log_of(rows), 0.5, "beeferman-berger", QUIET)
    assert merged[0] == merged[1]
    assert merged[2] != merged[3]  # merged through the pages, then split: they are 1 apart
    assert merged[4] not in merged[:4]


def test_that_sizes_are_what_the_rules_say() -> None:
    log = log_of(history("lead", "a a a b") + history("member", "a b b c c c c"))
    vectors = user_vectors(log, np.arange(len(log.queries)), QUIET)
    part = np.array([0, 0])
    target = InterestVectors(
        np.array([0, 2]), np.array([0, 1]), np.array([3, 1]), np.array([4]), vectors.width
    )
    after = {}
    for size in ("keep", "least-change", "exact"):
        edits = plan_edits(vectors, part, target, size, "both", QUIET)
        member = edits.user == 1
        after[size] = dict(zip(edits.cluster[member], edits.after[member], strict=True))
    assert after["keep"] == {0: 5, 1: 2, 2: 0}
    assert after["least-change"] == {0: 1, 1: 0, 2: 0}  # |1 − ¾N| + |2 − ¼N| is least at N = 4/3
    assert after["exact"] == {0: 3, 1: 1, 2: 0}
    add = plan_edits(vectors, part, target, "exact", "add", QUIET)
    assert add.after[add.user == 1].tolist() == [6, 2, 4]
    less = plan_edits(vectors, part, target, "exact", "suppress", QUIET)
    assert np.all(less.after <= less.before)


LOGS = draw_rows("abcdefghij", "qrstuvwx", (0, 20), (None, "k", "l", "m", "n", "o")).map(log_of)


@given(
    LOGS,
    st.integers(2, 5),
    st.sampled_from([0.0, 0.4, 0.5, 0.8]),
    st.sampled_from(["complete", "beeferman-berger"]),
    st.integers(0, 99),
)
def test_that_the_verifier_accepts_exact_releases(
    log: QueryLog, k: int, delta: float, linkage: str, seed: int
) -> None:
    assume(len(log.users) >= k)
    product = released(log, seed=seed, k=k, delta=delta, linkage=linkage)
    assert product.statement.model == "k-anonymity"
    assert product.statement.measured["largest_distance"] == 0
    content = log_in(product.content)
    assert len(content.users) == len(log.users)
    clusters = clusters_of(product, log, delta, linkage)
    assert verify_k_delta(content, k, delta, clusters=clusters, clicked=log).holds


@given(
    LOGS,
    st.integers(1, 3),
    st.integers(2, 6),
    st.sampled_from([0.0, 0.1, 0.3, 0.5, 1.0]),
    st.integers(0, 99),
)
def test_that_the_verifier_accepts_relaxed_releases(
    log: QueryLog, m: int, k: int, epsilon: float, seed: int
) -> None:
    assume(len(log.users) >= k >= m)
    product = released(log, m_k_delta_epsilon, seed, m=m, k=k, epsilon=epsilon)
    assert product.statement.model == "k-anonymity"
    assert product.statement.measured["largest_distance"] <= epsilon
    assert product.statement.measured["smallest_class"] >= (k if epsilon == 0 else m)


@given(
    LOGS, st.sampled_from(["keep", "least-change"]), st.sampled_from(["both", "add", "suppress"])
)
def test_that_a_distance_left_is_never_claimed_away(log: QueryLog, size: str, mode: str) -> None:
    assume(len(log.users) >= 3)
    product = released(log, k=3, size=size, mode=mode)
    content, statement = product.content, product.statement
    clusters = clusters_of(product, log, 0.5, "complete")
    verdict = verify_k_delta(log_in(content), 3, 0.5, clusters=clusters, clicked=log)
    assert (statement.model == "k-anonymity") == verdict.holds
    assert statement.measured["largest_distance"] == verdict.worst
    if mode == "add":
        assert product.changes["events_suppressed"] == 0
    if mode == "suppress":
        assert product.changes["events_added"] == product.changes["searches_misattributed"] == 0


@functools.cache
def kept_release() -> tuple[QueryLog, Any]:
    """A release under the log's own ids, and the clusters of its queries."""
    product = released(LOG, m_k_delta_epsilon, m=2, k=4, epsilon=0.3, ids="keep")
    return log_in(product.content), clusters_of(product, LOG, 0.5, "complete")


@given(st.integers(0, 10_000))
def test_that_a_relaxed_release_with_one_changed_event_or_moved_user_is_found(seed: int) -> None:
    """Parts of exactly m = 2: whoever leaves one leaves the other alone, or joins others."""
    content, clusters = kept_release()
    assert not find_failing(content, content.user, content.query)
    vectors = user_vectors(content, clusters, QUIET)
    same = apart(vectors) == 0
    pairs = np.flatnonzero(same.sum(axis=1) == 2)
    user = int(pairs[seed % len(pairs)])
    row = int(np.flatnonzero(content.user == user)[seed % (content.user == user).sum()])
    other = int(np.flatnonzero(clusters != clusters[content.query[row]])[seed % 7])
    event = (content.user == user) & (content.time == content.time[row])
    query = content.query.copy()
    query[event & (content.query == content.query[row])] = other
    partner = content.users[int(np.flatnonzero(same[user] & (np.arange(len(same)) != user))[0])]
    assert partner in find_failing(content, content.user, query)
    moved = content.user.copy()
    moved[moved == user] = (user + 1) % len(content.users)
    assert partner in find_failing(content, moved, content.query)


def find_failing(log: QueryLog, user: Any, query: Any) -> tuple[str, ...]:
    columns = {name: getattr(log, name) for name in ("time", "url", "rank")}
    texts = {name: getattr(log, name) for name in ("users", "queries", "urls")}
    broken = QueryLog.from_codes(user=user, query=query, **columns, **texts)
    broken = broken.rows(np.ones(len(log), dtype=np.bool_))
    labels = log_clusters()[broken.queries.match(LOG.queries)]
    return verify_k_delta(broken, 4, 0.5, 0.3, 2, clusters=labels, clicked=LOG).names


def test_that_added_events_were_seen_and_keep_their_clicks() -> None:
    product = released(LOG, k=5)
    content = log_in(product.content)
    pairs = {
        (LOG.queries[q], u if u < 0 else LOG.urls[u])
        for q, u in zip(LOG.query, LOG.url, strict=True)
    }
    for q, u in zip(content.query, content.url, strict=True):
        assert (content.queries[q], u if u < 0 else content.urls[u]) in pairs
    changes = product.changes
    events = int(LOG.event_starts.sum())
    assert int(content.event_starts.sum()) == (
        events + changes["events_added"] - changes["events_suppressed"]
    )


def test_that_ids_can_be_kept_and_addresses_can_not() -> None:
    log = QueryLog.from_columns(
        user=[f"u{n}" for n in range(9)], query=["a"] * 9, time=range(9), ip=[7] * 9
    )
    content = log_in(released(log, k=3, ids="keep").content)
    assert set(content.users.list_strings()) == set(log.users.list_strings())
    assert content.ip is None


def test_that_a_log_without_clicks_says_so() -> None:
    log = log_of(random_rows(users=20, rows=200, clicks=False))
    product = released(log, k=3)
    assert product.statement.model == "k-anonymity"
    assert product.statement.measured["query_clusters"] == len(log.queries)
    assert "no clicks" in next(a.evidence for a in product.statement.failing if "clicks" in a.name)


@pytest.mark.parametrize("size", ["keep", "least-change", "exact"])
def test_that_it_is_the_same_however_few_groups_are_edited_at_a_time(
    monkeypatch: pytest.MonkeyPatch, size: str
) -> None:
    at_once = released(LOG, k=3, size=size)
    monkeypatch.setattr(editing, "_EVENTS", 40)
    by_and_by = released(LOG, k=3, size=size)
    for figure in ("events_added", "events_suppressed"):
        assert by_and_by.changes[figure] == at_once.changes[figure] > 0
    for figure in ("groups", "smallest_class", "largest_distance", "failing_users"):
        assert by_and_by.statement.measured[figure] == at_once.statement.measured[figure]


# pairs of near sets of pages

Sets = list[set[int]]


def as_arrays(sets: Sets) -> tuple[Int64s, Int64s]:
    starts = np.cumsum([0, *map(len, sets)])
    return starts, np.array([page for members in sets for page in sorted(members)], dtype=np.int64)


def compare_all(sets: Sets, delta: float) -> dict[tuple[int, int], float]:
    """Jaccard distance of every pair with a common page that is within delta."""
    pairs = {}
    for b, mine in enumerate(sets):
        for a, theirs in enumerate(sets[:b]):
            union, common = len(mine | theirs), len(mine & theirs)
            if common and (union - common) / union <= delta:
                pairs[a, b] = (union - common) / union
    return pairs


def look_up(sets: Sets, delta: float) -> dict[tuple[int, int], float]:
    a, b, far = near_sets(*as_arrays(sets), delta, QUIET)
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    return dict(zip(pairs, far.tolist(), strict=True))


@settings(max_examples=100)
@given(
    st.lists(st.sets(st.integers(0, 12), min_size=1, max_size=9), min_size=1, max_size=12),
    st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.9, 1.0]),
)
def test_that_no_near_pair_is_missed_and_no_other_found(sets: Sets, delta: float) -> None:
    assert look_up(sets, delta) == compare_all(sets, delta)


@pytest.mark.parametrize("delta", [0.2, 0.5, 0.7])
def test_that_large_sets_of_popular_pages_are_compared_as_small_ones(delta: float) -> None:
    """Pages by a power law, sets of one to three hundred of them, some nearly alike."""
    rng = np.random.default_rng(5)
    sets: Sets = []
    for _ in range(150):
        size = int(min(300, 1 + rng.pareto(0.7) * 2))
        pages = set((rng.pareto(0.8, size) * 3).astype(int).tolist())
        sets.append(pages)
        sets.append({page for page in pages if rng.random() < 0.8} or pages)
    pairs = look_up(sets, delta)
    assert pairs == compare_all(sets, delta)
    assert pairs
