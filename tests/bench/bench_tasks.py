"""Site clustering, next query and trends: ``python -m tests.bench.bench_tasks [users]``.

Each task on a synthetic log (16,500 users have a million rows) and a release of it by a frequency
threshold: the first time, the next setting (what was prepared is kept), and the ratio to the same
in plain Python and pandas. Then how soon each hears a cancel.
"""

from __future__ import annotations

import argparse
import collections
import resource
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from auditor.engine.backends import local
from auditor.errors import Cancelled
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.log.user_distance.features import host_name
from auditor.measures.base import Measure
from auditor.measures.next_query import MEASURE as NEXT
from auditor.measures.site_clustering.measure import MEASURE as SITES
from auditor.measures.trends import MEASURE as TRENDS
from auditor.methods.registry import METHODS
from auditor.privacy.release import Anonymized
from auditor.progress import Progress, silent_progress

AGAIN = local.make_rerun("frequency-threshold", METHODS["frequency-threshold"].params(), 1)


def take(measure: Measure, log: QueryLog, release: Anonymized, progress: Progress) -> None:
    rng = np.random.default_rng(0)
    params = measure.params()
    measure.take(log, release, params, again=AGAIN, rng=rng, progress=progress)


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def plain_sites(log: QueryLog) -> None:
    """Pairs of sites by dicts and sets, for one of the two logs."""
    clicks: dict[str, collections.Counter[int]] = collections.defaultdict(collections.Counter)
    names = log.urls.list_strings()
    for query, url in zip(log.query.tolist(), log.url.tolist(), strict=True):
        if url >= 0:
            clicks[host_name(names[url])][query] += 1
    best = sorted(clicks, key=lambda name: (-clicks[name].total(), name))[:1000]
    alike = {}
    for i, one in enumerate(best):
        for other in best[:i]:
            common = clicks[one].keys() & clicks[other].keys()
            if common:
                shares = [
                    sum(clicks[s][q] for q in common) / clicks[s].total() for s in (one, other)
                ]
                alike[one, other] = min(shares)


def plain_next(log: QueryLog) -> None:
    """One fold of the log alone, by counters."""
    follow: dict[int, collections.Counter[int]] = collections.defaultdict(collections.Counter)
    user, query = log.user.tolist(), log.query.tolist()
    asked = []
    for i in range(len(user) - 1):
        if user[i] == user[i + 1] and query[i] != query[i + 1]:
            if user[i] % 5:
                follow[query[i]][query[i + 1]] += 1
            else:
                asked.append((query[i], query[i + 1]))
    sum(b in dict(follow[a].most_common(10)) for a, b in asked if a in follow)


def plain_trends(log: QueryLog) -> None:
    """Days of the frequent queries of one log, by pandas."""
    import pandas as pd

    rows = pd.DataFrame({"user": log.user, "query": log.query, "time": log.time})
    rows = rows.drop_duplicates()
    best = rows["query"].value_counts().index[:100]
    rows = rows.assign(day=rows.time // 86_400)
    rows[rows["query"].isin(best)].pivot_table(index="query", columns="day", aggfunc="size")


def cancelled(measure: Measure, log: QueryLog, release: Anonymized, after: float) -> float:
    progress, sent = Progress(), [0.0]

    def stop() -> None:
        sent[0] = time.perf_counter()
        progress.cancel()

    fresh = log.rows(np.ones(len(log), dtype=np.bool_))
    timer = threading.Timer(after, stop)
    timer.start()
    try:
        take(measure, fresh, release, progress)
    except Cancelled:
        return time.perf_counter() - sent[0]
    timer.cancel()
    return 0.0


def main(users: int) -> None:
    log = synthesize_log(users, days=60, seed=1, progress=silent_progress()).log
    release = AGAIN(log, 0, silent_progress())
    print(f"{len(log):,} rows, {len(log.queries):,} queries, {log.clicks:,} clicks")
    tasks: tuple[tuple[Measure, Callable[[QueryLog], None], str, Any], ...] = (
        (SITES, plain_sites, "one log of two", 2),
        (NEXT, plain_next, "one fold of ten (five of the log, five of the release)", 10),
        (TRENDS, plain_trends, "one log of two", 2),
    )
    for measure, plain, what, times in tasks:
        first = timed(lambda m=measure: take(m, log, release, silent_progress()))  # type: ignore[misc]
        later = timed(lambda m=measure: take(m, log, release, silent_progress()))  # type: ignore[misc]
        slow = timed(lambda p=plain: p(log))  # type: ignore[misc]
        worst = max(cancelled(measure, log, release, first * at / 6) for at in range(1, 6))
        print(
            f"{measure.name:16} first {first:6.2f} s, next {later:6.2f} s; plain {slow:6.2f} s for "
            f"{what}: {times * slow / later:.1f} times; cancel within {1000 * worst:.0f} ms"
        )
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("users", nargs="?", type=int, default=16_500)
    main(parser.parse_args().users)
