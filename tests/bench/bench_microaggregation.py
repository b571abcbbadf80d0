"""Microaggregation: ``python -m tests.bench.bench_microaggregation [users [days]] [--large N]``.

``--heavy`` prints one thing alone: what users of hundreds of different queries each take, exact
and in blocks, and what the latter lose, with the machine's speed (1,000 synthetic users of 380
days have some 407,000 rows and 204 different queries each).

1,000 synthetic users of 52 days have the events of the source's 1,000 (55,666). Prints the exact
distances end to end against Python with rapidfuzz on the same distances (timed on a few pairs),
the answer of the k slider from the kept matrix with PEL and ILR over k, what the blocked search
and blocks by chance lose and win, the clusters over κ, and how soon a cancel is heard. With
``--large N`` also a blocked run of N users, and what 650,000 would take by it.
"""

from __future__ import annotations

import argparse
import resource
import threading
import time
from collections.abc import Callable

import numpy as np
from rapidfuzz.distance import Levenshtein

from auditor.errors import Cancelled
from auditor.log.gil_friendly import sorted_distinct
from auditor.log.model import NONE, QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.user_distance.distance import UserDistance, all_distances
from auditor.log.user_distance.features import DistanceWeights, host_name, space_of
from auditor.measures.information_loss import MEASURE as LOSS
from auditor.measures.profile_exposure import MEASURE as EXPOSURE
from auditor.measures.user_clustering import MEASURE as CLUSTERING
from auditor.measures.user_clustering import UserClusteringParams
from auditor.methods.microaggregation.groups import (
    MicroaggregationParams,
    UserGrouping,
    estimate_cost,
    find_groups,
)
from auditor.methods.microaggregation.mdav import group_by_mdav, within_group_distance
from auditor.methods.microaggregation.method import METHOD, merge_groups
from auditor.methods.microaggregation.user_blocks import blocks_of, pivot_distances
from auditor.platform import count_usable_cores
from auditor.privacy.noise import PreviewRandomness
from auditor.privacy.release import Preview
from auditor.privacy.verification.user_k import verify_user_k
from auditor.progress import Progress, silent_progress

KS = (2, 3, 4, 5, 7, 10, 20, 30, 35, 50)


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


def slider(log: QueryLog) -> None:
    apart = all_distances(log, DistanceWeights(), silent_progress())
    print("k: MDAV s, whole run s, 100/k, PEL %, ILR users %, ILR log %, strings of one user")
    for k in KS:
        alone = timed(lambda k=k: group_by_mdav(apart, k, silent_progress()))  # type: ignore[misc]
        began = time.perf_counter()
        params = MicroaggregationParams(k=k)
        product = METHOD.run(log, params, rng=PreviewRandomness(1), progress=silent_progress())
        whole = time.perf_counter() - began
        release = released(product.content, k, product.statement)
        values: dict[str, float] = {}
        for measure in (EXPOSURE, LOSS):
            result = measure.run(
                log,
                release,
                measure.params(),
                rng=np.random.default_rng(1),
                progress=silent_progress(),
            )
            values |= {value.name: value.value for value in result.values}
        lonely = product.statement.measured["queries_of_one_user"]
        print(
            f"  {k:2}: {alone:.3f}, {whole:.2f}, {100 / k:4.1f}, {values['exposure.pel']:4.1f}, "
            f"{values['loss.users']:4.1f}, {values['loss.log']:4.1f}, {lonely:,.0f}"
        )
    for centre in ("distance", "aggregate"):
        params = MicroaggregationParams(k=10, centre=centre, search="exact")
        began = time.perf_counter()
        total = find_groups(log, params, silent_progress()).distance
        print(f"  centre {centre}, k = 10: {time.perf_counter() - began:.2f} s, within {total:.1f}")


def released(content: object, k: int, statement: object) -> Preview:
    return Preview(
        method="microaggregation",
        params={"k": k},
        content=content,  # type: ignore[arg-type]
        statement=statement,  # type: ignore[arg-type]
        changes={},
    )


def clustering(log: QueryLog) -> None:
    apart = all_distances(log, DistanceWeights(), silent_progress())
    for k in (3, 50):
        content, _ = merge_groups(
            log, group_by_mdav(apart, k, silent_progress()), silent_progress()
        )
        params = UserClusteringParams(users=min(1_000, len(log.users)))
        began = time.perf_counter()
        result = CLUSTERING.run(
            log,
            released(content, k, None),
            params,
            rng=np.random.default_rng(1),
            progress=silent_progress(),
        )
        print(f"clusters, k = {k}: {time.perf_counter() - began:.1f} s; κ, Jaccard, Rand:")
        print("  " + "; ".join(f"{a} {b:.2f} {c:.2f}" for a, b, c in result.tables[0].rows))


def blocked(log: QueryLog) -> None:
    """What the blocked search loses against all pairs: sum of distances within groups, ILR."""
    weights, space = DistanceWeights(), space_of(log, silent_progress())
    apart = all_distances(log, weights, silent_progress())
    began = time.perf_counter()
    UserDistance(space, weights, silent_progress()).compute_pairs(silent_progress())
    all_seconds = time.perf_counter() - began
    for k in (3, 10):
        best = within_group_distance(apart, group_by_mdav(apart, k, silent_progress()))
        print(f"k = {k}: all pairs {all_seconds:.1f} s, within groups {best:.1f}")
        for size in (500, 250, 100):
            params = MicroaggregationParams(k=k, search="blocked", block=size)
            began = time.perf_counter()
            groups, total, _ = find_groups(log, params, silent_progress())
            seconds = time.perf_counter() - began
            rng = np.random.default_rng(1)
            order = rng.permutation(len(log.users))
            chance = 0.0
            for block in blocks_of(rng.random((len(order), 1)).astype(np.float32), size):
                near = apart[np.ix_(block, block)]
                chance += within_group_distance(near, group_by_mdav(near, k, silent_progress()))
            content, _ = merge_groups(log, groups, silent_progress())
            assert verify_user_k(content, k).holds
            lost = LOSS.run(
                log, released(content, k, None), LOSS.params(), rng=rng, progress=silent_progress()
            )
            print(
                f"  blocks of {size}: {seconds:.1f} s ({all_seconds / seconds:.1f}× as fast), "
                f"within +{100 * (total / best - 1):.1f} % (blocks by chance "
                f"+{100 * (chance / best - 1):.1f} %), ILR log {lost.values[-1].value:.1f} %"
            )


def cancel(log: QueryLog) -> None:
    space = space_of(log, silent_progress())
    apart = UserDistance(space, DistanceWeights(), silent_progress())
    waits = []
    for wait in (0.1, 0.4, 0.9):
        progress, asked = Progress(), [0.0]

        def stop(progress: Progress = progress, asked: list[float] = asked) -> None:
            asked[0] = time.perf_counter()
            progress.cancel()

        threading.Timer(wait, stop).start()
        try:
            apart.compute_pairs(progress)
        except Cancelled:
            waits.append(time.perf_counter() - asked[0])
    print(f"cancel heard after at most {1e3 * max(waits):.0f} ms")


def large(users: int, days: int) -> None:
    log = synthesize_log(users, days=days, seed=2).log
    params = MicroaggregationParams(k=10, search="blocked")
    guess = estimate_cost(log, params)
    print(f"{log!r}: estimated before {guess.seconds:.0f} s, {guess.memory / 1e9:.2f} GB")
    space = space_of(log, silent_progress())
    began = time.perf_counter()
    apart = UserDistance(space, params.make_weights(), silent_progress(), table_bytes=0)
    pivots = pivot_distances(apart, silent_progress())
    far = time.perf_counter() - began
    began = time.perf_counter()
    blocks = blocks_of(pivots, params.block_size(), params.k, np.diff(space.starts))
    first = blocks[: max(1, len(blocks) // 4)]
    for block in first:
        near = UserDistance(
            space.select_users(block), params.make_weights(), silent_progress()
        ).compute_pairs(silent_progress())
        group_by_mdav(near, params.k, silent_progress())
    each = (time.perf_counter() - began) / len(first)
    total = far + each * len(blocks)
    print(
        f"  pivots {far:.1f} s; {each:.2f} s a block of {len(blocks[0])}; in all {total:.0f} s "
        f"({len(first)} of {len(blocks)} blocks timed), peak {peak():.2f} GB"
    )
    print(f"  650,000 such users: about {650_000 / users * total / 3600:.1f} h")


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
    for search, found in near.items():
        within[search] = within_group_distance(apart, found.groups)
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
    parser.add_argument("--large", type=int, default=0)
    parser.add_argument("--heavy", action="store_true")
    asked = parser.parse_args()
    all_distances(
        synthesize_log(12, days=5, seed=9).log, DistanceWeights(), silent_progress()
    )  # compile
    if asked.heavy:
        heavy()
        return
    log = synthesize_log(asked.users, days=asked.days, seed=1).log
    print(f"{log!r}")
    exact(log)
    slider(log)
    clustering(log)
    blocked(log)
    cancel(log)
    if asked.large:
        large(asked.large, asked.days)


if __name__ == "__main__":
    main()
