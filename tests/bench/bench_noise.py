"""Secure noise where it can reach the output: ``python -m tests.bench.bench_noise [counts]``.

Heavy-tailed counts as queries of a search log have (a Zipf law of exponent 1.9), strict
thresholds. The baseline is the dense way: secure noise for every count, then the threshold; it
is timed on a part of the counts, since its cost is the same for each, and scaled up.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

from auditor.privacy.accounting import threshold_for_delta
from auditor.privacy.noise import (
    PreviewRandomness,
    Randomness,
    SecureRandomness,
    add_noise,
    noisy_at_least,
    passing_positions,
    zero_cells,
)
from auditor.progress import Progress

PART = 200_000


def heavy_tailed(size: int, seed: int = 1) -> np.ndarray:
    """`size` counts from 1 up, most of them 1."""
    drawn = np.random.default_rng(seed).zipf(1.9, size)
    return np.minimum(drawn, 1_000_000).astype(np.int64)


def main(size: int) -> None:
    counts = heavy_tailed(size)
    secure: Randomness = SecureRandomness()
    began = time.perf_counter()
    SecureRandomness().load_sampler()
    print(f"import of the sampler: {time.perf_counter() - began:.2f} s")
    print(f"{size:,} counts, {np.mean(counts == 1):.0%} of them 1, largest {counts.max():,}")
    print(f"{'b':>5} {'K':>5} {'way':24} {'shown':>10} {'s':>8} {'dense s':>8} {'ratio':>7}")
    for b, q_f in ((10.0, 40), (2.0, 40), (50.0, 40)):
        K = threshold_for_delta(q_f, 1e-6, b, once=True)
        began = time.perf_counter()
        add_noise(counts[:PART], b, secure, Progress())
        dense = (time.perf_counter() - began) * size / min(PART, size)
        for name, rng in (("secure", secure), ("preview", PreviewRandomness(1))):
            began = time.perf_counter()
            shown = len(noisy_at_least(counts, b, K, rng, Progress())[0])
            line(b, K, f"noisy_at_least, {name}", shown, time.perf_counter() - began, dense)
        began = time.perf_counter()
        shown = len(passing_positions(counts, b, K, secure, Progress()))
        line(b, K, "passing, secure", shown, time.perf_counter() - began, dense)
    began = time.perf_counter()
    shown = len(zero_cells(10**18, 10.0, 310, secure, Progress())[0])
    spent = time.perf_counter() - began
    print(f"zero_cells: {shown:,} of 10^18 cells pass, {spent:.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MB, of which the counts are {counts.nbytes / 2**20:,.0f} MB")


def line(b: float, K: int, way: str, shown: int, spent: float, dense: float) -> None:
    print(f"{b:5g} {K:5} {way:24} {shown:10,} {spent:8.2f} {dense:8.1f} {spent / dense:7.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
