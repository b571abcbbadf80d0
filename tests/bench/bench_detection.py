"""How fast queries are spotted: ``python -m tests.bench.bench_detection [queries] [--source]``.

Makes distinct queries of the program's own word lists (2 % with digits that must be checked),
marks them with the detector, or with ``--source`` by the source's rules, and prints the time, the
peak memory, and the marks of each kind. Time and peak are of the marking: what making the queries
took is told apart, and they are made in a process of their own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather

from auditor.attacks.detection.detector import detect_marks
from auditor.attacks.detection.entity_detection import detect_entities
from auditor.attacks.detection.kinds import EntityKind
from auditor.log import gazetteers
from auditor.log.model import Vocabulary
from tests.bench.measuring import peak_memory

WORDS = 5
BLOCK = 1_000_000


def queries(size: int, seed: int = 1) -> pa.Array:
    """`size` distinct queries of one to five words; frequent words often, rare ones seldom."""
    rng = np.random.default_rng(seed)
    words = pa.array([*list(gazetteers.word_counts())[:50_000], ""])
    first = pa.array(list(gazetteers.first_names())[:5_000])
    last = pa.array(list(gazetteers.last_names())[:80_000])
    result = pa.array([], pa.large_string())
    while len(result) < size:
        picks = (rng.pareto(0.6, (BLOCK, WORDS)) * 20).astype(np.int64) % 50_000
        picks[np.arange(WORDS) >= rng.integers(1, WORDS + 1, (BLOCK, 1))] = 50_000
        parts = [words.take(pa.array(picks[:, column])) for column in range(WORDS)]
        plain = pc.binary_join_element_wise(*parts, " ")
        names = pc.binary_join_element_wise(
            first.take(pa.array(picks[:, 0] % len(first))),
            last.take(pa.array(picks[:, 1] % len(last))), " ",
        )  # fmt: skip
        numbers = rng.integers(10**9, 10**10, BLOCK)
        text = numbers.astype(str)
        phone = np.char.add(np.char.add(text.astype("U3"), "-555-"), text.astype("U4"))
        what = rng.random(BLOCK)
        tail = [names, pa.array(phone), pa.array(text), pa.array(["street"] * BLOCK)]
        bound = (0.05, 0.06, 0.065, 0.07)
        extra = pc.if_else(pa.array(what < bound[0]), tail[0], "")
        for low, high, more in zip(bound, bound[1:], tail[1:], strict=False):
            extra = pc.if_else(pa.array((what >= low) & (what < high)), more, extra)
        full = pc.utf8_trim_whitespace(pc.binary_join_element_wise(plain, extra, " "))
        full = pc.replace_substring_regex(full, r" +", " ")
        result = pc.unique(pa.concat_arrays([result, full.cast(pa.large_string())]))[:size]
    return result


def _make(size: int, path: str) -> None:
    feather.write_feather(pa.table({"query": queries(size)}), path, compression="uncompressed")


def _mark(path: str, source: bool) -> None:
    vocabulary = Vocabulary.of_arrow(feather.read_table(path)["query"])
    find = detect_entities if source else detect_marks
    began = time.perf_counter()
    find(vocabulary.take(np.arange(min(1000, len(vocabulary)))))
    ready = time.perf_counter()
    marks = find(vocabulary)
    spent = time.perf_counter() - ready
    used = time.process_time()
    print(
        f"{len(vocabulary):,} queries, {vocabulary.nbytes / 1e6:.0f} MB: {spent:.1f} s, "
        f"{spent / len(vocabulary) * 1e6:.1f} µs each; lists and kernels {ready - began:.1f} s; "
        f"{used:.0f} s of processors in all; {len(marks):,} marks; peak {peak_memory():.2f} GiB"
    )
    for kind in EntityKind:
        print(f"  {kind.label:24} {int(marks.is_of_kind(kind).sum()):>9,}")


def main() -> None:
    """Make queries in one process, mark them in another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("queries", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--source", action="store_true", help="the rules of Kumar et al. 2007")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "queries.feather")
        spawn = multiprocessing.get_context("spawn")
        for run, arguments in ((_make, (options.queries, path)), (_mark, (path, options.source))):
            process = spawn.Process(target=run, args=arguments)
            process.start()
            process.join()
            if process.exitcode:
                raise SystemExit(process.exitcode)


if __name__ == "__main__":
    main()
