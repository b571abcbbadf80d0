"""How many n-grams are released, of which length, and what of the log's searches they cover.

A release of n-grams holds no queries, so that none of what is measured on queries applies to it.
What it says of a log is measured on words: of all runs of so many words in the log's searches, how
many are one of the released n-grams. An n-gram covers its words wherever they stand next to each
other in a query; words are what `str.split` makes of one. O(words of distinct queries · longest
n-gram + rows).
"""

from dataclasses import dataclass

import numpy as np

from auditor.errors import MissingInput
from auditor.log.gil_friendly import count_into
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog, Vocabulary
from auditor.log.text import tokenize_strings
from auditor.measures.base import Measure, MeasureContext, MeasureResult
from auditor.params import Params
from auditor.privacy.ngram_tree import BLOCK, NgramTree
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

catalogue = MetricCatalogue("measures", "ngram_coverage")


@dataclass(frozen=True)
class NgramCoverage:
    """How much of a log's searches n-grams cover; entry i of a tuple is of n-grams of i + 1 words.

    Of each length, `ngrams` are released; of the `totals` runs of so many words in the log's
    searches, `covered` are one of them. `words` of all `log_words` stand in an n-gram of any
    length, `searches` of all `log_searches` with a word have one of two words or more.
    """

    ngrams: tuple[int, ...]
    covered: tuple[int, ...]
    totals: tuple[int, ...]
    words: int
    log_words: int
    searches: int
    log_searches: int

    @property
    def words_share(self) -> float:
        """Share of the words of all searches that stand in an n-gram."""
        return self.words / self.log_words if self.log_words else 0.0


def count_coverage(log: QueryLog, ngrams: Vocabulary, progress: Progress) -> NgramCoverage:
    """Count which words, runs of words and searches of `log` the n-grams cover."""
    tokens = tokenize_strings(log.queries, progress)
    lengths = tokens.compute_lengths()
    searches = np.zeros(len(log.queries), dtype=np.int64)
    count_into(log.query[log.event_starts], searches)
    tree = NgramTree(ngrams, tokens.vocabulary, progress)
    owners = tokens.find_owners()
    is_covered = np.zeros(len(tokens.codes), dtype=np.bool_)
    phrased = np.zeros(len(log.queries), dtype=np.bool_)
    covered = np.zeros(tree.longest, dtype=np.int64)
    for length, starts, _ in tree.iterate_occurrences(tokens, progress):
        covered[length - 1] += int(searches[owners[starts]].sum())
        for step in range(length):
            is_covered[starts + step] = True
        if length > 1:
            phrased[owners[starts]] = True
    words = 0
    for first, last in progress.blocks("counting words", len(tokens.codes), BLOCK):
        words += int(searches[owners[first:last]][is_covered[first:last]].sum())
    runs = [int((searches * np.maximum(lengths - n, 0)).sum()) for n in range(tree.longest)]
    return NgramCoverage(
        ngrams=tuple(tree.sizes),
        covered=tuple(covered.tolist()),
        totals=tuple(runs),
        words=words,
        log_words=int((searches * lengths).sum()),
        searches=int(searches[phrased].sum()),
        log_searches=int(searches[lengths > 0].sum()),
    )


@dataclass(frozen=True, kw_only=True)
class NgramCoverageParams(Params, owner="n-gram-coverage"):
    """Nothing to choose."""


def run(
    log: QueryLog, release: Anonymized, params: NgramCoverageParams, context: MeasureContext
) -> MeasureResult:
    """Count the n-grams of each length and what they cover; the log's blank rows are left out.

    Raises `MissingInput` for a release without n-grams, and `Cancelled`.
    """
    if release.tables is None or not release.tables.ngrams:
        raise MissingInput("n-gram-coverage needs a release of n-grams.")
    coverage = count_coverage(log, release.tables.queries, context.progress)
    rows = [
        [length, ngram_count, covered, total, covered / total if total else 0.0]
        for length, (ngram_count, covered, total) in enumerate(
            zip(coverage.ngrams, coverage.covered, coverage.totals, strict=True), start=1
        )
    ]
    phrased = coverage.searches / coverage.log_searches if coverage.log_searches else 0.0
    return MEASURE.build_result(
        params,
        (
            catalogue("ngrams", sum(coverage.ngrams)),
            *(
                catalogue(
                    "ngrams_length" if length > 1 else "ngrams_single",
                    count,
                    named=f"ngrams.length_{length}",
                    length=length,
                )
                for length, count in enumerate(coverage.ngrams, start=1)
            ),
            catalogue("words_share", coverage.words_share),
            catalogue("phrased_share", phrased),
        ),
        tables=(catalogue.table("lengths", rows),),
        notes=(catalogue.say("covered"),),
    )


MEASURE = Measure(
    **catalogue.card, params=NgramCoverageParams, run=run, applies=("n-grams",), quick=True
)
