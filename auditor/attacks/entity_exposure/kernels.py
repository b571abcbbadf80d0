"""Queries as somebody reads them who knows only some of their words; each is O(bytes)."""

from __future__ import annotations

from typing import NamedTuple

from numba import njit

from auditor.arrays import Bools, Int32s, Int64s, RaggedArray, UInt8s


class ViewMarks(NamedTuple):
    """Stretches of views: query, first character, and the one behind the last."""

    query: Int32s
    start: Int32s
    stop: Int32s


class TokenReading(NamedTuple):
    """Tokens of each raw query by code, and what each is taken for.

    `raw_words` are the bytes of the raw tokens, `words` those of the words; ``guess`` is −1 where a
    token stays hidden, which takes `gap` characters.
    """

    tokens: RaggedArray
    guess: Int32s
    raw_words: RaggedArray
    words: RaggedArray
    gap: int


class RecoveredRuns(NamedTuple):
    """Runs of recovered words: the mark, its characters, and whether any word is wrong."""

    mark: Int64s
    start: Int32s
    stop: Int32s
    wrong: Bools


@njit(cache=True, nogil=True)
def _count_characters(data: UInt8s, start: int, stop: int) -> int:
    count = 0
    for place in range(start, stop):
        count += data[place] & 0xC0 != 0x80
    return count


@njit(cache=True, nogil=True)
def _find_bytes(data: UInt8s, start: int, stop: int, words: UInt8s, low: int, high: int) -> int:
    """First byte from `start` at which ``words[low:high]`` stands, or `stop`."""
    for place in range(start, stop - (high - low) + 1):
        same = True
        for step in range(high - low):
            if data[place + step] != words[low + step]:
                same = False
                break
        if same:
            return place
    return stop


@njit(cache=True, nogil=True)
def mark_runs(
    first: int,
    last: int,
    marks: ViewMarks,
    reading: TokenReading,
    raw_queries: RaggedArray,
    out: RecoveredRuns,
) -> int:
    """Turn the marks ``first:last`` of views into runs of recovered words of the raw queries.

    A mark gives a run for each stretch of its words that are not hidden; a run is wrong if any of
    its words is. Returns the number of runs; those that have no room are not written.
    """
    query, start, stop = marks
    tokens, guess, own_tokens, word_bytes, gap = reading
    offsets, codes = tokens
    own_offsets, raw_words = own_tokens
    word_offsets, words = word_bytes
    raw_offsets, raw = raw_queries
    out_mark, out_start, out_stop, out_wrong = out
    runs = 0
    for mark in range(first, last):
        which = query[mark]
        view = 0
        offset = raw_offsets[which]
        letters = 0
        open_run = False
        for place in range(offsets[which], offsets[which + 1]):
            code = codes[place]
            low, high = own_offsets[code], own_offsets[code + 1]
            there = _find_bytes(raw, offset, raw_offsets[which + 1], raw_words, low, high)
            letters += _count_characters(raw, offset, there)
            begin = letters
            letters += _count_characters(raw_words, low, high)
            offset = there + high - low
            word = guess[code]
            size, wrong = gap, True
            if word >= 0:
                size = _count_characters(words, word_offsets[word], word_offsets[word + 1])
                wrong = word_offsets[word + 1] - word_offsets[word] != high - low
                if not wrong:
                    wrong = _find_bytes(raw_words, low, high, words, word_offsets[word],
                                  word_offsets[word + 1]) != low  # fmt: skip
            inside = word >= 0 and view < stop[mark] and view + size > start[mark]
            view += size + 1
            if not inside:
                open_run = False
                continue
            if not open_run:
                runs += 1
                open_run = True
                if runs <= len(out_mark):
                    out_mark[runs - 1], out_start[runs - 1] = mark, begin
                    out_wrong[runs - 1] = False
            if runs <= len(out_mark):
                out_stop[runs - 1] = letters
                out_wrong[runs - 1] |= wrong
    return runs
