"""Tokenising distinct queries, against Arrow's splitting and dictionary encoding of the same.

Run: ``python -m tests.bench.bench_text [queries]``.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from auditor.log import gazetteers
from auditor.log.model import Vocabulary
from auditor.log.text import TokenizedQueries, tokenize_strings


def made_up(queries: int) -> Vocabulary:
    """Distinct queries of one to five words of Zipfian frequency and a number."""
    rng = np.random.default_rng(0)
    words = pa.array(list(gazetteers.word_counts()))
    lengths = rng.integers(1, 6, queries)
    ranks = np.minimum((rng.pareto(0.9, lengths.sum()) * 50).astype(np.int64), len(words) - 1)
    offsets = pa.array(np.concatenate(([0], np.cumsum(lengths))).astype(np.int32))
    texts = pc.binary_join(pa.ListArray.from_arrays(offsets, words.take(pa.array(ranks))), " ")
    numbers = pa.array(rng.permutation(queries)).cast(pa.string())
    return Vocabulary.of_arrow(pc.binary_join_element_wise(texts, numbers, " "))


def by_arrow(vocabulary: Vocabulary) -> TokenizedQueries:
    """The same by Arrow alone."""
    lists = pc.utf8_split_whitespace(vocabulary.as_arrow())
    coded = lists.values.dictionary_encode()
    return TokenizedQueries(
        coded.indices.to_numpy(),
        lists.offsets.to_numpy().astype(np.int64),
        Vocabulary.of_arrow(coded.dictionary),
    )


def main() -> None:
    queries = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
    vocabulary = made_up(queries)
    tokenize_strings(Vocabulary.of(["compiled before the clock starts"]))
    took = {}
    for name, split in (("tokens", tokenize_strings), ("arrow", by_arrow)):
        best = []
        for _ in range(3):
            began = time.perf_counter()
            found = split(vocabulary)
            best.append(time.perf_counter() - began)
        took[name] = sorted(best)[1]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(
            f"{name}: {queries:,} queries, {len(found.codes):,} tokens, "
            f"{len(found.vocabulary):,} distinct, {took[name]:.2f} s, peak {peak:.2f} GB"
        )
    print(f"ratio tokens / arrow: {took['tokens'] / took['arrow']:.2f}")


if __name__ == "__main__":
    main()
