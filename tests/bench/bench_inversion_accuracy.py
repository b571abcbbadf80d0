"""What each way of inverting finds: ``python -m tests.bench.bench_inversion_accuracy [users [n]]``.

A synthetic log of 30 days is inverted against the period before it. Every update grows from 1,000
words to n (the source's vocabulary expansion), the default starts afresh at each size, and the
nearest tokens with true context stand beside them. Each figure is printed as soon as it is known,
with its seconds.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from auditor.arrays import share_of
from auditor.attacks.base import Evidence
from auditor.attacks.hash_inversion.ground_truth import InversionProblem, set_up
from auditor.attacks.hash_inversion.inversion import Inversion, InversionConfig, count_oracle_hits
from auditor.attacks.hash_inversion.mapping_update import UPDATES
from auditor.attacks.hash_inversion.tables import list_sizes
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress

START = 1000
LARGEST = {"min-cost": 8000}
"""The largest n of an update that takes ever longer; at 16,000 it took more than 15 minutes."""


def game_of(users: int, n: int) -> InversionProblem:
    """Both sides counted, words shuffled on either."""
    synthetic = synthesize_log(users, days=30, seed=1)
    evidence = Evidence(log=synthetic.log, release=None, reference=synthetic.reference)
    game = set_up(evidence, "file", n, np.random.default_rng(0), silent_progress())
    print(f"{game.hashes.events:,} and {game.tokens.events:,} events", flush=True)
    return game


def grown(game: InversionProblem, n: int, update: str) -> None:
    """One update at every doubling."""
    began = time.process_time()
    how = InversionConfig(scheme="expand", update=update, iterations=10)
    inversion = Inversion(game, how, np.random.default_rng(0), silent_progress())
    for outcome in inversion.expand_vocabulary(n):
        last = outcome.scores[-1]
        print(
            f"{update:16s} n = {last.n:6,}: {last.accuracy:.3f} of {last.matchable:,} "
            f"({time.process_time() - began:.0f} CPU-s so far)",
            flush=True,
        )


def main() -> None:
    """Print accuracy by n."""
    users = int(sys.argv[1]) if len(sys.argv) > 1 else 34_500
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 16_000
    game = game_of(users, n)
    ours = Inversion(game, InversionConfig(order=True), np.random.default_rng(0), silent_progress())
    plain = ours.change(order=False)
    for size in list_sizes(n, START):
        pair = plain.build_pair(size)
        bound = share_of(*count_oracle_hits(game, pair, "l1", silent_progress()))
        print(f"nearest, context n = {size:6,}: {bound:.3f}", flush=True)
    for size in list_sizes(n, START):
        began = time.process_time()
        last = ours.iterate_confident(size).scores[-1]
        print(
            f"default          n = {size:6,}: {last.accuracy:.3f} of {last.matchable:,} "
            f"({time.process_time() - began:.0f} CPU-s)",
            flush=True,
        )
    for update in sorted(UPDATES, key=lambda name: name == "min-cost"):
        grown(game, min(n, LARGEST.get(update, n)), update)


if __name__ == "__main__":
    main()
