"""What token hashing leaves to see of one query: how frequent its words are."""

from __future__ import annotations

from typing import Any

import numpy as np

from auditor.arrays import Int64s
from auditor.figures import Table
from auditor.log.metric_catalogue import MetricCatalogue
from auditor.log.model import QueryLog
from auditor.log.text import tokenize_strings
from auditor.messages import as_phrase, join_phrases, phrase
from auditor.methods.explanation.explanation import Explanation, ExplanationRequest, code_of
from auditor.methods.k_curves import KeptCurves
from auditor.privacy.release import Anonymized
from auditor.progress import Progress

describe_metric = MetricCatalogue("methods", "token_hashing")

_counts: KeptCurves[tuple[Any, Int64s, Int64s]] = KeptCurves(2)

MOST_WORDS = 100


def explain(
    log: QueryLog,
    params: Any,
    asked: ExplanationRequest,
    *,
    release: Anonymized,
    progress: Progress,
) -> Explanation:
    """The rank of each of its words by frequency, which hashing keeps; O(bytes) once a log.

    The key is gone with the run, so nobody can say which hashes are the words'.
    """
    words, counts, ranked = _counts.get(log.digest, lambda: _count_words(log, progress))
    rows = []
    alone = 0
    typed = list(dict.fromkeys(asked.text.split()))
    for word in typed[:MOST_WORDS]:
        code = code_of(words, word)
        if code < 0:
            rows.append([word, 0, "not in the log", "–"])
            continue
        count = int(counts[code])
        below = int(np.searchsorted(ranked, count, side="left"))
        same = int(np.searchsorted(ranked, count, side="right")) - below
        rank = len(ranked) - below - same + 1
        alone += same == 1
        rows.append([word, count, rank, same - 1])
    released = release.log is not None and len(asked.rows) > 0
    text = "Nobody in this log issued it."
    if len(asked.rows):
        gone = "is in a file that is not read" if params.key_file else "was forgotten"
        text = phrase(
            "Hashing drops no query: all {rows:,} rows with it are released, each "
            "word as its hash. The key {gone}, so which hashes they are can't be said "
            "here, but how often each occurs is kept.",
            rows=len(asked.rows),
            gone=as_phrase(gone),
        )
    if alone:
        found = phrase(
            "{alone:,} of its {typed:,} different words occur as often as no other word, and are "
            "found by that count alone.",
            alone=alone,
            typed=len(typed),
        )
        text = join_phrases(" ", (text, found))
    return Explanation(
        outcome=text,
        chance=float(bool(len(asked.rows))),
        values=(
            describe_metric("telling_words", float(alone)),
            describe_metric("words", float(len(counts))),
        ),
        tables=(
            Table(
                name="words",
                title="Its words",
                columns=("word", "occurrences", "rank by frequency", "others as frequent"),
                rows=rows,
                note="Over all rows of the log; the release has the same counts, under hashes.",
                private=True,
            ),
        ),
        notes=("No value of any parameter changes whether a query is released.",),
        released=released,
    )


def _count_words(log: QueryLog, progress: Progress) -> tuple[Any, Int64s, Int64s]:
    """The log's words, how often each occurs in its rows, and these numbers in order."""
    found = tokenize_strings(log.queries, progress)
    counts = found.count_occurrences(np.bincount(log.query, minlength=len(log.queries)))
    progress.check()
    return found.vocabulary, counts, np.sort(counts)
