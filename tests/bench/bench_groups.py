"""Group methods at every size: exact against fast, with what the fast way loses beside its time.

``python -m tests.bench.bench_groups [users …] [--k 10] [--days 52] [--budget 900]`` on synthetic
users of 52 days, who have the source's 56 rows each. A line of a Markdown table for each way, as
soon as it is there: seconds of the wall and of processors, the sum of distances within groups
against the best way's, the whole log's ILR, and how many users record linkage finds who knows half
of what they issued. A way that its own estimate puts beyond `budget` core-seconds is left out.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.attacks.base import Evidence
from auditor.attacks.record_linkage.attack import ATTACK, RecordLinkageParams
from auditor.log.model import QueryLog
from auditor.log.reading.reader import read_log
from auditor.log.synthetic.generator import synthesize_log
from auditor.measures.information_loss import MEASURE as LOSS
from auditor.methods.k_delta import method as k_delta_method
from auditor.methods.k_delta.query_clusters import cluster_queries
from auditor.methods.k_delta.user_groups import group_similarities, group_users, user_vectors
from auditor.methods.microaggregation import method as microaggregation_method
from auditor.methods.microaggregation.groups import (
    MicroaggregationParams,
    estimate_cost,
    find_groups,
)
from auditor.platform import count_usable_cores
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Preview, Product
from auditor.progress import silent_progress
from tests.bench.measuring import Clock, peak_memory, print_head, print_row


@dataclass(frozen=True)
class Line:
    """One way at one size."""

    way: str
    clock: Clock
    within: float
    loss: float
    linked: float


def judge(log: QueryLog, name: str, params: Any, product: Product) -> tuple[float, float]:
    """The release's ILR over the log, and the share of users that record linkage finds."""
    release = Preview(
        method=name,
        params=params.to_dict(),
        content=product.content,
        statement=product.statement,
        changes={},
    )
    rng = np.random.default_rng(1)
    loss = LOSS.take(log, release, LOSS.params(), again=None, rng=rng, progress=silent_progress())
    evidence = Evidence(log=log, release=release)
    linkage = ATTACK.run(evidence, RecordLinkageParams(), rng=rng, progress=silent_progress())
    return next(v.value for v in loss.values if v.name == "loss.log"), linkage.rate


def group_by_distance(log: QueryLog, k: int, budget: float) -> Iterator[Line]:
    """Microaggregation by all pairs, and by blocks of several sizes."""
    settings = {"all pairs (exact)": MicroaggregationParams(k=k, search="exact")}
    for size in (250, 60):
        settings[f"blocks of {size}"] = MicroaggregationParams(k=k, search="blocked", block=size)
    for title, params in settings.items():
        guess = estimate_cost(log, params)
        if guess.seconds * count_usable_cores() <= budget and guess.memory < 8e9:
            with Clock() as clock:
                product = microaggregation_method.METHOD.run(
                    log, params, rng=PreviewRandomness(1), progress=silent_progress()
                )
            near = product.statement.measured["distance_within_groups"]
            yield Line(title, clock, near, *judge(log, "microaggregation", params, product))


def group_by_shares(log: QueryLog, k: int) -> Iterator[Line]:
    """(k,δ)-anonymity by its exact search over the inverted index."""
    params = k_delta_method.KDeltaParams(k=k)
    with Clock() as clock:
        product = k_delta_method.METHOD.run(
            log, params, rng=PreviewRandomness(1), progress=silent_progress()
        )
    assert product.statement.measured["failing_users"] == 0
    cluster = cluster_queries(log, params.delta, params.linkage, silent_progress())
    vectors = user_vectors(log, cluster, silent_progress())
    order = PreviewRandomness(1).permutation(len(vectors))
    groups = group_users(vectors, k, k, order, silent_progress())
    rows = vectors.compute_shares()
    size = np.bincount(groups.group)[groups.group]
    near = float((size - group_similarities(rows, groups.group)).sum()) / 2
    yield Line("inverted index (exact)", clock, near, *judge(log, "k-delta", params, product))


def print_lines(log: QueryLog, lines: Iterator[Line], method: str) -> None:
    """Print lines as they come, each beside the first."""
    best = None
    for line in lines:
        best = best or line.within
        print_row(
            [
                f"{len(log.users):,}",
                method,
                line.way,
                f"{line.clock.wall:,.1f} s",
                f"{line.clock.work:,.1f} s",
                f"{line.within:,.0f} ({100 * (line.within / best - 1):+.1f} %)",
                f"{line.loss:.1f} %",
                f"{100 * line.linked:.1f} %",
            ]
        )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("users", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--days", type=int, default=52)
    parser.add_argument("--budget", type=float, default=900.0)
    parser.add_argument("--log", type=Path, help="a file instead of synthetic users")
    args = parser.parse_args()
    tiny = synthesize_log(60, days=5, seed=9).log  # compile
    find_groups(tiny, MicroaggregationParams(k=2), silent_progress())
    k_delta_method.METHOD.run(
        tiny, k_delta_method.KDeltaParams(k=2), rng=PreviewRandomness(1), progress=silent_progress()
    )
    print(f"k = {args.k}, {args.days} days, {count_usable_cores()} cores")
    columns = "users", "method", "search", "time", "processors", "within groups", "ILR", "linked"
    print_head(columns)
    for users in args.users[:1] if args.log else args.users:
        log = read_log(args.log) if args.log else synthesize_log(users, days=args.days, seed=1).log
        print_lines(log, group_by_shares(log, args.k), "k-delta")
        print_lines(log, group_by_distance(log, args.k, args.budget), "microaggregation")
        print(f"{len(log):,} rows; peak memory so far {peak_memory():.2f} GiB", flush=True)


if __name__ == "__main__":
    main()
