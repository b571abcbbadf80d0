"""Lists of words and phrases as one table of words and one tree that kernels can walk.

Every word of every list has an id, found by hashing its bytes. A phrase is a path of word ids
from the root; its node says which lists end there. O(bytes of all lists), about a second for the
gazetteers, once a process.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from auditor.arrays import Array, Int32s, Int64s
from auditor.attacks.detection.identifiers import StreetWords
from auditor.attacks.detection.normalization import QueryNormalizer
from auditor.attacks.detection.tables import LexiconLists, PhraseTree
from auditor.log import gazetteers, gil_friendly
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
        tree = PhraseTreeBuilder()
        shares = [
            {tree.intern_word(word): share for name, share in names.items()
             for word in tree.split_single(name)}
            for names in (first_names, last_names)
        ]  # fmt: skip
        for bit, words in (
            (DICTIONARY, dictionary),
            (CAPITALISED, capitalised),
            (REGION, ("city", "county")),
            (INC, ("inc", "corp")),
            (STREET, gazetteers.role_words()["street-ending"]),
        ):
            for word in itertools.chain.from_iterable(map(tree.split_single, words)):
                tree.word_bits[tree.intern_word(word)] |= bit
        for bit, phrases in (
            (COMPANY, companies),
            (ADULT, adult),
            (REVEALING, revealing),
            (STATE, [state for state in states if state.lower() != "or"]),
            (TRUE_NAME, true_names),
            (FALSE_NAME, false_names),
        ):
            tree.mark_phrases(phrases, bit)
        first, last = (fill_column(share, len(tree.words), np.float64) for share in shares)
        return cls(
            lists=LexiconLists(
                tree=tree.build(),
                bits=fill_column(tree.word_bits, len(tree.words), np.uint8),
                first=first,
                last=last,
                node_bits=fill_column(tree.node_bits, len(tree), np.uint8),
            ),
            street_words=StreetWords(
                plain=dictionary,
                stop=stop_words,
                states=frozenset(state.lower() for state in states),
            ),
        )


@keep_between_runs("lexicon")
def shipped_lexicon() -> DetectionLexicon:
    """The lexicon of the lists that ship with the program."""
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
    forms = []
    if len(words) > 1:
        if not _OWNED.isdisjoint(words):
            forms.append(" ".join(f"{word[:-1]} s" if word in _OWNED else word for word in words))
        glued = "".join(words)
        if len(glued) >= GLUED_LETTERS and glued.isalpha() and glued not in plain:
            forms.append(glued)
    return forms


def form_plural(word: str) -> str:
    """The regular plural; of what ends like one, the word itself."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word
    if word.endswith("y") and word[-2:-1] not in set("aeiou") and len(word) > 3:
        return word[:-1] + "ies"
    return word + "s"


class PhraseTreeBuilder:
    """Phrases as paths of word ids from the root of one tree; both are numbered as they come.

    `word_bits` and `node_bits` say of words and of phrases, by number, what they are.
    """

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.word_bits = defaultdict[int, int](int)
        self.node_bits = defaultdict[int, int](int)
        self._edges: dict[tuple[int, int], int] = {}
        self._folder = QueryNormalizer()

    def __len__(self) -> int:
        return len(self._edges)

    def split_text(self, text: str) -> list[str]:
        """`split_words`."""
        return split_words(text, self._folder)

    def split_single(self, text: str) -> list[str]:
        """The word of a text of one word; nothing of others."""
        words = self.split_text(text)
        return words if len(words) == 1 else []

    def intern_word(self, word: str) -> int:
        """The id of a word."""
        return self.words.setdefault(word, len(self.words))

    def intern_phrase(self, words: Iterable[str]) -> int:
        """The node at which a phrase ends; −1 without words."""
        node = -1
        for word in words:
            node = self._edges.setdefault((node, self.intern_word(word)), len(self._edges))
        return node

    def mark_phrases(self, texts: Iterable[str], bit: int) -> None:
        """Add phrases, and set a bit of each."""
        for text in texts:
            if words := self.split_text(text):
                self.node_bits[self.intern_phrase(words)] |= bit

    def build(self) -> PhraseTree:
        """Lay the tree out."""
        from auditor.attacks.detection import kernels

        data, ends = gil_friendly.concatenate_bytes(word.encode("latin-1") for word in self.words)
        words, offsets = data.copy(), ends.copy()  # to be written to, as what a file gives back is
        size = len(self.words)
        slots = np.full(_compute_table_size(size), -1, dtype=np.int32)
        kernels.fill_slots(words, offsets, slots)
        edges = np.array(list(self._edges), dtype=np.int64).reshape(-1, 2)
        node = np.fromiter(self._edges.values(), np.int32, len(edges))
        root, first = np.full(size, -1, dtype=np.int32), edges[:, 0] < 0
        root[edges[first, 1]] = node[first]
        inner = edges[~first]
        table = build_hash_table(inner[:, 0] * size + inner[:, 1], node[~first])
        return PhraseTree(words, offsets, slots, root, *table)


def build_hash_table(keys: Int64s, values: Int32s) -> tuple[Int64s, Int32s]:
    """An open-addressed table of keys from 0 and what each stands for; one key may stand often."""
    from auditor.attacks.detection import kernels

    table_key = np.full(_compute_table_size(len(keys)), -1, dtype=np.int64)
    table_value = np.full(len(table_key), -1, dtype=np.int32)
    kernels.fill_table(keys, values, table_key, table_value)
    return table_key, table_value


def _compute_table_size(entries: int) -> int:
    """A power of two that leaves an open-addressed table at most half full."""
    return 1 << max(4, (2 * entries).bit_length())


def fill_column(values: Mapping[int, float], size: int, dtype: Any, empty: int = 0) -> Array:
    """Values by id as a column."""
    column = np.full(size, empty, dtype=dtype)
    if values:
        column[np.fromiter(values, np.int64, len(values))] = list(values.values())
    return column
