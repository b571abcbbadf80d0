"""Hash inversion: one update by vocabulary size, against scikit-learn's dense distances.

``python -m tests.bench.bench_inversion [users] [n …]``. The baseline needs scikit-learn and
runs up to n = 2,000: it compares every pair over all n columns.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import resource
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from auditor.attacks.inversion_distance import Pair, distances
from auditor.attacks.inversion_features import corpus
from auditor.attacks.inversion_update import frequency_start, score_greedy
from auditor.log.synth import synthesize
from auditor.progress import silent

T = TypeVar("T")
LARGEST_DENSE = 2000


def timed(work: Callable[[], T], times: int = 3) -> tuple[float, T]:
    """Median seconds of a few runs, and the last result."""
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        result = work()
        spent.append(time.perf_counter() - began)
    return float(np.median(spent)), result


def dense(pair: Pair) -> tuple[float, float]:
    """Seconds of scikit-learn's manhattan distances, and the largest difference to ours."""
    compared = importlib.import_module("sklearn.metrics").pairwise_distances
    mapping = frequency_start(*pair.shape)
    left, right = pair.left.shares.toarray(), pair.right.shares.toarray()[:, mapping]
    seconds, theirs = timed(lambda: compared(left, right, metric="manhattan"), 1)
    ours = distances(pair, mapping, "l1", silent(), "x")
    return seconds, float(np.abs(theirs - ours).max())


def main() -> None:
    users = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    sizes = [int(word) for word in sys.argv[2:]] or [1000, 2000, 4000, 8000]
    made = synthesize(users, days=30, seed=1)
    corpus(made.log, 10, silent())
    began = time.perf_counter()
    left = corpus(made.log, max(sizes), silent())
    right = corpus(made.reference, max(sizes), silent())
    print(f"{left.events:,} and {right.events:,} events; counting both sides "
          f"{time.perf_counter() - began:.2f} s")  # fmt: skip
    baseline = importlib.util.find_spec("sklearn") is not None
    for n in sizes:
        pair = Pair.of(left.side(n), right.side(n))
        mapping = frequency_start(*pair.shape)
        far, distance = timed(functools.partial(distances, pair, mapping, "l1", silent(), "x"))
        match, _ = timed(functools.partial(score_greedy, distance, silent()), 1)
        line = f"n = {n:,}: distances {far:.3f} s, greedy {match:.3f} s, "
        line += f"average degree {pair.left.degree.mean():.0f}"
        if baseline and n <= LARGEST_DENSE:
            seconds, off = dense(pair)
            line += f"; scikit-learn {seconds:.2f} s ({seconds / far:.0f} ×, differs {off:.1g})"
        print(line)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory {peak:.2f} GiB")


if __name__ == "__main__":
    main()
