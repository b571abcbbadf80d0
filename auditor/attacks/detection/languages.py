"""Which languages the queries of a log are in: shares of the log, never a verdict on one query.

A query is too short to be sure of its language, but many together tell the mixture: a word is as
likely in a language as it is frequent there, one that no list has is as likely in all, and the
shares are those under which the queries are likeliest (expectation maximization). Letters of
another alphabet need no words. O(characters of the sampled queries + queries × languages).
"""

import functools
import math
import unicodedata
from collections import Counter
from collections.abc import Mapping

import numpy as np

from auditor.attacks.detection.lexicon import split_words
from auditor.attacks.detection.normalization import LETTER, QueryNormalizer
from auditor.figures import format_share
from auditor.log import gazetteers
from auditor.log.model import Vocabulary
from auditor.messages import phrase
from auditor.progress import Progress

SAMPLE = 5_000
"""Distinct queries that are looked at; of a larger log they are drawn evenly."""
NAMED = 0.01
"""The share of the queries that tell their language from which a language is named."""
_UNKNOWN = 3.5
"""Zipf frequency that a word is given in a language whose list lacks it."""
_ROUNDS = 100


def estimate_languages(queries: Vocabulary, progress: Progress) -> Mapping[str, float]:
    """Shares of the queries by language ("German") or alphabet ("Cyrillic"), the largest first.

    Of the distinct queries with a word that a list has, or a letter of another alphabet; empty if
    none tells. Shares below `NAMED` are left out.
    """
    progress.stage("detecting languages")
    names, weights = tuple(gazetteers.language_words()), _load_weights()
    folder, alphabets = QueryNormalizer(), Counter[str]()
    scores = []
    step = max(1, len(queries) // SAMPLE)
    for text in queries.list_strings(np.arange(0, len(queries), step).tolist()):
        words = split_words(text, folder)
        if any(LETTER in word for word in words):
            alphabets.update({_name_alphabet(text): 1})
        elif listed := [weights[word] for word in words if word in weights]:
            score = np.zeros(len(names))
            for by_language in listed:
                score[list(by_language)] += list(by_language.values())
            scores.append(score)
    progress.check()
    telling = len(scores) + alphabets.total()
    counts: Counter[str] = Counter(alphabets)
    if scores:
        table = np.array(scores)
        likelihood = np.exp(table - table.max(axis=1, keepdims=True))
        shares = np.full(len(names), 1 / len(names))
        for _ in range(_ROUNDS):
            parts = likelihood * shares
            shares = (parts / parts.sum(axis=1, keepdims=True)).mean(axis=0)
        counts.update(dict(zip(names, shares * len(scores), strict=True)))
    return {name: float(n / telling) for name, n in counts.most_common() if n >= NAMED * telling}


def describe_uncovered(queries: Vocabulary, progress: Progress) -> str:
    """What share of the queries is in languages without a list of topics; "" of hardly any."""
    covered = ("English", *gazetteers.TOPIC_LANGUAGES.values())
    shares = estimate_languages(queries, progress)
    uncovered = {name: share for name, share in shares.items() if name not in covered}
    if not uncovered:
        return ""
    return phrase(
        "Sensitive topics are looked for in {covered}. Of the queries whose language can be told, "
        "about {share} are in others ({others}): what is sensitive in them is not counted.",
        covered=", ".join(covered),
        share=format_share(round(sum(uncovered.values()), 2)),
        others=", ".join(f"{name} {format_share(round(n, 2))}" for name, n in uncovered.items()),
    )


@functools.cache
def _load_weights() -> Mapping[str, Mapping[int, float]]:
    """Word → column of a language that has it → how much likelier it is there, as a logarithm."""
    weights: dict[str, dict[int, float]] = {}
    for column, words in enumerate(gazetteers.language_words().values()):
        for word, zipf in words.items():
            if zipf > _UNKNOWN:
                weights.setdefault(word, {})[column] = (zipf - _UNKNOWN) * math.log(10)
    return weights


def _name_alphabet(text: str) -> str:
    """The alphabet of the first letter that isn't Latin, as Unicode calls it."""
    letters = (unicodedata.name(char, "") for char in text if char.isalpha())
    other = next((name for name in letters if name and not name.startswith("LATIN")), "OTHER")
    word = other.split()[0]
    return {
        "CJK": "Chinese",
        "HIRAGANA": "Japanese",
        "KATAKANA": "Japanese",
        "HANGUL": "Korean",
    }.get(word, word.capitalize())
