"""Record linkage and similarity: ``python -m tests.bench.bench_linkage [users …]``.

A made-up log of some 56 rows a user, attacked in a release of every query that two users asked,
under random ids: 10,000 users, all of them targets, then 100,000 and 650,000, of whom 2,000 are
drawn. The baseline at 10,000 users is SciPy's product of the same known events with the same
records, which has no ties, no index to build and no truth to look up. Peak memory is printed
beside that of one array of users².
"""

from __future__ import annotations

import sys
import time

import numpy as np

from auditor.attacks.base import Evidence
from auditor.attacks.record_linkage.attack import ATTACK, RecordLinkageParams
from auditor.log.model import QueryLog, Vocabulary
from auditor.measures import similarity
from auditor.methods import frequency_threshold as threshold
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Preview
from auditor.progress import silent_progress
from tests.bench.measuring import peak_memory


def make_log(users: int, seed: int = 1) -> QueryLog:
    """Heavy-tailed users; half of their searches are fashion, half their own few interests."""
    rng = np.random.default_rng(seed)
    size = np.minimum(rng.zipf(1.6, users), 2_000) + 20
    user = np.repeat(np.arange(users, dtype=np.int32), size)
    rows = len(user)
    many = max(10, rows // 4)
    fashion = np.minimum(rng.zipf(1.2, rows), many) - 1
    interest = (user.astype(np.int64) * 2_654_435_761 + rng.integers(0, 8, rows) ** 2) % many
    query = np.where(rng.random(rows) < 0.5, fashion, interest)
    codes, query = np.unique(query, return_inverse=True)
    return QueryLog.from_codes(
        user=user,
        query=query.astype(np.int32),
        time=rng.integers(0, 92 * 86_400, rows),
        url=np.full(rows, -1, dtype=np.int32),
        rank=np.full(rows, -1, dtype=np.int16),
        users=Vocabulary.of(f"u{number}" for number in range(users)),
        queries=Vocabulary.of(f"some query {code}" for code in codes.tolist()),
        urls=Vocabulary.of(()),
    )


def released(log: QueryLog, least: int = 2) -> Preview:
    params = threshold.FrequencyThresholdParams(n=least, ids="random")
    product = threshold.run(log, params, rng=PreviewRandomness(1), progress=silent_progress())
    return Preview(
        method="frequency-threshold",
        params=params.to_dict(),
        content=product.content,
        statement=product.statement,
        changes=product.changes,
    )


def baseline(log: QueryLog, release: QueryLog) -> float:
    """Seconds for SciPy to multiply what is known with all records, and to sort each row."""
    from scipy.sparse import csr_array

    rng = np.random.default_rng(0)
    place = log.queries.match(release.queries)
    rows = np.flatnonzero((rng.random(len(log)) < 0.5) & (place[log.query] >= 0))
    shape = len(log.users), len(release.queries)
    targets = csr_array((np.ones(len(rows)), (log.user[rows], place[log.query[rows]])), shape=shape)
    shape = len(release.users), len(release.queries)
    records = csr_array((np.ones(len(release)), (release.user, release.query)), shape=shape)
    began = time.perf_counter()
    product = (targets @ records.T.tocsr()).tocsr()
    product.max(axis=1)
    return time.perf_counter() - began


def main(sizes: list[int]) -> None:
    """Print one line a run."""
    for users in sizes:
        log = make_log(users)
        release = released(log)
        assert release.log is not None
        params = RecordLinkageParams(targets=max(2_000, min(users, 10_000)))
        if users > 10_000:
            params = RecordLinkageParams()
        took = []
        for _ in range(2):
            began = time.perf_counter()
            evidence = Evidence(log=log, release=release)
            result = ATTACK.run(
                evidence, params, rng=np.random.default_rng(0), progress=silent_progress()
            )
            took.append(time.perf_counter() - began)
        low, high = result.interval
        print(
            f"{users:>8,} users, {len(log):,} rows, {result.details['targets']:,} targets: "
            f"first {took[0]:.2f} s, again {took[1]:.2f} s; rate {result.rate:.3f} "
            f"[{low:.3f}, {high:.3f}], by chance {result.baseline:.2g}; "
            f"peak {peak_memory():.2f} GiB (users² × 8 B: {users**2 / 2**27:.2f} GiB)"
        )
        if users <= 10_000:
            base = baseline(log, release.log)
            print(f"{'':>8} SciPy product alone {base:.2f} s: {base / took[1]:.1f} × the attack")
        began = time.perf_counter()
        similarity.MEASURE.take(
            log,
            release,
            similarity.SimilarityParams(),
            again=None,
            rng=np.random.default_rng(0),
            progress=silent_progress(),
        )
        print(f"{'':>8} similarity: {time.perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [10_000, 100_000, 650_000])
