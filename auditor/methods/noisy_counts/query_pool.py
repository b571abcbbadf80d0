"""Query pools: strings from elsewhere that stand beside the log's with a true count of 0.

Source: SafeLog, "Query Pool Generation". Three kinds:

* **list**: a file of one query a line, or the queries of another period's log;
* **n-grams**: a random set of `size` pairs of frequent English n-grams that end in a noun, joined.

Zero counts pass a threshold only with enough noise, so those that pass are sampled
(`privacy.noise.zero_cells`) and a pool of billions costs what it adds to the output. For n-grams
the set needn't be drawn at all: a uniformly random set of `size` pairs, thinned to those that
pass, is a uniformly random set whose size is Binomial(size, P[X ≥ K]), and that is drawn.

A string must have one chance, not two, or the noise of a count would not be one discrete Laplace
any more. So a list holds each string once; a pool query whose true count is above 0 is left to
the log's own count; and of the pairs that spell the same string only the canonical one (its first
half the shortest that is an n-gram) is in the pool, the others are void.

The pool never depends on the log that is released.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from auditor.arrays import Bools, Int32s, Int64s
from auditor.bounded_files import UnfitFile, read_text
from auditor.errors import LogFormatError, MissingInput
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.sentences import sentence
from auditor.log.text import list_lines
from auditor.messages import as_phrase, phrase
from auditor.privacy.noise import Randomness, zero_cells
from auditor.progress import Progress, silent_progress

LARGEST = 1 << 30
"""Bytes of a pool's file, once unpacked."""
LONGEST = 2_000
"""Characters of a pool query that is still taken for one."""


@dataclass(frozen=True, eq=False)
class ListPool:
    """A fixed list of distinct strings."""

    strings: Vocabulary
    description: str

    def count_zeros(self, log: QueryLog, count: Int32s) -> int:
        """Strings of the list that the limited log doesn't count; O(log's queries)."""
        return len(self.strings) - int(np.count_nonzero(self._find_counted(log, count)))

    def count_overlap(self, log: QueryLog) -> int:
        """How many of the log's distinct queries the list holds."""
        return int(np.count_nonzero(log.queries.match(self.strings) >= 0))

    def draw_passing(
        self,
        log: QueryLog,
        count: Int32s,
        scale: float,
        threshold: float,
        rng: Randomness,
        progress: Progress,
    ) -> tuple[list[str], Int64s]:
        """Strings with a true count of 0 whose noise reaches the threshold, and the noise.

        O(log's queries + what passes).
        """
        zero = np.flatnonzero(~self._find_counted(log, count))
        positions, noisy = zero_cells(len(zero), scale, threshold, rng, progress)
        return self.strings.list_strings(zero[positions]), noisy

    def _find_counted(self, log: QueryLog, count: Int32s) -> Bools:
        places = log.queries.match(self.strings)
        has_count = np.zeros(len(self.strings), dtype=np.bool_)
        has_count[places[(places >= 0) & (count > 0)]] = True
        return has_count


@dataclass(frozen=True, eq=False)
class NgramPool:
    """`size` random pairs out of all pairs of `ngrams`, each joined by a blank."""

    ngrams: Sequence[str]
    size: int
    description: str

    @property
    def cells(self) -> int:
        """All pairs there are."""
        return len(self.ngrams) ** 2

    def count_zeros(self, log: QueryLog, count: Int32s) -> int:
        """The pool's size: so few log queries are such pairs that they make no difference."""
        del log, count
        return min(self.size, self.cells)

    def draw_passing(
        self,
        log: QueryLog,
        count: Int32s,
        scale: float,
        threshold: float,
        rng: Randomness,
        progress: Progress,
    ) -> tuple[list[str], Int64s]:
        """See `ListPool.draw_passing`; O(what passes + log's queries)."""
        size = min(self.size, self.cells)
        positions, noisy = zero_cells(size, scale, threshold, rng, progress)
        cells = rng.sample(self.cells, len(positions))
        canonical = canonical_pairs(self.ngrams)
        texts, values = [], []
        for cell, value in zip(cells.tolist(), noisy.tolist(), strict=True):
            first, second = divmod(cell, len(self.ngrams))
            if canonical(self.ngrams[first], self.ngrams[second]):
                texts.append(f"{self.ngrams[first]} {self.ngrams[second]}")
                values.append(value)
            progress.check()
        codes = log.queries.find(texts)
        free = [code < 0 or not count[code] for code in codes.tolist()]
        free_texts = [text for text, is_free in zip(texts, free, strict=True) if is_free]
        return free_texts, np.asarray(values, dtype=np.int64)[np.asarray(free, dtype=np.bool_)]


QueryPool = ListPool | NgramPool
"""Strings with a true count of 0; `description` says which, for the statement."""


def canonical_pairs(ngrams: Sequence[str]) -> Callable[[str, str], bool]:
    """Tells of a pair whether no shorter first half spells the same string."""
    ngram_set = set(ngrams)

    def is_canonical(first: str, second: str) -> bool:
        words = first.split(" ")
        second_words = second.split(" ")
        return not any(
            " ".join(words[:cut]) in ngram_set and " ".join(words[cut:] + second_words) in ngram_set
            for cut in range(1, len(words))
        )

    return is_canonical


def chance_of_holding(pool: QueryPool, text: str) -> float:
    """The chance that a pool holds one string, over the choice of random pairs."""
    if isinstance(pool, NgramPool):
        words, ngram_set = text.split(" "), set(pool.ngrams)
        pair = any(
            " ".join(words[:cut]) in ngram_set and " ".join(words[cut:]) in ngram_set
            for cut in range(1, len(words))
        )
        return min(1.0, pool.size / pool.cells) if pair else 0.0
    return float(pool.strings.find([text])[0] >= 0)


def load_pool(kind: str, path: Path | None, size: int, progress: Progress) -> QueryPool | None:
    """The pool of that kind, or None for ``none``.

    Raises `MissingInput`: the kind needs a file and there is none; `LogFormatError`: the file can't
    be read.
    """
    if kind == "none":
        return None
    if kind == "n-grams":
        from auditor.log.gazetteers import noun_ngrams

        ngrams = noun_ngrams()
        share = min(1.0, size / len(ngrams) ** 2)
        chance = (
            phrase("{share:.2g} of all {ngrams:,}² pairs", share=share, ngrams=len(ngrams))
            if share < 1
            else "all pairs"
        )
        description = sentence("noisy_counts.random_pairs_english_grams", size=size, chance=chance)
        return NgramPool(ngrams, size, description)
    if path is None:
        raise MissingInput(sentence("noisy_counts.pool_needs_file_give", kind=kind))
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "unknown reason"
        raise LogFormatError(
            phrase("The pool can't be read: {why}.", why=as_phrase(reason)), path=path
        ) from None
    strings = _load_strings(kind, path, (state.st_ino, state.st_mtime_ns, state.st_size))
    progress.check()
    source = "a list" if kind == "file" else "another period's log"
    return ListPool(
        strings,
        phrase(
            "{strings:,} distinct queries of {source} ({name})",
            strings=len(strings),
            source=as_phrase(source),
            name=path.name,
        ),
    )


@functools.lru_cache(maxsize=1)
def _load_strings(kind: str, path: Path, stamp: tuple[int, int, int]) -> Vocabulary:
    """The distinct strings of a file; the latest one is kept, for the sliders' sake."""
    del stamp  # part of the cache's key only: a changed file is read anew
    if kind == "reference":
        from auditor.log.reading.reader import read_log

        log: QueryLog = read_log([path], None, progress=silent_progress())
        return log.queries
    try:
        lines = list_lines(read_text(path, LARGEST))
    except UnfitFile as error:
        raise LogFormatError(
            phrase("The pool can't be read: it is {error}.", error=error.reason), path=path
        ) from None
    strings = Vocabulary.of(line for line in lines if len(line) <= LONGEST)
    if not len(strings):
        raise LogFormatError("The pool holds no query; put one on each line.", path=path)
    return strings
