"""Search that forgives slips of the keyboard: "did you mean", and ranked search.

A thin layer over rapidfuzz: one way to fold text, one measure of likeness for all of the program.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

ALIKE = 72.0
"""Likeness (0 to 100) from which on a name is suggested for one that isn't known."""
SIMILAR = 60.0
"""Likeness from which on a text is among the results of a search."""


@dataclass(frozen=True)
class FuzzyMatch:
    """One result of a search: its place among the texts that were searched, and its likeness."""

    place: int
    text: str
    score: float


def extract_digits(text: str) -> str:
    """The digits of a text, in their order: what has others is no spelling variant."""
    return "".join(letter for letter in text if letter.isdigit())


def fold_text(text: str) -> str:
    """Lower case without accents; anything but letters and digits becomes a space."""
    from rapidfuzz import utils

    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text).casefold()
        text = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return utils.default_process(text)


def rank_matches(query: str, texts: Sequence[str], *, limit: int = 20) -> list[FuzzyMatch]:
    """The texts most like `query`, best first: typing errors, word order and parts are forgiven.

    A text that holds the query somewhere counts almost as much as one that is the query. O(texts
    × their length).
    """
    folded = fold_text(query)
    if not folded:
        return []
    scored = ((place, text, _compute_likeness(folded, text)) for place, text in enumerate(texts))
    matches = [FuzzyMatch(*entry) for entry in scored if entry[2] >= SIMILAR]
    # Of equally good ones the shorter is the better answer, then the earlier.
    matches.sort(key=lambda match: (-match.score, len(match.text), match.place))
    return matches[:limit]


def _compute_likeness(folded: str, text: str) -> float:
    """Likeness of a text to the folded query, 0 to 100."""
    from rapidfuzz import fuzz

    other = fold_text(text)
    # A text of one word of the query isn't the query, though it is a part of it.
    coverage = min(1.0, len(other) / len(folded))
    part = max(fuzz.partial_ratio(folded, other), fuzz.partial_token_sort_ratio(folded, other))
    return max(fuzz.token_sort_ratio(folded, other), 0.95 * coverage * part)


def closest_names(name: str, choices: Iterable[str]) -> list[str]:
    """Of the known names the three at most that somebody may have meant by `name`, best first."""
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
        folded, names, scorer=compute_likeness, processor=fold_text, limit=3, score_cutoff=ALIKE
    )
    return [name for name, _, _ in matches]


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """A sentence that suggests the closest known names, with a space before it; or nothing."""
    names = closest_names(name, choices)
    if not names:
        return ""
    return f" Did you mean {' or '.join(repr(match) for match in names)}?"
