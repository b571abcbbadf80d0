"""Microaggregation: ``python -m tests.bench.bench_microaggregation [users [days]] [--heavy]``.

Prints the exact distances end to end, of 1,000 synthetic users of 52 days unless told otherwise
(the events of the source's 1,000), against Python with rapidfuzz on the same distances, timed on a
few pairs. ``--heavy`` prints what users of hundreds of different queries each take, exact and in
blocks, and what the latter lose, with the machine's speed (1,000 synthetic users of 380 days have
some 407,000 rows and 204 different queries each)."""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np
from rapidfuzz.distance import Levenshtein

from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.user_distance.distance import all_distances
from auditor.log.user_distance.features import DistanceWeights, host_name
from auditor.methods.microaggregation.groups import (
    MicroaggregationParams,
    UserGrouping,
    estimate_cost,
    find_groups,
    within_group_distance,
)
from auditor.platform import count_usable_cores
from auditor.progress import silent_progress


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def plain(log: QueryLog, budget: float) -> float:
    """Seconds of one comparison of two events in Python with rapidfuzz, over random pairs."""
    rng = np.random.default_rng(0)
    words = [text.split() for text in log.queries.list_strings()]
    names = [host_name(url).split(".")[::-1] for url in log.urls.list_strings()]
    apart = Levenshtein.normalized_distance
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < budget:
        i, j = (int(x) for x in rng.integers(0, len(log), 2))
        a, b = words[log.query[i]], words[log.query[j]]
        if a and b:
            max(
                max(min(apart(x, y) for y in b) for x in a),
                max(min(apart(x, y) for x in a) for y in b),
            )
        if log.url[i] != NONE and log.url[j] != NONE:
            x, y = names[log.url[i]], names[log.url[j]]
            m = max(len(x), len(y))
            sum(2.0 ** (m - 1 - n) for n in range(m) if x[n : n + 1] != y[n : n + 1])
        done += 1
    return budget / done


def exact(log: QueryLog) -> None:
    spent = time.process_time()
    seconds = timed(lambda: all_distances(log, DistanceWeights(), silent_progress()))
    spent = time.process_time() - spent
    pairs = len(log) ** 2 / 2
    baseline = plain(log, 2.0) * pairs
    print(
        f"exact distances, end to end: {seconds:.1f} s ({spent:.1f} s of CPU) "
        f"for {pairs / 1e9:.2f} G pairs of events on {count_usable_cores()} cores, "
        f"peak {peak():.2f} GB"
    )
    print(
        f"  Python + rapidfuzz, extrapolated: {baseline / 3600:.1f} h; {baseline / seconds:,.0f}×"
    )
    guess = estimate_cost(log, MicroaggregationParams(search="exact"))
    print(f"  estimated before: {guess.seconds:.0f} s, {guess.memory / 1e9:.2f} GB")


def heavy() -> None:
    """Users with hundreds of different queries each: seconds of both ways, and what is lost."""
    spent = time.process_time()
    total = 0
    for number in range(10_000_000):
        total += number
    spent = time.process_time() - spent
    print(f"speed: 10 million additions in a Python loop take {spent:.2f} s of a processor here")
    log = synthesize_log(1_000, days=380, seed=0).log
    width = len(log.queries)
    pairs = sorted_distinct(log.user.astype(np.int64) * width + log.query)
    print(f"{log!r}: {len(pairs) / len(log.users):.0f} different queries of a user on average")
    params, near, within = MicroaggregationParams(k=10), {}, {}
    for search in ("blocked", "exact"):
        began, spent = time.perf_counter(), time.process_time()
        near[search] = find_groups(log, params.replace(search=search), silent_progress())
        print(
            f"{search}: {time.perf_counter() - began:.1f} s, "
            f"{time.process_time() - spent:.1f} s of processors, "
            f"on {count_usable_cores()} cores, peak {peak():.2f} GB",
            flush=True,
        )
    apart = all_distances(log, params.make_weights(), silent_progress())  # kept of the exact way
    order = np.random.default_rng(1).permutation(len(apart))
    near["by chance"] = UserGrouping(np.split(order, len(order) // params.k), 0.0)
    for search, grouping in near.items():
        within[search] = within_group_distance(apart, grouping.groups)
    least = float(np.partition(apart, params.k - 1, axis=1)[:, : params.k].sum()) / 2
    for search, distance in within.items():
        lost, most = distance / within["exact"] - 1, distance / least - 1
        print(
            f"{search}: within groups {distance:.1f}, {100 * lost:+.1f} % against the exact way, "
            f"{100 * most:+.1f} % against the nearest of all"
        )
    excess = near["blocked"].excess
    assert excess is not None
    print(f"blocked says itself: at most {100 * excess:.1f} % lost")


def main() -> None:
    """Run all parts at the size asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("users", nargs="?", type=int, default=1_000)
    parser.add_argument("days", nargs="?", type=int, default=52)
    parser.add_argument("--heavy", action="store_true")
    options = parser.parse_args()
    all_distances(
        synthesize_log(12, days=5, seed=9).log, DistanceWeights(), silent_progress()
    )  # compile
    if options.heavy:
        heavy()
        return
    log = synthesize_log(options.users, days=options.days, seed=1).log
    print(f"{log!r}")
    exact(log)


if __name__ == "__main__":
    main()
