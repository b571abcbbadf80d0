"""(k,δ) by part: python -m tests.bench.bench_k_delta [users | LOG …]

Prints work size, seconds, peak of extra memory, and ratios to baselines of the same run: query
clusters against the verifier's plain Python on some of the users; user distances against
scikit-learn's of some of the same sparse rows, a row; grouping. Whole runs are `bench_groups`'s.
"""

import functools
import sys

import numpy as np
from scipy import sparse
from sklearn.metrics.pairwise import manhattan_distances

from auditor.log.model import QueryLog
from auditor.log.overlap import iterate_overlaps
from auditor.methods.k_delta.query_clusters import cluster_queries
from auditor.methods.k_delta.user_groups import InterestVectors, group_users, user_vectors
from auditor.privacy.verification.k_delta import cluster_by_clicks
from auditor.progress import silent_progress
from tests.bench.measuring import Peak, open_log, timed

K = 10
BASELINE_ROWS = 100
BASELINE_USERS = 1_000
LARGEST = 30_000
"""Users of the most whose distances are all computed."""


def print_distances(vectors: InterestVectors) -> None:
    """All-pairs user distances against the usual way."""
    rows, users = vectors.compute_shares(), len(vectors)

    def sum_all() -> float:
        blocks = iterate_overlaps(rows, rows, silent_progress())
        return sum(float(block.sum()) for _, block in blocks)

    with Peak() as peak:
        seconds, _ = timed(sum_all)
    matrix = sparse.csr_matrix((rows.values, rows.columns, rows.starts), shape=(users, rows.width))
    base, _ = timed(lambda: manhattan_distances(matrix[:BASELINE_ROWS], matrix), 1)
    print(
        f"user distances, all with all: {len(rows.columns):,} non-zeros, {seconds:.2f} s, "
        f"{peak.gigabytes:.2f} GB; scikit-learn {base:.2f} s for {BASELINE_ROWS} rows: "
        f"× {base * users / BASELINE_ROWS / seconds:,.0f} a pair"
    )


def print_clusters(log: QueryLog) -> None:
    """Query clusters against the verifier's plain way."""
    for delta in (0.3, 0.5, 0.6):
        cluster = functools.partial(cluster_queries, log, delta, "complete", silent_progress())
        with Peak() as peak:
            seconds, labels = timed(cluster)
        print(
            f"query clusters, δ = {delta}: {len(log.queries):,} queries × {len(log.urls):,} URLs: "
            f"{seconds:.2f} s, {peak.gigabytes:.2f} GB, {int(labels.max()) + 1:,} clusters, "
            f"largest {int(np.bincount(labels).max()):,}"
        )
    small = log.sample_users(BASELINE_USERS, 1)
    ours, _ = timed(lambda: cluster_queries(small, 0.5, "complete", silent_progress()))
    plain, _ = timed(lambda: cluster_by_clicks(small, 0.5), runs=1)
    print(f"  plain Python on {len(small):,} rows {plain:.2f} s: × {plain / ours:.0f}")


def print_grouping(vectors: InterestVectors) -> None:
    """Grouping alone."""
    order = np.random.default_rng(3).permutation(len(vectors))
    with Peak() as peak:
        seconds, _ = timed(lambda: group_users(vectors, K, K, order, silent_progress()), 1)
    print(f"grouping, k = {K}: {seconds:.2f} s, {peak.gigabytes:.2f} GB", flush=True)


def main(names: list[str]) -> None:
    """Print everything."""
    for name in names:
        log = open_log(name)
        print(f"\n{len(log.users):,} users, {len(log):,} rows")
        print_clusters(log)
        labels = cluster_queries(log, 0.5, "complete", silent_progress())
        vectors = user_vectors(log, labels, silent_progress())
        if len(vectors) <= LARGEST:
            print_distances(vectors)
        print_grouping(vectors)


if __name__ == "__main__":
    main(sys.argv[1:] or ["1000", "10000", "100000"])
