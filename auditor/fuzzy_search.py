"""Search that forgives slips of the keyboard: "did you mean", and ranked search of many texts.

A thin layer over rapidfuzz: one way to fold text, one measure of likeness for all of the program.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.arrays import Float32s

ALIKE = 72.0
"""Likeness (0 to 100) from which on a name is suggested for one that isn't known."""
SIMILAR = 60.0
"""Likeness from which on a text is among the results of a search."""
BLOCK = 100_000


@dataclass(frozen=True)
class FuzzyMatch:
    """One result of a search: its place among the texts that were searched, and its likeness."""

    place: int
    text: str
    score: float


def fold_text(text: str) -> str:
    """Lower case without accents; anything but letters and digits becomes a space."""
    from rapidfuzz import utils

    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text).casefold()
        text = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return utils.default_process(text)


def rank_matches(
    query: str,
    texts: Sequence[str],
    *,
    limit: int = 20,
    least: float = SIMILAR,
    stopped: Callable[[], bool] | None = None,
) -> list[FuzzyMatch]:
    """The texts most like `query`, best first: typing errors, word order and parts are forgiven.

    A text that holds the query somewhere counts almost as much as one that is the query. O(texts
    × their length), in native code: about two seconds for a million queries. Texts are searched
    in blocks of 100,000, between which `stopped` may end the search: what was found by then comes
    back.
    """
    folded = fold_text(query)
    if not folded:
        return []
    matches: list[FuzzyMatch] = []
    for begin in range(0, len(texts), BLOCK):
        if stopped is not None and stopped():
            break
        block = texts[begin : begin + BLOCK]
        scores = _compute_likenesses(folded, [fold_text(text) for text in block])
        good = np.flatnonzero(scores >= least)
        best = good[np.argsort(-scores[good], kind="stable")][:limit]
        matches += [FuzzyMatch(begin + int(row), block[row], float(scores[row])) for row in best]
    # Of equally good ones the shorter is the better answer, then the earlier.
    matches.sort(key=lambda match: (-match.score, len(match.text), match.place))
    return matches[:limit]


def _compute_likenesses(folded: str, texts: Sequence[str]) -> Float32s:
    """Likeness of each folded text to the folded query, 0 to 100."""
    from rapidfuzz import fuzz, process

    def score(scorer: Any) -> Float32s:
        scores: Float32s = process.cdist([folded], texts, scorer=scorer)[0]
        return scores

    lengths = np.fromiter(map(len, texts), dtype=np.float32, count=len(texts))
    # A text of one word of the query isn't the query, though it is a part of it.
    coverage = np.minimum(1.0, lengths / len(folded))
    parts = np.maximum(score(fuzz.partial_ratio), score(fuzz.partial_token_sort_ratio))
    likeness: Float32s = np.maximum(score(fuzz.token_sort_ratio), 0.95 * coverage * parts)
    return likeness


def closest_names(name: str, choices: Iterable[str], *, limit: int = 3) -> list[str]:
    """Of the known names those that somebody may have meant by `name`, best first."""
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import DamerauLevenshtein

    folded = fold_text(name)
    names = list(dict.fromkeys(choices))
    if not folded:
        return []

    def compute_likeness(query: str, other: str, **_: object) -> float:
        edits = 100.0 * DamerauLevenshtein.normalized_similarity(query, other)
        # A part of a long name is a fair guess, too: `hashing` for `token-hashing`.
        part = fuzz.token_set_ratio(query, other) if len(query) >= 3 else 0.0
        return max(edits, fuzz.ratio(query, other), 0.9 * part)

    matches = process.extract(
        folded, names, scorer=compute_likeness, processor=fold_text, limit=limit, score_cutoff=ALIKE
    )
    return [name for name, _, _ in matches]


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """A sentence that suggests the closest known names, with a space before it; or nothing."""
    names = closest_names(name, choices)
    if not names:
        return ""
    return f" Did you mean {' or '.join(repr(match) for match in names)}?"
