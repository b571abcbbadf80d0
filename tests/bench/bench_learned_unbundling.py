"""Learned fibers against words: ``python -m tests.bench.bench_learned_unbundling 10000/30/11 …``.

Synthetic logs of users/days/seed (30 days and seed 11 if left out), bundled by address under masks
of 8, 12 and 16 bits and by chance. Of each: candidate pairs and how many of the true pairs they
hold, the time of each way, and its F. The baselines, in the same run, are BL1, BL2 and connected
components over shared words. Peak memory is that of the whole process, the logs included. Seconds
are the processor's: all is done on one core, and other work on the machine doesn't count.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from auditor.arrays import Int32s
from auditor.attacks.bundle_view import BundledLog, BundleParams, arrange_events, partition_log
from auditor.attacks.unbundling.fibers import (
    FiberClues,
    join_fibers,
    label_singletons,
    label_whole_bundles,
    score_labels,
    shuffle_fibers,
    truth_of,
    word_keys,
    words_of,
)
from auditor.attacks.unbundling.learning import learned_fibers
from auditor.log.synthetic.generator import synthesize_log
from auditor.progress import silent_progress
from tests.bench.measuring import peak_memory

BUNDLINGS = (("ip-mask", 8), ("ip-mask", 12), ("ip-mask", 16), ("random-users", 8))
KNOWN_BUNDLES = 40


def show(name: str, bundled: BundledLog, clues: FiberClues, labels: Int32s, seconds: float) -> None:
    truth = truth_of(bundled, training=clues.training)
    scores = score_labels(bundled, truth, labels, silent_progress())
    strangers = shuffle_fibers(bundled, truth, np.random.default_rng(0), silent_progress())
    chance = score_labels(bundled, strangers, labels, silent_progress()).f.mean()
    print(
        f"  {name:<12} F {scores.f.mean():.3f}, by chance {chance:.3f} (pooled "
        f"{scores.pooled_f():.3f}, recall {scores.recall.mean():.3f}, precision "
        f"{scores.precision.mean():.3f}), Meila {scores.meila.mean():.2f}, Rand "
        f"{scores.rand.mean():.3f}; {seconds:7.2f} s, "
        f"{len(bundled) / max(seconds, 1e-9):,.0f} events/s",
        flush=True,
    )


def attacked(bundled: BundledLog, clues: FiberClues) -> None:
    """Every way on one bundling."""
    methods: dict[str, Callable[[], Int32s]] = {
        "BL1": lambda: label_singletons(bundled),
        "BL2": lambda: label_whole_bundles(bundled),
        "words": lambda: join_fibers(bundled, [clues.keys["w"]], silent_progress()),
        "classifier": lambda: learned_fibers.classify_fibers(bundled, clues, silent_progress()),
        "learned": lambda: learned_fibers.learn_fibers(bundled, clues, silent_progress()),
    }
    for name, method in methods.items():
        began = time.process_time()
        labels = method()
        show(name, bundled, clues, labels, time.process_time() - began)
    quality = clues.worked[learned_fibers.QUALITY]
    print(
        f"  {quality.candidates:,} candidates of {quality.pairs:,} pairs "
        f"({quality.candidates / max(quality.pairs, 1):.2%}) hold {quality.blocking:.1%} of the "
        f"true ones; the tree: accuracy {quality.accuracy:.3f}, precision {quality.precision:.3f}, "
        f"recall {quality.recall:.3f}; peak {peak_memory():.2f} GiB"
    )


def main(logs: list[str]) -> None:
    for spec in logs:
        numbers = [int(number) for number in spec.split("/")]
        users, days, seed = numbers + [0, 30, 11][len(numbers) :]
        synthetic = synthesize_log(users, days=days, seed=seed)
        log = synthetic.log
        began = time.process_time()
        words = words_of(log.queries, silent_progress())
        print(
            f"{users:,} users, {days} days, seed {seed}, {len(log):,} rows; "
            f"stems {time.process_time() - began:.1f} s"
        )
        for by, bits in BUNDLINGS:
            params = BundleParams(by=by, bits=bits)
            _, parts = partition_log(log, params, silent_progress())
            masked = bits if by == "ip-mask" else None
            bundled = arrange_events(log, parts, params.min_queries, by, masked, silent_progress())
            large = np.flatnonzero(bundled.large)
            count = min(KNOWN_BUNDLES, len(large) // 5)
            training = np.sort(np.random.default_rng(0).choice(large, count, replace=False))
            clues = FiberClues(
                queries=log.queries,
                words=words,
                keys={"w": word_keys(words)},
                training=training,
                reference=synthetic.reference,
                clicks=log,
            )
            print(f" {by} {masked or ''}: {len(bundled):,} events, {len(large):,} large bundles")
            attacked(bundled, clues)


if __name__ == "__main__":
    main(sys.argv[1:] or ["10000", "100000"])
