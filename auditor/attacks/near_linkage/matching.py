"""The released query that is nearest to a string: spelling, word order, plural, one word less.

Strings are compared only where they share a block, so that the cost is linear: the same words
(sorted, without plural endings), the same words but one, or the same first or last letters. Two
strings with a single edit between them share such a beginning or end always; with two edits they
may be missed. Edits are insertions, deletions, substitutions and swaps of neighbouring letters
(optimal string alignment, rapidfuzz). Strings whose digits differ are no spelling variants: a
telephone number with another digit is another number.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Float64s, Int64s, UInt8s
from auditor.fuzzy_search import extract_digits, fold_text
from auditor.log.model import NONE, Vocabulary
from auditor.progress import Progress

SHORTEST = 5
"""Letters that a string needs to have spelling variants: "cat" is none of "car"."""
FEWEST_WORDS = 3
"""Words of the longer string where one word more or less is still nearly the same."""
MOST_WORDS = 12
LEAST_WORDS_LIKENESS = 0.6
"""Share of the longer string's letters that must be left without the additional word."""
BLOCK = 20_000
LARGEST_BLOCK = 500
"""Strings with one beginning or end that are compared; a larger block says nothing."""


class NearKind(enum.IntEnum):
    """How a released query is near."""

    NONE = 0
    SAME = 1
    ORDER = 2
    PLURAL = 3
    WORD = 4
    SPELLING = 5


LABELS = {
    NearKind.SAME: "verbatim",
    NearKind.ORDER: "other word order or punctuation",
    NearKind.PLURAL: "singular or plural",
    NearKind.WORD: "one word more or less",
    NearKind.SPELLING: "spelling variant",
}


@dataclass(frozen=True, eq=False)
class NearMatches:
    """The nearest released query of each of s strings; shapes (s,)."""

    place: Int64s  # its code, −1 without one
    likeness: Float64s  # 1 for the same string, less for others, 0 without one
    kind: UInt8s  # a `NearKind`

    def take(self, places: Int64s) -> NearMatches:
        """Those of some of the strings."""
        return NearMatches(self.place[places], self.likeness[places], self.kind[places])

    def join(self, other_matches: NearMatches) -> NearMatches:
        """These, and then those."""
        pairs = zip(vars(self).values(), vars(other_matches).values(), strict=True)
        return NearMatches(*map(np.concatenate, pairs))


def find_near_matches(
    strings: Sequence[str], released: Vocabulary, least: float, progress: Progress
) -> NearMatches:
    """The nearest released query of each distinct string; O(strings + released · their block).

    `least` is the least likeness of a spelling variant: 1 − edits ÷ length of the longer string.
    """
    place = released.find(strings).astype(np.int64) if strings else np.zeros(0, dtype=np.int64)
    equal = place != NONE
    kind = np.where(equal, NearKind.SAME, NearKind.NONE).astype(np.uint8)
    best = NearMatches(place, equal.astype(np.float64), kind)
    index = _StringIndex(strings, np.flatnonzero(~equal), least)
    if not index.texts:
        return best
    arrow = released.as_arrow()
    for first, last in progress.blocks("looking for near matches", len(released), BLOCK):
        for code, text in enumerate(arrow[first:last].to_pylist(), start=first):
            for row, likeness, nearness in index.find_near(text):
                if likeness > best.likeness[row]:
                    best.place[row], best.likeness[row], best.kind[row] = code, likeness, nearness
    return best


class _StringIndex:
    """Blocks of the strings that are looked for; released strings pass by one after another."""

    def __init__(self, strings: Sequence[str], places: Int64s, least: float) -> None:
        self.texts: dict[int, str] = {}
        self._words: dict[int, list[str]] = {}
        self._digits: dict[int, str] = {}
        self._bags: defaultdict[str, list[int]] = defaultdict(list)
        self._shorter: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        self._ends: defaultdict[str, list[int]] = defaultdict(list)
        self._least = least
        for row in places.tolist():
            text = fold_text(strings[row])
            if not text:
                continue
            words = sorted(text.split())
            self.texts[row], self._words[row] = text, words
            self._digits[row] = extract_digits(text)
            stems = [strip_plural(word) for word in words]
            self._bags[" ".join(sorted(stems))].append(row)
            for bag, share in _without_one(words, stems):
                self._shorter[bag].append((row, share))
            if len(text) >= SHORTEST:
                for key in _list_ends(text):
                    self._ends[key].append(row)
        for key in [key for key, block in self._ends.items() if len(block) > LARGEST_BLOCK]:
            del self._ends[key]

    def find_near(self, released: str) -> Iterator[tuple[int, float, NearKind]]:
        """The wanted strings that this released one is near to, with likeness and kind."""
        text = fold_text(released)
        if not text:
            return
        words = sorted(text.split())
        stems = [strip_plural(word) for word in words]
        bag = " ".join(sorted(stems))
        for row in self._bags.get(bag, ()):
            if self._words[row] == words:
                yield row, 0.99, NearKind.ORDER
            else:
                yield row, 0.97, NearKind.PLURAL
        for row, share in self._shorter.get(bag, ()):
            yield row, share, NearKind.WORD
        for shorter, share in _without_one(words, stems):
            for row in self._bags.get(shorter, ()):
                yield row, share, NearKind.WORD
        if len(text) >= SHORTEST:
            yield from self._find_variants(text)

    def _find_variants(self, text: str) -> Iterator[tuple[int, float, NearKind]]:
        from rapidfuzz.distance import OSA

        blocks = [self._ends[key] for key in _list_ends(text) if key in self._ends]
        if not blocks:
            return
        digits = extract_digits(text)
        for row in dict.fromkeys(row for block in blocks for row in block):
            other = self.texts[row]
            longer = max(len(text), len(other))
            edit_limit = int((1 - self._least) * longer + 1e-9)
            if edit_limit < 1 or digits != self._digits[row]:
                continue
            edits = OSA.distance(text, other, score_cutoff=edit_limit)
            if 0 < edits <= edit_limit:
                yield row, 1 - edits / longer, NearKind.SPELLING


def strip_plural(word: str) -> str:
    """An English word without the ending of its plural; other words as they are."""
    if len(word) < 4 or not word.endswith("s"):
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1]


def _without_one(words: Sequence[str], stems: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Every bag that lacks one of the words, and the share of letters that is left in it.

    `words` are sorted, `stems` are the same without plurals.
    """
    if not FEWEST_WORDS <= len(words) <= MOST_WORDS:
        return
    size = sum(map(len, words))
    ordered = sorted(stems)
    for index in range(len(words)):
        share = 1 - len(words[index]) / size
        if share >= LEAST_WORDS_LIKENESS and (index == 0 or words[index] != words[index - 1]):
            remaining = ordered.copy()
            remaining.remove(stems[index])
            yield " ".join(remaining), share


def _list_ends(text: str) -> set[str]:
    """Beginnings and ends under which a string stands, also for strings one letter longer."""
    # At most half of the letters, so that one edit leaves one of the two ends alone.
    lengths = [len(text) + change for change in (-1, 0, 1)]
    sizes = {6 if length >= 12 else 4 if length >= 8 else 2 for length in lengths}
    return {f"^{text[:size]}" for size in sizes} | {f"{text[-size:]}$" for size in sizes}
