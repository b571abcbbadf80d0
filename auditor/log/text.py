"""Tokens of queries, stems, stop words, and one spelling for what people type alike.

Work is done once for each distinct query, or each distinct token, and never for each row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from unicodedata import category

import numpy as np

from auditor.arrays import Int32s, Int64s, Integers
from auditor.log import gazetteers, gil_friendly
from auditor.log.model import NONE, QueryLog, Vocabulary, number_by_appearance
from auditor.progress import Progress

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK_BYTES = 4 << 20
"""Text that is split between two looks at the cancel flag: some 50 ms of work."""
_OTHER_SPACE = (
    r"[\t-\r\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}"
    r"\x{3000}]"
)
"""What `str.split` takes for white space, but for the space itself."""
SPACE = f" |{_OTHER_SPACE}"


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
        totals = np.concatenate(([0], gil_friendly.running_count(keep)))
        return TokenizedQueries(
            gil_friendly.select_where(new, keep), totals[self.offsets].astype(np.int64), vocabulary
        )


def tokenize_strings(vocabulary: Vocabulary, progress: Progress | None = None) -> TokenizedQueries:
    """Split every string on white space, as `str.split` does; O(bytes).

    The result does not depend on how the work is cut into blocks. Of a string that is no UTF-8 the
    bytes that aren't stand as U+FFFD.

    Raises `Cancelled`: `progress` was cancelled.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    strings, m = vocabulary.as_arrow(), len(vocabulary)
    size = max(1, int(BLOCK_BYTES * m // max(1, len(vocabulary.data))))
    counts = [np.zeros(1, dtype=np.int64)]
    tokens = [pa.array([], pa.large_string()).dictionary_encode()]
    for first, last in (progress or Progress()).blocks("numbering tokens", m, size):
        block = strings.slice(first, last - first)
        try:
            block.validate(full=True)
        except ValueError:  # half a surrogate pair, which only a program can hand over
            block = pa.array(vocabulary.list_strings(range(first, last)), pa.large_string())
        plain = not pc.any(pc.match_substring_regex(block, _OTHER_SPACE)).as_py()
        pieces = pc.split_pattern(block, " ") if plain else pc.split_pattern_regex(block, SPACE)
        words, ends = pieces.flatten(), pieces.offsets.to_numpy()
        filled = pc.binary_length(words).to_numpy() > 0  # empty ones stand where two spaces meet
        counts.append(np.diff(np.concatenate(([0], np.cumsum(filled)))[ends - ends[0]]))
        tokens.append(words.filter(pa.array(filled)).dictionary_encode())
    encoded = pa.chunked_array(tokens).combine_chunks()
    codes = encoded.indices.to_numpy().astype(np.int32, copy=False)
    offsets = np.cumsum(np.concatenate(counts))
    return TokenizedQueries(codes, offsets, Vocabulary.of_arrow(encoded.dictionary))


def join_tokens(
    tokenized: TokenizedQueries, progress: Progress | None = None
) -> tuple[Int32s, Vocabulary]:
    """The strings that tokens make with a blank between, each once, and which of them each row is.

    They are numbered by first appearance. O(bytes).
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    words, m = tokenized.vocabulary.as_arrow(), len(tokenized)
    pieces = []
    for first, last in (progress or Progress()).blocks("writing queries", m, 1 << 17):
        offsets = tokenized.offsets[first : last + 1]
        tokens = words.take(pa.array(tokenized.codes[offsets[0] : offsets[-1]])).cast(pa.string())
        rows = pa.ListArray.from_arrays(pa.array((offsets - offsets[0]).astype(np.int32)), tokens)
        pieces.append(pc.binary_join(rows, " ").cast(pa.large_string()))
    strings = pa.chunked_array(pieces, pa.large_string()).combine_chunks()
    distinct = pc.unique(strings)
    codes = pc.index_in(strings, value_set=distinct).to_numpy(zero_copy_only=False)
    return codes.astype(np.int32), Vocabulary.of_arrow(distinct)


def stem_words(words: Iterable[str]) -> list[str]:
    """The Snowball (English, "Porter2") stem of each word, in lower case."""
    import snowballstemmer

    stems: list[str] = snowballstemmer.stemmer("english").stemWords([w.lower() for w in words])
    return stems


def canonical_tokens(
    tokenized: TokenizedQueries,
    *,
    stems: bool = True,
    drop: Collection[str] | None = None,
    progress: Progress | None = None,
) -> TokenizedQueries:
    """Tokens as attacks compare them: stemmed, and without stop words.

    Parameters
    ----------
    tokenized
        Tokens as typed.
    stems
        Whether words become their stems.
    drop
        Words to leave out, before stemming; the stop words by default.
    """
    unwanted = gazetteers.stop_words() if drop is None else drop
    numbers: dict[str, int] = {}
    codes: list[int] = []
    words = tokenized.vocabulary
    for first, last in (progress or Progress()).blocks("stemming words", len(words), 1 << 14):
        typed = [word.lower() for word in words.list_strings(range(first, last))]
        forms = stem_words(typed) if stems else typed
        codes += [
            NONE if word in unwanted else numbers.setdefault(form, len(numbers))
            for word, form in zip(typed, forms, strict=True)
        ]
    return tokenized.recode_tokens(np.asarray(codes, dtype=np.int32), Vocabulary.of(numbers))


def list_lines(text: str) -> list[str]:
    """The distinct lines of a list from elsewhere that aren't blank, without blanks at their ends.

    What is on such a list is a string of the log if a release writes both alike. Methods that
    release queries in lower case, with single blanks (`respell`), compare them so. Everywhere else
    each letter counts: two queries of a pool are released as two, and each needs a chance of its
    own; and pages, ids and codes may differ in case alone and be two.
    """
    return list(dict.fromkeys(filter(None, map(str.strip, text.splitlines()))))


def respell(queries: Vocabulary) -> pa.Array:
    """Each query in lower case, with single blanks; an Arrow array of as many strings."""
    import pyarrow.compute as pc

    plain = pc.replace_substring_regex(queries.as_arrow(), r"[\s\p{Z}]+", " ")
    return pc.utf8_lower(pc.utf8_trim_whitespace(plain))


def merge_spellings(log: QueryLog) -> QueryLog:
    """The log with queries in lower case, with single blanks; the log itself if they are so."""
    plain = respell(log.queries)
    if plain.equals(log.queries.as_arrow()):
        return log
    encoded = plain.dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)[log.query]
    query, queries = number_by_appearance(codes, Vocabulary.of_arrow(encoded.dictionary))
    return replace(log, query=query, queries=queries)


def find_merged_characters(text: str, merged: str) -> Int64s:
    """Where each character of a spelling of `merge_spellings` stands in what it was made of."""
    places, place = np.zeros(len(merged), dtype=np.int64), len(text) - len(text.lstrip())
    for number, character in enumerate(merged):
        while character != " " and (text[place] in "\t\n\f\r" or category(text[place])[0] == "Z"):
            place += 1  # all but the first of several blanks, which stands for them
        places[number] = place
        place += 1
    return places


def byte_order(strings: Vocabulary) -> Int64s:
    """The codes in the order of the strings' bytes, as any engine sorts them; O(m log m)."""
    import pyarrow as pa
    import pyarrow.compute as pc

    order = pc.sort_indices(strings.as_arrow().view(pa.large_binary()))
    codes: Int64s = order.to_numpy(zero_copy_only=False).astype(np.int64)
    return codes
