"""How fast queries are spotted: ``python -m tests.bench.bench_detection [queries]``.

Makes distinct queries of the program's own word lists (2 % with digits that must be checked),
spots them, and prints the time, the peak memory and the ratio to a single regular expression
that only splits the same queries into words: the least any spotter in Python has to do.
"""

from __future__ import annotations

import re
import resource
import sys
import time

import numpy as np

from auditor.attacks.detection.entity_detection import detect_entities
from auditor.attacks.detection.kinds import EntityKind
from auditor.attacks.detection.lexicon import shipped_lexicon
from auditor.log import gazetteers
from auditor.log.model import Vocabulary


def queries(size: int, seed: int = 1) -> Vocabulary:
    """`size` queries of one to five words, numbered where they would repeat."""
    rng = np.random.default_rng(seed)
    words = list(gazetteers.word_counts())[:50_000]
    names = list(gazetteers.first_names()), list(gazetteers.last_names())
    made: dict[str, None] = {}
    while len(made) < size:
        picks = (rng.pareto(0.6, 6) * 20).astype(int)
        text = " ".join(words[pick % len(words)] for pick in picks[: rng.integers(1, 6)])
        what = rng.random()
        if what < 0.05:
            text += f" {names[0][picks[0] % 5000]} {names[1][picks[1] % 80000]}"
        elif what < 0.06:
            text += f" {rng.integers(200, 999)}-{rng.integers(200, 999)}-{rng.integers(1000, 9999)}"
        elif what < 0.065:
            text += f" {rng.integers(10**11, 10**12)}"
        elif what < 0.07:
            text = f"{rng.integers(1, 9999)} {text} street"
        elif what < 0.072:
            text += f" {names[0][picks[0] % 5000]}@example.com"
        made[text] = None
    return Vocabulary.of(made)


def timed(size: int) -> None:
    """Print one line for `size` queries."""
    vocabulary = queries(size)
    began = time.perf_counter()
    shipped_lexicon()
    built = time.perf_counter() - began
    detect_entities(vocabulary.take(np.arange(min(1000, size))))
    began = time.perf_counter()
    found = detect_entities(vocabulary)
    spent = time.perf_counter() - began
    pattern = re.compile("[a-z0-9]+")
    began = time.perf_counter()
    for text in vocabulary.strings():
        pattern.findall(text)
    base = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{size:,} queries, {len(vocabulary.data) / 1e6:.1f} MB: {spent:.2f} s "
        f"({spent / base:.2f} x splitting with re, {base:.2f} s); lexicon {built:.2f} s once; "
        f"{len(found):,} marks; peak {peak:.0f} MB"
    )
    for kind in EntityKind:
        print(f"  {kind.label:24} {int(found.of(kind).sum()):>9,}")


if __name__ == "__main__":
    timed(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
