"""The gazetteers as one table of words and one tree of phrases that a kernel can walk.

Every word of every list has an id, found by hashing its bytes. A phrase is a path of word ids
from the root; a node says which lists end there. Building costs O(bytes of all lists), about
a second for the shipped lists, and is done once a process.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from auditor.attacks.detection.identifiers import STREET_SUFFIXES, StreetWords
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.attacks.detection.phrase_trees import PhraseTreeBuilder, fill_column
from auditor.attacks.detection.tables import LexiconLists
from auditor.log.built_lists import keep_between_runs

DICTIONARY, CAPITALISED, REGION, INC, STREET = 1, 2, 4, 8, 16
"""Bits of a word: in the dictionary in lower case; only with a capital there; city or county;
inc or corp; a street's ending."""

COMPANY, ADULT, REVEALING, STATE, TRUE_NAME, FALSE_NAME = 1, 2, 4, 8, 16, 32
"""Bits of a phrase: the list in which it stands."""

_WORD = re.compile("[0-9a-z\xff]+(?:'+[0-9a-z\xff]+)*")


@dataclass(frozen=True, eq=False, kw_only=True)
class DetectionLexicon:
    """Words and phrases ready for the kernels, and what street addresses are checked against."""

    lists: LexiconLists
    street_words: StreetWords

    @classmethod
    def of(
        cls,
        *,
        first_names: Mapping[str, float] = MappingProxyType({}),
        last_names: Mapping[str, float] = MappingProxyType({}),
        dictionary: Collection[str] = (),
        capitalised: Collection[str] = (),
        states: Collection[str] = (),
        companies: Collection[str] = (),
        adult: Collection[str] = (),
        revealing: Collection[str] = (),
        true_names: Collection[str] = (),
        false_names: Collection[str] = (),
        stop_words: Collection[str] = (),
    ) -> DetectionLexicon:
        """Build from lists in any case and with any punctuation; names with shares in per cent."""
        build = _LexiconBuilder()
        firsts, lasts = build.map_shares(first_names), build.map_shares(last_names)
        for bit, words in (
            (DICTIONARY, dictionary),
            (CAPITALISED, capitalised),
            (REGION, ("city", "county")),
            (INC, ("inc", "corp")),
            (STREET, STREET_SUFFIXES),
        ):
            build.mark_words(words, bit)
        for bit, phrases in (
            (COMPANY, companies),
            (ADULT, adult),
            (REVEALING, revealing),
            (STATE, [state for state in states if state.lower() != "or"]),
            (TRUE_NAME, true_names),
            (FALSE_NAME, false_names),
        ):
            build.add_phrases(phrases, bit)
        streets = StreetWords(
            plain=dictionary, stop=stop_words, states=frozenset(state.lower() for state in states)
        )
        return build.finish(firsts, lasts, streets)


@keep_between_runs("lexicon")
def shipped_lexicon() -> DetectionLexicon:
    """The lexicon of the lists that ship with the program."""
    from auditor.log import gazetteers

    return DetectionLexicon.of(
        first_names=gazetteers.first_names(),
        last_names=gazetteers.last_names(),
        dictionary=gazetteers.dictionary_words(),
        capitalised=gazetteers.capitalized_words(),
        states=gazetteers.state_abbreviations(),
        companies=gazetteers.company_names(),
        adult=gazetteers.adult_terms(),
        revealing=gazetteers.revealing_terms(),
        true_names=gazetteers.true_names(),
        false_names=gazetteers.false_names(),
        stop_words=gazetteers.stop_words(),
    )


def split_words(text: str, folder: QueryNormalizer | None = None) -> list[str]:
    """Words of a text, as the kernels see them: folded, lower case, without apostrophes."""
    if text.isascii() and text.isalnum() and text.islower():  # most entries of lists
        return [text]
    plain = (folder or QueryNormalizer()).fold_query(text).lower()
    return [match.group().replace("'", "") for match in _WORD.finditer(plain)]


_OWNED = frozenset({
    "sheriffs", "womens", "mens", "childrens", "coroners", "prosecutors", "drivers", "veterans",
    "grandparents", "fathers", "mothers", "parents", "workers", "pastors", "sinners", "lords",
    "jehovahs", "victims", "prisoners", "womans", "gentlemens", "tenants", "renters", "attorneys",
    "states", "marshals", "alzheimers", "parkinsons", "crohns", "hodgkins", "downs", "gods",
    "athletes", "employees", "patients", "surgeons", "doctors", "farmers", "strongs", "priests",
})  # fmt: skip
"""Words that people also write with an apostrophe: "womens shelter", "women's shelter"."""
GLUED_LETTERS = 8
"""Letters from which a term of several words is also looked for as one word."""


def list_spellings(term: str, plain: Collection[str]) -> list[str]:
    """A term with a blank for a lost apostrophe ("women s shelter"), and as one word.

    No word of `plain`, the dictionary, and none that holds digits.
    """
    words = split_words(term)
    found = []
    if len(words) > 1:
        if not _OWNED.isdisjoint(words):
            found.append(" ".join(f"{word[:-1]} s" if word in _OWNED else word for word in words))
        glued = "".join(words)
        if len(glued) >= GLUED_LETTERS and glued.isalpha() and glued not in plain:
            found.append(glued)
    return found


def form_plural(word: str) -> str:
    """The regular plural; of what ends like one, the word itself."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word
    if word.endswith("y") and word[-2:-1] not in set("aeiou") and len(word) > 3:
        return word[:-1] + "ies"
    return word + "s"


class _LexiconBuilder:
    """Collects words and phrases, then lays them out as arrays."""

    def __init__(self) -> None:
        self._tree = PhraseTreeBuilder()
        self._bits = defaultdict[int, int](int)
        self._lists = defaultdict[int, int](int)
        self._split_text = functools.partial(split_words, folder=QueryNormalizer())

    def map_shares(self, names: Mapping[str, float]) -> dict[int, float]:
        """Word id → share, for names of one word."""
        parts = ((self._split_text(name), share) for name, share in names.items())
        return {self._tree.intern_word(part[0]): share for part, share in parts if len(part) == 1}

    def mark_words(self, words: Iterable[str], bit: int) -> None:
        """Set a word bit."""
        for part in map(self._split_text, words):
            if len(part) == 1:
                self._bits[self._tree.intern_word(part[0])] |= bit

    def add_phrases(self, phrases: Iterable[str], bit: int) -> None:
        """Add phrases of a list to the tree."""
        for text in phrases:
            node = self._tree.intern_phrase(self._split_text(text))
            if node >= 0:
                self._lists[node] |= bit

    def finish(
        self, first: dict[int, float], last: dict[int, float], streets: StreetWords
    ) -> DetectionLexicon:
        """Lay everything out."""
        words = len(self._tree.words)
        lists = LexiconLists(
            tree=self._tree.build(),
            bits=fill_column(self._bits, words, np.uint8),
            first=fill_column(first, words, np.float64),
            last=fill_column(last, words, np.float64),
            node_bits=fill_column(self._lists, len(self._tree), np.uint8),
        )
        return DetectionLexicon(lists=lists, street_words=streets)
