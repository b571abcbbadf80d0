"""Record linkage by meaning, once more: cosines of all pairs, and one sum for each record.

A known query that was released stands for itself. Any other stands for the released query that is
nearly the same (given, with its weight), and for the `most` released queries whose vectors have
the greatest cosine with its own, at least `least` of it, each with the cosine to the sixth power;
of the same query twice, the greater weight counts. Its share in a record is the weighted number
of its queries' occurrences there, divided by the record's events, and likewise in the release.
A record gains, for each time that the query is known, the greatest weight times
ln(1 + share in the record ÷ share in the release).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

Vector = tuple[float, ...]


def cosine(first: Vector, second: Vector) -> float:
    """The cosine of two vectors; 0 if one of them is zero."""
    length = math.hypot(*first) * math.hypot(*second)
    return sum(a * b for a, b in zip(first, second, strict=True)) / length if length else 0.0


def find_meanings(
    query: str,
    vectors: Mapping[str, Vector],
    released: Sequence[str],
    nearly: Mapping[str, tuple[str, float]],
    least: float,
    most: int,
) -> dict[str, float]:
    """The released queries that a known one stands for, with their weights."""
    if query in released:
        return {query: 1.0}
    close = sorted(
        ((cosine(vectors[query], vectors[other]), other) for other in released), reverse=True
    )
    weights = {other: alike**6 for alike, other in close[:most] if alike >= least}
    if query in nearly:
        other, weight = nearly[query]
        weights[other] = max(weight, weights.get(other, 0.0))
    return weights


def score_records(
    records: Mapping[str, Sequence[str]],
    queries: Sequence[str],
    meanings: Mapping[str, Mapping[str, float]],
) -> dict[str, float]:
    """What each record gains from all that is known of somebody."""
    totals = Counter(query for history in records.values() for query in history)
    events = sum(totals.values())
    scores = dict.fromkeys(records, 0.0)
    for query in queries:
        weights = meanings[query]
        everywhere = sum(weight * totals[other] for other, weight in weights.items()) / events
        for record, history in records.items():
            counts = Counter(history)
            share = sum(weight * counts[other] for other, weight in weights.items()) / len(history)
            if share:
                scores[record] += max(weights.values()) * math.log(1 + share / everywhere)
    return scores
