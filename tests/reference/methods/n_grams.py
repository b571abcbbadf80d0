"""n-grams of queries, length by length, as far as the noise leaves it determined.

A candidate of one word is any; one of n + 1 words has two parts of n words that were released. Each
user gives 1/√t to each of the first t ≤ q_f different candidates of a length, in the order of their
rows and of the words in a query. The threshold is that of set union for an equal part of δ/2.
"""

import math

from tests.reference.logs import Row, histories


def ngrams(query: str, length: int) -> list[str]:
    """The runs of so many words of a query, in order."""
    words = query.split()
    return [" ".join(words[start : start + length]) for start in range(len(words) - length + 1)]


def is_candidate(ngram: str, released: set[str]) -> bool:
    """Whether both parts of one word less were released; a word has no parts."""
    words = ngram.split()
    return len(words) == 1 or {" ".join(words[:-1]), " ".join(words[1:])} <= released


def weights(rows: list[Row], length: int, q_f: int, released: set[str]) -> dict[str, float]:
    """What users give each candidate of a length, given what was released before."""
    total: dict[str, float] = {}
    for history in histories(rows).values():
        mine: list[str] = []
        for row in history:
            for ngram in ngrams(row.query, length):
                if ngram not in mine and is_candidate(ngram, released):
                    mine.append(ngram)
        for ngram in mine[:q_f]:
            total[ngram] = total.get(ngram, 0.0) + 1 / math.sqrt(len(mine[:q_f]))
    return total
