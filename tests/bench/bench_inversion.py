"""Hash inversion: time of an update by vocabulary size; with ``accuracy``, what each way finds.

``python -m tests.bench.bench_inversion [--users 8000] [--n 8000]``: one update is compared with
scikit-learn's dense manhattan distances in the same run; where these take long they run on some of
the rows, and their seconds are multiplied.

``python -m tests.bench.bench_inversion accuracy --users 34500 --n 16000``: a synthetic log of 30
days is inverted against the period before it. Every update grows from 1,000 words to n (the
source's vocabulary expansion), the default starts afresh at each size, and the nearest tokens with
true context stand beside them. Each figure is printed as soon as it is known, with its seconds.
"""

import argparse
import functools
import time

import numpy as np
from sklearn.metrics import pairwise_distances

from auditor.arrays import share_of
from auditor.attacks.base import Evidence
from auditor.attacks.hash_inversion.distance import VectorPair, compute_distances
from auditor.attacks.hash_inversion.ground_truth import InversionProblem, set_up
from auditor.attacks.hash_inversion.inversion import (
    UPDATES,
    Inversion,
    InversionConfig,
    count_oracle_hits,
    frequency_start,
)
from auditor.attacks.hash_inversion.report import list_sizes
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from tests.bench.measuring import peak_memory, timed

START = 1000
DENSE = 1_000_000_000
"""Work of the dense baseline, rows · tokens · columns; it runs on as many rows."""
LARGEST = {"min-cost": 8000, "stable-marriage": 8000}
"""The largest n at which a slow update is timed; least cost at 16,000 took over 15 minutes."""


def time_dense(pair: VectorPair) -> tuple[float, float]:
    """Seconds of scikit-learn's manhattan distances, and the largest difference to ours."""
    mapping = frequency_start(*pair.shape)
    n = len(mapping)
    rows = min(n, max(1, DENSE // n**2))
    left, right = pair.left.shares[:rows].toarray(), pair.right.shares.toarray()[:, mapping]
    seconds, theirs = timed(lambda: pairwise_distances(left, right, metric="manhattan"), 1)
    ours = compute_distances(pair, mapping, "l1", silent_progress(), "x")[:rows]
    return seconds * n / rows, float(np.abs(theirs - ours).max())


def time_updates(problem: InversionProblem, n: int) -> None:
    """One update: distances and each matching, against the dense baseline."""
    pair = VectorPair.of(problem.hashes.build_side(n), problem.tokens.build_side(n))
    mapping = frequency_start(*pair.shape)
    far, distance = timed(
        functools.partial(compute_distances, pair, mapping, "l1", silent_progress(), "x")
    )
    line = f"n = {n:,}: distances {far:.3f} s"
    for name, match in UPDATES.items():
        if n <= LARGEST.get(name, n):
            seconds, _ = timed(functools.partial(match, distance, silent_progress()), 1)
            line += f", {name} {seconds:.3f} s"
    seconds, off = time_dense(pair)
    print(
        f"{line}, average degree {pair.left.degree.mean():.0f}; scikit-learn {seconds:.2f} s "
        f"({seconds / far:.0f} ×, differs {off:.1g})",
        flush=True,
    )


def grow_vocabulary(problem: InversionProblem, n: int, update: str) -> None:
    """The source's way with one update, at every doubling."""
    began = time.process_time()
    config = InversionConfig(scheme="expand", update=update, iterations=10)
    inversion = Inversion(problem, config, np.random.default_rng(0), silent_progress())
    for outcome in inversion.expand_vocabulary(n):
        last = outcome.scores[-1]
        print(
            f"{update:16s} n = {last.n:6,}: {last.accuracy:.3f} of {last.matchable:,} "
            f"({time.process_time() - began:.0f} CPU-s so far)",
            flush=True,
        )


def print_accuracy(problem: InversionProblem, n: int) -> None:
    """The nearest tokens with true context, the default, and every update."""
    config = InversionConfig(order=True)
    ours = Inversion(problem, config, np.random.default_rng(0), silent_progress())
    plain = ours.change(order=False)
    for size in list_sizes(n, START):
        hits = count_oracle_hits(problem, plain.build_pair(size), "l1", silent_progress())
        print(f"nearest, context n = {size:6,}: {share_of(*hits):.3f}", flush=True)
    for size in list_sizes(n, START):
        began = time.process_time()
        last = ours.iterate_confident(size).scores[-1]
        print(
            f"default          n = {size:6,}: {last.accuracy:.3f} of {last.matchable:,} "
            f"({time.process_time() - began:.0f} CPU-s)",
            flush=True,
        )
    for update in sorted(UPDATES, key=lambda name: name == "min-cost"):
        grow_vocabulary(problem, min(n, LARGEST.get(update, n)), update)


def main() -> None:
    """Print work size, then seconds and ratios or accuracy, and peak memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=("time", "accuracy"), default="time")
    parser.add_argument("--users", type=int, default=8_000)
    parser.add_argument("--n", type=int, default=8_000)
    options = parser.parse_args()
    synthetic = synthesize_log(options.users, days=30, seed=1)
    evidence = Evidence(log=synthetic.log, release=None, reference=synthetic.reference)
    seconds, problem = timed(
        lambda: set_up(evidence, "file", options.n, np.random.default_rng(0), silent_progress()), 1
    )
    events = problem.hashes.events, problem.tokens.events
    print(
        f"{events[0]:,} and {events[1]:,} events; counting both sides {seconds:.2f} s", flush=True
    )
    if options.what == "accuracy":
        print_accuracy(problem, options.n)
    else:
        for size in list_sizes(options.n, START):
            time_updates(problem, size)
        grow_vocabulary(problem, options.n, InversionConfig().update)
    print(f"peak memory {peak_memory():.2f} GiB")


if __name__ == "__main__":
    main()
