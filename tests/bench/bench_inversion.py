"""Hash inversion: updates by vocabulary size, and the whole expansion.

``python -m tests.bench.bench_inversion [users] [n …]``. One update is compared with scikit-learn's
dense manhattan distances in the same run; for n over 1,000 these run on some of the rows, and their
seconds are multiplied. Without scikit-learn no baseline is printed.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import time

import numpy as np

from auditor.attacks.hash_inversion.distance import VectorPair, compute_distances
from auditor.attacks.hash_inversion.features import TokenCorpus, count_corpus
from auditor.attacks.hash_inversion.ground_truth import InversionProblem
from auditor.attacks.hash_inversion.inversion import Inversion, InversionConfig
from auditor.attacks.hash_inversion.mapping_update import UPDATES, frequency_start
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from tests.bench.measuring import peak_memory, timed

DENSE = 1_000_000_000
"""Work of the dense baseline, rows · tokens · columns; it runs on as many rows."""
LARGEST = {"min-cost": 8000, "stable-marriage": 8000}
"""The largest n at which a slow update is timed, where one is too slow to wait for."""


def dense(pair: VectorPair) -> tuple[float, float]:
    """Seconds of scikit-learn's manhattan distances, and the largest difference to ours."""
    compared = importlib.import_module("sklearn.metrics").pairwise_distances
    mapping = frequency_start(*pair.shape)
    n = len(mapping)
    rows = min(n, max(1, DENSE // n**2))
    left, right = pair.left.shares[:rows].toarray(), pair.right.shares.toarray()[:, mapping]
    seconds, theirs = timed(lambda: compared(left, right, metric="manhattan"), 1)
    ours = compute_distances(pair, mapping, "l1", silent_progress(), "x")[:rows]
    return seconds * n / rows, float(np.abs(theirs - ours).max())


def updates(left: TokenCorpus, right: TokenCorpus, sizes: list[int]) -> None:
    """One update at each size: distances and each matching, against the dense baseline."""
    baseline = importlib.util.find_spec("sklearn") is not None
    for n in sizes:
        pair = VectorPair.of(left.build_side(n), right.build_side(n))
        mapping = frequency_start(*pair.shape)
        far, distance = timed(
            functools.partial(compute_distances, pair, mapping, "l1", silent_progress(), "x")
        )
        line = f"n = {n:,}: distances {far:.3f} s"
        for name, match in UPDATES.items():
            if n > LARGEST.get(name, n):
                continue
            seconds, _ = timed(functools.partial(match, distance, silent_progress()), 1)
            line += f", {name} {seconds:.3f} s"
        line += f", average degree {pair.left.degree.mean():.0f}"
        del distance
        if baseline:
            seconds, off = dense(pair)
            line += f"; scikit-learn {seconds:.2f} s ({seconds / far:.0f} ×, differs {off:.1g})"
        print(line, flush=True)


def expand(left: TokenCorpus, right: TokenCorpus, n: int) -> None:
    """The expansion from 1,000 words to n, the source's way."""
    game = InversionProblem(left, right, None, None, "bench")
    began = time.perf_counter()
    how = InversionConfig(scheme="expand", iterations=10)
    inversion = Inversion(game, how, np.random.default_rng(0), silent_progress())
    for outcome in inversion.expand_vocabulary(n):
        print(f"expansion: n = {outcome.scores[-1].n:,} after {time.perf_counter() - began:.1f} s")


def main() -> None:
    """Print work size, seconds, ratios and peak memory."""
    users = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    sizes = [int(word) for word in sys.argv[2:]] or [1000, 2000, 4000, 8000]
    synthetic = synthesize_log(users, days=30, seed=1)
    count_corpus(synthetic.log, 10, silent_progress())
    began = time.perf_counter()
    left = count_corpus(synthetic.log, max(sizes), silent_progress())
    right = count_corpus(synthetic.reference, max(sizes), silent_progress())
    print(f"{left.events:,} and {right.events:,} events; counting both sides "
          f"{time.perf_counter() - began:.2f} s")  # fmt: skip
    updates(left, right, sizes)
    expand(left, right, max(sizes))
    print(f"peak memory {peak_memory():.2f} GiB")


if __name__ == "__main__":
    main()
