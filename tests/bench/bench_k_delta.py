"""(k,δ) by part: python -m tests.bench.bench_k_delta [--users 1000 10000 100000]

Prints work size, seconds, peak of extra memory, and ratios to baselines of the same run:
scikit-learn's Manhattan distances of some of the same sparse rows, per row, if it is there;
grouping at each number of users; query clusters of sparse click sets against the verifier's plain
Python. Whole runs are `bench_groups`'s.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util

import numpy as np
from scipy import sparse

from auditor.log.model import QueryLog
from auditor.log.overlap import iterate_overlaps
from auditor.methods.k_delta.query_clusters import cluster_queries
from auditor.methods.k_delta.user_groups import InterestVectors, group_users
from auditor.privacy.verification.k_delta import cluster_by_clicks
from auditor.progress import silent_progress
from tests.bench.measuring import Clock, Peak, timed


def made_up_vectors(users: int, per_user: int, clusters: int, seed: int = 1) -> InterestVectors:
    """Users of heavy-tailed activity over clusters of heavy-tailed popularity."""
    rng = np.random.default_rng(seed)
    size = np.maximum(1, rng.lognormal(np.log(per_user) - 0.32, 0.8, users)).astype(np.int64)
    user = np.repeat(np.arange(users, dtype=np.int64), size)
    cluster = np.exp(rng.random(len(user)) ** 0.7 * np.log(clusters)).astype(np.int64) - 1
    keys, counts = np.unique((user << 32) | cluster, return_counts=True)
    starts = np.searchsorted(keys >> 32, np.arange(users + 1))
    totals = np.bincount(keys >> 32, weights=counts, minlength=users).astype(np.int64)
    return InterestVectors(starts, keys & 0xFFFFFFFF, counts, totals, clusters)


def clicked_log(queries: int, urls: int, seed: int = 2) -> QueryLog:
    """Queries with a few heavy-tailed clicks each, all of one user."""
    rng = np.random.default_rng(seed)
    clicks = np.minimum(rng.geometric(0.55, queries), 40)
    query = np.repeat(np.arange(queries), clicks)
    url = np.exp(rng.random(len(query)) ** 0.6 * np.log(urls)).astype(np.int64)
    return QueryLog.from_columns(
        user=["u"] * len(query),
        query=[f"q{code}" for code in query.tolist()],
        time=np.arange(len(query), dtype=np.int64),
        url=[f"p{code}" for code in url.tolist()],
    )


def distances(users: int, baseline_rows: int) -> None:
    """All-pairs user distances against the usual way."""
    vectors = made_up_vectors(users, 300, 200_000)
    rows = vectors.compute_shares()

    def all_pairs() -> float:
        return sum(
            float(block.sum()) for _, block in iterate_overlaps(rows, rows, silent_progress())
        )

    all_pairs()
    with Peak() as peak, Clock() as clock:
        all_pairs()
    spent = clock.wall
    additions = float((np.bincount(rows.columns).astype(np.float64) ** 2).sum())
    print(
        f"user distances: {users:,} users, {len(rows.columns):,} non-zeros, all with all: "
        f"{spent:.2f} s ({clock.work:.2f} s of processors), {additions / 1e9:.2f} G additions, "
        f"{peak.gigabytes:.2f} GB"
    )
    if importlib.util.find_spec("sklearn") is None:
        return
    pairwise = importlib.import_module("sklearn.metrics.pairwise")
    matrix = sparse.csr_matrix((rows.values, rows.columns, rows.starts), shape=(users, rows.width))
    base, _ = timed(lambda: pairwise.manhattan_distances(matrix[:baseline_rows], matrix), 1)
    estimate = base * users / baseline_rows
    print(
        f"  scikit-learn: {base:.2f} s for {baseline_rows} rows; × {estimate / spent:,.0f} a pair"
    )


def grouping(users: int, k: int) -> None:
    """Grouping alone."""
    vectors = made_up_vectors(users, 60, 20 * users)
    order = np.random.default_rng(3).permutation(users)
    group_users(made_up_vectors(50, 9, 40), 2, 2, np.arange(50), silent_progress())
    with Peak() as peak:
        spent, _ = timed(lambda: group_users(vectors, k, k, order, silent_progress()), 1)
    print(
        f"grouping, k = {k}: {users:,} users, {len(vectors.counts):,} non-zeros: {spent:.2f} s, "
        f"{peak.gigabytes:.2f} GB"
    )


def clusters(queries: int, urls: int) -> None:
    """Query clusters against the verifier's plain way."""
    log = clicked_log(queries, urls)
    cluster_queries(log, 0.5, "complete", silent_progress())
    for delta in (0.3, 0.5, 0.6):
        with Peak() as peak:
            spent, labels = timed(
                functools.partial(cluster_queries, log, delta, "complete", silent_progress())
            )
        print(
            f"query clusters, δ = {delta}: {queries:,} queries × {len(log.urls):,} URLs: "
            f"{spent:.2f} s, {peak.gigabytes:.2f} GB, {int(labels.max()) + 1:,} clusters, "
            f"largest {int(np.bincount(labels).max()):,}"
        )
    small = clicked_log(queries // 10, urls // 10)
    ours, _ = timed(lambda: cluster_queries(small, 0.5, "complete", silent_progress()))
    plain, _ = timed(lambda: cluster_by_clicks(small, 0.5), runs=1)
    print(
        f"  plain Python on a tenth of it: {plain:.2f} s against {ours:.3f}: × {plain / ours:.0f}"
    )


def main() -> None:
    """Print everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--baseline-rows", type=int, default=100)
    options = parser.parse_args()
    distances(10_000, options.baseline_rows)
    clusters(160_852, 106_870)
    for users in options.users:
        grouping(users, 10)


if __name__ == "__main__":
    main()
