"""Named tuples of arrays: what the kernels of detection look things up in, and what they fill in.

Numba takes a named tuple as it takes its fields, so a kernel gets what belongs together at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from auditor.arrays import (
    Array,
    Bools,
    Float32s,
    Float64s,
    Int16s,
    Int32s,
    Int64s,
    UInt8s,
    UInt16s,
    UInt32s,
)


class PhraseTree(NamedTuple):
    """Words by id, found by hashing their bytes, and phrases as paths of word ids; w words."""

    # words, offsets: the bytes of word i are ``words[offsets[i]:offsets[i + 1]]``; shapes (bytes,),
    # (w + 1,)
    words: UInt8s
    offsets: Int64s
    slots: Int32s  # hash table of word ids, −1 where free; a power of two long
    root: Int32s  # node that the word begins, or −1; shape (w,)
    # edge_key, edge_node: open-addressed table of the tree's further edges: node · w + word → node
    edge_key: Int64s
    edge_node: Int32s


class SplitWords(NamedTuple):
    """The words of one query, in arrays that the next query uses again.

    Where each begins and ends, counted from the query's first byte; its bytes; its id, or −1; its
    shape, 1 for letters, 2 for digits, 3 for both; and how it is joined to the word before: 2 if
    next to nothing stands between them, 1 if a comma does, 0 otherwise.
    """

    begins: Int64s
    ends: Int64s
    lengths: Int64s
    codes: Int64s
    shapes: Int64s
    joins: Int64s


class LexiconLists(NamedTuple):
    """The lists of the source's rules; w words, p nodes of the phrase tree."""

    tree: PhraseTree
    # bits, node_bits: bits of words and of phrases, see `lexicon`; shapes (w,), (p,)
    bits: UInt8s
    # first, last: census share as a first or last name in per cent, 0 where it is none; (w,)
    first: Float64s
    last: Float64s
    node_bits: UInt8s


class PlaceLists(NamedTuple):
    """Names of places and what stands beside them; p nodes of the phrase tree."""

    tree: PhraseTree
    node_bits: UInt16s  # what a phrase is: `places_kernels.STATE` …; shape (p,)
    # node_name, node_state: the name or the state that a phrase is, −1 for none; shape (p,)
    node_name: Int32s
    node_state: Int16s
    pair_key: Int64s  # the names that a state has: name · 64 + state, ascending
    zip_place: Int32s  # place of each postal code, −1 for none; shape (100_000,)


class MentionColumns(NamedTuple):
    """What may be a place, by query and start: a name, a postal code, or only a state."""

    query: Int32s
    start: Int32s
    stop: Int32s
    name: Int32s
    zip: Int32s
    state: Int16s
    flags: UInt16s

    def has(self, bits: int) -> Bools:
        """Which mentions have one of these flags."""
        has_flag: Bools = (self.flags & np.uint16(bits)) != 0
        return has_flag


class SpellingTable(NamedTuple):
    """Open-addressed table: hash of a word less one letter, or of all of it → the word's id."""

    key: Int64s
    word: Int32s


class EvidenceLists(NamedTuple):
    """The detector's lists; w words, p nodes of the phrase tree, e entries of terms, c contexts."""

    tree: PhraseTree
    # Zipf frequency of words, log10 of how much more often a person bears the word as first and as
    # last name than it is written, log10 of the two shares, −9 for no name; shape (w, 5).
    word: Float32s
    # role, single: roles of words, and the node of one that is itself a strong term, −1 for others;
    # (w,)
    role: UInt32s
    # node_role, family, context: roles of phrases, what they are apart from topics (`rules.BRAND`
    # …), contexts as bits; (p,)
    node_role: UInt32s
    family: UInt8s
    context: UInt32s
    factor: Float32s  # by which terms of a kind count in a context; shape (c, kinds)
    # First entry of a phrase, −1 for none; the others follow up to `last_entry`; (p,).
    topic: Int32s
    # entry_kind, entry_rule, entry_term, entry_weight, entry_alone, last_entry: of each entry;
    # `entry_alone` is its weight where the term is all of the query; (e,)
    entry_kind: UInt8s
    entry_rule: UInt16s
    entry_term: Int32s
    entry_weight: Float32s
    entry_alone: Float32s
    last_entry: Bools
    single: Int32s
    # fuzzy, common: spellings of terms and large places, and of frequent words that are nobody's
    # name
    fuzzy: SpellingTable
    common: SpellingTable
    # Ascending hashes of rare names of people known to the public, by sound and less one letter.
    spelt_name: Int64s
    # encyclopedia, encyclopedia_salt: ascending `person_mark` of people of an encyclopedia whose
    # names few bear; shape (1,)
    encyclopedia: Int64s
    encyclopedia_salt: Int64s
    ending: Int64s  # node of the term of words with a medical ending; shape (1,)


class ScanOptions(NamedTuple):
    """What is looked for: a bit set over kinds, the least chance of a mark, and how rules count.

    ``person`` are the coefficients of the model of names, ``weight`` a factor for each rule.
    """

    kinds: int
    least: float
    person: Float64s
    weight: Float32s


class MarkColumns(NamedTuple):
    """Marks as columns, the fields of `EntityMarks`; what has no room is counted, not written."""

    query: Int32s
    start: Int32s
    stop: Int32s
    kind: UInt8s
    name: Int64s
    confidence: Float32s
    rule: UInt16s
    term: Int32s
    is_public: Bools


MARK_TYPES = "i4 i4 i4 u1 i8 f4 u2 i4 ?"
MENTION_TYPES = "i4 i4 i4 i4 i4 i2 u2"


def allocate_columns(types: str, room: int) -> list[Array]:
    """Columns of zeros, of types as numpy abbreviates them; shape (room,) each."""
    return [np.zeros(room, dtype=kind) for kind in types.split()]


def fill_columns(types: str, room: int, fill: Callable[[Sequence[Array]], int]) -> list[Array]:
    """The columns that `fill` fills, as long as it says they are; again with more room."""
    while True:
        columns = allocate_columns(types, room)
        size = fill(columns)
        if size <= room:
            return [column[:size] for column in columns]
        room = size


NUMBER, START, STOP, SIZE, TERMS, MARKS = range(6)
"""What `QueryScan.now` says: number of the query, its bytes, words, terms found; all marks."""


class QueryScan(NamedTuple):
    """One query of a block after another, its words, and all that it is read with.

    The query is ``data[now[START]:now[STOP]]``. ``fixed`` is the word that a misspelt one means,
    or −1. ``roles`` are 0 before the first word and behind the last. ``covered`` words belong to a
    phrase that is no name, ``in_term`` ones to a term or to a phrase that isn't meant as one.
    ``spans`` are what `phrase_kernels` finds to begin at each word; shape (words, 8).
    """

    data: UInt8s
    now: Int64s
    lists: EvidenceLists
    options: ScanOptions
    words: SplitWords
    fixed: Int64s
    roles: UInt32s
    settings: UInt32s
    covered: UInt8s
    in_term: UInt8s
    spans: Int64s
    hits: TermHits
    out: MarkColumns


class TermHits(NamedTuple):
    """Terms found in one query: node of the phrase, first and last word, weight."""

    node: Int64s
    first: Int64s
    last: Int64s
    weight: Float32s


class RuleMatch(NamedTuple):
    """What a rule says of some words: a kind, and how sure that is; the rule's number."""

    kind: int
    rule: int
    chance: float


class NameMatches(NamedTuple):
    """Names found in one query: first and last word, chance; and room for one name's features."""

    first: Int64s
    last: Int64s
    chance: Float64s
    vector: Float64s
