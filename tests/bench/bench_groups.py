"""Group methods at every size: exact against fast, with what the fast way loses beside its time.

``python -m tests.bench.bench_groups [users …] [--k 10] [--days 52] [--budget 900]`` on synthetic
users of 52 days, who have the source's 56 rows each. A line for each way, as soon as it is
there: seconds of the wall and of processors, the sum of distances within groups against the best
way's, the whole log's ILR, and how many users record linkage finds who knows half of what they
asked. A way that its own estimate puts beyond `budget` core-seconds is measured on some of its
blocks or users, and marked "extrapolated". The lines are those of a Markdown table.
"""

from __future__ import annotations

import argparse
import itertools
import resource
import sys
import time
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
from auditor.log.user_distance.distance import UserDistance, all_distances
from auditor.log.user_distance.features import DistanceWeights, space_of
from auditor.measures.information_loss import MEASURE as LOSS
from auditor.methods.k_delta import method as k_delta_method
from auditor.methods.k_delta.query_clusters import cluster_queries
from auditor.methods.k_delta.user_groups import (
    InterestVectors,
    UserGroups,
    group_similarities,
    group_users,
    user_vectors,
)
from auditor.methods.microaggregation import method as microaggregation_method
from auditor.methods.microaggregation.groups import (
    MicroaggregationParams,
    estimate_cost,
    find_groups,
)
from auditor.methods.microaggregation.mdav import group_by_mdav, within_group_distance
from auditor.methods.microaggregation.user_blocks import blocks_of, pivot_distances
from auditor.platform import count_usable_cores
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Preview, Product
from auditor.progress import Progress, silent_progress

SAMPLE = 0.2
"""Share of the budget that goes into what is then extrapolated."""


@dataclass
class Line:
    """One way at one size; what wasn't taken stays None."""

    way: str
    wall: float | None = None
    work: float | None = None
    within: float | None = None
    loss: float | None = None
    linked: float | None = None
    note: str = ""


class Clock:
    """Wall and processor seconds of a block."""

    def __enter__(self) -> Clock:
        self._began = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.wall = time.perf_counter() - self._began[0]
        self.work = time.process_time() - self._began[1]


def judged(log: QueryLog, name: str, params: Any, product: Product) -> tuple[float, float]:
    """The release's ILR over the log, and the share of users that record linkage finds."""
    release = Preview(
        method=name,
        params=params.to_dict(),
        content=product.content,
        statement=product.statement,
        changes={},
    )
    rng = np.random.default_rng(1)
    loss = LOSS.run(log, release, LOSS.params(), rng=rng, progress=silent_progress())
    evidence = Evidence(log=log, release=release)
    found = ATTACK.run(evidence, RecordLinkageParams(), rng=rng, progress=silent_progress())
    return next(v.value for v in loss.values if v.name == "loss.log"), found.rate


# microaggregation


def micro(log: QueryLog, k: int, budget: float) -> Iterator[Line]:
    """All pairs, blocks of several sizes, and blocks of users thrown together by chance."""
    exact = MicroaggregationParams(k=k, search="exact")
    space = space_of(log, silent_progress())
    guess = estimate_cost(log, exact)
    if guess.seconds * count_usable_cores() <= budget and guess.memory < 8e9:
        with Clock() as clock:
            all_distances(log, DistanceWeights(), silent_progress(), space=space)
        yield _micro_run(log, exact, "all pairs (exact)", clock)
    else:
        share = min(1.0, SAMPLE * budget / (guess.seconds * count_usable_cores()))
        yield _rows_of_all(log, space, share, guess.memory)
    for size in (250, 60, 40):
        if size >= len(log.users):
            continue
        params = MicroaggregationParams(k=k, search="blocked", block=size)
        if estimate_cost(log, params).seconds * count_usable_cores() <= budget:
            yield _micro_run(log, params, f"blocks of {size}")
        else:
            yield _some_blocks(log, params, f"blocks of {size}", budget)
    yield _by_chance(log, k)


def _micro_run(
    log: QueryLog, params: MicroaggregationParams, way: str, before: Clock | None = None
) -> Line:
    with Clock() as clock:
        product = microaggregation_method.METHOD.run(
            log, params, rng=PreviewRandomness(1), progress=silent_progress()
        )
    wall, work = clock.wall, clock.work
    if before is not None:
        wall, work = wall + before.wall, work + before.work
    near = product.statement.measured["distance_within_groups"]
    return Line(way, wall, work, near, *judged(log, "microaggregation", params, product))


def _rows_of_all(log: QueryLog, space: Any, share: float, memory: float) -> Line:
    """All pairs, from the time of some users against all."""
    apart = UserDistance(space, DistanceWeights(), silent_progress())
    users = len(log.users)
    some = np.random.default_rng(2).choice(users, max(10, round(share * users)), replace=False)
    probes = [apart.make_probe(int(user)) for user in some]
    with Clock() as clock:
        apart.to_all(probes, silent_progress())
    rate = sum(len(probe.query) for probe in probes) / space.events
    note = f"extrapolated from {len(some)} users; {memory / 1e9:.0f} GB"
    return Line("all pairs (exact)", clock.wall / rate, clock.work / rate, note=note)


def _some_blocks(log: QueryLog, params: MicroaggregationParams, way: str, budget: float) -> Line:
    space = space_of(log, silent_progress())
    share = min(1.0, SAMPLE * budget / (estimate_cost(log, params).seconds * count_usable_cores()))
    with Clock() as far:
        apart = UserDistance(space, params.make_weights(), silent_progress(), table_bytes=0)
        pivots = pivot_distances(apart, silent_progress())
        blocks = blocks_of(pivots, params.block_size(), params.k, np.diff(space.starts))
    many = max(3, round(share * len(blocks)))
    chosen = np.random.default_rng(3).choice(len(blocks), min(len(blocks), many), replace=False)
    total, rows = 0.0, 0
    with Clock() as each:
        for number in chosen.tolist():
            part = space.select_users(blocks[number])
            near = UserDistance(part, params.make_weights(), silent_progress()).compute_pairs(
                silent_progress()
            )
            total += within_group_distance(near, group_by_mdav(near, params.k, silent_progress()))
            rows += len(blocks[number])
    more = len(log.users) / rows
    note = f"extrapolated from {len(chosen)} of {len(blocks)} blocks"
    wall, work = far.wall + more * each.wall, far.work + more * each.work
    return Line(way, wall, work, total * more, note=note)


def _by_chance(log: QueryLog, k: int) -> Line:
    """Groups of users in a random order: what no search at all would give."""
    users = len(log.users)
    rng = np.random.default_rng(4)
    space, total, pairs = space_of(log, silent_progress()), 0.0, 0
    some = np.sort(rng.choice(users, min(users, 300), replace=False))
    near = UserDistance(
        space.select_users(some), DistanceWeights(), silent_progress()
    ).compute_pairs(silent_progress())
    total, pairs = float(near.sum()) / 2, len(some) * (len(some) - 1) // 2
    groups = users // k
    return Line("groups by chance", None, None, total / pairs * groups * k * (k - 1) / 2)


# (k,δ)


def exact_shares(log: QueryLog, k: int) -> Iterator[Line]:
    """The exact search over the inverted index, and the same among blocks of users at random."""
    params = k_delta_method.KDeltaParams(k=k)
    with Clock() as clock:
        product = k_delta_method.METHOD.run(
            log, params, rng=PreviewRandomness(1), progress=silent_progress()
        )
    cluster = cluster_queries(log, params.delta, params.linkage, silent_progress())
    vectors = user_vectors(log, cluster, silent_progress())
    order = PreviewRandomness(1).permutation(len(vectors))
    with Clock() as grouping:
        groups = group_users(vectors, k, k, order, silent_progress())
    note = f"grouping alone {grouping.wall:.1f} s ({grouping.work:.1f})"
    verdict = product.statement.measured["failing_users"]
    assert verdict == 0
    near = _apart(vectors, groups.group)
    yield Line(
        "inverted index (exact)",
        clock.wall,
        clock.work,
        near,
        *judged(log, "k-delta", params, product),
        note,
    )
    for size in (5_000, 1_000):
        if size < len(vectors):
            with Clock() as some:
                near = sum(_blocked(vectors, k, order, size))
            yield Line(
                f"among {size:,} at random", some.wall, some.work, near, note="grouping alone"
            )
    chance = np.minimum(np.arange(len(vectors)) // k, max(len(vectors) // k - 1, 0))
    yield Line("groups by chance", None, None, _apart(vectors.select_users(order), chance))


def _blocked(vectors: InterestVectors, k: int, order: Any, size: int) -> Iterator[float]:
    for first in range(0, len(order) - k + 1, size):
        last = len(order) if first + 2 * size > len(order) else first + size
        part = vectors.select_users(order[first:last])
        found: UserGroups = group_users(part, k, k, np.arange(len(part)), silent_progress())
        yield _apart(part, found.group)
        if last == len(order):
            return


def _apart(vectors: InterestVectors, group: Any) -> float:
    """Sum of distances of users to each other within groups."""
    rows = vectors.compute_shares()
    size = np.bincount(group)[group]
    return float((size - group_similarities(rows, group)).sum()) / 2


def bare(log: QueryLog, name: str, params: Any) -> None:
    """The method alone, for sizes at which nothing else is to be waited for; stage by stage."""
    spent: list[tuple[str, float]] = []

    def stage(what: str, done: int, total: int) -> None:
        if not spent or spent[-1][0] != what:
            spent.append((what, time.process_time()))
        if total:
            share = f"{100 * done / total:.0f} %"
            burnt = time.process_time() - spent[-1][1]
            print(f"\r  {what}: {share}, {burnt:,.0f} s   ", end="", file=sys.stderr)

    method = {"k-delta": k_delta_method.METHOD, "microaggregation": microaggregation_method.METHOD}[
        name
    ]
    guess = (
        estimate_cost(log, params).seconds * count_usable_cores()
        if name == "microaggregation"
        else 0.0
    )
    if guess:
        print(f"estimate before: {guess:,.0f} s of processors", flush=True)
    with Clock() as clock:
        product = method.run(log, params, rng=PreviewRandomness(1), progress=Progress(stage))
    spent.append(("", time.process_time()))
    for (what, began), (_, ended) in itertools.pairwise(spent):
        if ended - began > 1:
            print(f"  {what}: {ended - began:,.1f} s of processors")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{name}: {len(log.users):,} users, {len(log):,} rows: {clock.wall:,.0f} s, "
        f"{clock.work:,.0f} s of processors, peak memory {peak:.1f} GB; "
        f"{product.statement.measured}",
        flush=True,
    )


def table(log: QueryLog, k: int, lines: Iterator[Line], method: str) -> None:
    """Print lines as they come."""
    best: float | None = None
    for line in lines:
        if best is None:
            best = line.within
        more = ""
        if line.within is not None:
            more = f"{line.within:,.0f}"
            if best and line.within != best:
                more += f" ({100 * (line.within / best - 1):+.1f} %)"
        cells = [
            f"{len(log.users):,}",
            method,
            line.way,
            _number(line.wall, " s"),
            _number(line.work, " s"),
            more or "–",
            _number(line.loss, " %"),
            "–" if line.linked is None else f"{100 * line.linked:.1f} %",
            line.note or "–",
        ]
        print("| " + " | ".join(cells) + " |", flush=True)


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}{unit}" if value >= 100 else f"{value:.1f}{unit}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("users", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--days", type=int, default=52)
    parser.add_argument("--budget", type=float, default=900.0)
    parser.add_argument("--only", choices=["microaggregation", "k-delta"])
    parser.add_argument("--bare", action="store_true", help="run the methods, measure nothing else")
    parser.add_argument("--log", type=Path, help="a file instead of synthetic users")
    asked = parser.parse_args()
    tiny = synthesize_log(60, days=5, seed=9).log
    MicroaggregationParams(k=2)
    find_groups(tiny, MicroaggregationParams(k=2), silent_progress())  # compile
    k_delta_method.METHOD.run(
        tiny, k_delta_method.KDeltaParams(k=2), rng=PreviewRandomness(1), progress=silent_progress()
    )
    print(f"k = {asked.k}, {asked.days} days, {count_usable_cores()} cores")
    print("| users | method | search | time | processors | within groups | ILR | linked | note |")
    print("|---|---|---|---|---|---|---|---|---|")
    for users in asked.users[:1] if asked.log else asked.users:
        log = (
            read_log(asked.log) if asked.log else synthesize_log(users, days=asked.days, seed=1).log
        )
        if asked.bare:
            if asked.only != "microaggregation":
                bare(log, "k-delta", k_delta_method.KDeltaParams(k=asked.k))
            if asked.only != "k-delta":
                bare(log, "microaggregation", MicroaggregationParams(k=asked.k))
            continue
        if asked.only != "microaggregation":
            table(log, asked.k, exact_shares(log, asked.k), "k-delta")
        if asked.only != "k-delta":
            table(log, asked.k, micro(log, asked.k, asked.budget), "microaggregation")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"{len(log):,} rows; peak memory so far {peak:.2f} GB", flush=True)


if __name__ == "__main__":
    main()
