"""The attack on surviving content: ``python -m tests.bench.bench_surviving [rows] [queries]``.

Makes an AOL-shaped log in memory (users and queries heavy-tailed, one row in ten a pause),
attacks it against a release of every query that at least ten users asked, twice (the second
time the marks are known), and prints times, peak memory, and the ratio to one NumPy pass over
the same rows: ``bincount`` of the query codes.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from auditor.attacks.base import Evidence
from auditor.attacks.surviving_content.attack import ATTACK
from auditor.log.model import QueryLog, Vocabulary
from auditor.privacy.release import Preview, Tables
from auditor.privacy.statement import Statement
from auditor.progress import silent_progress
from tests.bench.bench_detection import queries


def made_log(rows: int, distinct: int, seed: int = 2) -> QueryLog:
    """A log of `rows` rows, `distinct` queries and a user for every 55 rows."""
    rng = np.random.default_rng(seed)
    users = max(1, rows // 55)
    user = np.sort((users * rng.random(rows) ** 1.5).astype(np.int32))
    pick = (distinct * rng.random(rows) ** 2.5).astype(np.int32)
    pick[:distinct] = np.arange(distinct, dtype=np.int32)
    rng.shuffle(pick)
    steps = np.where(rng.random(rows) < 0.1, 40_000, 45)
    return QueryLog.from_codes(
        user=np.unique(user, return_inverse=True)[1].astype(np.int32),
        query=pick,
        time=np.cumsum(steps).astype(np.int64),
        url=np.full(rows, -1, np.int32),
        rank=np.full(rows, -1, np.int16),
        users=Vocabulary.of(str(number) for number in range(len(np.unique(user)))),
        queries=queries(distinct),
        urls=Vocabulary.of(()),
    )


def main(rows: int, distinct: int) -> None:
    """Print one line a run."""
    log = made_log(rows, distinct)
    began = time.perf_counter()
    counts = np.bincount(log.query, minlength=distinct)
    base = time.perf_counter() - began
    kept = log.queries.take(np.flatnonzero(counts >= 10))
    release = Preview(
        method="ten",
        params={},
        content=Tables(queries=kept, query_count=counts[counts >= 10]),
        statement=Statement(model="none", claim="", unit=""),
        changes={},
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for run in ("first", "marks known"):
        began = time.perf_counter()
        result = ATTACK.run(
            Evidence(log=log, release=release),
            ATTACK.params(),
            rng=np.random.default_rng(0),
            progress=silent_progress(),
        )
        spent = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{rows:,} rows, {distinct:,} queries, {run}: {spent:.2f} s "
            f"({spent / base:.0f} x bincount, {base:.3f} s); rate {result.rate:.3f}, "
            f"baseline {result.baseline:.3f}; log {log.nbytes / 2**20:.0f} MB, "
            f"peak {before:.0f} -> {peak:.0f} MB"
        )


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:3] or ("2000000", "500000")))
