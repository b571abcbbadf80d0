"""n-grams beside set union at one (ε, δ): ``python -m tests.bench.bench_n_grams [LOG ...]``.

What is released on average over `RUNS` runs, for whole histories, at ε of 1, 2, 4 and 8 and
δ = 10⁻⁶: by the method `n-grams` with its defaults, the n-grams of one, two and three words; by the
baseline, set union, its queries and all n-grams of up to three words that stand in them. Set union
has the limit of `LIMITS` that is expected to find the most queries, in the plain way and screened.
Rows are the share of the log's rows with a released query, or with a released n-gram of two words
or more. A number in the place of a log is a synthetic one of so many users. Noise is seeded.
Without arguments the logs are those of `bench_equal_budget`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import auditor
from auditor.log.model import QueryLog
from auditor.log.synthetic.generator import synthesize_log
from auditor.methods.registry import METHODS
from auditor.params import Params
from auditor.privacy.randomness import PreviewRandomness
from auditor.privacy.release import Tables
from auditor.progress import silent_progress
from tests.bench.bench_equal_budget import DELTA, EPSILONS, EXCITE, SAMPLE

LIMITS = (3, 10, 20, 50)
RUNS = 5
LONGEST = 3


def split_ngrams(query: str) -> list[str]:
    """Its n-grams of up to `LONGEST` words."""
    words = query.split()
    return [
        " ".join(words[start : start + length])
        for length in range(1, LONGEST + 1)
        for start in range(len(words) - length + 1)
    ]


def release_strings(log: QueryLog, method: str, params: Params, seed: int) -> set[str]:
    """The strings of one seeded run."""
    made = METHODS[method].run(log, params, rng=PreviewRandomness(seed), progress=silent_progress())
    assert isinstance(made.content, Tables)
    return set(made.content.queries.list_strings())


def choose_union(log: QueryLog, epsilon: float, weighting: str) -> Params:
    """Set union with the limit that is expected to find the most."""
    what = METHODS["set-union"]
    assert what.outlook is not None
    best: tuple[float, Params] | None = None
    for limit in LIMITS:
        params = what.params().replace(
            epsilon=epsilon, delta=DELTA, q_f=limit, weighting=weighting, counting=0.1
        )
        found = what.outlook(log, params, scale=1.0, progress=silent_progress()).values[0].value
        if best is None or found > best[0]:
            best = float(found), params
    assert best is not None
    return best[1]


def count_by_length(ngrams: set[str]) -> list[int]:
    """How many have one, two and three words."""
    sizes = [len(ngram.split()) for ngram in ngrams]
    return [sizes.count(length) for length in range(1, LONGEST + 1)]


def compare(log: QueryLog) -> None:
    """A row for each method and ε."""
    texts = log.queries.list_strings()
    rows = np.bincount(log.query, minlength=len(texts))
    parts = [{one for one in split_ngrams(text) if " " in one} for text in texts]
    print("| ε | method | queries | 1 word | 2 words | 3 words | rows | seconds |")
    print("|---:|---|---:|---:|---:|---:|---:|---:|")
    for epsilon in EPSILONS:
        own = METHODS["n-grams"].params().replace(epsilon=epsilon, delta=DELTA)
        settings = [("n-grams", "n-grams", own)]
        for weighting in ("even", "screened"):
            params = choose_union(log, epsilon, weighting)
            settings.append((f"set union, {weighting}", "set-union", params))
        for label, method, params in settings:
            found, began = [], time.perf_counter()
            for seed in range(RUNS):
                strings = release_strings(log, method, params, seed)
                if method == "n-grams":
                    reached = [not strings.isdisjoint(some) for some in parts]
                    numbers = [0, *count_by_length(strings)]
                else:
                    reached = [text in strings for text in texts]
                    inside = {one for query in strings for one in split_ngrams(query)}
                    numbers = [len(strings), *count_by_length(inside)]
                found.append([*numbers, float(rows @ np.array(reached) / max(len(log), 1))])
            seconds = (time.perf_counter() - began) / RUNS
            mean = np.mean(found, axis=0)
            queries = "–" if method == "n-grams" else f"{mean[0]:,.1f}"
            counts = " | ".join(f"{one:,.1f}" for one in mean[1:4])
            print(
                f"| {epsilon:g} | {label} | {queries} | {counts} | {mean[4]:.1%} | {seconds:.2f} |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("logs", nargs="*", default=["10000", str(SAMPLE), str(EXCITE)])
    for name in parser.parse_args().logs:
        log = (
            synthesize_log(int(name), days=30, seed=1).log
            if name.isdigit()
            else auditor.read_log(name)
        )
        print(f"\n{Path(name).name}: {len(log.users):,} users, {len(log):,} rows, δ = {DELTA:g}")
        compare(log)


if __name__ == "__main__":
    main()
