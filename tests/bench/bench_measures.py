"""Volume and frequencies of a large release: ``python -m tests.bench.bench_measures [rows]``.

A made-up log (Zipf over queries, half of the rows with a click) and a release of its frequent
queries. The baseline is reading the same log's codes once: one bincount of queries.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from auditor.log.model import QueryLog, Vocabulary
from auditor.measures import frequencies, volume
from auditor.measures.frequencies import FrequencyParams
from auditor.measures.volume import VolumeParams
from auditor.privacy.release import Preview, Tables
from auditor.privacy.statement import Statement
from auditor.progress import Progress


def made(rows: int, seed: int = 1) -> QueryLog:
    """A log of `rows` rows, a quarter as many queries, a sixtieth as many users."""
    rng = np.random.default_rng(seed)
    size = max(10, rows // 4)
    query = np.minimum(rng.zipf(1.2, rows), size).astype(np.int64) - 1
    query[:size] = rng.permutation(size)
    url = np.where(rng.random(rows) < 0.5, query % (size // 6 + 1), -1).astype(np.int32)
    users = max(1, rows // 60)
    user = np.sort(rng.integers(0, users, rows)).astype(np.int32)
    return QueryLog.from_codes(
        user=user,
        query=query.astype(np.int32),
        time=np.arange(rows, dtype=np.int64),
        url=url,
        rank=np.ones(rows, dtype=np.int16),
        users=Vocabulary.of(f"u{i}" for i in range(users)),
        queries=Vocabulary.of(f"some {i % 50021} query {i}" for i in range(size)),
        urls=Vocabulary.of(f"http://site{i}.example" for i in range(size // 6 + 1)),
    )


def released(log: QueryLog) -> Preview:
    """The queries of five rows and more, with their clicks."""
    counts = np.bincount(log.query, minlength=len(log.queries))
    chosen = np.flatnonzero(counts >= 5)
    place = np.full(len(log.queries), -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    rows = np.flatnonzero((place[log.query] >= 0) & (log.url >= 0))
    pairs = np.unique(place[log.query[rows]] * len(log.urls) + log.url[rows])
    tables = Tables(
        queries=log.queries.take(chosen),
        query_count=counts[chosen].astype(np.int64),
        urls=log.urls,
        click_query=(pairs // len(log.urls)).astype(np.int32),
        click_url=(pairs % len(log.urls)).astype(np.int32),
        click_count=np.ones(len(pairs), dtype=np.int64),
        has_clicks=True,
    )
    return Preview(
        method="by hand",
        params={},
        content=tables,
        statement=Statement(model="none", claim="none", unit="none"),
        changes={},
    )


def main(rows: int) -> None:
    log = made(rows)
    release = released(log)
    assert release.tables is not None
    size = len(release.tables.queries)
    print(f"{rows:,} rows, {len(log.queries):,} queries, {size:,} released")
    began = time.perf_counter()
    np.bincount(log.query)
    base = time.perf_counter() - began
    rng = np.random.default_rng(1)
    began = time.perf_counter()
    volume.run(log, release, VolumeParams(), rng=rng, progress=Progress())
    report("volume", time.perf_counter() - began, base)
    for unit in ("events", "users"):
        params = FrequencyParams(unit=unit)
        began = time.perf_counter()
        frequencies.run(log, release, params, rng=rng, progress=Progress())
        report(f"frequencies, {unit}", time.perf_counter() - began, base)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MB, of which the log is {log.nbytes / 2**20:,.0f} MB")


def report(name: str, spent: float, base: float) -> None:
    print(f"{name:20} {spent:7.2f} s, {spent / base:6.0f} × one bincount ({base:.3f} s)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 36_000_000)
