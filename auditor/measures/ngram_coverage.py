"""How many n-grams are released, of which length, and what of the log's searches they cover.

A release of n-grams holds no queries, so that none of what is measured on queries applies to it.
What it says of a log is measured on words: of all runs of so many words in the log's searches, how
many are one of the released n-grams. O(words of distinct queries · longest n-gram + rows).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from auditor.errors import MissingInput
from auditor.figures import SHARE, MetricValue, Table
from auditor.log.model import QueryLog
from auditor.log.ngram_coverage import NgramCoverage, count_coverage
from auditor.measures.base import Measure, MeasureResult
from auditor.messages import phrase
from auditor.params import Params
from auditor.privacy.release import Anonymized
from auditor.progress import Progress


@dataclass(frozen=True, kw_only=True)
class NgramCoverageParams(Params, owner="n-gram-coverage"):
    """Nothing to choose."""


def run(
    log: QueryLog,
    release: Anonymized,
    params: NgramCoverageParams,
    *,
    rng: np.random.Generator,  # noqa: ARG001 (nothing here is random)
    progress: Progress,
) -> MeasureResult:
    """Count the n-grams of each length and what they cover; the log's blank rows are left out.

    Raises
    ------
    MissingInput
        The release holds no n-grams.
    Cancelled
        Somebody asked to stop.
    """
    if release.tables is None or not release.tables.ngrams:
        raise MissingInput("n-gram-coverage needs a release of n-grams.")
    found = count_coverage(log, release.tables.queries, progress)
    return MeasureResult(
        measure=MEASURE.name,
        params=params.to_dict(),
        values=_build_metrics(found),
        tables=(_build_table(found),),
        notes=(
            "A word is covered where it stands in a released n-gram of any length, in a search "
            "of the log.",
        ),
    )


def _build_metrics(found: NgramCoverage) -> tuple[MetricValue, ...]:
    phrased = found.searches / found.log_searches if found.log_searches else 0.0
    return (
        MetricValue(
            "ngrams",
            "released n-grams",
            sum(found.ngrams),
            unit="n-grams",
            help="Distinct n-grams of all lengths.",
            better="higher",
            side="utility",
        ),
        *(
            MetricValue(
                f"ngrams.length_{length}",
                phrase("of {length} words", length=length) if length > 1 else "of 1 word",
                many,
                unit="n-grams",
                help="Of these, the n-grams of this length.",
                better="higher",
                side="utility",
            )
            for length, many in enumerate(found.ngrams, start=1)
        ),
        MetricValue(
            "words_share",
            "words of searches in a released n-gram",
            found.words_share,
            unit=SHARE,
            help="Of the words of all searches, repeated ones included, the share that stands in "
            "a released n-gram.",
            better="higher",
            side="utility",
        ),
        MetricValue(
            "phrased_share",
            "searches with a released n-gram of two words or more",
            phrased,
            unit=SHARE,
            help="Of the searches that hold a word.",
            better="higher",
            side="utility",
        ),
    )


def _build_table(found: NgramCoverage) -> Table:
    rows = [
        [length, many, covered, whole, covered / whole if whole else 0.0]
        for length, (many, covered, whole) in enumerate(
            zip(found.ngrams, found.covered, found.whole, strict=True), start=1
        )
    ]
    return Table(
        name="lengths",
        title="Released n-grams by length",
        columns=("words", "n-grams", "covered runs of searches", "all of them", "share"),
        rows=rows,
        note="Of all runs of so many words in the log's searches, those that are a released "
        "n-gram.",
        own_words=True,
    )


MEASURE = Measure(
    name="n-gram-coverage",
    cost="O(words of distinct queries · longest n-gram + rows)",
    title="Coverage by n-grams",
    summary="Counts the released n-grams of each length and the share of the log's words that "
    "stand in one.",
    source="Query Log Privacy Auditor",
    params=NgramCoverageParams,
    run=run,
    applies=("n-grams",),
    because="it holds no n-grams",
    quick=True,
)
