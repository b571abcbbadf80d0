"""Tokens of queries, stems, stop words, and one spelling for what people type alike.

Work is done once for each distinct query, or each distinct token, and never for each row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from auditor.arrays import Int32s, Int64s, Integers, RaggedArray, UInt8s
from auditor.log import gazetteers, gil_friendly
from auditor.log.model import NONE, Vocabulary
from auditor.progress import Progress

BLOCK_BYTES = 4 << 20
"""Text a compiled loop sees between two looks at the cancel flag: some 50 ms of work."""


@dataclass(frozen=True, eq=False)
class TokenizedQueries:
    """The tokens of m strings, as rows of codes.

    Attributes
    ----------
    codes
        int32 codes into `vocabulary`, in the strings' order; shape (tokens,).
    offsets
        int64; string i has ``codes[offsets[i]:offsets[i + 1]]``; shape (m + 1,).
    vocabulary
        The distinct tokens, numbered by first appearance.
    """

    codes: Int32s
    offsets: Int64s
    vocabulary: Vocabulary

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, string: int) -> Int32s:
        """The codes of one string's tokens."""
        if not 0 <= string < len(self):
            raise IndexError(string)
        return self.codes[self.offsets[string] : self.offsets[string + 1]]

    def compute_lengths(self) -> Int64s:
        """Tokens of each string; shape (m,)."""
        return np.diff(self.offsets)

    def find_owners(self) -> Int64s:
        """Which string each token stands in; shape (tokens,)."""
        return gil_friendly.expand_owners(self.offsets)

    def count_occurrences(self, weights: Integers | None = None) -> Int64s:
        """Occurrences of each distinct token; shape (len(vocabulary),).

        `weights` says how often each string counts (how many events asked it); shape (m,).
        """
        size = len(self.vocabulary)
        if weights is not None:
            return gil_friendly.count_weighted(self.codes, self.offsets, np.asarray(weights), size)
        counts = np.zeros(size, dtype=np.int64)
        gil_friendly.count_into(self.codes, counts)
        return counts

    def recode_tokens(self, codes: Int32s, vocabulary: Vocabulary) -> TokenizedQueries:
        """Every token t becomes ``codes[t]`` of another vocabulary, or goes where that is −1.

        Parameters
        ----------
        codes
            int32, shape (len(self.vocabulary),).
        vocabulary
            What the new codes mean.
        """
        new = codes[self.codes]
        keep = new != NONE
        kept = np.concatenate(([0], gil_friendly.running_count(keep)))
        return TokenizedQueries(
            gil_friendly.select_where(new, keep), kept[self.offsets].astype(np.int64), vocabulary
        )


def tokenize_strings(vocabulary: Vocabulary, progress: Progress | None = None) -> TokenizedQueries:
    """Split every string on white space, as `str.split` does; O(bytes).

    The result does not depend on how the work is cut into blocks.

    Raises
    ------
    Cancelled
        `progress` was cancelled.
    """
    from auditor.log import text_kernels as kernels

    progress = progress or Progress()
    data, offsets, m = vocabulary.data, vocabulary.offsets, len(vocabulary)
    size = max(1, int(BLOCK_BYTES * m // max(1, len(data))))
    places = np.zeros(m + 1, dtype=np.int64)
    for first, last in progress.blocks("counting tokens", m, size):
        kernels.count_tokens(data, offsets, first, last, places[1:])
    longest = int(places.max(initial=0))
    np.cumsum(places, out=places)
    codes = np.empty(int(places[-1]), dtype=np.int32)
    strings, out = RaggedArray(offsets, data), RaggedArray(places, codes)
    table = _TokenTable(max(1 << 10, 2 * longest))
    for first, last in progress.blocks("numbering tokens", m, size):
        row = first
        while row < last:
            slots = kernels.TokenSlots(table.keys, table.values, table.starts, table.lengths)
            row, table.known = kernels.number_tokens(strings, row, last, out, slots, table.known)
            if row < last:
                table.grow(progress)
    return TokenizedQueries(codes, places, table.gather_vocabulary(data, progress))


class _TokenTable:
    """The growing hash table behind `tokens`: at most half full."""

    def __init__(self, codes: int) -> None:
        self.known = 0
        self.starts = np.empty(0, dtype=np.int64)
        self.lengths = np.empty(0, dtype=np.int64)
        self._allocate_slots(codes)

    def _allocate_slots(self, codes: int) -> None:
        slots = 1 << (2 * codes - 1).bit_length()
        self.keys = np.empty(slots, dtype=np.uint64)
        self.values = np.full(slots, -1, dtype=np.int64)
        starts, lengths = np.empty((2, slots // 2), dtype=np.int64)
        starts[: self.known] = self.starts[: self.known]
        lengths[: self.known] = self.lengths[: self.known]
        self.starts, self.lengths = starts, lengths

    def grow(self, progress: Progress) -> None:
        """Make it four times as large."""
        from auditor.log import text_kernels as kernels

        keys, values = self.keys, self.values
        self._allocate_slots(2 * len(keys))
        for first in range(0, len(keys), 1 << 20):
            progress.check()
            last = min(first + (1 << 20), len(keys))
            kernels.move_slots(keys, values, first, last, self.keys, self.values)

    def gather_vocabulary(self, data: UInt8s, progress: Progress) -> Vocabulary:
        """The distinct tokens in order of their codes."""
        from auditor.log import text_kernels as kernels

        starts, lengths = self.starts[: self.known], self.lengths[: self.known]
        offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        out = np.empty(int(offsets[-1]), dtype=np.uint8)
        for first, last in progress.blocks("gathering tokens", self.known, 1 << 19):
            kernels.gather_texts(data, starts, lengths, offsets, first, last, out)
        return Vocabulary(out, offsets)


def stem_words(words: Iterable[str]) -> list[str]:
    """The Snowball (English, "Porter2") stem of each word, in lower case."""
    import snowballstemmer

    stems: list[str] = snowballstemmer.stemmer("english").stemWords([w.lower() for w in words])
    return stems


def canonical_tokens(
    found: TokenizedQueries,
    *,
    stems: bool = True,
    drop: Collection[str] | None = None,
    progress: Progress | None = None,
) -> TokenizedQueries:
    """Tokens as attacks compare them: stemmed, and without stop words.

    Parameters
    ----------
    found
        Tokens as typed.
    stems
        Whether words become their stems.
    drop
        Words to leave out, before stemming; the stop words by default.
    """
    unwanted = gazetteers.stop_words() if drop is None else drop
    numbers: dict[str, int] = {}
    codes: list[int] = []
    words = found.vocabulary
    for first, last in (progress or Progress()).blocks("stemming words", len(words), 1 << 14):
        typed = [word.lower() for word in words.list_strings(range(first, last))]
        forms = stem_words(typed) if stems else typed
        codes += [
            NONE if word in unwanted else numbers.setdefault(form, len(numbers))
            for word, form in zip(typed, forms, strict=True)
        ]
    return found.recode_tokens(np.asarray(codes, dtype=np.int32), Vocabulary.of(numbers))


def byte_order(strings: Vocabulary) -> Int64s:
    """The codes in the order of the strings' bytes, as any engine sorts them; O(m log m)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    order = pc.sort_indices(strings.as_arrow().view(pa.large_binary()))
    codes: Int64s = order.to_numpy(zero_copy_only=False).astype(np.int64)
    return codes
